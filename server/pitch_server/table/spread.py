"""How measured times are spread: counts in buckets that grow by a fifth.

Here belongs counting them and telling percentiles; what is measured, and why, does not. Counts
are kept in databases: buckets never change.
"""

from collections.abc import Sequence
from math import isfinite, log2
from typing import Self

__all__ = ["Spread"]

_LEAST = 1e-5  # seconds; below it nothing is told apart
_STEPS = 4  # buckets in a doubling
_BUCKETS = 26 * _STEPS  # the last begins at ten minutes


class Spread:
    """Times in seconds, of which only counts are kept; percentiles are a fifth too high at most."""

    __slots__ = ("_buckets", "count", "worst")

    def __init__(self) -> None:
        self.count = 0
        self.worst = 0.0
        self._buckets = [0] * _BUCKETS

    def add(self, seconds: float) -> None:
        """Counts one."""
        self.count += 1
        self.worst = max(self.worst, seconds)
        step = 0 if seconds < _LEAST else 1 + int(_STEPS * log2(seconds / _LEAST))
        self._buckets[min(step, _BUCKETS - 1)] += 1

    @classmethod
    def of(cls, counts: Sequence[int], worst: float) -> Self:
        """The one with these counts, as `counts` gave them; ValueError if there can't be one."""
        sound = all(type(count) is int and count >= 0 for count in counts)
        if not sound or len(counts) > _BUCKETS or not isfinite(worst) or worst < 0:
            raise ValueError(f"expected up to {_BUCKETS} counts and a time, got {counts}, {worst}")
        spread = cls()
        spread.count = sum(counts)
        spread.worst = worst
        spread._buckets[: len(counts)] = counts
        return spread

    @property
    def counts(self) -> list[int]:
        """How many times are in each bucket, up to the last that has any."""
        used = max((step for step, count in enumerate(self._buckets) if count), default=-1)
        return self._buckets[: used + 1]

    def add_all(self, other: "Spread") -> None:
        """Counts what another has counted."""
        self.count += other.count
        self.worst = max(self.worst, other.worst)
        self._buckets = [
            mine + theirs for mine, theirs in zip(self._buckets, other._buckets, strict=True)
        ]

    def at(self, share: float) -> float:
        """The time that `share` of all do not exceed; 0 where there are none."""
        wanted, seen = share * self.count, 0
        for step, count in enumerate(self._buckets):
            seen += count
            if seen >= wanted and seen:
                return min(self.worst, _LEAST * 2 ** (step / _STEPS)) if step else 0.0
        return self.worst

    @property
    def p50(self) -> float:
        """The median, in seconds."""
        return self.at(0.5)

    @property
    def p99(self) -> float:
        """What one in a hundred exceeds, in seconds."""
        return self.at(0.99)
