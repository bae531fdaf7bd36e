"""A guest: one connection of the crowd, with its life across cuts and returns.

Here belong hello, reading, answering, and coming back. What it does instead of answering is a
deed's, which is handed in; what a frame means is `pitch.wire`'s. It plays as the sample bot
`random_bot.py` does, so that its games can be played again without it.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any

import grpc.aio

from chaos.network import Line
from pitch.bot.connection import PLAY_METHOD
from pitch.rules import Action
from pitch.wire.convert import read_server_frame, write_bot_frame
from pitch.wire.frames import (
    Answer,
    BotFrame,
    Delivery,
    Farewell,
    Hello,
    Question,
    Refusal,
    RefusalReason,
    Welcome,
)

__all__ = ["Deed", "Guest", "Leave", "Limits", "Notes", "TakeOver", "choice"]

OPTIONS = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", 64 << 20),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_retries", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 300),
)
_LOST = (grpc.aio.AioRpcError, asyncio.InvalidStateError)
_CAPACITIES = (0, 1, 2, 64, 4096)  # one of them each time that it comes
_AGAIN = 0.2  # seconds until the next attempt, where the last one did not get in

Deed = Callable[["Guest", Question], Awaitable[None]]


def choice(question: Question) -> Action:
    """What a good guest answers: drawn from the question's own chance."""
    return Random(question.chance).choice(question.view.legal)


class Leave(Exception):
    """Raised by a deed: the connection ends, the guest is back after so many seconds."""

    def __init__(self, pause: float, *, forget: bool = False) -> None:
        """`forget`: as a new process that knows nothing of its session."""
        super().__init__()
        self.pause = pause
        self.forget = forget


class TakeOver(Exception):
    """Raised by a deed: the guest comes a second time, while its connection is still there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The clock of the tournament, in seconds."""

    move_timeout: float
    grace: float


@dataclass(slots=True)
class Notes:
    """What the guests of a driver did; `deeds` by guest's name and deed."""

    deeds: Counter[tuple[str, str]] = field(default_factory=Counter)
    decisions: int = 0
    entries: int = 0
    entered_after: list[float] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    overstayed: Counter[str] = field(default_factory=Counter)
    """Games at which a guest came back later than it meant to, by its name."""
    farewells: int = 0


class Guest:
    """One connection of an entrant, which comes back until the server says farewell."""

    def __init__(
        self,
        name: str,
        server: str,
        *,
        limits: Limits,
        notes: Notes,
        chance: Random,
        deeds: Mapping[str, tuple[float, Deed]],
        line: Line | None = None,
        notices: bool = False,
    ) -> None:
        """`deeds` are done with their probability a question, by name."""
        self.name = name
        self.limits = limits
        self.notes = notes
        self.chance = chance
        self.line = line
        self.over = False
        self.spared: set[int] = set()
        self._server = server
        self._deeds = deeds
        self._notices = notices
        self._key = ""
        self._call: Any = None
        self._writing = asyncio.Lock()
        self._graces: dict[int, float] = {}
        self._away_since: float | None = None
        self._away = 0.0
        self._just_in = False
        self._pause = 0.0
        self._side: set[asyncio.Task[None]] = set()
        self._later: set[asyncio.Task[None]] = set()

    async def live(self) -> None:
        """Comes, plays and comes back, to the end."""
        try:
            while not self.over:
                self._pause = 0.0
                await self._session()
                if not self.over:
                    await asyncio.sleep(self._pause)
        finally:
            for task in (*self._later, *self._side):
                task.cancel()

    # --- for deeds ------------------------------------------------------------------------------

    def did(self, deed: str) -> None:
        """Notes that a deed was done."""
        self.notes.deeds[self.name, deed] += 1

    async def send(self, frame: BotFrame | bytes) -> None:
        """Sends a frame, or bytes that may be none."""
        async with self._writing:
            data = frame if isinstance(frame, bytes) else write_bot_frame(frame)
            await self._call.write(data)

    async def answer(self, question: Question) -> None:
        """Answers as it should."""
        self.notes.decisions += 1
        await self.send((Answer(question.question_id, choice(question)),))

    def soon(self, seconds: float, action: Callable[[], Awaitable[None]]) -> None:
        """Does something later, if the connection is still the same then."""

        async def act() -> None:
            await asyncio.sleep(seconds)
            with suppress(*_LOST):
                await action()

        task = asyncio.create_task(act())
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    def may_be_away(self, seconds: float) -> bool:
        """Whether the grace of each of its games allows that, with a second to spare."""
        return all(left > seconds + 1.0 for left in self._graces.values())

    # --- a session ------------------------------------------------------------------------------

    async def _session(self) -> None:
        server = self._server if self.line is None else self.line.address
        channel = grpc.aio.insecure_channel(server, options=OPTIONS)
        self._call = channel.stream_stream(PLAY_METHOD)()
        try:
            await self._play(self._call)
        except TakeOver:
            self._put_aside(channel, self._call)
            return
        except Leave as leave:
            self._pause = leave.pause
            if leave.forget:
                self._key = ""
        except _LOST:
            self._pause = self._pause or _AGAIN * self.chance.random()
        await _close(channel, self._call)
        self._lose()

    def _put_aside(self, channel: grpc.aio.Channel, call: Any) -> None:
        """The old connection stays until the server ends it, which must tell why."""

        async def wait() -> None:
            with suppress(*_LOST):
                while (data := await call.read()) is not grpc.aio.EOF:
                    frame = read_server_frame(data)
                    if isinstance(frame, Refusal):
                        self.notes.refusals[f"{self.name}: {frame.reason}"] += 1
            await _close(channel, call)

        task = asyncio.create_task(wait())
        self._side.add(task)
        task.add_done_callback(self._side.discard)

    async def _play(self, call: Any) -> None:
        begun = monotonic()
        await self.send(
            Hello(
                name=self.name,
                token="any",
                session_key=self._key,
                capacity=self.chance.choice(_CAPACITIES),
                notices=self._notices,
            )
        )
        while (data := await call.read()) is not grpc.aio.EOF:
            frame = read_server_frame(data)
            if isinstance(frame, Delivery):
                await self._deliver(frame)
            elif isinstance(frame, Welcome):
                self.notes.entries += 1
                self.notes.entered_after.append(monotonic() - begun)
                self._key = frame.session_key
                self._just_in = True
                self._away = 0.0 if self._away_since is None else monotonic() - self._away_since
                self._away_since = None
            elif isinstance(frame, Refusal):
                self._refused(frame)
            elif isinstance(frame, Farewell):
                self.notes.farewells += 1
                self.over = True
        self._pause = self._pause or _AGAIN

    def _refused(self, refusal: Refusal) -> None:
        self.notes.refusals[f"{self.name}: {refusal.reason}"] += 1
        self._pause = _AGAIN
        self.over = refusal.reason is RefusalReason.CLOSED
        if refusal.reason is RefusalReason.REPLACED:  # the place is another's now
            self._key = ""

    async def _deliver(self, delivery: Delivery) -> None:
        if self._just_in:
            self._count_grace(delivery)
        for opening in delivery.openings:
            self._graces.setdefault(opening.table_id, self.limits.grace)
        for table_id in delivery.closed:
            self._graces.pop(table_id, None)
        for question in delivery.questions:
            await self._decide(question)

    def _count_grace(self, delivery: Delivery) -> None:
        """The first delivery tells all tables that are still open."""
        self._just_in = False
        still = {opening.table_id for opening in delivery.openings}
        left = {table_id: left - self._away for table_id, left in self._graces.items()}
        self.notes.overstayed[self.name] += sum(each < 0 for each in left.values())
        self._graces = {table_id: each for table_id, each in left.items() if table_id in still}

    async def _decide(self, question: Question) -> None:
        drawn = self.chance.random()
        for probability, deed in self._deeds.values():
            if drawn < probability:
                await deed(self, question)
                return
            drawn -= probability
        await self.answer(question)

    def _lose(self) -> None:
        """The connection is over."""
        for task in self._later:
            task.cancel()
        if self._away_since is None:
            cut_at = self.line.cut_at if self.line is not None else None
            self._away_since = monotonic() if cut_at is None else cut_at


async def _close(channel: grpc.aio.Channel, call: Any) -> None:
    call.cancel()
    await channel.close()
