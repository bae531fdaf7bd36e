"""One connection of a bot: hello, decisions and answers until the stream ends.

Here belong the stream and the order in which things are done on it. Answers are gathered
while thoughts are quick, but none waits for a thought that takes long.
"""

import asyncio
import inspect
import sys
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from time import perf_counter
from typing import Any, cast

import grpc
import grpc.aio

from pitch.bot.base import Bot, overrides
from pitch.bot.command_line import Options
from pitch.bot.session import BotSession, Decision, failure_of, wants_notices
from pitch.wire.convert import WireError, read_server_frame, write_bot_frame
from pitch.wire.frames import (
    Answer,
    Delivery,
    Failure,
    Farewell,
    Hello,
    Refusal,
    ServerFrame,
    Welcome,
)

__all__ = ["PLAY_METHOD", "Connection", "ConnectionLost", "SessionEnded"]

PLAY_METHOD = "/pitch.wire.v1.RefereeService/Play"
_SDK = f"pitch-arena {version('pitch-arena')}"
# Answers are gathered for this long, in seconds; then they go out before the next thought.
_GATHER = 0.0005
# Of failures and charges, this many are printed in full.
_SHOWN = 20


class ConnectionLost(Exception):
    """The stream ended without a farewell: the runner may come back."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SessionEnded(Exception):
    """The server said farewell or refused: there is nothing to come back to."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class Connection:
    """The bot's end of one stream. `session_key` is set once the server has let it in."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        session: BotSession,
        make_bot: Callable[[], Bot],
        options: Options,
        session_key: str,
    ) -> None:
        self.session_key = ""
        self._session = session
        self._hello = Hello(
            name=options.name,
            token=options.token,
            sdk=_SDK,
            capacity=options.capacity,
            session_key=session_key,
            notices=wants_notices(make_bot),
        )
        self._call: Any = channel.stream_stream(PLAY_METHOD)()
        self._decide = self._way_to_decide(make_bot)
        self._answers: list[Answer] = []
        self._flushed = 0.0
        self._reading: asyncio.Future[Any] | None = None
        self._writing = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._shown = 0

    async def play(self) -> None:
        """Plays until the stream ends; always raises SessionEnded or ConnectionLost."""
        try:
            await self._call.write(write_bot_frame(self._hello))
            while True:
                await self._read_frame()
                while self._session.pending:
                    await self._decide()
                await self._flush()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
            raise ConnectionLost(_reason(error)) from None
        finally:
            for task in (*self._tasks, *([self._reading] if self._reading else [])):
                task.cancel()
            self._call.cancel()

    # --- what comes ---------------------------------------------------------------------------

    async def _read_frame(self) -> None:
        if self._reading is None:
            data = await self._call.read()
        else:
            data, self._reading = await self._reading, None
        self._flushed = perf_counter()
        if data is grpc.aio.EOF:
            code = await self._call.code()
            raise ConnectionLost(f"{code.name}: {await self._call.details()}")
        try:
            frame = read_server_frame(data)
        except WireError as error:
            raise SessionEnded(1, f"cannot read what the server sends: {error}") from error
        if isinstance(frame, Delivery):
            self._session.receive(frame)
            if self._session.failures or self._session.charges:
                self._show_trouble()
        elif frame is not None:
            self._greet(frame)

    def _greet(self, frame: ServerFrame) -> None:
        if isinstance(frame, Welcome):
            self.session_key = frame.session_key
        elif isinstance(frame, Refusal):
            raise SessionEnded(1, f"refused ({frame.reason.value}): {frame.message}")
        elif isinstance(frame, Farewell):
            raise SessionEnded(0, frame.message)

    # --- what is decided ----------------------------------------------------------------------

    def _way_to_decide(self, make_bot: Callable[[], Bot]) -> Callable[[], Awaitable[None]]:
        if isinstance(make_bot, type):
            bot = cast("type[Bot]", make_bot)
            if overrides(bot, "choose_many"):
                return self._decide_many
            if inspect.iscoroutinefunction(bot.choose):
                return self._decide_async
        return self._decide_next

    async def _decide_next(self) -> None:
        """Thinks about the oldest question; sends what has gathered if that took a while."""
        decision = self._session.take()
        begun = perf_counter()
        outcome: Any
        try:
            outcome = decision.bot.choose(decision.view)
        except Exception as error:  # noqa: BLE001 - the author's code may raise anything
            outcome = self._failed(error)
        now = perf_counter()
        self._answers.append(_answer(decision, outcome, now - begun))
        if now - begun > _GATHER or now - self._flushed > _GATHER:
            await self._flush()
            if self._session.pending:
                await self._peek()

    async def _decide_many(self) -> None:
        """Hands everything that waits to the author's `choose_many`."""
        decisions = self._session.take_all()
        begun = perf_counter()
        outcomes: list[Any]
        try:
            outcomes = list(type(decisions[0].bot).choose_many([d.view for d in decisions]))
        except Exception as error:  # noqa: BLE001 - the author's code may raise anything
            outcomes = [self._failed(error)] * len(decisions)
        if len(outcomes) != len(decisions):
            text = f"choose_many returned {len(outcomes)} actions for {len(decisions)} views"
            outcomes = [self._failed(ValueError(text))] * len(decisions)
        each = (perf_counter() - begun) / len(decisions)
        for decision, outcome in zip(decisions, outcomes, strict=True):
            self._answers.append(_answer(decision, outcome, each))
        await self._flush()

    async def _decide_async(self) -> None:
        """Starts the author's coroutine for everything that waits."""
        for decision in self._session.take_all():
            task = asyncio.ensure_future(self._think(decision))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _think(self, decision: Decision) -> None:
        begun = perf_counter()
        outcome: Any
        try:
            outcome = await cast("Awaitable[Any]", decision.bot.choose(decision.view))
        except Exception as error:  # noqa: BLE001 - the author's code may raise anything
            outcome = self._failed(error)
        self._answers.append(_answer(decision, outcome, perf_counter() - begun))
        await self._flush()

    # --- what goes out ------------------------------------------------------------------------

    async def _flush(self) -> None:
        """Sends what has gathered; what gathers meanwhile goes with the next frame."""
        if self._answers:
            async with self._writing:
                answers, self._answers = self._answers, []
                if answers:
                    await self._call.write(write_bot_frame(tuple(answers)))
        self._flushed = perf_counter()

    async def _peek(self) -> None:
        """Takes in what has arrived meanwhile, so that withdrawn questions are not thought on."""
        if self._reading is None:
            self._reading = asyncio.ensure_future(self._call.read())
        await asyncio.sleep(0)
        if self._reading.done():
            await self._read_frame()

    # --- what is shown ------------------------------------------------------------------------

    def _failed(self, error: Exception) -> Failure:
        failure = failure_of(error)
        self._session.failures.append(failure)
        self._show_trouble()
        return failure

    def _show_trouble(self) -> None:
        texts = [failure.traceback for failure in self._session.failures]
        texts += [f"fault: {c.fault.value}: {c.message}" for c in self._session.charges]
        self._session.failures.clear()
        self._session.charges.clear()
        for text in texts:
            self._shown += 1
            if self._shown <= _SHOWN:
                print(text.rstrip(), file=sys.stderr, flush=True)
            elif self._shown == _SHOWN + 1:
                print("further faults are not shown", file=sys.stderr, flush=True)


def _answer(decision: Decision, outcome: Any, seconds: float) -> Answer:
    thinking_us = int(seconds * 1e6)
    if isinstance(outcome, Failure):
        return decision.failed(outcome, thinking_us)
    return decision.answer(outcome, thinking_us)


def _reason(error: BaseException) -> str:
    if isinstance(error, grpc.aio.AioRpcError):
        return f"{error.code().name}: {error.details()}"
    return str(error)
