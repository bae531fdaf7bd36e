import re
from collections.abc import Callable
from functools import partial

import pytest

from bot.serving import VARIANT, opening, question
from pitch import PASS, Action, Bot, Kind, View
from pitch.bot.session import BotSession, Decision, failure_of, wants_notices
from pitch.rules import HandResult, discard
from pitch.table.faults import Fault
from pitch.wire.frames import Delivery, Failure, FaultNotice, GameOver, Notice


class First(Bot):
    def choose(self, view: View) -> Action:
        return view.legal[0]


class HandHook(First):
    def hand_over(self, view: View, result: HandResult) -> None:
        """Wants to know."""


class GameHook(First):
    def game_over(self, outcome: GameOver) -> None:
        """Wants to know."""


class FaultHook(First):
    def fault(self, notice: FaultNotice) -> None:
        raise KeyError("in my hook")


def session_of(make_bot: Callable[[], Bot], *tables: int) -> BotSession:
    session = BotSession(make_bot)
    session.receive(Delivery(openings=tuple(map(opening, tables or (1,)))))
    return session


def decision() -> Decision:
    session = session_of(First)
    session.receive(Delivery(questions=(question(1),)))
    return session.take()


def test_a_table_has_its_own_object_which_knows_the_table() -> None:
    session = session_of(First, 1, 2)
    session.receive(Delivery(questions=(question(10, 1), question(20, 2), question(30, 1))))
    first, second, third = (session.take() for _ in range(3))
    assert first.bot is third.bot is not second.bot
    assert first.bot.table.variant == VARIANT
    assert (first.bot.table.seat, first.bot.table.move_timeout) == (1, 1.0)
    assert [each.question_id for each in (first, second, third)] == [10, 20, 30]


def test_a_view_draws_the_same_from_the_same_question() -> None:
    draws = [decision().view.random.random() for _ in range(2)]
    assert draws[0] == draws[1]


@pytest.mark.parametrize(
    ("limit", "seconds"), [(None, 1.0), (0.25, 0.25), (0.0, 0.0)], ids=["table's", "own", "used up"]
)
def test_a_view_tells_the_time_for_its_answer(limit: float | None, seconds: float) -> None:
    session = session_of(First)
    asked = question(1)._replace(limit=limit, time_bank=3.5)
    session.receive(Delivery(questions=(asked,)))
    view = session.take().view
    assert (view.time_limit, view.time_bank) == (seconds, 3.5)


def test_a_table_told_again_keeps_its_object() -> None:
    session = session_of(First)
    session.receive(Delivery(questions=(question(1),)))
    before = session.take().bot
    session.reconnected()
    session.receive(Delivery(openings=(opening(1),), questions=(question(1),)))
    assert session.take().bot is before


def test_a_withdrawn_question_waits_no_more() -> None:
    session = session_of(First)
    session.receive(Delivery(questions=(question(1), question(2))))
    session.receive(Delivery(withdrawn=(1, 7)))
    assert list(session.pending) == [2]


def test_a_question_waits_no_more_after_the_connection_was_lost() -> None:
    session = session_of(First)
    session.receive(Delivery(questions=(question(1),)))
    session.reconnected()
    assert not session.pending


@pytest.mark.parametrize("how", ["told", "while away", "while away, twice"])
def test_an_object_is_dropped_when_its_table_closes(how: str) -> None:
    alive: set[int] = set()

    class Counted(First):
        def __init__(self) -> None:
            alive.add(id(self))

        def __del__(self) -> None:
            alive.discard(id(self))

    session = session_of(Counted, 1, 2)
    if how == "told":
        session.receive(Delivery(closed=(1,)))
    else:
        session.reconnected()
        if how.endswith("twice"):
            session.reconnected()
        session.receive(Delivery(openings=(opening(2), opening(3))))
        session.receive(Delivery(closed=(3,)))
    assert len(alive) == 1
    session.receive(Delivery(questions=(question(5, 2), question(6, 1))))
    assert list(session.pending) == [5]


def test_a_class_of_bots_is_taken_together() -> None:
    bots = iter([First(), HandHook(), First()])
    session = session_of(lambda: next(bots), 1, 2, 3)
    session.receive(Delivery(questions=(question(1, 1), question(2, 2), question(3, 3))))
    assert [each.question_id for each in session.take_with(First)] == [1, 3]
    assert list(session.pending) == [2]


@pytest.mark.parametrize(
    ("make_bot", "expected"),
    [
        pytest.param(First, False, id="no hook"),
        pytest.param(FaultHook, False, id="faults are told anyway"),
        pytest.param(HandHook, True, id="hands"),
        pytest.param(GameHook, True, id="games"),
        pytest.param(partial(First), False, id="partial of no hook"),
        pytest.param(partial(HandHook), True, id="partial"),
        pytest.param(lambda: First(), True, id="a function may make anything"),  # noqa: PLW0108
    ],
)
def test_notices_are_asked_for_by_whoever_listens(
    make_bot: Callable[[], Bot], expected: bool
) -> None:
    assert wants_notices(make_bot) is expected


def test_a_charge_is_kept_and_a_hook_that_raises_is_a_failure() -> None:
    session = session_of(FaultHook)
    notice = FaultNotice(1, Fault.TIMEOUT, "too slow")
    session.receive(Delivery(notices=(Notice(1, notice), Notice(99, notice))))
    assert session.charges == [notice, notice]
    (failure,) = session.failures
    assert re.fullmatch(r"KeyError: 'in my hook' \(test_session\.py:\d+\)", failure.message)


@pytest.mark.parametrize("made", [None, First, 3])
def test_what_is_made_must_be_a_bot(made: object) -> None:
    session = session_of(lambda: made)  # type: ignore[arg-type, return-value]
    (failure,) = session.failures
    assert "expected a pitch.Bot to be made, got" in failure.message
    session.receive(Delivery(questions=(question(1),)))
    taken = session.take()
    with pytest.raises(RuntimeError, match=r"could not be made: TypeError: expected a pitch\.Bot"):
        taken.bot.choose(taken.view)


class Unspeakable:
    def __repr__(self) -> str:
        raise ValueError


@pytest.mark.parametrize(
    "outcome",
    [
        None,
        3,
        (Kind.PASS, 0),
        "pass",
        Unspeakable(),
        "\ud800",
        Action(Kind.PLAY, -1),
        Action(Kind.PLAY, 54),
        Action(Kind.TRUMP, 4),
        Action(Kind.BID, 103),
        Action(Kind.DISCARD, -1),
        Action(Kind.DISCARD, 1 << 54),
        Action(Kind.PASS, 1),
        Action(Kind.PLAY, 3.0),  # type: ignore[arg-type]
        Action(Kind.PLAY, None),  # type: ignore[arg-type]
        Action("play", 3),  # type: ignore[arg-type]
        Action(9, 3),  # type: ignore[arg-type]
    ],
    ids=lambda outcome: type(outcome).__name__,
)
def test_what_is_no_action_is_a_failure_that_says_what_came(outcome: object) -> None:
    answer = decision().answer(outcome)
    assert isinstance(answer.outcome, Failure)
    assert answer.outcome.message.startswith("First.choose returned ")
    line = First.choose.__code__.co_firstlineno
    expected = f", expected one of view.legal (First.choose, test_session.py:{line}): "
    assert expected in answer.outcome.message
    assert len(answer.outcome.message.encode()) < 200


@pytest.mark.parametrize(
    ("outcome", "sent"),
    [
        pytest.param(PASS, PASS, id="legal"),
        pytest.param(Action(Kind.BID, 99), Action(Kind.BID, 99), id="illegal"),
        pytest.param(discard([1, 2]), discard([1, 2]), id="discard"),
        pytest.param(Action(7, 3), Action(Kind.PLAY, 3), id="plain"),  # type: ignore[arg-type]
        pytest.param(Action(Kind.PLAY, True), Action(Kind.PLAY, 1), id="bool"),
    ],
)
def test_an_action_is_sent_as_it_is_legal_or_not(outcome: Action, sent: Action) -> None:
    answer = decision().answer(outcome, 12)
    assert (answer.question_id, answer.outcome, answer.thinking_time_us) == (1, sent, 12)
    assert type(answer.outcome) is Action
    assert type(answer.outcome.kind) is Kind
    assert type(answer.outcome.value) is int


class Wordless(Exception):
    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize(
    "error", [ValueError("\ud800\x00"), Wordless(), ValueError("x" * 100_000), KeyError()]
)
def test_any_exception_can_be_reported(error: Exception) -> None:
    failure = failure_of(error)
    failure.message.encode()
    failure.traceback.encode()
    assert failure.message.startswith(type(error).__name__) or "Wordless" in failure.message
