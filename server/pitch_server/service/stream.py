"""One connection of a bot: hello, then frames both ways until it ends.

Here belongs the socket side of an instance. Frames are read as bytes and parsed by us, so
that garbage is a fault in the game and never the stream's end.
"""

import asyncio
import logging
from contextlib import suppress
from importlib.metadata import version
from typing import Any

import grpc.aio

from pitch.wire.convert import WireError, read_bot_frame, write_server_frame
from pitch.wire.frames import (
    DEFAULT_CAPACITY,
    ITEMS_LIMIT,
    Delivery,
    Farewell,
    Hello,
    Refusal,
    RefusalReason,
    Welcome,
)
from pitch_server.service.lobby import Lobby, Place
from pitch_server.table.instance import FRAME_QUESTIONS

__all__ = ["PEER_GONE", "Stream"]

log = logging.getLogger(__name__)

PEER_GONE = (asyncio.CancelledError, grpc.aio.AbortError, grpc.aio.InternalError, grpc.RpcError)
"""What reading from a stream or writing to it raises when its other end has gone away."""
HELLO_TIMEOUT = 10.0
"""Seconds that a connection has for its hello."""
_SERVER = f"pitch-arena {version('pitch-arena')}"
# Frames and answers that nobody asked for: so many at once, so many a second; beyond, the
# stream is read slowly, which costs nobody but the bot itself.
_STRAYS_AT_ONCE = 2_000.0
_STRAYS_A_SECOND = 500.0
_GARBAGE_STRAYS = 20
_SLOW_READ = 0.1
# A bot may leave a frame unread for as long as it may think, and so many seconds more.
_READ_PATIENCE = 1.0


class Stream:
    """The server's end of one bot's stream."""

    def __init__(self, lobby: Lobby, context: Any) -> None:
        self.place: Place | None = None
        self._lobby = lobby
        self._context = context
        self._wanted = asyncio.Event()
        self._last_words: Refusal | Farewell | None = None
        self._reader: asyncio.Task[None] | None = None
        self._strays = 0.0
        self._strays_at = 0.0
        self._writing: Delivery | None = None

    async def serve(self) -> None:
        """Serves the connection until it ends."""
        hello = await self._read_hello()
        if hello is None:
            return
        place = self._lobby.find(hello)
        if isinstance(place, Refusal):
            await self._write(place)
            return
        self.place = place
        place.take(self, self._say_last)
        try:
            await self._write(self._welcome(place, hello))
            place.instance.connect(self._wanted.set, _capacity(hello), hello.notices)
            place.announce()
            await self._play(place)
        finally:
            place.leave(self)

    def farewell(self, message: str, *, come_back_fresh: bool = False) -> bool:
        """Ends the session in peace; False where last words are on their way already."""
        if self._last_words is not None:
            return False
        self._say_last(Farewell(message=message, come_back_fresh=come_back_fresh))
        return True

    # --- hello --------------------------------------------------------------------------------

    async def _read_hello(self) -> Hello | None:
        problem = "a stream begins with a hello; "
        try:
            data = await asyncio.wait_for(self._context.read(), HELLO_TIMEOUT)
            if data is grpc.aio.EOF:
                return None
            frame = read_bot_frame(data)
            if isinstance(frame, Hello):
                return frame
            problem += "answers came first"
        except TimeoutError:
            problem += f"nothing came within {HELLO_TIMEOUT:g} s"
        except WireError as error:
            problem += str(error)
        await self._write(Refusal(reason=RefusalReason.BAD_HELLO, message=problem))
        return None

    def _welcome(self, place: Place, hello: Hello) -> Welcome:
        return Welcome(
            session_key=place.session_key,
            tournament=self._lobby.tournament,
            instance=place.number,
            capacity=_capacity(hello),
            server=_SERVER,
        )

    # --- both ways ----------------------------------------------------------------------------

    async def _play(self, place: Place) -> None:
        self._reader = asyncio.create_task(self._read(place))
        writer = asyncio.create_task(self._write_deliveries(place))
        guard = asyncio.create_task(self._guard_writing(place))
        tasks = (self._reader, writer, guard)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
                with suppress(*PEER_GONE):
                    await task

    async def _read(self, place: Place) -> None:
        read = self._context.read
        instance = place.instance
        while (data := await read()) is not grpc.aio.EOF:
            if place.holder is not self:
                return
            try:
                frame = read_bot_frame(data)
            except WireError as error:
                await self._garbage(place, str(error))
                continue
            if isinstance(frame, Hello):
                await self._garbage(place, "a second hello came")
                continue
            if strays := instance.receive(frame):
                await self._slow_down(strays)

    async def _garbage(self, place: Place, reason: str) -> None:
        charged = place.instance.receive_garbage(reason)
        await self._slow_down(1 if charged else _GARBAGE_STRAYS)

    async def _slow_down(self, strays: int) -> None:
        now = asyncio.get_running_loop().time()
        self._strays = max(0.0, self._strays - (now - self._strays_at) * _STRAYS_A_SECOND)
        self._strays_at = now
        self._strays += strays
        if self._strays > _STRAYS_AT_ONCE:
            await asyncio.sleep(_SLOW_READ)

    async def _write_deliveries(self, place: Place) -> None:
        wanted, instance = self._wanted, place.instance
        while True:
            await wanted.wait()
            wanted.clear()
            full = True
            while full and self._last_words is None:
                delivery = instance.take_delivery()
                if delivery is None:
                    break
                self._writing = delivery
                await self._context.write(write_server_frame(delivery))
                self._writing = None
                # What has come meanwhile gathers again, but for what had no room here.
                full = len(delivery.questions) == FRAME_QUESTIONS
            if self._last_words is not None:
                await self._write(self._last_words)
                return

    async def _guard_writing(self, place: Place) -> None:
        """Returns when the bot has stopped reading, so that its connection is as good as lost.

        What it does not read is held back by the transport, and the time of a question begins
        when it is written: without this it would be waited for to no end.
        """
        patience = place.instance.longest_thought + _READ_PATIENCE
        while True:
            frame = self._writing
            await asyncio.sleep(patience)
            if frame is not None and frame is self._writing:
                log.warning("%s: a connection is cut, the bot does not read from it", place.name)
                return

    def _say_last(self, words: Refusal | Farewell) -> None:
        self._last_words = words
        self._wanted.set()

    async def _write(self, frame: Welcome | Refusal | Farewell) -> None:
        await self._context.write(write_server_frame(frame))


def _capacity(hello: Hello) -> int:
    return min(hello.capacity or DEFAULT_CAPACITY, ITEMS_LIMIT)
