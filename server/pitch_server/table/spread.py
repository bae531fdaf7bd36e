"""How measured times are spread: counts in buckets that grow by a fifth.

Here belongs counting them and telling percentiles; what is measured, and why, does not.
"""

from math import log2

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
