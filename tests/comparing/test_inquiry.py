"""Inquiries: when they are answered, and what is said of them."""

import json
from random import Random

import pytest

from comparing.making import BOARDS, board, moments_of
from pitch_server.comparing.fixed_size import fixed_size
from pitch_server.comparing.inquiry import Inquiry
from pitch_server.comparing.measures import Measure
from pitch_server.comparing.sequential import Verdict
from pitch_server.comparing.verdicts import (
    Ending,
    fixed_sentence,
    inquiry_json,
    inquiry_sentence,
    question_lines,
)
from pitch_server.plan.errors import SettingsError
from pitch_server.plan.question import Asked, Question, parse_question_json, question_json
from pitch_server.plan.settings import Unit

EFFECT = Question(asked=Asked.EFFECT, h0=0, h1=0.3)
PRECISE = Question(asked=Asked.PRECISION, precision=0.3, narrowest=200)


def inquiry(question: Question = EFFECT) -> Inquiry:
    return Inquiry(question, "a", Unit.HAND, 2)


def fed(question: Question, effect: float, boards: int) -> Inquiry:
    asked, chance = inquiry(question), Random(3)
    for _ in range(boards):
        asked.add(board(chance, effect))
    return asked


@pytest.mark.parametrize(
    ("question", "llr"),
    [
        pytest.param(EFFECT, 1.08499, id="effect 0.3"),
        pytest.param(Question(asked=Asked.EFFECT, h0=0, h1=0.5), 0.86268, id="effect 0.5"),
        pytest.param(Question(asked=Asked.MARGIN, h0=0, h1=1), 0.88947, id="margin 1"),
        pytest.param(Question(asked=Asked.MARGIN, h0=0, h1=0.5), 1.00644, id="margin 0.5"),
    ],
)
def test_the_published_ratios(question: Question, llr: float) -> None:
    asked = inquiry(question)
    for margin in BOARDS:
        asked.add(2 * margin)
    state = asked.state()
    assert state.llr == pytest.approx(llr, abs=5e-6)
    assert (state.boards, state.mean, state.answered) == (20, 0.7, False)


def test_an_answer_is_final_and_boards_after_it_stand_apart() -> None:
    asked = fed(EFFECT, 0.6, 400)
    state = asked.state()
    assert state.verdict is Verdict.H1
    assert state.boards + state.later_boards == 400
    assert state.boards < 200
    mean = state.mean
    for _ in range(1000):
        asked.add(-18)
    assert asked.state().verdict is Verdict.H1
    assert asked.state().mean == mean


def test_a_precision_is_answered_where_the_interval_is_that_narrow() -> None:
    asked = fed(PRECISE, 0.0, 2000)
    state = asked.state()
    assert state.answered
    assert state.interval is not None
    low, high = state.interval
    assert (high - low) / 2 <= 0.3
    assert fed(PRECISE, 0.0, state.boards - 1).state().forecast == 1
    assert "Known to ±0.3: a is at" in inquiry_sentence(state, Ending.MOST_BOARDS)


def test_equal_boards_never_answer_anything() -> None:
    for question in (EFFECT, PRECISE):
        asked = inquiry(question)
        for _ in range(500):
            asked.add(4)
        state = asked.state()
        assert not state.answered
        assert state.interval is None
        text = inquiry_sentence(state, Ending.MOST_BOARDS)
        assert text.startswith("Undecided, after the most boards")
        assert "all boards are alike" in text
        json.dumps(inquiry_json(state, Ending.OPEN), allow_nan=False)


def test_nothing_played_is_said_so() -> None:
    state = inquiry().state()
    assert "no board counts yet" in inquiry_sentence(state, Ending.BY_HAND)
    assert "nothing yet" in question_lines(state, "b", None)[1]


def test_a_verdict_names_unit_point_of_view_and_error() -> None:
    text = inquiry_sentence(fed(EFFECT, 0.8, 200).state(), Ending.MOST_BOARDS)
    assert text.startswith(
        "Decided for H1, a mean of 0.3 against 0 standard deviations of a board for a "
        "(wrong in at most 5 % of such tests): a is at +"
    )
    assert "points per board" in text
    margin = Question(asked=Asked.MARGIN, h0=0, h1=1, beta=0.01)
    text = inquiry_sentence(fed(margin, 0, 400).state(), Ending.MOST_BOARDS)
    assert text.startswith("Decided for H0, a mean of 0 against 1 points per board for a")
    assert "at most 1 %" in text


@pytest.mark.parametrize(
    ("values", "start"),
    [
        pytest.param((), "Undecided: no board", id="none"),
        pytest.param((1,), "Undecided: a is at +1.00", id="one"),
        pytest.param((0, 0, 0), "Undecided: a is at +0.00", id="all 0"),
        pytest.param(BOARDS, "Undecided: a is at +0.70", id="published"),
        pytest.param((3, 4, 3, 5, 4), "a is better: a is at +3.80", id="better"),
        pytest.param((-3, -4, -3, -5, -4), "b is better: a is at -3.80", id="worse"),
    ],
)
def test_what_a_fixed_number_of_boards_says(values: tuple[int, ...], start: str) -> None:
    fixed = fixed_size(moments_of(values), "a", Measure.POINTS)
    assert fixed_sentence(fixed, "b", len(values)).startswith(start)


@pytest.mark.parametrize("question", [EFFECT, PRECISE])
def test_a_question_is_read_as_it_was_written(question: Question) -> None:
    assert parse_question_json(json.loads(json.dumps(question_json(question)))) == question


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"asked": Asked.EFFECT, "h0": 0.0}, id="no H1"),
        pytest.param({"asked": Asked.EFFECT, "h0": 0.0, "h1": float("nan")}, id="NaN"),
        pytest.param({"asked": Asked.MARGIN, "h0": 0.2, "h1": 0.2}, id="the same"),
        pytest.param({"asked": Asked.MARGIN, "h0": 0.0, "h1": float("inf")}, id="inf"),
        pytest.param({"asked": Asked.EFFECT, "h0": 0.0, "h1": 0.2, "alpha": 0.0}, id="alpha 0"),
        pytest.param({"asked": Asked.EFFECT, "h0": 0.0, "h1": 0.2, "beta": 0.5}, id="beta 0.5"),
        pytest.param({"asked": Asked.PRECISION, "precision": 0.0}, id="precision 0"),
        pytest.param({"asked": Asked.PRECISION, "precision": float("nan")}, id="precision NaN"),
        pytest.param({"asked": Asked.PRECISION}, id="no precision"),
    ],
)
def test_questions_that_cannot_be_asked_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        Question(**values)  # type: ignore[arg-type]
