"""What strangers learn, and what they can do to others: nothing."""

import asyncio
import logging
import os
import struct
from contextlib import AsyncExitStack, suppress
from typing import Any

import grpc
import pytest

from pitch.bot.connection import PLAY_METHOD
from pitch.wire.convert import write_bot_frame
from pitch.wire.frames import Answer, Farewell, Hello, Refusal, RefusalReason, Welcome
from pitch_server.service import sockets
from pitch_server.service.listening import Listening
from service.strangers import (
    PREFACE,
    SETTINGS,
    calling,
    eventually,
    raw,
    serving,
)

HASTY = Listening(hello_timeout=0.3, keepalive=0.5, strangers=20, connections=40)


@pytest.mark.parametrize(
    ("name", "token", "key"),
    [
        pytest.param("ann", "another", "", id="wrong token"),
        pytest.param("bob", "the token", "", id="wrong name"),
        pytest.param("nobody", "nothing", "", id="unknown"),
        pytest.param("", "", "", id="nothing at all"),
        pytest.param("ann", "x" * 4000, "", id="long token"),
        pytest.param("ann", "another", "x" * 2000, id="long key"),
        pytest.param("\x00\x1b[31m", "\U0001f0cf", "", id="odd characters"),
    ],
)
async def test_a_stranger_is_refused_in_the_same_words_whatever_is_wrong(
    name: str, token: str, key: str
) -> None:
    async with serving() as (server, _), calling(server.address) as caller:
        answer = await caller.hello(name, token, session_key=key)
        assert answer == Refusal(reason=RefusalReason.CREDENTIALS, message="refused")
        assert await caller.read() is None
        assert await caller.end() == (grpc.StatusCode.OK, "")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing in it"),
        pytest.param(b"\xff" * 100, id="garbage"),
        pytest.param(write_bot_frame((Answer(1, None),)), id="answers"),
        pytest.param(write_bot_frame(Hello(name="x" * 5000, token="")), id="long hello"),
        pytest.param(b"\0" * (1 << 20), id="a frame of the largest size"),
    ],
)
async def test_who_begins_with_something_else_is_told_that_and_no_more(data: bytes) -> None:
    async with serving() as (server, _), calling(server.address) as caller:
        await caller.send(data)
        assert await caller.read() == Refusal(
            reason=RefusalReason.BAD_HELLO, message="a stream begins with a hello"
        )


async def test_another_protocol_is_told_ours_and_nothing_else() -> None:
    async with serving() as (server, _), calling(server.address) as caller:
        answer = await caller.hello("nobody", "nothing", protocol=9)
        assert answer == Refusal(
            reason=RefusalReason.PROTOCOL,
            message="this server speaks protocol 1, the bot 9: update the server",
        )


async def test_nothing_that_a_stranger_reads_names_the_tournament() -> None:
    async with serving() as (server, _), grpc.aio.insecure_channel(server.address) as channel:
        call: Any = channel.stream_stream(PLAY_METHOD)()
        await call.write(write_bot_frame(Hello(name="x", token="y")))
        seen = str(await call.initial_metadata()).encode() + await call.read()
        seen += str(await call.trailing_metadata()).encode()
    assert b"secret tournament" not in seen
    assert b"pitch-arena" not in seen


async def test_who_says_nothing_is_sent_away_in_time() -> None:
    async with serving(HASTY) as (server, _), calling(server.address) as caller:
        answer = await caller.read()
        assert isinstance(answer, Refusal)
        assert answer.message.endswith("nothing came within 0.3 s")


async def test_a_frame_over_the_limit_ends_the_stream() -> None:
    async with serving() as (server, _), calling(server.address) as caller:
        assert isinstance(await caller.hello(), Welcome)
        await caller.send(b"\0" * ((1 << 20) + 1))
        code, _ = await caller.end()
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(PREFACE[:10], id="half a preface"),
        pytest.param(PREFACE, id="preface alone"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", id="another protocol"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01", id="half a handshake of TLS"),
        pytest.param(os.urandom(3000), id="garbage"),
        pytest.param(PREFACE + SETTINGS + b"\xff\xff\xff\0\0\0\0\0\1", id="a frame of 16 MB"),
        pytest.param(PREFACE + SETTINGS + (b"\0\0\0\1\5\0\0\0\1" * 50), id="headers of nothing"),
    ],
)
async def test_connections_that_do_not_speak_grpc_end_soon_and_hurt_nobody(said: bytes) -> None:
    async with serving(HASTY) as (server, _), calling(server.address) as caller:
        assert isinstance(await caller.hello(), Welcome)
        await asyncio.gather(*(raw(server.address, said) for _ in range(10)))
        server.lobby.closing = False
        await server.say_farewell("over")
        assert isinstance(await caller.read(), Farewell)


async def test_a_crowd_that_says_nothing_keeps_nobody_out(caplog: pytest.LogCaptureFixture) -> None:
    """Its members come back as soon as they are cut; the bots come in the midst of them."""
    patient = Listening(hello_timeout=30, strangers=20, connections=400)

    async def crowd(address: str) -> None:
        while True:
            with suppress(OSError, TimeoutError):
                await raw(address, PREFACE + SETTINGS)
            await asyncio.sleep(0.05)

    async with serving(patient, places=5) as (server, places):
        before = sockets.descriptors()
        members = [asyncio.create_task(crowd(server.address)) for _ in range(100)]
        await eventually(lambda: caplog.text.count("connection cut") > 5)
        async with AsyncExitStack() as stack:
            for _ in range(5):
                caller = await stack.enter_async_context(calling(server.address))
                assert isinstance(await caller.hello(), Welcome)
            await asyncio.sleep(1)
            assert all(place.holder for place in places)
        for member in members:
            member.cancel()
        await asyncio.gather(*members, return_exceptions=True)
        await eventually(lambda: sockets.descriptors() <= before + 2)
    assert len(caplog.records) < 60


async def test_refused_strangers_write_few_lines_and_no_secret(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    async with serving() as (server, _), grpc.aio.insecure_channel(server.address) as channel:

        async def refused(number: int) -> None:
            call: Any = channel.stream_stream(PLAY_METHOD)()
            await call.write(write_bot_frame(Hello(name="ann", token=f"guess-{number}")))
            await call.read()

        await asyncio.gather(*(refused(number) for number in range(300)))
    ours = [record for record in caplog.records if record.name.startswith("pitch")]
    assert 1 <= len(ours) <= 21
    assert {record.getMessage() for record in ours} == {"connection refused"}
    assert "guess" not in caplog.text
    assert "the token" not in caplog.text


@pytest.mark.parametrize("path", [b"/pitch.w\xd1re", b"/nothing.at", b"\xff" * 11])
async def test_a_call_of_no_method_ends_nothing_but_itself(
    path: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """A path that is no UTF-8 would end the loop in which grpc takes calls, and the port."""
    call = _call().replace(PLAY_METHOD.encode()[:11], path)
    async with serving(places=2) as (server, _), calling(server.address) as caller:
        assert isinstance(await caller.hello(), Welcome)
        host, _, port = server.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(PREFACE + SETTINGS + call + _message(b"x"))
        said = b""
        while b"Method not found!" not in said:
            said += await asyncio.wait_for(reader.read(4096), 20)
        writer.close()
        async with calling(server.address) as another:
            assert isinstance(await another.hello(), Welcome)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_peer_that_does_not_read_its_refusal_is_cut() -> None:
    """It allows no byte to be sent to it; grpc alone would hold the call for ever."""
    tasks = len(asyncio.all_tasks())
    async with serving(HASTY) as (server, _):
        host, _, port = server.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(PREFACE + _no_window() + _call() + _message(b"\xff\xff"))
        await asyncio.wait_for(_closed(reader), 20)
        writer.close()
        await eventually(lambda: not server._streams)
    await eventually(lambda: len(asyncio.all_tasks()) <= tasks)


async def _closed(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionError):
        while await reader.read(65536):
            pass


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _no_window() -> bytes:
    """SETTINGS: no byte of a stream may be sent before it is allowed."""
    return _frame(4, 0, 0, struct.pack(">HI", 4, 0))


def _call() -> bytes:
    """HEADERS of a call of Play, each written out."""
    headers = {
        ":method": "POST", ":scheme": "http", ":path": PLAY_METHOD, ":authority": "x",
        "te": "trailers", "content-type": "application/grpc",
    }  # fmt: skip
    block = b"".join(
        b"\x00" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
        for name, value in headers.items()
    )
    return _frame(1, 4, 1, block)


def _message(data: bytes) -> bytes:
    return _frame(0, 0, 1, b"\0" + struct.pack(">I", len(data)) + data)
