"""Metrics: what a running server counts, and how long things took.

Here belongs the counting, which must cost a decision next to nothing: whole numbers in plain
objects, read when somebody asks. How they are shown to Prometheus is `scraping`'s. They are of
this process, from its start, and no part of any result.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

__all__ = ["Answers", "Depths", "Histogram", "Metrics"]

# Upper bounds of the histograms in seconds, inclusive.
ANSWERS = (
    *(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5),
    *(1.0, 2.5, 5.0, 10.0, 30.0, 60.0),
)
LAGS = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
COMMITS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


Key = TypeVar("Key")


class Depths(NamedTuple):
    """What is under way now, over all entrants.

    `waiting` questions are asked and not written, `out` ones are with the bots.
    """

    waiting: int
    out: int
    connections: int


class Histogram:
    """How many values came, by size; `counts` has one more for those beyond every bound."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Counts a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def cumulative(self) -> list[tuple[float, int]]:
        """How many values were within each bound; the last bound is infinite."""
        counts, within, rows = list(self.counts), 0, []
        for bound, count in zip((*self.bounds, math.inf), counts, strict=True):
            within += count
            rows.append((bound, within))
        return rows


class Answers:
    """What one entrant answered; its instances call `answered` for what came in time."""

    __slots__ = ("_latencies", "_thoughts", "count", "latency", "strays", "thought")

    def __init__(self, latencies: Histogram, thoughts: Histogram) -> None:
        self._latencies = latencies
        self._thoughts = thoughts
        self.count = 0
        self.latency = 0.0
        self.thought = 0.0
        self.strays = 0

    def answered(self, latency: float, reported: float) -> None:
        """An answer: seconds from writing its question, and those that the bot says it thought."""
        self.count += 1
        self.latency += latency
        self.thought += reported
        histogram = self._latencies  # written out: this is once for every decision
        histogram.counts[bisect_left(ANSWERS, latency)] += 1
        histogram.total += latency
        histogram = self._thoughts
        histogram.counts[bisect_left(ANSWERS, reported)] += 1
        histogram.total += reported

    def strayed(self, count: int) -> None:
        """So many answers came that nobody had asked for."""
        self.strays += count


class Metrics:
    """All that a server counts."""

    def __init__(self) -> None:
        self.latencies = Histogram(ANSWERS)
        self.thoughts = Histogram(ANSWERS)
        self.lags = Histogram(LAGS)
        self.commits = Histogram(COMMITS)
        self.answers: dict[str, Answers] = {}
        self.faults: dict[tuple[str, str], int] = {}
        self.refusals: dict[str, int] = {}
        self.restarts: dict[str, int] = {}
        self.games = 0
        self.crashes = 0

    def entrant(self, name: str) -> Answers:
        """Where the answers of an entrant are counted."""
        found = self.answers.get(name)
        if found is None:
            found = self.answers[name] = Answers(self.latencies, self.thoughts)
        return found

    def fault(self, entrant: str, kind: str) -> None:
        """A fault was charged."""
        _add(self.faults, (entrant, kind))

    def lagged(self, late: float) -> None:
        """The event loop came to a tick of its clock so many seconds late."""
        self.lags.observe(late)

    def committed(self, games: int, delay: float) -> None:
        """So many games are on disk, the oldest of them for `delay` seconds after its end."""
        self.games += games
        self.commits.observe(delay)

    def crashed(self) -> None:
        """A game met an exception of ours."""
        self.crashes += 1

    def refused(self, reason: str) -> None:
        """A connection was turned away; `reason` is one of a few words of ours."""
        _add(self.refusals, reason)

    def restarted(self, entrant: str) -> None:
        """A launched bot was started again after its process had ended."""
        _add(self.restarts, entrant)


def _add(counts: dict[Key, int], key: Key) -> None:
    counts[key] = counts.get(key, 0) + 1
