"""Curves: how a rating moved, in a few points however many boards there were.

Here belongs which points are kept. Ratings are not made here.
"""

from typing import NamedTuple

__all__ = ["MOST_POINTS", "Curve", "Point"]

MOST_POINTS = 200


class Point(NamedTuple):
    """The skill after so many rated boards of the entrant."""

    boards: int
    mu: float
    sigma: float


class Curve:
    """Points at equal distances: whenever there are too many, every other one goes."""

    __slots__ = ("_kept", "_last", "_step")

    def __init__(self, start: Point) -> None:
        self._kept = [start]
        self._last = start
        self._step = 1

    @property
    def boards(self) -> int:
        """How many boards it goes over."""
        return self._last.boards

    def add(self, mu: float, sigma: float) -> None:
        """Take in the skill after one more board."""
        self._last = Point(self._last.boards + 1, mu, sigma)
        if self._last.boards % self._step:
            return
        self._kept.append(self._last)
        if len(self._kept) >= MOST_POINTS:
            self._kept = self._kept[::2]
            self._step *= 2

    def points(self) -> list[Point]:
        """The points, the first before any board, the last after the last one."""
        ends = () if self._kept[-1] == self._last else (self._last,)
        return [*self._kept, *ends]
