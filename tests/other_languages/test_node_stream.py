"""The Node bot on its stream: what the protocol says of hello, answers, losses and the end."""

from pathlib import Path

import pytest

from bot.serving import Talk, question, serving
from certificates import Authority, server_credentials
from other_languages.node import BOT, HERE, NODE, NOT_HERE, run_bot
from pitch import Action
from pitch.table.faults import Fault
from pitch.wire.frames import (
    Delivery,
    Failure,
    Farewell,
    FaultNotice,
    Hello,
    Notice,
    Refusal,
    RefusalReason,
)

if NODE is None:
    pytest.skip(NOT_HERE, allow_module_level=True)

HELD = HERE / "held_bot.js"


async def test_it_says_hello_answers_what_it_is_asked_and_goes_home() -> None:
    async def script(talk: Talk) -> None:
        await talk.welcome()
        hello = talk.hello
        assert (hello.name, hello.token, hello.protocol) == ("ann", "secret", 1)
        assert (hello.capacity, hello.session_key, hello.notices) == (7, "", False)
        await talk.open()
        await talk.ask(1 << 63, (1 << 63) + 1)  # ids are more than a JavaScript number holds
        answers = await talk.answers(2)
        assert [answer.question_id for answer in answers] == [1 << 63, (1 << 63) + 1]
        for answer in answers:
            legal = question(answer.question_id).view.legal
            assert isinstance(answer.outcome, Action)
            assert answer.outcome in legal
        await talk.farewell()

    async with serving([script]) as address:
        ended = await run_bot(BOT, address, "--capacity", "7")
    assert ended.status == 0
    assert ended.said == [
        f"connected to {address} as 'ann', instance 1, for 't'",
        "the games are over",
    ]


async def test_after_a_loss_it_takes_its_place_back_and_forgets_what_was_asked() -> None:
    async def lost(talk: Talk) -> None:
        await talk.welcome("first key")
        await talk.open()
        await talk.ask(1)

    async def again(talk: Talk) -> None:
        await talk.welcome("second key")
        assert talk.hello.session_key == "first key"
        await talk.ask(2)  # at a table that is not told again: nobody can answer
        await talk.open()
        await talk.ask(4)
        assert [answer.question_id for answer in await talk.answers()] == [4]
        await talk.farewell()

    async with serving([lost, again]) as address:
        ended = await run_bot(HELD, address)
    assert ended.status == 0
    assert any(line.startswith("connection lost: ") for line in ended.said)


async def test_a_question_is_answered_once_however_often_it_comes() -> None:
    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        await talk.ask(1)
        await talk.ask(1, 2)
        assert sorted(answer.question_id for answer in await talk.answers(2)) == [1, 2]
        await talk.ask(4)
        assert [answer.question_id for answer in await talk.answers()] == [4]
        await talk.farewell()

    async with serving([script]) as address:
        assert (await run_bot(HELD, address)).status == 0


async def test_a_withdrawn_question_is_not_answered() -> None:
    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        await talk.ask(1, 3)
        await talk.send(Delivery(withdrawn=(1,)))
        await talk.ask(4)
        assert sorted(answer.question_id for answer in await talk.answers(2)) == [3, 4]
        await talk.ask(6)
        assert [answer.question_id for answer in await talk.answers()] == [6]
        await talk.farewell()

    async with serving([script]) as address:
        assert (await run_bot(HELD, address)).status == 0


async def test_an_exception_is_reported_and_the_next_question_answered() -> None:
    async def script(talk: Talk) -> None:
        await talk.welcome()
        await talk.open()
        await talk.ask(13)
        (answer,) = await talk.answers()
        assert isinstance(answer.outcome, Failure)
        assert answer.outcome.message == "Error: at thirteen"
        assert "held_bot.js" in answer.outcome.traceback
        await talk.ask(2)
        await talk.answers()
        await talk.farewell()

    async with serving([script]) as address:
        assert (await run_bot(HELD, address)).status == 0


async def test_what_it_does_not_know_is_ignored_and_a_fault_is_shown() -> None:
    async def script(talk: Talk) -> None:
        await talk.welcome()
        # An event 15 of the frame, a notice with an event 15, and a field 15 of a delivery.
        await talk._context.write(b"\x7a\x00")
        await talk._context.write(b"\x1a\x0f\x12\x0b\x09" + bytes(8) + b"\x7a\x00\x78\x05")
        await talk.open()
        await talk.send(Delivery(notices=(Notice(1, FaultNotice(1, Fault.TIMEOUT, "too slow")),)))
        await talk.ask(2)
        await talk.answers()
        await talk.farewell()

    async with serving([script]) as address:
        ended = await run_bot(BOT, address)
    assert ended.status == 0
    assert "fault: FAULT_KIND_TIMEOUT: too slow" in ended.said


async def test_a_refusal_ends_it_and_says_why() -> None:
    async def script(talk: Talk) -> None:
        assert isinstance(await talk.read(), Hello)
        await talk.send(Refusal(reason=RefusalReason.CREDENTIALS, message="refused"))

    async with serving([script]) as address:
        ended = await run_bot(BOT, address)
    assert ended.status == 1
    assert ended.said == ["refused (REFUSAL_REASON_CREDENTIALS): refused"]


async def test_sent_to_come_back_fresh_it_starts_its_program_anew_without_its_key() -> None:
    async def sent_away(talk: Talk) -> None:
        await talk.welcome("an old key")
        await talk.send(Farewell(message="to the next pairing", come_back_fresh=True))

    async def last(talk: Talk) -> None:
        await talk.welcome()
        assert (talk.hello.session_key, talk.hello.token) == ("", "secret")
        await talk.farewell()

    async with serving([sent_away, sent_away, last]) as address:
        ended = await run_bot(BOT, address)
    assert ended.status == 0
    assert ended.said[1::2] == ["to the next pairing", "to the next pairing", "the games are over"]


async def test_each_of_several_instances_has_a_stream_of_its_own() -> None:
    async def script(talk: Talk) -> None:
        await talk.welcome()
        assert talk.hello.token == "secret"
        await talk.farewell()

    async with serving([script, script, script]) as address:
        ended = await run_bot(BOT, address, "--instances", "3")
    assert ended.status == 0
    assert ended.said.count("the games are over") == 3


async def test_it_plays_over_tls_with_a_certificate_of_its_own(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    credentials = server_credentials(authority.issue("arena.example"), authority)
    own = authority.issue("ann")
    (tmp_path / "token").write_text("from a file\n")

    async def script(talk: Talk) -> None:
        await talk.welcome()
        assert talk.hello.token == "from a file"
        await talk.farewell()

    async with serving([script], credentials) as address:
        ended = await run_bot(
            BOT,
            address,
            *("--ca", str(authority.file), "--server-name", "arena.example"),
            *("--client-certificate", str(own.certificate), "--client-key", str(own.key)),
            environment={"PITCH_TOKEN_FILE": str(tmp_path / "token")},
        )
    assert ended.status == 0, ended.said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param(["--server", "nowhere"], "expected HOST:PORT, got 'nowhere'", id="server"),
        pytest.param(["--capacity", "many"], "expected 1 to 4096, got 'many'", id="capacity"),
        pytest.param(["--name", ""], "give --name", id="name"),
        pytest.param(["--client-key", str(BOT)], "belong together", id="key alone"),
        pytest.param(["--ca", "/no/such/file"], "no such file", id="no such file"),
        pytest.param(["--tokn", "x"], "Unknown option '--tokn'", id="misspelt"),
    ],
)
async def test_wrong_options_are_told(options: list[str], said: str) -> None:
    ended = await run_bot(BOT, "localhost:1", *options)
    assert ended.status == 2
    assert said in ended.said[-1]


async def test_a_server_that_is_not_there_is_given_up() -> None:
    ended = await run_bot(BOT, "127.0.0.1:1", "--patience", "0")
    assert ended.status == 1
    assert ended.said[-1].startswith("gave up on 127.0.0.1:1: ")
