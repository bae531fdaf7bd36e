import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparing.making import BOARDS, LARGEST, boards, moments_of
from pitch_server.comparing.confidence import (
    EmpiricalBernstein,
    asymptotic_half_width,
    asymptotic_interval,
    rho_squared,
    running_interval,
)
from pitch_server.comparing.measures import Measure
from pitch_server.scores.statistics import Moments


@pytest.mark.parametrize("scale", [1, 2, 6])
def test_the_published_values_come_out(scale: int) -> None:
    assert rho_squared(500, 0.05) == pytest.approx(0.0158723, abs=5e-8)
    interval = asymptotic_interval(moments_of(BOARDS, scale), 500, 0.05)
    assert interval == pytest.approx((0.7 - 2.33988, 0.7 + 2.33988), abs=5e-6)


def test_an_interval_says_what_it_is() -> None:
    found = running_interval(moments_of(BOARDS), "A", Measure.POINTS)
    assert (found.point_of_view, str(found.measure)) == ("A", "points per board")
    assert (found.boards, found.mean, found.exact) == (20, 0.7, False)
    assert found.half_width == pytest.approx(2.33988, abs=5e-6)


@pytest.mark.parametrize("values", [[], [3], [3, 3, 3], [0] * 50])
def test_without_spread_there_is_no_interval(values: list[int]) -> None:
    found = running_interval(moments_of(values), "A", Measure.POINTS)
    assert (found.interval, found.half_width) == (None, None)


@pytest.mark.parametrize("narrowest", [100, 500, 3000])
def test_it_is_narrowest_for_its_number_of_boards(narrowest: int) -> None:
    there = asymptotic_half_width(narrowest, 1, narrowest)
    assert there <= asymptotic_half_width(narrowest, 1, narrowest / 2)
    assert there <= asymptotic_half_width(narrowest, 1, narrowest * 2)


def test_it_only_gets_narrower() -> None:
    widths = [asymptotic_half_width(count, 1) for count in range(1, 5000)]
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("alpha", [0, 1, -1, math.nan])
def test_an_error_rate_that_is_none_is_refused(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha must be above 0 and below 1"):
        rho_squared(500, alpha)
    with pytest.raises(ValueError, match="alpha must be above 0 and below 1"):
        EmpiricalBernstein(9, alpha)


def empirical_bernstein(values: list[float], alpha: float) -> tuple[float, float]:
    """Theorem 2 as it is printed, for values in [0, 1] and the last of them."""
    bets, costs = [], []
    for t, value in enumerate(values, 1):
        before = values[: t - 1]
        means = [(0.5 + sum(before[:i])) / (i + 1) for i in range(t)]
        spread = (0.25 + sum((x - m) ** 2 for x, m in zip(before, means[1:], strict=True))) / t
        bets.append(min(math.sqrt(2 * math.log(2 / alpha) / (spread * t * math.log(1 + t))), 0.5))
        costs.append(4 * (value - means[-1]) ** 2 * (-math.log(1 - bets[-1]) - bets[-1]) / 4)
    centre = sum(b * x for b, x in zip(bets, values, strict=True)) / sum(bets)
    half = (math.log(2 / alpha) + sum(costs)) / sum(bets)
    return centre - half, centre + half


def test_the_exact_sequence_is_the_cut_of_the_printed_ones() -> None:
    sequence = EmpiricalBernstein(9, 0.1)
    low, high = -9.0, 9.0
    values: list[float] = []
    for margin in boards(Random(5), 0.5, 60):
        sequence.add(margin / 2)
        values.append((margin / 2 / 9 + 1) / 2)
        lower, upper = empirical_bernstein(values, 0.1)
        low, high = max(low, 18 * lower - 9), min(high, 18 * upper - 9)
        assert sequence.interval == pytest.approx((low, high))
    assert sequence.interval != (-9, 9)


def test_before_any_board_it_holds_whatever_can_be() -> None:
    assert EmpiricalBernstein(9).interval == (-9, 9)


@pytest.mark.parametrize("margin", [9.5, -10, math.nan, math.inf])
def test_a_margin_beyond_the_largest_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match="expected at most 9"):
        EmpiricalBernstein(9).add(margin)


@pytest.mark.parametrize("largest", [0, -1, math.inf, math.nan])
def test_a_largest_margin_that_is_none_is_refused(largest: float) -> None:
    with pytest.raises(ValueError, match="largest margin must be a number above 0"):
        EmpiricalBernstein(largest)


@given(st.lists(st.integers(-18, 18), max_size=80), st.sampled_from([0.001, 0.05, 0.5]))
def test_the_exact_sequence_never_grows_and_stays_finite(values: list[int], alpha: float) -> None:
    sequence = EmpiricalBernstein(9, alpha)
    for value in values:
        low, high = sequence.interval
        sequence.add(value / 2)
        lower, upper = sequence.interval
        assert low <= lower <= upper <= high


@pytest.mark.parametrize("margin", [9, -9, 0])
def test_who_always_wins_by_the_most_is_known_to(margin: float) -> None:
    sequence, moments = EmpiricalBernstein(9), Moments()
    for _ in range(3000):
        sequence.add(margin)
        moments.add(int(margin))
    lower, upper = sequence.interval
    assert lower <= margin <= upper
    assert upper - lower < 0.2
    assert asymptotic_interval(moments) is None


def test_the_exact_interval_says_what_it_is() -> None:
    sequence = EmpiricalBernstein(LARGEST)
    for margin in BOARDS:
        sequence.add(margin)
    found = sequence.running_interval(moments_of(BOARDS), "A", Measure.POINTS)
    assert (found.boards, found.mean, found.exact) == (20, 0.7, True)
    assert found.interval == sequence.interval
