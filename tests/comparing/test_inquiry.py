"""Inquiries: when they are answered, and what is said of them."""

import json
from random import Random

import pytest

from comparing.making import BOARDS, board, moments_of
from pitch_server.comparing.confidence import guarded_interval
from pitch_server.comparing.fixed_size import fixed_size
from pitch_server.comparing.inquiry import Inquiry
from pitch_server.comparing.measures import Measure
from pitch_server.comparing.sequential import Verdict
from pitch_server.comparing.verdicts import (
    Ending,
    fixed_sentence,
    inquiry_json,
    inquiry_sentence,
)
from pitch_server.comparing.watching import question_lines
from pitch_server.plan.errors import SettingsError
from pitch_server.plan.question import (
    Asked,
    Question,
    make_question,
    parse_question_json,
    question_json,
)
from pitch_server.plan.settings import Unit

EFFECT = Question(asked=Asked.EFFECT, h0=0, h1=0.3)
PRECISE = Question(asked=Asked.PRECISION, precision=0.3, narrowest=200)
BETTER = make_question(Asked.BETTER, Unit.HAND)


def inquiry(question: Question = EFFECT) -> Inquiry:
    return Inquiry(question, ("a", "b"), Unit.HAND, 2)


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
    text = inquiry_sentence(state, Ending.MOST_BOARDS)
    assert text.startswith("Known to ±0.3: seen from a, ")


def test_equal_boards_never_answer_anything() -> None:
    for question in (EFFECT, PRECISE, BETTER):
        asked = inquiry(question)
        for _ in range(500):
            asked.add(4)
        state = asked.state()
        assert not state.answered
        assert state.interval is None
        text = inquiry_sentence(state, Ending.MOST_BOARDS)
        assert text.startswith("Inconclusive after the most boards")
        assert "all boards are alike" in text
        json.dumps(inquiry_json(state, Ending.OPEN), allow_nan=False)


@pytest.mark.parametrize(
    ("margin", "start", "boards"),
    [
        pytest.param(0, "Neither is better by more than 0.1 points per board", 2000, id="the same"),
        pytest.param(-18, "b is better than a, by 9.00 points per board", 30, id="never there"),
        pytest.param(1, "a is better than b, by 0.50 points per board", 500, id="half a point"),
    ],
)
def test_which_is_better_is_known_of_boards_that_are_all_alike(
    margin: int, start: str, boards: int
) -> None:
    asked = Inquiry(BETTER, ("a", "b"), Unit.HAND, 2, 9)
    while not asked.answered:
        asked.add(margin)
    state = asked.state()
    assert 20 <= state.boards <= boards + 300
    assert inquiry_sentence(state, Ending.MOST_BOARDS).startswith(start)
    assert state.interval is not None
    low, high = state.interval
    assert low <= margin / 2 <= high


def test_once_boards_differ_the_interval_is_the_guarded_one() -> None:
    asked = Inquiry(BETTER, ("a", "b"), Unit.HAND, 2, 9)
    for margin in (0,) * 30 + (2,):
        asked.add(margin)
    moments = moments_of([0] * 30 + [1])
    assert asked.state().interval == guarded_interval(moments, 9) is not None


def test_nothing_played_is_said_so() -> None:
    state = inquiry().state()
    assert "no board counts yet" in inquiry_sentence(state, Ending.BY_HAND)
    assert "nothing yet" in question_lines(state, None)[1]


def told(question: Question, effect: float, boards: int) -> str:
    return inquiry_sentence(fed(question, effect, boards).state(), Ending.MOST_BOARDS)


@pytest.mark.parametrize(
    ("effect", "start", "verdict", "better"),
    [
        pytest.param(0.8, "a is better than b, by ", Verdict.BETTER, "a", id="better"),
        pytest.param(-0.8, "b is better than a, by ", Verdict.WORSE, "b", id="worse"),
        pytest.param(
            0.0, "Neither is better by more than 0.1 points per board", Verdict.ALIKE, None, id="0"
        ),
    ],
)
def test_which_is_better_is_asked_of_both_sides(
    effect: float, start: str, verdict: Verdict, better: str | None
) -> None:
    state = fed(BETTER, effect, 6000).state()
    text = inquiry_sentence(state, Ending.MOST_BOARDS)
    assert text.startswith(start)
    assert "(wrong in at most 5 % of such comparisons): seen from a, " in text
    assert "points per board (any-time 95 % interval " in text
    assert (state.verdict, state.answered) == (verdict, True)
    assert state.boards + state.later_boards == 6000
    # the interval that is told is the one that has decided, so the two never disagree
    assert state.interval is not None
    low, high = state.interval
    assert (low > 0, high < 0) == (better == "a", better == "b")
    document = json.loads(json.dumps(inquiry_json(state, Ending.MOST_BOARDS), allow_nan=False))
    assert (document["verdict"], document["better"]) == (str(verdict), better)
    assert document["ending"] == "answered"


def test_nobody_is_better_before_twenty_boards_and_nobody_alike_without_a_width() -> None:
    asked = inquiry(BETTER)
    for margin in (18, 17) * 9 + (18,):
        asked.add(margin)
    assert not asked.answered
    assert asked.state().forecast == 1
    asked.add(17)
    assert asked.state().verdict is Verdict.BETTER
    never = make_question(Asked.BETTER, Unit.HAND, equal_within=0.0)
    assert not fed(never, 0.0, 6000).answered


def test_a_verdict_names_the_better_unit_point_of_view_hypotheses_and_error() -> None:
    text = told(EFFECT, 0.8, 30)
    assert text.startswith("a is better than b, by ")
    assert (
        "points per board: decided for H1 (a ahead by 0.3 standard deviations of a board) against "
        "H0 (no difference), which is wrong in at most 5 % of such tests where H0 holds. Seen from "
        "a, +"
    ) in text
    margin = Question(asked=Asked.MARGIN, h0=0, h1=1, beta=0.01)
    text = told(margin, 0, 400)
    assert text.startswith(
        "a is not better by as much as 1 points per board: decided for H0 (no difference) against "
        "H1 (a ahead by 1 points per board), which is wrong in at most 1 % of such tests where H1"
    )


@pytest.mark.parametrize(
    ("question", "effect", "start", "better"),
    [
        pytest.param(
            {"h0": -0.3, "h1": 0.3}, -0.8, "More likely b ahead by 0.3", None, id="H0, below"
        ),
        pytest.param({"h0": 0, "h1": -0.3}, 0, "b is not better by as much as 0.3", None, id="no"),
        pytest.param(
            {"h0": 0.1, "h1": 1}, 0.1, "More likely a ahead by 0.1", None, id="both above"
        ),
        pytest.param({"h0": 0.3, "h1": -0.3}, 0.8, "More likely a ahead by 0.3", None, id="turned"),
        pytest.param({"h0": -0.3, "h1": 0}, -0.8, "b is better than a", "b", id="0 is H1"),
    ],
)
def test_hypotheses_anywhere_are_said_in_words(
    question: dict[str, float], effect: float, start: str, better: str | None
) -> None:
    state = fed(Question(asked=Asked.EFFECT, **question), effect, 2000).state()
    assert inquiry_sentence(state, Ending.MOST_BOARDS).startswith(start)
    assert inquiry_json(state, Ending.OPEN)["better"] == better


@pytest.mark.parametrize(
    ("h1", "effect", "verdict", "words"),
    [
        pytest.param(
            0.3,
            0.4,
            Verdict.H1,
            "That the interval has 0 in it is no contradiction: it allows for any mean, while the "
            "test chose between two and so is sooner sure.",
            id="sooner sure",
        ),
        pytest.param(
            6,
            2,
            Verdict.H0,
            "The interval leaves 0 out: a is better; the test asked by how much alone.",
            id="better, but by less",
        ),
    ],
)
def test_an_interval_that_seems_to_say_another_thing_is_explained(
    h1: float, effect: float, verdict: Verdict, words: str
) -> None:
    state = fed(Question(asked=Asked.EFFECT, h0=0, h1=h1), effect, 400).state()
    assert state.verdict is verdict
    assert state.interval is not None
    assert (state.interval[0] > 0) == (verdict is Verdict.H0)
    assert words in inquiry_sentence(state, Ending.MOST_BOARDS)


def test_boards_after_the_answer_are_told_apart_from_those_it_rests_on() -> None:
    state = fed(EFFECT, 0.5, 200).state()
    text = inquiry_sentence(state, Ending.MOST_BOARDS)
    assert f"after {state.boards} boards. " in text
    assert f" {state.later_boards} boards of the 200 played came after the answer, " in text


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        pytest.param(Ending.OPEN, "Undecided so far: the test stands at ", id="open"),
        pytest.param(Ending.BY_HAND, "Inconclusive, stopped by hand: the test ", id="by hand"),
        pytest.param(Ending.CLOSED, "Inconclusive, closed by hand before its end: ", id="closed"),
        pytest.param(
            Ending.MOST_BOARDS,
            "Inconclusive after the most boards that it may take: the test stands at ",
            id="most boards",
        ),
    ],
)
def test_without_an_answer_it_is_said_why_and_where_the_test_stands(
    ending: Ending, start: str
) -> None:
    state = fed(EFFECT, 0.15, 30).state()
    assert not state.answered
    text = inquiry_sentence(state, ending)
    assert text.startswith(start)
    if "stands" in start:
        assert " between -2.94 (H0: no difference) and +2.94 (H1: a ahead by 0.3 " in text
    document = inquiry_json(state, ending)
    assert (document["verdict"], document["better"]) == ("undecided", None)
    assert document["ending"] == str(ending)


@pytest.mark.parametrize(
    ("values", "start"),
    [
        pytest.param((), "Undecided: no board", id="none"),
        pytest.param((1,), "Undecided: seen from a, +1.00 points per board", id="one"),
        pytest.param((0, 0, 0), "Undecided: seen from a, +0.00", id="all 0"),
        pytest.param(
            BOARDS, "Undecided, as the interval has 0 in it: seen from a, +0.70", id="published"
        ),
        pytest.param(
            (3, 4, 3, 5, 4), "a is better than b, by 3.80 points per board: seen", id="better"
        ),
        pytest.param(
            (-3, -4, -3, -5, -4), "b is better than a, by 3.80 points per board: seen", id="worse"
        ),
    ],
)
def test_what_a_fixed_number_of_boards_says(values: tuple[int, ...], start: str) -> None:
    fixed = fixed_size(moments_of(values), "a", Measure.POINTS)
    assert fixed_sentence(fixed, "b", len(values)).startswith(start)


@pytest.mark.parametrize("question", [EFFECT, PRECISE, BETTER])
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
        pytest.param({"asked": Asked.BETTER}, id="no width"),
        pytest.param({"asked": Asked.BETTER, "equal_within": -0.1}, id="width below 0"),
        pytest.param({"asked": Asked.BETTER, "equal_within": float("nan")}, id="width NaN"),
    ],
)
def test_questions_that_cannot_be_asked_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        Question(**values)  # type: ignore[arg-type]
