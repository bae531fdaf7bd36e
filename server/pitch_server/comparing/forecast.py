"""Forecasts: how many boards are left until a question is answered, as things stand.

Here belong estimates for people who wait. Nothing is decided by them.
"""

import math
from collections.abc import Callable

from pitch_server.comparing.confidence import (
    DEFAULT_ALPHA,
    DEFAULT_NARROWEST,
    asymptotic_half_width,
)
from pitch_server.comparing.measures import MIN_BOARDS, Measure, standard_deviation
from pitch_server.comparing.sequential import SequentialTest
from pitch_server.scores.statistics import Moments

__all__ = [
    "MOST_BOARDS",
    "boards_to_better",
    "boards_to_decide",
    "boards_to_precision",
    "expected_exit",
]

MOST_BOARDS = 10**12
"""A forecast beyond is none."""


def boards_to_decide(test: SequentialTest) -> int | None:
    """How many more boards the test is expected to take if the mean is what it is now.

    0 once it is over; None where nothing is known. The log-likelihood ratio is taken for a walk
    with the drift that it has had and steps of variance (difference of the hypotheses / sd)²
    (Wald).
    """
    if test.over:
        return 0
    state, sd = test.state(), standard_deviation(test.boards)
    if state.llr is None or not sd:
        return None
    asked = test.hypotheses
    gap = asked.h1 - asked.h0
    step = gap if asked.measure is Measure.DEVIATIONS else gap / sd
    walk = expected_exit(
        min(max(state.llr, state.lower), state.upper),
        state.lower,
        state.upper,
        state.llr / state.boards,
        step * step,
    )
    return _whole(max(walk, MIN_BOARDS - state.boards))


def expected_exit(at: float, lower: float, upper: float, drift: float, variance: float) -> float:
    """The expected number of steps until a walk at `at` leaves `lower` to `upper` (Wald)."""
    below, above = at - lower, upper - at
    if below <= 0 or above <= 0:
        return 0.0
    pull = 2 * drift / variance
    if abs(pull) * (below + above) < 1e-6:
        return below * above / variance
    if pull < 0:  # seen in the mirror, so that no power grows beyond all bounds
        below, above, pull, drift = above, below, -pull, -drift
    up = -math.expm1(-pull * below) / -math.expm1(-pull * (below + above))
    return (up * above - (1 - up) * below) / drift


def boards_to_precision(
    moments: Moments,
    half_width: float,
    narrowest: float = DEFAULT_NARROWEST,
    alpha: float = DEFAULT_ALPHA,
) -> int | None:
    """How many more boards until the asymptotic sequence is that narrow, if the deviation stays.

    None where nothing is known of the deviation, or it would take beyond all measure.
    """
    _check_precision(half_width)
    sd, count = standard_deviation(moments), moments.count
    if not sd:
        return None
    return _first(
        lambda more: asymptotic_half_width(count + more, sd, narrowest, alpha) <= half_width
    )


def boards_to_better(
    moments: Moments,
    largest: float,
    equal_within: float = 0.0,
    narrowest: float = DEFAULT_NARROWEST,
    alpha: float = DEFAULT_ALPHA,
) -> int | None:
    """How many more boards until the guarded interval leaves 0 out, or shows both to be alike.

    If mean and deviation stay. None where nothing is known of them, or it takes beyond all
    measure. `largest` is that of `guarded_interval`, 0 for no guard.
    """
    sd, mean, count = standard_deviation(moments), abs(moments.mean or 0.0), moments.count
    if not sd:
        return None

    def bound(more: int, side: float) -> float:
        boards = count + more
        guards = 1 if largest else 0
        shifted = (boards * mean + guards * side * largest) / (boards + guards)
        squares = (boards * (sd * sd + mean * mean) + guards * largest * largest) / (
            boards + guards
        )
        spread = math.sqrt(max(squares - shifted * shifted, 0.0))
        return shifted + side * asymptotic_half_width(boards + guards, spread, narrowest, alpha)

    return _first(lambda more: bound(more, -1.0) > 0 or bound(more, 1.0) <= equal_within)


def _check_precision(half_width: float) -> None:
    if not half_width > 0:
        raise ValueError(f"the precision must be a number above 0, got {half_width!r}")


def _first(enough: Callable[[int], bool]) -> int | None:
    """The least number from which on it is enough; None beyond all measure."""
    if enough(0):
        return 0
    low, high = 0, 1
    while not enough(high):
        low, high = high, 2 * high
        if high > 2 * MOST_BOARDS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle
    return _whole(high)


def _whole(boards: float) -> int | None:
    return math.ceil(boards) if boards <= MOST_BOARDS else None
