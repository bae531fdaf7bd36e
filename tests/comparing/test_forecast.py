import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparing.making import BOARDS, boards, moments_of
from pitch_server.comparing.confidence import asymptotic_interval
from pitch_server.comparing.forecast import (
    boards_to_decide,
    boards_to_precision,
    expected_exit,
)
from pitch_server.comparing.measures import Measure
from pitch_server.comparing.sequential import Hypotheses, SequentialTest, Verdict
from pitch_server.scores.statistics import Moments


@pytest.mark.parametrize("drift", [0, 0.02, -0.02, 0.3])
def test_the_expected_exit_is_that_of_walks(drift: float) -> None:
    chance, steps = Random(1), 0
    for _ in range(400):
        at = 1.0
        while -3 < at < 3:
            at += chance.gauss(drift, 0.2)
            steps += 1
    # walks overshoot their bounds by about half a step's deviation
    assert expected_exit(1, -3.1, 3.1, drift, 0.04) == pytest.approx(steps / 400, rel=0.12)


@given(
    st.floats(-3, 3),
    st.floats(-1e6, 1e6, allow_subnormal=False),
    st.floats(1e-12, 1e6, allow_subnormal=False),
)
def test_an_exit_is_always_expected(at: float, drift: float, variance: float) -> None:
    assert 0 <= expected_exit(at, -3, 3, drift, variance) < math.inf


def test_a_test_is_expected_to_end_about_when_it_does() -> None:
    chance, errors = Random(4), []
    for _ in range(60):
        test = SequentialTest(
            Hypotheses(point_of_view="A", measure=Measure.DEVIATIONS, h0=0, h1=0.1), 2
        )
        for margin in boards(chance, 0.1, 300):
            test.add(margin)
        expected, taken = boards_to_decide(test), 0
        while not test.over:
            test.add(next(boards(chance, 0.1, 1)))
            taken += 1
        assert expected is not None
        errors.append(taken - expected)
    assert abs(sum(errors) / len(errors)) < 100


def test_a_forecast_of_what_is_over_or_unknown() -> None:
    hypotheses = Hypotheses(point_of_view="A", measure=Measure.POINTS, h0=0, h1=0.5)
    test = SequentialTest(hypotheses)
    assert boards_to_decide(test) is None
    for _ in range(30):
        test.add(1)
    assert boards_to_decide(test) is None
    for margin in (3, 4) * 20:
        test.add(margin)
    assert test.verdict is Verdict.H1
    assert boards_to_decide(test) == 0


def test_a_test_lasts_to_the_least_of_boards() -> None:
    test = SequentialTest(Hypotheses(point_of_view="A", measure=Measure.POINTS, h0=0, h1=0.5))
    for margin in (3, 4) * 5:
        test.add(margin)
    assert boards_to_decide(test) == 10


@pytest.mark.parametrize("precision", [2.5, 2, 0.5, 0.05])
def test_the_forecast_of_a_precision_is_kept_if_the_spread_stays(precision: float) -> None:
    more = boards_to_precision(moments_of(BOARDS), precision)
    assert more is not None
    rounds, rest = divmod(20 + more, 20)
    if rest == 0 and more:
        rounds -= 1
    fewer, enough = Moments(), Moments()
    fewer_count, enough_count = rounds * 20, (rounds + 1) * 20
    for moments, count in ((fewer, fewer_count), (enough, enough_count)):
        base = moments_of(BOARDS)
        moments.count, moments.total, moments.squares = (
            count,
            base.total * count // 20,
            base.squares * count // 20,
        )
    interval = asymptotic_interval(enough)
    assert interval is not None
    assert (interval[1] - interval[0]) / 2 <= precision
    if more:
        interval = asymptotic_interval(fewer)
        assert interval is not None
        assert (interval[1] - interval[0]) / 2 > precision * (0.99 if rest == 0 else 1)


def test_a_precision_beyond_all_boards_has_no_forecast() -> None:
    assert boards_to_precision(moments_of(BOARDS), 1e-9) is None
    assert boards_to_precision(moments_of([1, 1]), 1) is None
    assert boards_to_precision(moments_of([]), 1) is None
    with pytest.raises(ValueError, match="precision must be a number above 0"):
        boards_to_precision(moments_of(BOARDS), 0)
