"""Rounds: the parts of a plan, each known as a whole before its first game.

Here belong the boards that the pairings of a round play, and their order. Why these pairings meet
is each format's business, games and seats are `games`'.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple, Protocol

__all__ = ["InStep", "Part", "Round", "Stint", "Stints"]


class Stint(NamedTuple):
    """A pairing and the boards that it plays one after the other."""

    pairing: int
    boards: range


class Part(NamedTuple):
    """A run of a round's matches, from `start` up to `stop`, that are of one pairing."""

    start: int
    stop: int
    pairing: int


class Round(Protocol):
    """A part of the plan. A *match* is one board of one pairing; they are numbered from 0."""

    @property
    def byes(self) -> tuple[int, ...]:
        """The entrants that have nobody to meet in it."""

    @property
    def pairings(self) -> Sequence[int]:
        """The pairings that meet in it, by index."""

    @property
    def matches(self) -> int:
        """How many there are."""

    def match(self, number: int) -> tuple[int, int]:
        """(pairing, board) of a match."""

    def find(self, pairing: int, board: int) -> int | None:
        """The number of a match; None if it is not of this round."""

    def parts(self) -> Iterator[Part]:
        """The runs of matches of one pairing, where pairings come one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InStep:
    """All pairings play the same boards: board by board, or `by_pairing`."""

    pairings: Sequence[int]
    boards: range
    by_pairing: bool
    byes: tuple[int, ...] = ()

    @property
    def matches(self) -> int:
        """How many there are."""
        return len(self.pairings) * len(self.boards)

    def match(self, number: int) -> tuple[int, int]:
        """(pairing, board) of a match."""
        if self.by_pairing:
            pairing, board = divmod(number, len(self.boards))
        else:
            board, pairing = divmod(number, len(self.pairings))
        return self.pairings[pairing], self.boards[board]

    def find(self, pairing: int, board: int) -> int | None:
        """The number of a match; None if it is not of this round."""
        if pairing not in self.pairings or board not in self.boards:
            return None
        row, column = self.pairings.index(pairing), self.boards.index(board)
        if self.by_pairing:
            return row * len(self.boards) + column
        return column * len(self.pairings) + row

    def parts(self) -> Iterator[Part]:
        """The runs of matches of one pairing, where pairings come one after the other."""
        size = len(self.boards)
        for at, pairing in enumerate(self.pairings):
            yield Part(at * size, (at + 1) * size, pairing)


@dataclass(frozen=True, slots=True)
class Stints:
    """Each pairing plays boards of its own number, pairing by pairing."""

    stints: tuple[Stint, ...]
    _ends: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        ends = tuple(accumulate(len(stint.boards) for stint in self.stints))
        object.__setattr__(self, "_ends", ends)

    @property
    def byes(self) -> tuple[int, ...]:
        """Nobody: not to be chosen is no bye."""
        return ()

    @property
    def pairings(self) -> tuple[int, ...]:
        """The pairings that meet in it, by index."""
        return tuple(stint.pairing for stint in self.stints)

    @property
    def matches(self) -> int:
        """How many there are."""
        return self._ends[-1] if self._ends else 0

    def match(self, number: int) -> tuple[int, int]:
        """(pairing, board) of a match."""
        at = bisect_right(self._ends, number)
        stint = self.stints[at]
        return stint.pairing, stint.boards[number - self._ends[at]]  # counted from its end

    def find(self, pairing: int, board: int) -> int | None:
        """The number of a match; None if it is not of this round."""
        for stint, end in zip(self.stints, self._ends, strict=True):
            if stint.pairing == pairing and board in stint.boards:
                return end - len(stint.boards) + stint.boards.index(board)
        return None

    def parts(self) -> Iterator[Part]:
        """The runs of matches of one pairing, where pairings come one after the other."""
        for stint, end in zip(self.stints, self._ends, strict=True):
            yield Part(end - len(stint.boards), end, stint.pairing)
