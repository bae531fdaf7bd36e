"""A comparison over a number of boards that was fixed before looking (comparison.md).

Here belong what a fixed sample says of its mean, its effect size and its p-value, and how much
luck the exchange of seats removed. Nothing here may be used to decide when to stop.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pitch_server.comparing.measures import Measure
from pitch_server.scores.statistics import Moments

__all__ = ["FixedSize", "Luck", "fixed_size", "two_sided_p"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedSize:
    """What a fixed number of boards says, from one entrant's point of view.

    None where there are too few boards to say it or, for effect and p-value, no spread at all.
    """

    point_of_view: str
    measure: Measure
    boards: int
    mean: float | None
    sd: float | None
    standard_error: float | None
    interval: tuple[float, float] | None
    effect: float | None
    """The mean in standard deviations of a board."""
    p_value: float | None
    """Two-sided, of the hypothesis that the mean is 0."""


def fixed_size(moments: Moments, point_of_view: str, measure: Measure) -> FixedSize:
    """The comparison that a fixed number of boards makes."""
    summary = moments.summary()
    spread = summary.sd or None
    return FixedSize(
        point_of_view=point_of_view,
        measure=measure,
        boards=summary.count,
        mean=summary.mean,
        sd=summary.sd,
        standard_error=summary.standard_error,
        interval=summary.interval,
        effect=None if spread is None or summary.mean is None else summary.mean / spread,
        p_value=two_sided_p(moments),
    )


def two_sided_p(moments: Moments, mean: float = 0.0) -> float | None:
    """The p-value by Student's t of the hypothesis that the mean is `mean`, at a fixed n.

    None with fewer than two boards and without spread: nothing is decided by those.
    """
    summary = moments.summary()
    if summary.mean is None or not summary.standard_error:
        return None
    from scipy.special import stdtr  # takes half a second, which a start should not wait for

    t = abs(summary.mean - mean) / summary.standard_error
    return float(2 * stdtr(summary.count - 1, -t))


class Luck:
    """How much of the luck the exchange of seats removed: 1 - Var(D) / Var(unpaired mean).

    Of k seatings, D is the mean of k tables of one deal. Had each table had a deal of its own,
    one in each seating, their mean would have the variance (Var T1 + ... + Var Tk) / k². Each
    seating's variance is around its own mean, so that what a seat is worth is not counted as
    luck.
    """

    __slots__ = ("boards", "tables")

    def __init__(self, seatings: int, scale: int = 1) -> None:
        self.boards = Moments(scale * seatings)
        self.tables = tuple(Moments(scale) for _ in range(seatings))

    def add(self, margins: Sequence[int]) -> None:
        """Take a board in: the entrant's margin at each of its tables, times the scale."""
        self.boards.add(sum(margins))
        for table, margin in zip(self.tables, margins, strict=True):
            table.add(margin)

    @property
    def removed(self) -> float | None:
        """The share of luck removed: below 0 where pairing did harm; None without spread."""
        worth = self._variances()
        return None if worth is None or not worth[1] else 1 - worth[0] / worth[1]

    @property
    def deals_worth(self) -> float | None:
        """How many boards of unpaired deals one board is worth; None without spread of D."""
        worth = self._variances()
        return None if worth is None or not worth[0] else worth[1] / worth[0]

    def _variances(self) -> tuple[float, float] | None:
        """Those of D and of the mean of unpaired tables, both with n - 1."""
        board = self.boards.summary().sd
        tables = [table.summary().sd for table in self.tables]
        if board is None or None in tables:
            return None
        unpaired = math.fsum(sd * sd for sd in tables if sd) / len(tables) ** 2
        return board * board, unpaired
