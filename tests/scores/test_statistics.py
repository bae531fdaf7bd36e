import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitch_server.scores.statistics import Moments, t_quantile

# comparison.md, "Test values"
BOARDS = (3, -1, 0, 2, -2, 4, 1, 0, -1, 2, 3, -3, 1, 0, 2, 1, -1, 0, 5, -2)


@pytest.mark.parametrize("scale", [1, 2, 6])
def test_the_published_values_come_out(scale: int) -> None:
    moments = Moments(scale)
    for value in BOARDS:
        moments.add(value * scale)
    summary = moments.summary()
    assert summary.count == 20
    assert summary.mean == 0.7
    assert summary.sd == pytest.approx(2.10513, abs=5e-6)
    assert summary.standard_error == pytest.approx(0.47072, abs=5e-6)
    assert summary.interval == pytest.approx((-0.2852, 1.6852), abs=5e-5)


def test_too_few_values_say_nothing() -> None:
    moments = Moments()
    assert moments.summary().mean is None
    moments.add(3)
    summary = moments.summary()
    assert (summary.mean, summary.sd, summary.standard_error, summary.interval) == (
        3,
        None,
        None,
        None,
    )


def test_equal_values_have_no_spread() -> None:
    moments = Moments(2)
    for _ in range(5):
        moments.add(3)
    summary = moments.summary()
    assert (summary.mean, summary.sd, summary.interval) == (1.5, 0, (1.5, 1.5))


@given(st.lists(st.integers(-60, 60), min_size=2, max_size=50), st.integers(1, 56))
def test_the_order_of_values_changes_nothing(values: list[int], scale: int) -> None:
    one, other = Moments(scale), Moments(scale)
    for value in values:
        one.add(value)
    for value in sorted(values):
        other.add(value)
    assert one.summary() == other.summary()
    summary = one.summary()
    assert summary.sd == pytest.approx(statistics.stdev(values) / scale)


def test_millions_of_boards_lose_no_precision() -> None:
    moments = Moments()
    moments.count, moments.total, moments.squares = 10**8, 10**8 * 10**6, 10**8 * 10**12 + 10**8
    summary = moments.summary()
    assert summary.mean == 10**6
    assert summary.sd == pytest.approx(math.sqrt(10**8 / (10**8 - 1)), rel=1e-15)


@pytest.mark.parametrize(("freedom", "value"), [(1, 12.7062), (19, 2.09302), (10**6, 1.95997)])
def test_quantiles_are_those_of_the_tables(freedom: int, value: float) -> None:
    assert t_quantile(0.975, freedom) == pytest.approx(value, rel=1e-5)
