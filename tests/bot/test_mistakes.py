"""Each mistake of a bot is told in one message, with the line of its code and what to do."""

import asyncio
import re
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest

from bot.example_hand import ACTIONS, example_view
from bot.serving import Talk, played
from pitch import Action, Bot, Kind, View, discard, parse_action, parse_card
from pitch.bot import mistakes
from pitch.bot.loop_watch import LoopWatch
from pitch.rules import Discards, Phase
from pitch.table.faults import Fault
from pitch.testing import LocalFault, play_game
from pitch.wire.frames import Refusal, RefusalReason

VIEW, CALLING, DISCARDING = example_view(len(ACTIONS)), example_view(1), example_view(7)
FILE = "test_mistakes.py"


class First(Bot):
    def choose(self, view: View) -> Action:
        return view.legal[0]


def returning(outcome: Any) -> type[Bot]:
    class Returning(Bot):
        def choose(self, view: View) -> Action:
            if view.phase is not Phase.PLAY:
                return view.legal[0]
            return outcome  # type: ignore[no-any-return]

    return Returning


def first_fault(*bots: type[Bot]) -> LocalFault:
    return play_game(bots, variant="ten-point", seed=138).faults[0]


# --- what is returned ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "remedy"),
    [
        pytest.param(
            None,
            "some way through it ends without a return; return view.play(card)",
            id="nothing",
        ),
        pytest.param("play HJ", "a text is no action; return parse_action('play HJ')", id="text"),
        pytest.param("the best", "a text is no action; return view.play(card)", id="words"),
        pytest.param(53, "a number is no action; return view.play(53), which plays HJ", id="card"),
        pytest.param(99, "a number is no action; return view.play(card)", id="number"),
        pytest.param(True, "a number is no action", id="truth"),
        pytest.param((7, 53), "tuple is no action; return view.play(card)", id="tuple"),
        pytest.param(
            VIEW.legal, "those are all of the legal actions; return one of them", id="all"
        ),
        pytest.param(Action(Kind.PLAY, 99), "there is no such action", id="no such card"),
        pytest.param((each for each in [VIEW]), "it has a yield in it", id="generator"),
        pytest.param(object(), "object is no action", id="object"),
    ],
)
def test_what_is_no_action_is_told_with_what_to_return(outcome: object, remedy: str) -> None:
    bot = returning(outcome)
    told = mistakes.no_action(bot, "choose", outcome, VIEW)
    line = bot.choose.__code__.co_firstlineno
    assert told.startswith("Returning.choose returned ")
    assert f"expected one of view.legal (Returning.choose, {FILE}:{line}): {remedy}" in told


@pytest.mark.parametrize(
    ("view", "right"),
    [
        pytest.param(CALLING, "return view.call(bid), or view.call(0) to pass", id="auction"),
        pytest.param(example_view(4, seat=0), "return view.name_trump(suit)", id="trump"),
        pytest.param(DISCARDING, "return discard(cards), or one of view.legal", id="exchange"),
    ],
)
def test_what_to_return_depends_on_what_is_asked(view: View, right: str) -> None:
    assert mistakes.no_action(First, "choose", None, view).endswith(f"; {right}")


@pytest.mark.parametrize(
    ("view", "action", "why"),
    [
        pytest.param(
            VIEW, "play KC", "D was led, and the hand has HJ TD 8D to follow", id="follow"
        ),
        pytest.param(VIEW, "play AS", "AS is not in the hand", id="not held"),
        pytest.param(VIEW, "play LJ", "LJ was played already", id="played"),
        pytest.param(VIEW, "play JS", "JS was discarded", id="discarded"),
        pytest.param(VIEW, "bid 3", "a card is asked for", id="a bid"),
        pytest.param(CALLING, "bid 2", "the bid stands at 2", id="low bid"),
        pytest.param(CALLING, "bid 11", "bids end at 10", id="high bid"),
        pytest.param(CALLING, "play KC", "a call is asked for", id="a card too soon"),
        pytest.param(CALLING, "play AS", "a call is asked for, and AS is not in", id="not his"),
        pytest.param(DISCARDING, "discard KC", "3 cards are to go, not 1", id="too few"),
        pytest.param(DISCARDING, "discard 9C KC 2D", "2D is not in the hand", id="strange discard"),
        pytest.param(DISCARDING, "discard 9C KC TD", "TD may not go", id="a trump"),
        pytest.param(DISCARDING, "pass", "cards to discard are asked for", id="a pass"),
    ],
)
def test_an_illegal_action_is_told_with_the_reason(view: View, action: str, why: str) -> None:
    told = mistakes.illegal(First, "choose", parse_action(action), view)
    line = First.choose.__code__.co_firstlineno
    assert told.startswith(f"{action} is not legal here (First.choose, {FILE}:{line}): {why}")
    assert "; legal: " in told


def test_required_cards_must_go() -> None:
    legal = Discards(1 << parse_card("9C"), 1 << parse_card("KC") | 1 << parse_card("QS"), 2, 2)
    view = View(DISCARDING.known._replace(legal=legal), DISCARDING.table)
    told = mistakes.illegal(First, "choose", discard([parse_card("KC"), parse_card("QS")]), view)
    assert "): 9C must go too; legal: discard with 2 cards, all of 9C and" in told


def test_the_local_table_tells_an_illegal_action_and_what_is_none() -> None:
    foreign = Action(Kind.PLAY, parse_card("2C"))
    fault = first_fault(returning(foreign), First)
    assert (fault.fault, fault.came) == (Fault.ILLEGAL, "play 2C")
    assert re.match(rf"play 2C is not legal here \(Returning\.choose, {FILE}:\d+\)", fault.message)
    nothing = first_fault(returning(None), First)
    assert nothing.fault is Fault.ERROR
    assert nothing.message.startswith("Returning.choose returned None, expected one of view.legal")


# --- what is raised -----------------------------------------------------------------------------


class Changing(Bot):
    def choose(self, view: View) -> Action:
        view.hand.remove(view.hand[0])  # type: ignore[attr-defined]
        return view.legal[0]


class Setting(Bot):
    def choose(self, view: View) -> Action:
        view.hand = ()
        return view.legal[0]


class SettingWhatIsNotThere(Bot):
    def choose(self, view: View) -> Action:
        view.plan = "win"  # type: ignore[attr-defined]
        return view.legal[0]


class Choosy(Bot):
    def choose(self) -> Action:  # type: ignore[override]
        raise AssertionError


class Running(Bot):
    async def think(self, view: View) -> Action:
        return view.legal[0]

    def choose(self, view: View) -> Action:
        thought = self.think(view)
        try:
            return asyncio.run(thought)
        finally:
            thought.close()


class Deep(Bot):
    def choose(self, view: View) -> Action:
        return view.play(parse_card("2C"))


def line_of_raise(bot: type[Bot], after: int) -> str:
    return f"{FILE}:{bot.choose.__code__.co_firstlineno + after}"


@pytest.mark.parametrize(
    ("bot", "after", "message"),
    [
        pytest.param(
            Changing,
            1,
            "AttributeError: 'tuple' object has no attribute 'remove' (PLACE); what a view gives "
            "can't be changed; make a list of it, as in list(view.hand)",
            id="changes what a view gives",
        ),
        pytest.param(
            Setting,
            1,
            "AttributeError: view.hand can't be set: a view is what the seat sees; keep what is "
            "your own in self, the bot (PLACE)",
            id="sets a property",
        ),
        pytest.param(
            SettingWhatIsNotThere,
            1,
            "AttributeError: view.plan can't be set: a view is what the seat sees; keep what is "
            "your own in self, the bot (PLACE)",
            id="sets an attribute",
        ),
        pytest.param(
            Deep,
            1,
            "ValueError: play 2C is not legal for seat 2 here; legal: play 8D, play TD, play HJ "
            "(PLACE)",
            id="raised by the view, named where it was called",
        ),
    ],
)
def test_what_is_raised_is_told_with_the_line_and_a_remedy(
    bot: type[Bot], after: int, message: str
) -> None:
    with pytest.raises(Exception) as raised:  # noqa: PT011 - of several kinds
        bot().choose(VIEW)
    told = mistakes.raised(raised.value)
    assert told == message.replace("PLACE", line_of_raise(bot, after))
    assert mistakes.traced(raised.value).endswith(f"{told}\n")


def test_a_wrong_signature_is_told() -> None:
    fault = first_fault(Choosy, First)
    assert "choose() takes 1 positional argument but 2 were given" in fault.message
    assert fault.message.endswith(
        "the SDK calls MyBot() and choose(view): give other parameters defaults"
    )


async def test_running_an_event_loop_within_one_is_told() -> None:
    with pytest.raises(RuntimeError) as raised:
        Running().choose(VIEW)
    assert mistakes.raised(raised.value).endswith(
        "choose is called by an event loop already: make it an async def, and await there"
    )


def test_notes_and_lines_of_an_exception_stay_in_order() -> None:
    error = ValueError("one\ntwo")
    error.add_note("a note")
    assert mistakes.raised(error) == "ValueError: one\ntwo"
    assert mistakes.traced(error) == "ValueError: one\ntwo\na note\n"


class TooFew(Bot):
    @classmethod
    def choose_many(cls, views: Sequence[View]) -> Sequence[Action]:
        return [view.legal[0] for view in views][1:]


class AsyncMany(Bot):
    @classmethod
    async def choose_many(cls, views: Sequence[View]) -> Sequence[Action]:  # type: ignore[override]
        return [view.legal[0] for view in views]


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        pytest.param(
            TooFew, "choose_many returned 0 actions for 1 views (TooFew.choose_", id="few"
        ),
        pytest.param(AsyncMany, "is an async def; make it a plain def", id="async"),
    ],
)
def test_what_is_wrong_with_choose_many_is_told(bot: type[Bot], message: str) -> None:
    assert message in first_fault(bot, First).message


# --- over a connection --------------------------------------------------------------------------


async def told(bot: type[Bot], capfd: pytest.CaptureFixture[str], questions: int = 1) -> str:
    """What a bot's process says while it is asked, over a real connection."""

    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        await talk.ask(*range(1, questions + 1))
        await talk.answers(questions)
        await talk.farewell()

    assert await played(bot, script) == 0
    return capfd.readouterr().err


class Saying(Bot):
    def choose(self, view: View) -> Action:
        print("I think")
        print("so I am")
        return view.legal[0]


class Blocking(Bot):
    async def choose(self, view: View) -> Action:
        time.sleep(0.6)  # noqa: ASYNC251 - that is the mistake
        return view.legal[0]


async def test_a_mistake_is_told_once_with_its_question(capfd: pytest.CaptureFixture[str]) -> None:
    class Silly(Bot):
        def choose(self, view: View) -> Action:
            return None  # type: ignore[return-value]

    shown = await told(Silly, capfd)
    assert shown.count("returned None, expected one of view.legal") == 1
    assert "question 0000000000000001, seat 1: Silly.choose returned None" in shown


async def test_an_illegal_action_is_told_before_it_is_judged(
    capfd: pytest.CaptureFixture[str],
) -> None:
    class Foreign(Bot):
        def choose(self, view: View) -> Action:
            return Action(Kind.PLAY, 3)

    shown = await told(Foreign, capfd)
    assert "question 0000000000000001, seat 1: play 5C is not legal here (Foreign" in shown


async def test_an_exception_is_told_with_its_question_and_line(
    capfd: pytest.CaptureFixture[str],
) -> None:
    class Raising(Bot):
        def choose(self, view: View) -> Action:
            raise RuntimeError("lost")

    shown = await told(Raising, capfd)
    assert shown.count("RuntimeError: lost") == 1
    assert "question 0000000000000001, seat 1:\nTraceback" in shown
    assert f"RuntimeError: lost ({line_of_raise(Raising, 1)})" in shown


async def test_the_same_exception_is_told_whole_only_once(
    capfd: pytest.CaptureFixture[str],
) -> None:
    class Raising(Bot):
        def choose(self, view: View) -> Action:
            raise RuntimeError("lost")

    shown = await told(Raising, capfd, questions=3)
    assert shown.count("Traceback") == 1
    line = line_of_raise(Raising, 1)
    for number in (2, 3):
        assert f"question {number:016x}, seat 1: again RuntimeError: lost ({line})\n" in shown


async def test_what_is_printed_is_headed_by_its_question(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        await talk.ask(1, 2)
        await talk.answers(2)
        await talk.farewell()

    assert await played(Saying, script) == 0
    assert capfd.readouterr().out.splitlines() == [
        "[question 0000000000000001, seat 1]",
        *("I think", "so I am"),
        "[question 0000000000000002, seat 1]",
        *("I think", "so I am"),
    ]


async def test_an_async_bot_that_blocks_is_told_the_line(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LoopWatch, "_seen", set())
    shown = await told(Blocking, capfd, questions=2)
    assert shown.count("has held up the event loop for") == 1
    assert f"{line_of_raise(Blocking, 1)}: async def choose has held up" in shown


def test_the_local_table_tells_of_a_bot_that_blocks(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class BlockingOnce(Bot):
        blocked = False

        async def choose(self, view: View) -> Action:
            if not BlockingOnce.blocked:
                BlockingOnce.blocked = True
                time.sleep(0.6)  # noqa: ASYNC251 - that is the mistake
            return view.legal[0]

    monkeypatch.setattr(LoopWatch, "_seen", set())
    play_game([BlockingOnce, First])
    assert f"{line_of_raise(BlockingOnce, 3)}: async def choose has" in capfd.readouterr().err
    assert not [each for each in threading.enumerate() if each.name == "loop watch"]


# --- on the way to the server -------------------------------------------------------------------


async def test_another_protocol_is_told_with_the_remedy(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def script(talk: Talk) -> None:
        await talk.read()
        message = "this server speaks protocol 2, the bot 1: update the bot"
        await talk.send(Refusal(reason=RefusalReason.PROTOCOL, message=message))

    assert await played(First, script) == 1
    shown = capfd.readouterr().err
    assert shown.startswith("refused (protocol): this server speaks protocol 2, the bot 1: update")
    assert "This bot uses pitch-arena " in shown
    assert shown.endswith("python -m pip install --upgrade pitch-arena\n")


async def test_a_wrong_token_is_told_with_the_remedy(capfd: pytest.CaptureFixture[str]) -> None:
    async def script(talk: Talk) -> None:
        await talk.read()
        await talk.send(Refusal(reason=RefusalReason.CREDENTIALS, message="refused"))

    assert await played(First, script) == 1
    assert "The server does not let 'ann' in by this token: check --name" in capfd.readouterr().err


async def test_a_server_of_something_else_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.0 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        address = f"{host}:{port}"
        assert await played(First, options=["--server", address, "--patience", "0"]) == 1
    assert f"what answers at {address} is no Pitch server; expected the address" in (
        capfd.readouterr().err
    )


# --- what is alike ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param(
            "ValueError: odd [Action(1)] (a.py:6)", "ValueError: odd [] (a.py:6)", True, id="text"
        ),
        pytest.param("ValueError: odd (a.py:6)", "ValueError: odd (a.py:7)", False, id="line"),
        pytest.param("ValueError: odd (a.py:6)", "KeyError: odd (a.py:6)", False, id="kind"),
        pytest.param(
            "My.choose returned [7] (My.choose, a.py:5): list is no action; return one",
            "My.choose returned [8, 9] (My.choose, a.py:5): list is no action; return one",
            True,
            id="returned",
        ),
        pytest.param(
            "My.choose returned 'x' (My.choose, a.py:5): a text is no action; return one",
            "My.choose returned None (My.choose, a.py:5): some way through it ends; return one",
            False,
            id="returned-otherwise",
        ),
        pytest.param("a stream of 12 bytes", "a stream of 7 bytes", True, id="no-line"),
    ],
)
def test_messages_of_one_mistake_are_alike_whatever_values_they_show(
    one: str, other: str, same: bool
) -> None:
    assert (mistakes.alike(one) == mistakes.alike(other)) is same
