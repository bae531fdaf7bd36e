"""Boards for tests: the published ones, and many of chance as sensible bots play them."""

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from random import Random

from pitch_server.scores.statistics import Moments

# comparison.md, "Test values"
BOARDS = (3, -1, 0, 2, -2, 4, 1, 0, -1, 2, 3, -3, 1, 0, 2, 1, -1, 0, 5, -2)
LARGEST = 9
SD = 1.5


def moments_of(values: Iterable[int], scale: int = 1) -> Moments:
    """The moments of values, each times the scale."""
    moments = Moments(scale)
    for value in values:
        moments.add(value * scale)
    return moments


def board(chance: Random, effect: float) -> int:
    """Twice D of a board: half points, with a deviation of 1.5, `effect` of them from 0."""
    return max(-2 * LARGEST, min(2 * LARGEST, round(2 * chance.gauss(effect * SD, SD))))


def boards(chance: Random, effect: float, count: int) -> Iterator[int]:
    """So many boards."""
    return (board(chance, effect) for _ in range(count))


def as_completed(chance: Random, margins: Iterable[int], tables: int) -> Iterator[tuple[int, int]]:
    """Boards (number, margin) in the order in which they end, where losses take three times as
    long as wins."""
    waiting: list[tuple[float, int, int]] = []
    now = 0.0
    for number, margin in enumerate(margins):
        length = (3 if margin < 0 else 1) * (0.8 + 0.4 * chance.random())
        heappush(waiting, (now + length, number, margin))
        if len(waiting) == tables:
            now, ended, taken = heappop(waiting)
            yield ended, taken
    while waiting:
        _, ended, taken = heappop(waiting)
        yield ended, taken
