"""The sequential test: one hypothesis against another, board by board (comparison.md).

Here belong the likelihood ratio, its bounds and the verdict. Which boards are fed, and in what
order, is not decided here: those of the finished prefix, in plan order, each once.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from pitch_server.comparing.measures import MIN_BOARDS, Measure, variance
from pitch_server.scores.statistics import Moments

__all__ = [
    "Hypotheses",
    "SequentialState",
    "SequentialTest",
    "Verdict",
    "log_likelihood_ratio",
]


class Verdict(StrEnum):
    """What is decided: of a test H0 or H1, of other questions what an interval says."""

    UNDECIDED = "undecided"
    H0 = "H0"
    H1 = "H1"
    BETTER = "better"
    """The first is better."""
    WORSE = "worse"
    ALIKE = "alike"
    """They differ by less than was asked about."""
    PRECISE = "precise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypotheses:
    """What is tested: H0 against H1 in units of `measure`, seen from one entrant, with errors.

    `alpha` is how often H1 may be decided though H0 holds, `beta` how often H0 though H1 holds.
    """

    point_of_view: str
    measure: Measure
    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.h0) and math.isfinite(self.h1) and self.h0 != self.h1):
            raise ValueError(
                f"H0 and H1 must be two different numbers, got {self.h0!r} and {self.h1!r}"
            )
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name} must be above 0 and below 0.5, got {rate!r}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which H0 is decided."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which H1 is decided."""
        return math.log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialState:
    """Where a test stands: `llr` between `lower` (H0) and `upper` (H1)."""

    hypotheses: Hypotheses
    boards: int
    """Those that the verdict rests on; if there is none, all so far."""
    llr: float | None
    """None while nothing can be said: no boards, or no spread."""
    lower: float
    upper: float
    verdict: Verdict
    """Whether it was ended by hand; its verdict stays undecided."""
    later_boards: int
    later_mean: float | None


def log_likelihood_ratio(moments: Moments, hypotheses: Hypotheses) -> float | None:
    """How much likelier the boards are under H1 than under H0, as a logarithm.

    None without spread: equal margins fit any mean and no deviation.
    """
    spread, mean = variance(moments), moments.mean
    if not spread or mean is None:
        return None
    h0, h1 = hypotheses.h0, hypotheses.h1
    if hypotheses.measure is Measure.DEVIATIONS:
        return _effect_likelihood(moments, h1) - _effect_likelihood(moments, h0)
    ratio = (spread + (mean - h0) ** 2) / (spread + (mean - h1) ** 2)
    return moments.count / 2 * math.log(ratio)


def _effect_likelihood(moments: Moments, effect: float) -> float:
    """The log-likelihood of mean = effect * sigma at its likeliest sigma; scale does not matter."""
    count, total, squares = moments.count, float(moments.total), float(moments.squares)
    slope = effect * total
    root = math.sqrt(slope * slope + 4 * count * squares)
    # the two forms of one root of a quadratic: neither takes like from like
    sigma = 2 * squares / (slope + root) if slope > 0 else (root - slope) / (2 * count)
    return (
        -count * math.log(sigma)
        - squares / (2 * sigma * sigma)
        + slope / sigma
        - count * effect * effect / 2
    )


class SequentialTest:
    """A test that runs. A verdict is final: boards after it are counted apart."""

    __slots__ = ("_log_likelihood_ratio", "boards", "hypotheses", "later", "verdict")

    def __init__(self, hypotheses: Hypotheses, scale: int = 1) -> None:
        self.hypotheses = hypotheses
        self.boards = Moments(scale)
        self.later = Moments(scale)
        self.verdict = Verdict.UNDECIDED
        self._log_likelihood_ratio: float | None = None

    @property
    def over(self) -> bool:
        """Whether it is decided."""
        return self.verdict is not Verdict.UNDECIDED

    def add(self, margin: int) -> Verdict:
        """Take the next board of the plan in: D times the scale. Gives the verdict."""
        if self.over:
            self.later.add(margin)
            return self.verdict
        self.boards.add(margin)
        found = self._log_likelihood_ratio = log_likelihood_ratio(self.boards, self.hypotheses)
        if found is None or self.boards.count < MIN_BOARDS:
            return self.verdict
        if found >= self.hypotheses.upper:
            self.verdict = Verdict.H1
        elif found <= self.hypotheses.lower:
            self.verdict = Verdict.H0
        return self.verdict

    def state(self) -> SequentialState:
        """Where it stands."""
        return SequentialState(
            hypotheses=self.hypotheses,
            boards=self.boards.count,
            llr=self._log_likelihood_ratio,
            lower=self.hypotheses.lower,
            upper=self.hypotheses.upper,
            verdict=self.verdict,
            later_boards=self.later.count,
            later_mean=self.later.mean,
        )
