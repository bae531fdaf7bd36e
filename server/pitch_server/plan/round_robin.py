"""Pairings: who meets whom, by arithmetic, so that any number of entrants costs no memory.

Here belongs the order of the pairings. Boards, seatings and games do not (`games`).
"""

import math
from collections.abc import Sequence
from typing import overload

__all__ = ["Pairings"]


class Pairings(Sequence[tuple[int, ...]]):
    """All combinations of `sides` entrants, each a tuple of ascending indexes.

    Two sides come by the circle method: rounds of disjoint pairings, in which every entrant
    meets once or (odd numbers) has a bye. More sides come in lexicographic order.
    """

    __slots__ = ("entrants", "sides")

    def __init__(self, entrants: int, sides: int) -> None:
        self.entrants = entrants
        self.sides = sides

    def __len__(self) -> int:
        return math.comb(self.entrants, self.sides)

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
        return self._pairing(index % size)

    def _pairing(self, index: int) -> tuple[int, ...]:
        if self.sides == 2:
            return _circle(self.entrants, index)
        return _combination(self.entrants, self.sides, index)


def _circle(entrants: int, index: int) -> tuple[int, int]:
    """The pairing of that index by the circle method.

    An odd number of entrants sits on the circle; of an even number the last one sits in its
    middle and meets, in each round, the one that would have a bye.
    """
    circle = entrants - 1 + entrants % 2
    turn, place = divmod(index, entrants // 2)
    if entrants % 2:
        place += 1  # place 0 is the bye
    one = (turn + place) % circle
    other = (turn - place) % circle if place else entrants - 1
    return min(one, other), max(one, other)


def _combination(entrants: int, sides: int, index: int) -> tuple[int, ...]:
    """The `index`-th of the ascending combinations in lexicographic order."""
    chosen: list[int] = []
    entrant = 0
    while len(chosen) < sides:
        with_it = math.comb(entrants - entrant - 1, sides - len(chosen) - 1)
        if index < with_it:
            chosen.append(entrant)
        else:
            index -= with_it
        entrant += 1
    return tuple(chosen)
