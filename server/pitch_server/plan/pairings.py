"""Pairings by arithmetic: a sequence that costs no memory, however long it is.

Here belongs what the formats share that know all of their pairings beforehand.
"""

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import overload

__all__ = ["Pairings", "combination"]


class Pairings(Sequence[tuple[int, ...]]):
    """Pairings, each a tuple of entrants; a format gives their number and each by its index."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def pairing(self, index: int) -> tuple[int, ...]:
        """The pairing of that index, which is in range."""

    @overload
    def __getitem__(self, index: int) -> tuple[int, ...]: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[tuple[int, ...], ...]: ...

    def __getitem__(self, index: int | slice) -> tuple[int, ...] | tuple[tuple[int, ...], ...]:
        """The pairing of that index."""
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        size = len(self)
        if not -size <= index < size:
            raise IndexError(f"pairing {index} of {size}")
        return self.pairing(index % size)


def combination(entrants: int, count: int, index: int) -> tuple[int, ...]:
    """The `index`-th of the ascending choices of `count` entrants, in lexicographic order."""
    chosen: list[int] = []
    entrant = 0
    while len(chosen) < count:
        with_it = math.comb(entrants - entrant - 1, count - len(chosen) - 1)
        if index < with_it:
            chosen.append(entrant)
        else:
            index -= with_it
        entrant += 1
    return tuple(chosen)
