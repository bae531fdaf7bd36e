"""Whoever connects to a server in the tests of its service: bots without the SDK, and worse."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc
import grpc.aio

from pitch.bot.connection import PLAY_METHOD
from pitch.wire.convert import read_server_frame, write_bot_frame
from pitch.wire.frames import BotFrame, Hello, ServerFrame
from pitch_server.service.app import RefereeServer
from pitch_server.service.listening import Listening
from pitch_server.service.lobby import Lobby, Place, token_hash
from pitch_server.table.clock import Moment
from pitch_server.table.instance import Instance

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = b"\0\0\0\x04\0\0\0\0\0"
LIMIT = 60.0  # seconds that anything may take here

logging.getLogger("asyncio").setLevel(logging.WARNING)


class Caller:
    """One stream of Play, by hand."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._call: Any = channel.stream_stream(PLAY_METHOD)()

    async def send(self, frame: BotFrame | bytes) -> None:
        """Sends a frame, or bytes that may be none."""
        data = frame if isinstance(frame, bytes) else write_bot_frame(frame)
        await asyncio.wait_for(self._call.write(data), LIMIT)

    async def read(self) -> ServerFrame | None:
        """The next frame; None where the stream has ended."""
        data = await asyncio.wait_for(self._call.read(), LIMIT)
        return None if data is grpc.aio.EOF else read_server_frame(data)

    async def hello(
        self, name: str = "ann", token: str = "the token", **fields: Any
    ) -> ServerFrame | None:
        """Says hello; what comes back."""
        await self.send(Hello(name=name, token=token, **fields))
        return await self.read()

    async def end(self) -> tuple[grpc.StatusCode, str]:
        """Waits for the end of the stream; its status."""
        code = await asyncio.wait_for(self._call.code(), LIMIT)
        return code, str(await self._call.details())

    def cancel(self) -> None:
        """Goes away."""
        self._call.cancel()


@asynccontextmanager
async def calling(address: str, *options: tuple[str, int]) -> AsyncIterator[Caller]:
    """A stream on a connection of its own."""
    own = ("grpc.use_local_subchannel_pool", 1)
    async with grpc.aio.insecure_channel(address, options=[own, *options]) as channel:
        yield Caller(channel)


def unnoticed(_place: Place) -> None:
    """Nobody cares."""


def instance() -> Instance:
    """An instance that nobody plays at; its time stands still."""
    return Instance(
        now=lambda: Moment(0.0, 0.0), move_timeout=1.0, time_bank=0.0, reconnect_grace=9.0
    )


@asynccontextmanager
async def serving(
    listening: Listening | None = None, *, places: int = 1, services: Sequence[Any] = ()
) -> AsyncIterator[tuple[RefereeServer, list[Place]]]:
    """A server with places for ann, whose token is "the token"."""
    lobby = Lobby()
    lobby.tournament = "a secret tournament"
    anns = [Place("ann", number, instance(), unnoticed) for number in range(places)]
    lobby.admit(token_hash("the token"), anns)
    async with RefereeServer(lobby, listening, services=services) as server:
        yield server, anns


async def raw(address: str, data: bytes) -> bytes:
    """Says something without grpc and reads until the connection is closed."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(data)
        return await asyncio.wait_for(reader.read(-1), LIMIT)
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def eventually(condition: Any) -> None:
    """Waits until a condition holds."""
    async with asyncio.timeout(LIMIT):
        while not condition():  # noqa: ASYNC110 - what grpc does raises no event
            await asyncio.sleep(0.01)
