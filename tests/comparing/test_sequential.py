import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparing.making import BOARDS, moments_of
from pitch_server.comparing.measures import MIN_BOARDS, Measure
from pitch_server.comparing.sequential import (
    Hypotheses,
    SequentialTest,
    Verdict,
    log_likelihood_ratio,
)


def asked(h0: float = 0, h1: float = 0.5, measure: Measure = Measure.POINTS) -> Hypotheses:
    return Hypotheses(point_of_view="A", measure=measure, h0=h0, h1=h1)


def run(margins: list[int], hypotheses: Hypotheses, scale: int = 1) -> SequentialTest:
    test = SequentialTest(hypotheses, scale)
    for margin in margins:
        test.add(margin)
    return test


@pytest.mark.parametrize("scale", [1, 2, 6])
@pytest.mark.parametrize(
    ("h1", "measure", "llr"),
    [
        pytest.param(1, Measure.POINTS, 0.88947, id="0 against 1 point"),
        pytest.param(0.5, Measure.POINTS, 1.00644, id="0 against half a point"),
        pytest.param(0.3, Measure.DEVIATIONS, 1.08499, id="0 against 0.3 deviations"),
        pytest.param(0.5, Measure.DEVIATIONS, 0.86268, id="0 against 0.5 deviations"),
    ],
)
def test_the_published_values_come_out(h1: float, measure: Measure, llr: float, scale: int) -> None:
    test = run([value * scale for value in BOARDS], asked(0, h1, measure), scale)
    state = test.state()
    assert state.llr == pytest.approx(llr, abs=5e-6)
    assert (state.boards, state.verdict) == (20, Verdict.UNDECIDED)
    assert (state.lower, state.upper) == pytest.approx((-math.log(19), math.log(19)))


def test_the_bounds_are_walds() -> None:
    hypotheses = Hypotheses(
        point_of_view="A", measure=Measure.POINTS, h0=0, h1=1, alpha=0.01, beta=0.1
    )
    assert hypotheses.lower == pytest.approx(math.log(0.1 / 0.99))
    assert hypotheses.upper == pytest.approx(math.log(0.9 / 0.01))


def test_nothing_is_decided_before_twenty_boards() -> None:
    margins = [3, 4] * 30
    assert run(margins[: MIN_BOARDS - 1], asked()).verdict is Verdict.UNDECIDED
    decided = run(margins[:MIN_BOARDS], asked())
    assert decided.verdict is Verdict.H1
    assert decided.state().boards == MIN_BOARDS


@pytest.mark.parametrize("measure", [Measure.POINTS, Measure.DEVIATIONS])
@pytest.mark.parametrize("margin", [0, 4, -4])
def test_equal_margins_decide_nothing(margin: int, measure: Measure) -> None:
    state = run([margin] * 100, asked(measure=measure)).state()
    assert (state.llr, state.verdict) == (None, Verdict.UNDECIDED)


def test_a_verdict_is_final_and_later_boards_are_apart() -> None:
    test = run([3, 4] * 10, asked())
    before = test.state()
    for _ in range(500):
        test.add(-9)
    after = test.state()
    assert after.verdict is Verdict.H1
    assert (after.boards, after.llr) == (before.boards, before.llr)
    assert (after.later_boards, after.later_mean) == (500, -9)


def test_exchanging_points_of_view_mirrors_the_test() -> None:
    one = run(list(BOARDS), asked(0, 1))
    other = run([-value for value in BOARDS], asked(0, -1))
    assert one.state().llr == pytest.approx(other.state().llr)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        pytest.param({"h1": 0}, "two different numbers", id="no gap"),
        pytest.param({"h1": math.nan}, "two different numbers", id="not a number"),
        pytest.param({"h0": math.inf}, "two different numbers", id="infinite"),
        pytest.param({"alpha": 0}, "alpha must be above 0", id="alpha of 0"),
        pytest.param({"beta": 0.5}, "beta must be above 0 and below 0.5", id="beta of a half"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(fields: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Hypotheses(point_of_view="A", measure=Measure.POINTS, **({"h0": 0, "h1": 1} | fields))


@given(
    st.lists(st.integers(-10_000, 10_000), max_size=60),
    st.sampled_from([Measure.POINTS, Measure.DEVIATIONS]),
    st.floats(-5, 5),
    st.floats(-5, 5),
    st.integers(1, 56),
)
def test_the_ratio_is_finite_or_not_there(
    values: list[int], measure: Measure, h0: float, h1: float, scale: int
) -> None:
    if h0 == h1:
        h1 += 1
    llr = log_likelihood_ratio(moments_of(values, scale), asked(h0, h1, measure))
    assert (llr is None) == (len(set(values)) < 2)
    assert llr is None or math.isfinite(llr)
