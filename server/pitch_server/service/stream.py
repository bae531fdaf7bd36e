"""One connection of a bot: hello, then frames both ways until it ends.

Here belongs the socket side of an instance. Frames are read as bytes and parsed by us, so
that garbage is a fault in the game and never the stream's end.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from typing import Any

import grpc.aio

from pitch.wire.convert import WireError, read_bot_frame, write_server_frame
from pitch.wire.frames import (
    DEFAULT_CAPACITY,
    ITEMS_LIMIT,
    Farewell,
    Hello,
    Refusal,
    RefusalReason,
    ServerFrame,
    Welcome,
)
from pitch_server.logs import Event, EventLog
from pitch_server.plan.settings import MAX_NAME
from pitch_server.redaction import keep_secret
from pitch_server.service.door import Door
from pitch_server.service.limits import BYTES, STRAYS, Bucket
from pitch_server.service.lobby import Lobby, Place
from pitch_server.service.sockets import peer_of
from pitch_server.table.instance import FRAME_QUESTIONS

__all__ = ["PEER_GONE", "Stream"]

PEER_GONE = (asyncio.CancelledError, grpc.aio.AbortError, grpc.aio.InternalError, grpc.RpcError)
"""What reading from a stream or writing to it raises when its other end has gone away."""
_SERVER = f"pitch-arena {version('pitch-arena')}"
# A hello is small: a longer first frame is not even parsed.
_HELLO_BYTES = 4_096
# Frames that can't be read and that no question is charged with cost as much as so many answers
# that nobody asked for.
_GARBAGE_STRAYS = 20
# Of what a bot sends beyond its budgets it is read slowly, which costs nobody but the bot itself;
# a pause is this long at most, in seconds.
_SLOW_READ = 1.0
_GONE_SOON = 0.5  # seconds until it shows that a peer is gone, after the last that it said
# A bot may leave a frame unread for as long as it may think, and so many seconds more.
_READ_PATIENCE = 1.0


class Stream:
    """The server's end of one bot's stream."""

    def __init__(
        self,
        lobby: Lobby,
        context: Any,
        door: Door,
        spell: Callable[[ServerFrame], bytes] = write_server_frame,
    ) -> None:
        self._spell = spell
        self.place: Place | None = None
        self._lobby = lobby
        self._context = context
        self._door = door
        self._peer = peer_of(context.peer())
        self._wanted = asyncio.Event()
        self._last_words: Refusal | Farewell | None = None
        self._reader: asyncio.Task[None] | None = None
        self._strays = Bucket(STRAYS)
        self._bytes = Bucket(BYTES)
        self._writing: ServerFrame | None = None

    async def serve(self) -> None:
        """Serves the connection until it ends."""
        hello = await self._read_hello()
        if isinstance(hello, Hello):
            place = self._lobby.find(hello)
            if isinstance(place, Place):
                with self._door.seated(self._peer):
                    await self._sit(place, hello)
            else:
                await self._refuse(place, hello.name)
        elif hello is not None:
            await self._refuse(hello)
        if self._writing is not None:
            await asyncio.sleep(_GONE_SOON)  # which ends here if the peer is gone
            # The transport would wait for ever until what was begun is read.
            self._door.cut(self._peer, "it does not read")

    def farewell(self, message: str, *, come_back_fresh: bool = False) -> bool:
        """Ends the session in peace; False where last words are on their way already."""
        if self._last_words is not None:
            return False
        self._say_last(Farewell(message=message, come_back_fresh=come_back_fresh))
        return True

    # --- hello --------------------------------------------------------------------------------

    async def _read_hello(self) -> Hello | Refusal | None:
        """The hello; a refusal, which tells a stranger nothing; None where the stream ended."""
        limit = self._door.listening.hello_timeout
        problem = "a stream begins with a hello"
        try:
            data = await asyncio.wait_for(self._context.read(), limit)
            if data is grpc.aio.EOF:
                return None
            if len(data) <= _HELLO_BYTES:
                frame = read_bot_frame(data)
                if isinstance(frame, Hello):
                    return frame
        except TimeoutError:
            problem += f"; nothing came within {limit:g} s"
        except WireError:
            pass
        return Refusal(reason=RefusalReason.BAD_HELLO, message=problem)

    async def _refuse(self, refusal: Refusal, name: str = "") -> None:
        """Turns a bot away; `name` is what it calls itself."""
        await self._door.hold_back(self._peer, refusal, name[:MAX_NAME])
        await self._write_soon(refusal)

    async def _sit(self, place: Place, hello: Hello) -> None:
        self.place = place
        keep_secret(hello.token)
        log = EventLog(entrant=place.name, instance=place.number, peer=self._peer)
        if place.holder is not None:
            log.tell(Event.INSTANCE_REPLACED)
        place.take(self, self._say_last)
        try:
            await self._write_soon(self._welcome(place, hello))
            if self._writing is not None:
                return
            if place.holder is self:  # nobody took it meanwhile
                place.instance.connect(self._wanted.set, _capacity(hello), hello.notices)
                place.announce()
                log.tell(Event.INSTANCE_CAME)
            await self._play(place)
        finally:
            place.leave(self)
            log.tell(Event.INSTANCE_LEFT)

    def _welcome(self, place: Place, hello: Hello) -> Welcome:
        return Welcome(
            session_key=place.session_key,
            tournament=self._lobby.tournament,
            instance=place.number,
            capacity=_capacity(hello),
            server=_SERVER,
            commitment=self._lobby.commitment,
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
            await self._slow_down(self._bytes, len(data))
            try:
                frame = read_bot_frame(data)
            except WireError as error:
                await self._garbage(place, str(error))
                continue
            if isinstance(frame, Hello):
                await self._garbage(place, "a second hello came")
                continue
            if strays := instance.receive(frame):
                await self._slow_down(self._strays, strays)

    async def _garbage(self, place: Place, reason: str) -> None:
        charged = place.instance.receive_garbage(reason)
        await self._slow_down(self._strays, 1 if charged else _GARBAGE_STRAYS)

    async def _slow_down(self, bucket: Bucket, cost: float) -> None:
        pause = bucket.take(cost, asyncio.get_running_loop().time())
        if pause > 0:
            await asyncio.sleep(min(pause, _SLOW_READ))

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
                await self._write(delivery)
                if place.holder is self:
                    instance.written(delivery)
                # What has come meanwhile gathers again, but for what had no room here.
                full = len(delivery.questions) == FRAME_QUESTIONS
            if self._last_words is not None:
                await self._write_soon(self._last_words)
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
                self._door.note(
                    Event.CONNECTION_CUT,
                    entrant=place.name,
                    instance=place.number,
                    reason="the bot does not read",
                )
                return

    def _say_last(self, words: Refusal | Farewell) -> None:
        self._last_words = words
        self._wanted.set()

    async def _write_soon(self, frame: Welcome | Refusal | Farewell) -> None:
        """Writes a frame that stands alone; gives up on a peer that does not take it."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._write(frame), self._door.listening.hello_timeout)

    async def _write(self, frame: ServerFrame) -> None:
        """Writes a frame; `_writing` stays where this is given up before the peer takes it."""
        self._writing = frame
        try:
            await self._context.write(self._spell(frame))
        except grpc.aio.BaseError:
            self._writing = None
            raise
        self._writing = None


def _capacity(hello: Hello) -> int:
    return min(hello.capacity or DEFAULT_CAPACITY, ITEMS_LIMIT)
