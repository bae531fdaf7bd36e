"""What strangers and an evil entrant do to a server, one attack a function.

Each takes a target and a generator, does its worst and returns; that it is turned away or cut
off in the middle is the least to be expected.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any, NamedTuple

import grpc
import grpc.aio

from fuzz.bytes import PREFACE, changed, http2_call, http2_frame, random_frame, wrong_answers
from pitch.bot.connection import PLAY_METHOD
from pitch.rules import Action
from pitch.wire.convert import WireError, read_server_frame, write_bot_frame
from pitch.wire.frames import Delivery, Hello, Welcome

__all__ = ["ENTRANTS", "STRANGERS", "TURNED_AWAY", "Attack", "Target"]

TURNED_AWAY = (
    OSError,
    TimeoutError,
    EOFError,
    asyncio.InvalidStateError,
    grpc.RpcError,
    grpc.aio.BaseError,
    grpc.aio.UsageError,
    WireError,
)
_METHODS = (
    "/grpc.health.v1.Health/Check",
    "/grpc.health.v1.Health/Watch",
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    "/pitch.wire.v1.TournamentService/GetTournament",
    "/pitch.wire.v1.TournamentService/Close",
    "/pitch.wire.v1.TournamentService/Watch",
    "/pitch.wire.v1.RefereeService/Nothing",
    "/",
)


class Target(NamedTuple):
    """The server, and the token of the entrant "evil"."""

    address: str
    token: str


Attack = Callable[[Target, Random], Awaitable[None]]


# --- without grpc -----------------------------------------------------------------------------


async def _say(target: Target, chance: Random, *parts: bytes) -> None:
    """Sends parts with pauses between them, reads a little or nothing, and goes in some way."""
    host, _, port = target.address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        for part in parts:
            writer.write(part)
            await asyncio.sleep(chance.choice([0, 0, 0.05]))
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.read(4096), chance.choice([0.01, 0.2, 1]))
        if chance.random() < 0.5:
            writer.transport.abort()
    finally:
        writer.close()


async def noise(target: Target, chance: Random) -> None:
    """Random bytes."""
    await _say(target, chance, chance.randbytes(chance.choice([1, 9, 100, 10_000])))


async def frames_of_http2(target: Target, chance: Random) -> None:
    """Frames of any kind, flags, stream and size."""
    frames = [
        http2_frame(
            chance.randrange(12),
            chance.randrange(256),
            chance.choice([0, 1, 3, 2**31 - 1, chance.getrandbits(31)]),
            chance.randbytes(chance.choice([0, 4, 8, 100, 16_384])),
        )
        for _ in range(chance.randint(1, 50))
    ]
    await _say(target, chance, PREFACE, http2_frame(4, 0, 0, b""), *frames)


async def changed_call(target: Target, chance: Random) -> None:
    """A real call, byte by byte right but for some."""
    call = http2_call(write_bot_frame(Hello(name="evil", token=target.token)))
    await _say(target, chance, changed(call, chance))


async def huge_length(target: Target, chance: Random) -> None:
    """A message that is said to be huge, and of which little comes."""
    length = chance.choice([2**32 - 1, 2**31, 2**20 + 1, 2**20])
    await _say(target, chance, http2_call(b"x" * 100, length), b"\0" * 50_000)


async def flood_of_small_frames(target: Target, chance: Random) -> None:
    """Pings, settings, resets and empty data without end."""
    kind, payload = chance.choice([(6, b"x" * 8), (4, b""), (3, b"\0\0\0\x08"), (0, b"")])
    stream = 0 if kind in (6, 4) else 1
    await _say(target, chance, http2_call(b""), http2_frame(kind, 0, stream, payload) * 5_000)


# --- with grpc --------------------------------------------------------------------------------


@asynccontextmanager
async def _channel(target: Target, *options: tuple[str, int]) -> AsyncIterator[grpc.aio.Channel]:
    own = ("grpc.use_local_subchannel_pool", 1)
    async with grpc.aio.insecure_channel(target.address, options=[own, *options]) as channel:
        yield channel


async def _read(call: Any, seconds: float = 2.0) -> Any:
    data = await asyncio.wait_for(call.read(), seconds)
    if data is grpc.aio.EOF:
        raise EOFError
    return read_server_frame(data)


async def frames_of_strangers(target: Target, chance: Random) -> None:
    """Frames on Play, of which the first is no hello that opens anything."""
    async with _channel(target) as channel:
        call: Any = channel.stream_stream(PLAY_METHOD)()
        for _ in range(chance.randint(1, 20)):
            await call.write(random_frame("a guess", chance))
        await _read(call)


async def other_methods(target: Target, chance: Random) -> None:
    """Any bytes to any method that there is, or is not, with any metadata."""
    token = chance.choice([target.token, "x" * 5000, "é".encode().hex()])
    metadata = (("authorization", f"Bearer {token}"), ("x-bin", chance.randbytes(20)))
    async with _channel(target) as channel:
        for _ in range(20):
            call: Any = channel.stream_stream(chance.choice(_METHODS))(metadata=metadata)
            with suppress(*TURNED_AWAY):
                await call.write(chance.randbytes(chance.randrange(50)))
                await _read(call, 0.2)
            call.cancel()


async def calls_that_are_dropped(target: Target, chance: Random) -> None:
    """Many calls, each dropped at once."""
    async with _channel(target) as channel:
        calls: list[Any] = [channel.stream_stream(PLAY_METHOD)() for _ in range(100)]
        for call in calls:
            if chance.random() < 0.3:
                await call.write(random_frame("a guess", chance))
            call.cancel()


# --- with a token -----------------------------------------------------------------------------


async def _hello(call: Any, target: Target, chance: Random) -> None:
    capacity = chance.choice([0, 1, 64, 4096, 2**32 - 1])
    await call.write(
        write_bot_frame(
            Hello(name="evil", token=target.token, capacity=capacity, notices=chance.random() < 0.5)
        )
    )
    if not isinstance(await _read(call), Welcome):
        raise EOFError  # noqa: TRY004 - it is turned away


async def wrong_play(target: Target, chance: Random) -> None:
    """Plays for a while, and answers as it should not."""
    async with _channel(target) as channel:
        call: Any = channel.stream_stream(PLAY_METHOD)()
        await _hello(call, target, chance)
        for _ in range(chance.randint(1, 200)):
            frame = await _read(call)
            if not isinstance(frame, Delivery):
                continue
            for question in frame.questions:
                action: Action = chance.choice(list(question.view.legal))
                for data in wrong_answers(question, action, chance):
                    await call.write(data)
            if chance.random() < 0.05:
                await call.write(random_frame(target.token, chance))


async def changed_hello(target: Target, chance: Random) -> None:
    """A hello with the right token, somehow changed."""
    hello = write_bot_frame(Hello(name="evil", token=target.token, sdk="x", session_key="y"))
    async with _channel(target) as channel:
        call: Any = channel.stream_stream(PLAY_METHOD)()
        await call.write(changed(hello, chance))
        for _ in range(chance.randint(0, 3)):
            await _read(call)
            await call.write(random_frame(target.token, chance))


async def deaf(target: Target, chance: Random) -> None:
    """Says hello, and more, and never reads."""
    small = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 16_384))
    async with _channel(target, *small) as channel:
        call: Any = channel.stream_stream(PLAY_METHOD)()
        await call.write(write_bot_frame(Hello(name="evil", token=target.token, capacity=4096)))
        for _ in range(30):
            await call.write(random_frame(target.token, chance))
            await asyncio.sleep(0.1)


async def half_closed(target: Target, chance: Random) -> None:
    """Says hello and that it will say no more, and listens."""
    async with _channel(target) as channel:
        call: Any = channel.stream_stream(PLAY_METHOD)()
        await _hello(call, target, chance)
        await call.done_writing()
        for _ in range(20):
            await _read(call)


STRANGERS: tuple[Attack, ...] = (
    noise,
    frames_of_http2,
    changed_call,
    huge_length,
    flood_of_small_frames,
    frames_of_strangers,
    other_methods,
    calls_that_are_dropped,
)
ENTRANTS: tuple[Attack, ...] = (wrong_play, wrong_play, changed_hello, deaf, half_closed)
