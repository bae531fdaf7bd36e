import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from random import Random

import pytest

from bot.serving import Talk, played, question
from pitch import PASS, Action, Bot, Kind, View
from pitch.rules import HandResult
from pitch.table.faults import Fault
from pitch.wire.frames import Delivery, Failure, FaultNotice, Notice, Refusal, RefusalReason


class First(Bot):
    def choose(self, view: View) -> Action:
        return view.legal[0]


class Thinking(Bot):
    async def choose(self, view: View) -> Action:
        await asyncio.sleep(0)
        return view.legal[0]


class Batching(Bot):
    @classmethod
    def choose_many(cls, views: Sequence[View]) -> Sequence[Action]:
        return [view.legal[0] for view in views]


def making(bot: type[Bot]) -> Callable[[], Bot]:
    """A function, of which nothing is known before it is called."""

    def make() -> Bot:
        return bot()

    return make


@pytest.mark.parametrize(
    "make_bot",
    [First, Thinking, Batching, making(First), making(Thinking), making(Batching)],
    ids=["plain", "async", "many", "function", "async function", "many function"],
)
async def test_every_way_to_choose_answers_each_question_once(
    make_bot: Callable[[], Bot], capfd: pytest.CaptureFixture[str]
) -> None:
    async def script(talk: Talk) -> None:
        await talk.welcome()
        assert (talk.hello.name, talk.hello.token) == ("ann", "secret")
        await talk.open()
        await talk.ask(*range(1, 30))
        answers = await talk.answers(29)
        assert sorted(answer.question_id for answer in answers) == list(range(1, 30))
        assert {answer.outcome for answer in answers} == {PASS}
        await talk.farewell()

    assert await played(make_bot, script) == 0
    first, last = capfd.readouterr().err.splitlines()
    assert first.startswith("connected to ")
    assert last == "the games are over"


class Raising(Bot):
    def choose(self, view: View) -> Action:
        raise ZeroDivisionError("in choose")


class RaisingLater(Bot):
    async def choose(self, view: View) -> Action:
        await asyncio.sleep(0)
        raise ZeroDivisionError("in choose")


class RaisingForMany(Bot):
    @classmethod
    def choose_many(cls, views: Sequence[View]) -> Sequence[Action]:
        raise ZeroDivisionError("in choose")


class Unmakeable(First):
    def __init__(self) -> None:
        raise ZeroDivisionError("in choose")


@pytest.mark.parametrize("bot", [Raising, RaisingLater, RaisingForMany, Unmakeable])
async def test_an_exception_is_reported_and_shown_and_the_bot_plays_on(
    bot: type[Bot], capfd: pytest.CaptureFixture[str]
) -> None:
    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        for number in (1, 2):
            await talk.ask(number)
            (answer,) = await talk.answers()
            assert answer.question_id == number
            assert isinstance(answer.outcome, Failure)
            assert "ZeroDivisionError: in choose" in answer.outcome.message
        await talk.farewell()

    assert await played(bot, script) == 0
    shown = capfd.readouterr().err
    assert "Traceback" in shown
    assert "ZeroDivisionError: in choose" in shown


@pytest.mark.parametrize("many", [[], [PASS] * 3, None])
async def test_a_wrong_number_of_actions_fails_every_decision(many: list[Action] | None) -> None:
    class Wrong(Bot):
        @classmethod
        def choose_many(cls, views: Sequence[View]) -> Sequence[Action]:
            return many  # type: ignore[return-value]

    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        await talk.ask(1, 2)
        answers = await talk.answers(2)
        assert all(isinstance(answer.outcome, Failure) for answer in answers)
        await talk.farewell()

    assert await played(Wrong, script) == 0


async def test_no_answer_waits_for_a_long_thought() -> None:
    arrived = threading.Event()

    class SecondIsLong(Bot):
        def choose(self, view: View) -> Action:
            first = view.random.random() == first_draw
            assert first or arrived.wait(20), "the first answer had to wait"
            return view.legal[0]

    first_draw = Random(1).random()

    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        await talk.ask(1, 2)
        (answer,) = await talk.answers()
        arrived.set()
        assert answer.question_id == 1
        (answer,) = await talk.answers()
        assert answer.outcome == PASS
        await talk.farewell()

    assert await played(SecondIsLong, script) == 0


async def test_answers_of_a_quick_bot_are_gathered() -> None:
    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        frames = answers = 0
        for _ in range(10):
            await talk.ask(*range(1, 65))
            for_now = 0
            while for_now < 64:
                for_now += len(await talk.answers())
                frames += 1
            answers += for_now
        assert answers == 640
        assert frames < 600
        await talk.farewell()

    assert await played(First, script) == 0


async def test_a_question_withdrawn_during_a_thought_is_not_thought_about() -> None:
    asked: list[int] = []
    withdrawn, thinking = threading.Event(), threading.Event()

    class Slow(Bot):
        def choose(self, view: View) -> Action:
            asked.append(view.random.getrandbits(32))
            thinking.set()
            withdrawn.wait(20)
            return view.legal[0]

    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        await talk.ask(*range(1, 30))
        await asyncio.to_thread(thinking.wait, 20)
        await talk.send(Delivery(withdrawn=tuple(range(1, 30))))
        await talk.ask(30)
        withdrawn.set()
        answers = await talk.answers(2)
        while answers[-1].question_id != 30:
            answers += await talk.answers()
        # What was being thought about is answered; how soon the bot hears is up to the machine.
        assert answers[0].question_id == 1
        assert len(answers) < 30
        await talk.farewell()

    assert await played(Slow, script) == 0
    assert len(asked) < 30


async def test_a_coroutine_is_cancelled_when_its_question_is_withdrawn() -> None:
    cancelled = threading.Event()

    class Waits(Bot):
        async def choose(self, view: View) -> Action:
            if view.legal and view.known.hand == first_hand:
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    cancelled.set()
                    raise
            return view.legal[0]

    first_hand = question(1).view.hand

    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        await talk.ask(1)
        await talk.send(Delivery(withdrawn=(1,)))
        await talk.ask(2)
        assert [answer.question_id for answer in await talk.answers()] == [2]
        assert cancelled.is_set()  # long before the connection ends
        await talk.farewell()

    assert await played(Waits, script) == 0


async def test_a_lost_connection_is_taken_up_again_with_the_session_key() -> None:
    made: list[Bot] = []

    class Counted(First):
        def __init__(self) -> None:
            made.append(self)

    async def first(talk: Talk) -> None:
        await talk.welcome("the key")
        assert talk.hello.session_key == ""
        await talk.open(1, 2)
        await talk.ask(1)
        await talk.answers()

    async def second(talk: Talk) -> None:
        await talk.welcome("the key")
        assert talk.hello.session_key == "the key"
        await talk.open(1)
        await talk.ask(1)
        assert [answer.outcome for answer in await talk.answers()] == [PASS]
        await talk.farewell()

    assert await played(Counted, first, second) == 0
    assert len(made) == 2


async def test_coroutines_of_a_lost_connection_end_with_it() -> None:
    ended: list[bool] = []

    class Forever(Bot):
        async def choose(self, view: View) -> Action:
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(True)
            return PASS

    async def first(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        await talk.ask(1, 2)

    async def second(talk: Talk) -> None:
        await talk.welcome()
        await talk.farewell()

    assert await played(Forever, first, second) == 0
    assert ended in ([], [True, True])


async def test_a_refusal_ends_the_bot_with_its_message(capfd: pytest.CaptureFixture[str]) -> None:
    async def script(talk: Talk) -> None:
        await talk.read()
        await talk.send(Refusal(reason=RefusalReason.CREDENTIALS, message="who are you"))

    assert await played(First, script) == 1
    assert capfd.readouterr().err == "refused (credentials): who are you\n"


async def test_a_server_that_is_not_there_is_given_up_on(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert await played(First, options=["--server", "127.0.0.1:1", "--patience", "0"]) == 1
    shown = capfd.readouterr().err
    assert shown == (
        "gave up on 127.0.0.1:1: nothing listens at 127.0.0.1:1: is the server running?\n"
    )


@pytest.mark.parametrize("given", [1, 64, 4096])
async def test_the_capacity_is_told(given: int) -> None:
    async def script(talk: Talk) -> None:
        await talk.welcome()
        assert talk.hello.capacity == given
        await talk.farewell()

    assert await played(First, script, options=["--capacity", str(given)]) == 0


async def test_notices_reach_hooks_and_what_a_hook_raises_is_shown_once(
    capfd: pytest.CaptureFixture[str],
) -> None:
    class Hooked(First):
        def hand_over(self, view: View, result: HandResult) -> None:
            """Wants to know."""

        def fault(self, notice: FaultNotice) -> None:
            raise KeyError("in my hook")

    async def script(talk: Talk) -> None:
        await talk.welcome()
        assert talk.hello.notices
        await talk.open()
        await talk.send(Delivery(notices=(notice_of_fault(),)))
        await talk.ask(1)
        assert [answer.outcome for answer in await talk.answers()] == [PASS]
        await talk.farewell()

    assert await played(Hooked, script) == 0
    shown = capfd.readouterr().err
    assert shown.count("KeyError: 'in my hook'") == 1
    assert "fault: timeout: too slow" in shown


def notice_of_fault() -> Notice:
    return Notice(1, FaultNotice(1, Fault.TIMEOUT, "too slow"))


async def test_faults_without_end_are_not_shown_without_end(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        for number in range(1, 101):
            await talk.ask(number)
            await talk.answers()
        await talk.farewell()

    assert await played(Raising, script) == 0
    shown = capfd.readouterr().err
    assert shown.count("ZeroDivisionError") < 50
    assert "further faults are not shown" in shown


async def test_an_action_that_no_wire_can_carry_is_a_failure_not_the_end() -> None:
    odd = iter([Action(Kind.PLAY, -1), Action(Kind.DISCARD, -1), Action(Kind.BID, 1 << 70)])

    class Odd(Bot):
        def choose(self, view: View) -> Action:
            return next(odd)

    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        await talk.ask(1, 2, 3)
        assert all(isinstance(answer.outcome, Failure) for answer in await talk.answers(3))
        await talk.farewell()

    assert await played(Odd, script) == 0


@pytest.mark.parametrize("questions", [(1,), (1, 2, 3)], ids=["one question", "several"])
async def test_a_farewell_that_comes_while_the_bot_thinks_is_heard(
    questions: tuple[int, ...],
) -> None:
    asked = threading.Event()
    ended = threading.Event()

    class Busy(Bot):
        def choose(self, view: View) -> Action:
            asked.set()
            assert ended.wait(20)
            time.sleep(0.05)  # the end of the stream has arrived, too
            return view.legal[0]

    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        await talk.ask(*questions)
        assert await asyncio.to_thread(asked.wait, 20)
        await talk.farewell()
        asyncio.get_running_loop().call_later(0.1, ended.set)  # when the script is over

    assert await played(Busy, script) == 0
