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

    __slots__ = ("_kept", "_step", "boards")

    def __init__(self, mu: float, sigma: float) -> None:
        self.boards = 0
        self._kept = [Point(0, mu, sigma)]
        self._step = 1

    def count(self) -> bool:
        """One more board; whether the skill after it is to be added."""
        self.boards += 1
        return not self.boards % self._step

    def add(self, mu: float, sigma: float) -> None:
        """The skill now."""
        self._kept.append(Point(self.boards, mu, sigma))
        if len(self._kept) >= MOST_POINTS:
            self._kept = self._kept[::2]
            self._step *= 2

    def points(self, mu: float, sigma: float) -> list[Point]:
        """The points, the first before any board, the last the skill now."""
        now = Point(self.boards, mu, sigma)
        return [*self._kept, *(() if self._kept[-1].boards == self.boards else (now,))]
