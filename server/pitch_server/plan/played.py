"""Played: which games of a plan are in the journal, as runs of numbers.

A tournament plays nearly in plan order, so few runs describe any number of games. Results do
not belong here.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

__all__ = ["Played"]


class Played:
    """A set of game numbers that grows. It costs memory by its gaps, not by its size."""

    __slots__ = ("_count", "_starts", "_stops")

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        self._starts: list[int] = []
        self._stops: list[int] = []
        self._count = 0
        for number in numbers:
            self.add(number)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self._starts, number) - 1
        return at >= 0 and number < self._stops[at]

    def add(self, number: int) -> bool:
        """Take a number in; False if it was there already."""
        at = bisect_right(self._starts, number)
        if at and number < self._stops[at - 1]:
            return False
        self._count += 1
        after_run = at > 0 and self._stops[at - 1] == number
        before_run = at < len(self._starts) and self._starts[at] == number + 1
        if after_run and before_run:
            self._stops[at - 1] = self._stops.pop(at)
            del self._starts[at]
        elif after_run:
            self._stops[at - 1] = number + 1
        elif before_run:
            self._starts[at] = number
        else:
            self._starts.insert(at, number)
            self._stops.insert(at, number + 1)
        return True

    def missing(self, total: int) -> Iterator[int]:
        """The numbers below `total` that are not in, ascending; unmoved by later additions."""
        starts, stops = [*self._starts, total], [0, *self._stops]
        for start, stop in zip(stops, starts, strict=True):
            yield from range(start, min(stop, total))
