"""Confidence sequences: intervals that hold at every board at once, however often one looks.

Here belong the asymptotic one and the one that is exact for bounded margins (comparison.md).
Both read the boards of the finished prefix in plan order.
"""

import math
from dataclasses import dataclass

from pitch_server.comparing.measures import MIN_BOARDS, Measure, standard_deviation
from pitch_server.scores.statistics import Moments

__all__ = [
    "EmpiricalBernstein",
    "RunningInterval",
    "asymptotic_half_width",
    "asymptotic_interval",
    "guarded_interval",
    "rho_squared",
    "running_interval",
]

DEFAULT_ALPHA = 0.05
DEFAULT_NARROWEST = 500
_CAP = 0.5
"""The largest bet of the empirical Bernstein sequence: c of the paper, for margins in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningInterval:
    """A mean with an interval that may be looked at after every board."""

    point_of_view: str
    measure: Measure
    boards: int
    mean: float | None
    interval: tuple[float, float] | None
    """None while nothing can be said: too few boards, or no spread."""
    alpha: float
    exact: bool
    """Whether it holds from the first board on, not only for many."""

    @property
    def half_width(self) -> float | None:
        """Half of the interval's width: the precision reached."""
        return None if self.interval is None else (self.interval[1] - self.interval[0]) / 2


def rho_squared(narrowest: float, alpha: float) -> float:
    """The parameter with which the asymptotic sequence is narrowest near that many boards."""
    _check_alpha(alpha)
    if not narrowest > 0:
        raise ValueError(f"the sequence must be narrowest at 1 board or more, got {narrowest!r}")
    return (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / narrowest


def _check_alpha(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be above 0 and below 1, got {alpha!r}")


def asymptotic_half_width(
    boards: float, sd: float, narrowest: float = DEFAULT_NARROWEST, alpha: float = DEFAULT_ALPHA
) -> float:
    """Half of the asymptotic sequence's width; `sd` is with 1/n (arXiv 2103.06476)."""
    rho2 = rho_squared(narrowest, alpha)
    grown = boards * rho2 + 1
    return sd * math.sqrt(2 * grown / (boards * boards * rho2) * math.log(math.sqrt(grown) / alpha))


def asymptotic_interval(
    moments: Moments, narrowest: float = DEFAULT_NARROWEST, alpha: float = DEFAULT_ALPHA
) -> tuple[float, float] | None:
    """The asymptotic sequence's interval now; None before MIN_BOARDS and without spread.

    With fewer boards it leaves out the true mean more often than alpha, as it is made for many.
    """
    mean, sd = moments.mean, standard_deviation(moments)
    if mean is None or not sd or moments.count < MIN_BOARDS:
        return None
    half = asymptotic_half_width(moments.count, sd, narrowest, alpha)
    return mean - half, mean + half


def guarded_interval(
    moments: Moments,
    largest: float,
    narrowest: float = DEFAULT_NARROWEST,
    alpha: float = DEFAULT_ALPHA,
) -> tuple[float, float] | None:
    """The interval whose bounds hold even if one more board came out as far off as one can.

    The lower bound is that with one more board of -largest, the upper that with one of +largest.
    What happens to a bot once in a hundred boards, such as a forfeit, may not have happened yet:
    without this guard the asymptotic sequence errs by several times alpha then
    (tests/comparing/test_error_rates.py). None as `asymptotic_interval`.
    """
    if asymptotic_interval(moments, narrowest, alpha) is None:
        return None
    far = math.ceil(largest * moments.scale)
    low = asymptotic_interval(moments.with_one_more(-far), narrowest, alpha)
    high = asymptotic_interval(moments.with_one_more(far), narrowest, alpha)
    assert low is not None  # noqa: S101 - there is more spread than before
    assert high is not None  # noqa: S101
    return low[0], high[1]


def running_interval(
    moments: Moments,
    point_of_view: str,
    measure: Measure,
    narrowest: float = DEFAULT_NARROWEST,
    alpha: float = DEFAULT_ALPHA,
) -> RunningInterval:
    """The asymptotic sequence as a value that says what it is."""
    return RunningInterval(
        point_of_view=point_of_view,
        measure=measure,
        boards=moments.count,
        mean=moments.mean,
        interval=asymptotic_interval(moments, narrowest, alpha),
        alpha=alpha,
        exact=False,
    )


class EmpiricalBernstein:
    """The exact sequence for margins of at most `largest`, streaming.

    The predictable plug-in empirical Bernstein sequence of Waudby-Smith and Ramdas (arXiv
    2010.09686, theorem 2), on X = (D + largest) / (2 largest): bets
    lambda_t = min(sqrt(2 ln(2/alpha) / (v_(t-1) t ln(1 + t))), 1/2) from what came before, and
    sum(lambda X)/sum(lambda) +- (ln(2/alpha) + sum((X_t - m_(t-1))² psi(lambda_t)))/sum(lambda),
    psi(x) = -ln(1 - x) - x. Own code, as `confseq` 0.0.11 neither builds nor runs with NumPy 2.
    The interval is cut with all before it, so that it never grows.
    """

    __slots__ = (
        "_bets",
        "_cost",
        "_deviations",
        "_lower",
        "_stakes",
        "_sum",
        "_upper",
        "alpha",
        "boards",
        "largest",
    )

    def __init__(self, largest: float, alpha: float = DEFAULT_ALPHA) -> None:
        _check_alpha(alpha)
        if not (largest > 0 and math.isfinite(largest)):
            raise ValueError(f"the largest margin must be a number above 0, got {largest!r}")
        self.largest, self.alpha = largest, alpha
        self._lower, self._upper = -largest, largest
        self._sum = self._deviations = 0.0
        self._bets = self._stakes = self._cost = 0.0
        self.boards = 0

    def add(self, margin: float) -> None:
        """Take the next board of the plan in: D. Raises ValueError beyond the largest margin."""
        if not abs(margin) <= self.largest * (1 + 1e-12):
            raise ValueError(
                f"the margin is {margin!r}; expected at most {self.largest} either way"
            )
        value = (margin / self.largest + 1) / 2
        self.boards += 1
        count = self.boards
        before = (0.5 + self._sum) / count
        bet = self._bet(count, (0.25 + self._deviations) / count)
        self._sum += value
        self._deviations += (value - (0.5 + self._sum) / (count + 1)) ** 2
        self._bets += bet
        self._stakes += bet * value
        self._cost += (value - before) ** 2 * (-math.log1p(-bet) - bet)
        self._cut((math.log(2 / self.alpha) + self._cost) / self._bets)

    def _bet(self, board: float, spread: float) -> float:
        """The bet at a board, with what is then known of the variance."""
        wanted = 2 * math.log(2 / self.alpha) / (spread * board * math.log1p(board))
        return min(math.sqrt(wanted), _CAP)

    def _cut(self, half: float) -> None:
        centre = self._stakes / self._bets
        lower = max(self._lower, (2 * (centre - half) - 1) * self.largest)
        upper = min(self._upper, (2 * (centre + half) - 1) * self.largest)
        # an empty cut shows that the sequence has missed, as alpha of them do: the last stays
        if lower <= upper:
            self._lower, self._upper = lower, upper

    @property
    def interval(self) -> tuple[float, float]:
        """The interval now: before any board all that margins can be."""
        return self._lower, self._upper

    def running_interval(
        self, moments: Moments, point_of_view: str, measure: Measure
    ) -> RunningInterval:
        """The sequence as a value that says what it is, with the mean of the same boards."""
        return RunningInterval(
            point_of_view=point_of_view,
            measure=measure,
            boards=self.boards,
            mean=moments.mean,
            interval=self.interval,
            alpha=self.alpha,
            exact=True,
        )
