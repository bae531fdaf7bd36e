"""Until separated: which pairings still need boards, with one error rate over all of them.

Here belongs the decision which pairings play on. The plan of the next batch does not.
"""

import math
from typing import NamedTuple

from pitch_server.comparing.betting import Evidence
from pitch_server.comparing.many_pairings import holm

__all__ = ["Separated", "Separation"]


class Separated(NamedTuple):
    """One comparison: `better` is 1 for the first of the two, -1 for the other, 0 undecided."""

    better: int
    boards: int
    p_value: float
    adjusted: float


class Separation:
    """All comparisons of a field, each with its evidence and one error rate over all of them.

    Holm's correction of p-values that hold at every time at once: the chance that any two which
    are equal are ever called different is at most `alpha`. It may be asked after every batch, and
    what is decided stays so, as p-values never rise. Each decided one has the wrong sign with a
    chance of at most alpha/2. All that is exact for bounded margins where a board's deal is
    independent of whatever decided that it is played. So: all undecided comparisons play each
    batch in step, the same new boards; one that is decided plays no more.
    """

    __slots__ = ("_evidence", "alpha")

    def __init__(self, comparisons: int, largest: float, alpha: float = 0.05) -> None:
        if not 0 < alpha < 1:
            raise ValueError(f"alpha must be above 0 and below 1, got {alpha!r}")
        self.alpha = alpha
        self._evidence = tuple(Evidence(largest) for _ in range(comparisons))

    def add(self, comparison: int, margin: float) -> None:
        """Take the next board of a comparison in, in plan order: D of the first of the two."""
        self._evidence[comparison].add(margin)

    def results(self) -> tuple[Separated, ...]:
        """Every comparison as it stands."""
        p_values = [evidence.p_value for evidence in self._evidence]
        return tuple(
            Separated(
                evidence.side if mark.significant else 0,
                evidence.boards,
                p,
                1.0 if mark.adjusted is None else mark.adjusted,
            )
            for evidence, p, mark in zip(
                self._evidence, p_values, holm(p_values, self.alpha), strict=True
            )
        )

    def undecided(self) -> tuple[int, ...]:
        """The comparisons that are to play the next batch; empty when all are separated."""
        return tuple(place for place, one in enumerate(self.results()) if not one.better)

    def evidence_left(self, comparison: int) -> float:
        """By how much the logarithm of its capital has to grow to be decided for certain."""
        needed = math.log(2 * len(self._evidence) / self.alpha)
        return max(0.0, needed - self._evidence[comparison].log_peak)
