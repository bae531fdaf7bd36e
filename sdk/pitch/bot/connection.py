"""One connection of a bot: hello, decisions and answers until the stream ends.

Here belong the stream and the order in which things are done on it. Answers are gathered
while thoughts are quick, but none waits for a thought that takes long.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib.metadata import version
from time import perf_counter
from typing import Any

import grpc
import grpc.aio

from pitch.bot import mistakes
from pitch.bot.base import Bot, overrides
from pitch.bot.command_line import Options
from pitch.bot.headed_output import DECIDING
from pitch.bot.loop_watch import LoopWatch
from pitch.bot.session import BotSession, Decision, failure_of, many_outcomes, wants_notices
from pitch.bot.trouble import Trouble
from pitch.rules import Action
from pitch.wire.convert import WireError, read_server_frame, write_bot_frame
from pitch.wire.frames import (
    Answer,
    Delivery,
    Failure,
    Farewell,
    Hello,
    Refusal,
    RefusalReason,
    ServerFrame,
    Welcome,
)

__all__ = ["PLAY_METHOD", "Connection", "ConnectionLost", "SessionEnded"]

PLAY_METHOD = "/pitch.wire.v1.RefereeService/Play"
_SDK = f"pitch-arena {version('pitch-arena')}"
# A bot whose longest thought of late took less than this, in seconds, is quick: its answers are
# gathered, for so long at most. Of any other each answer goes out before the next thought.
_QUICK, _GATHER = 0.001, 0.005
# After a long thought what arrived meanwhile is waited for, in seconds at most.
_LAST_WORD = 1.0  # seconds for what has arrived already
_LOOK_UP = 0.005
_FORGET = 0.9  # what is left of a long thought after each one that follows


class ConnectionLost(Exception):
    """The stream ended without a farewell: the runner may come back."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SessionEnded(Exception):
    """The server said farewell or refused: there is nothing to come back to."""

    def __init__(self, status: int, message: str, *, fresh: bool = False) -> None:
        """`fresh` tells that another process of this program is to come instead."""
        super().__init__(message)
        self.status = status
        self.message = message
        self.fresh = fresh


class Connection:
    """The bot's end of one stream. `session_key` is set once the server has let it in."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        session: BotSession,
        make_bot: Callable[[], Bot],
        options: Options,
        session_key: str,
        on_welcome: Callable[[Welcome], None],
        trouble: Trouble,
    ) -> None:
        self.session_key = ""
        self._on_welcome = on_welcome
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
        self._answers: list[Answer] = []
        self._flushed = 0.0
        # Nothing is known of the bot's pace yet: it is taken for slow.
        self._longest = 1.0
        self._batching: dict[type[Bot], bool] = {}
        self._reading: asyncio.Future[Any] | None = None
        self._writing = asyncio.Lock()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._trouble = trouble
        self._watch: LoopWatch | None = None

    async def play(self) -> None:
        """Plays until the stream ends; always raises SessionEnded or ConnectionLost."""
        try:
            await self._call.write(write_bot_frame(self._hello))
            while True:
                await self._read_frame()
                while self._session.pending:
                    if self._longest > _QUICK:
                        self._read_on()
                    await self._decide()
                await self._flush()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
            await self._hear_out()
            raise ConnectionLost(_reason(error)) from None
        finally:
            self._call.cancel()
            if self._watch is not None:
                self._watch.end()
            left = [*self._tasks.values(), *([self._reading] if self._reading else [])]
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    # --- what comes ---------------------------------------------------------------------------

    def _read_on(self) -> None:
        """Takes the next frame from the stream when it comes, though nobody looks at it yet.

        What arrived is lost with a stream that has ended, but for what was asked for before.
        """
        if self._reading is None:
            self._reading = asyncio.ensure_future(self._call.read())

    async def _hear_out(self) -> None:
        """The stream has ended: whether a last word of the server's came while the bot thought."""
        if self._reading is not None:
            with suppress(
                grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError, ConnectionLost
            ):
                await asyncio.wait_for(self._read_frame(), _LAST_WORD)

    async def _read_frame(self) -> None:
        if self._reading is None:
            data = await self._call.read()
        else:
            data, self._reading = await self._reading, None
        if data is grpc.aio.EOF:
            code = await self._call.code()
            raise ConnectionLost(f"{code.name}: {await self._call.details()}")
        try:
            frame = read_server_frame(data)
        except WireError as error:
            raise SessionEnded(1, f"cannot read what the server sends: {error}") from error
        if isinstance(frame, Delivery):
            self._session.receive(frame)
            for question_id in frame.withdrawn:
                if task := self._tasks.get(question_id):
                    task.cancel()
            self._flushed = perf_counter()
            if self._session.failures or self._session.charges:
                self._trouble.of_session(self._session)
        elif frame is not None:
            self._greet(frame)

    def _greet(self, frame: ServerFrame) -> None:
        if isinstance(frame, Welcome):
            self.session_key = frame.session_key
            self._on_welcome(frame)
        elif isinstance(frame, Refusal):
            raise SessionEnded(1, _refused(frame, self._hello))
        elif isinstance(frame, Farewell):
            raise SessionEnded(0, frame.message, fresh=frame.come_back_fresh)

    # --- what is decided ----------------------------------------------------------------------

    async def _decide(self) -> None:
        """Decides the oldest question, in the way that its bot's class has."""
        bot = type(next(iter(self._session.pending.values())).bot)
        batching = self._batching.get(bot)
        if batching is None:
            batching = self._batching[bot] = overrides(bot, "choose_many")
        if batching:
            await self._decide_many(bot)
        else:
            await self._decide_next()

    async def _decide_next(self) -> None:
        """Thinks about the oldest question, or lets the author's coroutine do so."""
        decision = self._session.take()
        begun = perf_counter()
        outcome: Any
        heading = DECIDING.set(decision)
        try:
            outcome = decision.bot.choose(decision.view)
            if not isinstance(outcome, Action) and inspect.isawaitable(outcome):
                self._begin_thinking(decision, outcome, begun)
                return
        except Exception as error:  # noqa: BLE001 - the author's code may raise anything
            outcome = error
        finally:
            DECIDING.reset(heading)
        if isinstance(outcome, Exception):
            outcome = self._failed(decision, outcome)
        now = perf_counter()
        self._answers.append(self._answer(decision, outcome, now - begun))
        self._longest = max(now - begun, self._longest * _FORGET)
        if self._longest > _QUICK or now - self._flushed > _GATHER:
            await self._flush()
            if self._session.pending:
                await self._look_up(min((now - begun) / 20, _LOOK_UP))

    async def _decide_many(self, bot: type[Bot]) -> None:
        """Hands everything that waits for a class to its `choose_many`."""
        decisions = self._session.take_with(bot)
        begun = perf_counter()
        outcomes: list[Any]
        try:
            outcomes = many_outcomes(bot, [decision.view for decision in decisions])
        except Exception as error:  # noqa: BLE001 - the author's code may raise anything
            outcomes = [self._failed(decisions[0], error)] * len(decisions)
        each = (perf_counter() - begun) / len(decisions)
        for decision, outcome in zip(decisions, outcomes, strict=True):
            self._answers.append(self._answer(decision, outcome, each))
        await self._flush()

    def _begin_thinking(self, decision: Decision, chosen: Awaitable[Any], begun: float) -> None:
        """Lets an author's coroutine go on beside others; nothing of it may hold up the loop."""
        if self._watch is None:
            self._watch = LoopWatch(self._trouble.tell)
            self._watch.begin()
        task = asyncio.ensure_future(self._think(decision, chosen, begun))
        self._tasks[decision.question_id] = task
        task.add_done_callback(lambda _task: self._forget(decision.question_id, chosen))

    async def _think(self, decision: Decision, chosen: Awaitable[Any], begun: float) -> None:
        """Waits for an author's coroutine and sends its answer."""
        outcome: Any
        try:
            outcome = await chosen
        except Exception as error:  # noqa: BLE001 - the author's code may raise anything
            outcome = self._failed(decision, error)
        del self._tasks[decision.question_id]  # from here on it is not to be cancelled
        self._answers.append(self._answer(decision, outcome, perf_counter() - begun))
        # That the stream has ended is for whoever reads from it to find out.
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self._flush()

    def _forget(self, question_id: int, chosen: Awaitable[Any]) -> None:
        """A coroutine has ended, or was cancelled before it began: Python would warn of that."""
        self._tasks.pop(question_id, None)
        if inspect.iscoroutine(chosen):
            chosen.close()

    # --- what goes out ------------------------------------------------------------------------

    async def _flush(self) -> None:
        """Sends what has gathered; what gathers meanwhile goes with the next frame."""
        if self._answers:
            async with self._writing:
                answers, self._answers = self._answers, []
                if answers:
                    await self._call.write(write_bot_frame(tuple(answers)))
        self._flushed = perf_counter()

    async def _look_up(self, patience: float) -> None:
        """Takes in what has arrived meanwhile, so that withdrawn questions are not thought on.

        What has arrived takes the loop a moment to hand over: `patience`, in seconds.
        """
        while True:
            self._read_on()
            assert self._reading is not None  # noqa: S101 - the line above
            await asyncio.wait({self._reading}, timeout=patience)
            if not self._reading.done():
                return
            await self._read_frame()

    # --- what is wrong ------------------------------------------------------------------------

    def _failed(self, decision: Decision, error: Exception) -> Failure:
        failure = failure_of(error)
        self._trouble.failed(decision, failure)
        return failure

    def _answer(self, decision: Decision, outcome: Any, seconds: float) -> Answer:
        thinking_us = int(seconds * 1e6)
        if isinstance(outcome, Failure):
            return decision.failed(outcome, thinking_us)
        answer = decision.answer(outcome, thinking_us)
        if mistake := decision.mistake(answer):
            self._trouble.wrong(decision, mistake)
        return answer


def _refused(refusal: Refusal, hello: Hello) -> str:
    """What the server says, and what its few words to strangers may mean."""
    text = f"refused ({refusal.reason.value}): {refusal.message}"
    if refusal.reason is RefusalReason.PROTOCOL:
        return f"{text}. {mistakes.wrong_protocol(hello.sdk)}"
    if refusal.reason is not RefusalReason.CREDENTIALS or refusal.message != "refused":
        return text
    return f"{text}. {mistakes.refused(hello.name, token=bool(hello.token))}"


def _reason(error: BaseException) -> str:
    if isinstance(error, grpc.aio.AioRpcError):
        return f"{error.code().name}: {error.details()}"
    return str(error)
