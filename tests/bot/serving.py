"""A referee by script: what it sends and what it waits for, a coroutine for each connection."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import grpc
import grpc.aio
import pytest

from pitch import Bot, Unit, run
from pitch.rules import VARIANTS, start_game, start_hand, view_of
from pitch.wire.convert import read_bot_frame, write_server_frame
from pitch.wire.frames import (
    Answer,
    BotFrame,
    Delivery,
    Farewell,
    Hello,
    Question,
    ServerFrame,
    TableOpening,
    Welcome,
)

VARIANT = VARIANTS["pitch-ac"]
NO_ANSWER = 20.0


def opening(table: int = 1) -> TableOpening:
    """A table of pitch-ac at seat 1."""
    return TableOpening(
        table_id=table,
        variant=VARIANT,
        seat=1,
        first_dealer=0,
        unit=Unit.HAND,
        max_hands=1,
        move_timeout=1.0,
    )


def question(number: int, table: int = 1) -> Question:
    """What seat 1 is to call, as the first of the auction."""
    hand = start_hand(VARIANT, 0, Random(number).sample(range(52), 52))
    return Question(number, table, view_of(start_game(VARIANT, first_dealer=0), hand, 1), number)


class Talk:
    """One connection of a bot, as the server's script sees it."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self.hello = Hello(name="", token="")

    async def welcome(self, key: str = "key") -> None:
        """Waits for the hello and lets the bot in."""
        frame = await self.read()
        assert isinstance(frame, Hello)
        self.hello = frame
        await self.send(Welcome(session_key=key, tournament="t", instance=0, capacity=64))

    async def read(self) -> BotFrame:
        """The next frame of the bot."""
        return read_bot_frame(await asyncio.wait_for(self._context.read(), NO_ANSWER))

    async def answers(self, count: int = 1) -> list[Answer]:
        """That many answers at least, in as many frames as they come."""
        found: list[Answer] = []
        while len(found) < count:
            frame = await self.read()
            assert not isinstance(frame, Hello)
            found += frame
        return found

    async def send(self, frame: ServerFrame) -> None:
        """Sends a frame."""
        await self._context.write(write_server_frame(frame))

    async def ask(self, *numbers: int, table: int = 1) -> None:
        """Asks questions in one frame; opens the table before the first."""
        await self.send(Delivery(questions=tuple(question(each, table) for each in numbers)))

    async def open(self, *tables: int) -> None:
        """Opens tables."""
        await self.send(Delivery(openings=tuple(map(opening, tables or (1,)))))

    async def farewell(self) -> None:
        """Sends the bot home."""
        await self.send(Farewell(message="the games are over"))


Script = Callable[[Talk], Awaitable[None]]


@asynccontextmanager
async def serving(
    scripts: Sequence[Script], credentials: grpc.ServerCredentials | None = None
) -> AsyncIterator[str]:
    """A server that plays a script for each connection in turn; its address. TLS if it has some.

    What goes wrong in a script is raised at the end.
    """
    left = list(scripts)
    errors: list[BaseException] = []

    async def play(_requests: Any, context: Any) -> None:
        try:
            await left.pop(0)(Talk(context))
        except Exception as error:
            errors.append(error)
            raise

    server = grpc.aio.server()
    handler: Any = grpc.stream_stream_rpc_method_handler(play)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("pitch.wire.v1.RefereeService", {"Play": handler}),)
    )
    address = "127.0.0.1:0"
    if credentials is None:
        port = server.add_insecure_port(address)
    else:
        port = server.add_secure_port(address, credentials)
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)
    if errors:
        raise errors[0]
    assert not left, f"{len(left)} connections did not come"


async def played(
    make_bot: Callable[[], Bot],
    *scripts: Script,
    options: Sequence[str] = (),
    credentials: grpc.ServerCredentials | None = None,
) -> int:
    """Runs a bot, in a thread of its own, against the scripts; its exit status."""

    def bot(address: str) -> int:
        arguments = ["--server", address, "--name", "ann", "--token", "secret", "--patience", "5"]
        with pytest.raises(SystemExit) as end:
            run(make_bot, arguments=[*arguments, *options])
        assert isinstance(end.value.code, int)
        return end.value.code

    async with serving(scripts, credentials) as address:
        return await asyncio.to_thread(bot, address)
