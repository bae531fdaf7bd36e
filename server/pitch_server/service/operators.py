"""TournamentService: operators watch the running tournament and steer it, with an admin token.

Here belong who may call, how many may watch, and which status code tells what. What is done is
the tournament's (`live`), how it is spelt on the wire `operator_wire`'s.
"""

import asyncio
import hashlib
import hmac
import logging
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, TypeVar

import grpc
import grpc.aio

from pitch_server.live import Event, Live, TournamentEnded
from pitch_server.service import operator_wire as wire
from pitch_server.service.stream import PEER_GONE
from pitch_server.store.errors import JournalError

__all__ = ["ADMIN_VARIABLE", "admin_token", "operator_service"]

log = logging.getLogger(__name__)

ADMIN_VARIABLE = "PITCH_ADMIN_TOKEN"
"""The environment variable that has the admin token, of a server and of whoever calls it."""
_LEAST_TOKEN = 32  # characters that the operator's own token must have
_WATCHERS = 32
# Events that a watcher may leave unread before it is let go, those of a batch, and how often
# batches go out: each costs the loop that the bots wait for.
_UNREAD = 10_000
_BATCH = 500
_GATHER = 0.1  # seconds
_REFUSALS_TOLD = 60.0  # seconds from one line of the log on refused calls to the next
_LONGEST = 500  # characters of a sentence that comes with a status code

_BEARER = "bearer "
_DoneT = TypeVar("_DoneT")
_Answer = Callable[[bytes, Any], Awaitable[bytes]]


def admin_token(environment: Mapping[str, str] = os.environ) -> str:
    """The token that the environment sets, or a new one of 256 bits; OSError if it is short."""
    token = environment.get(ADMIN_VARIABLE, "")
    if token and len(token) < _LEAST_TOKEN:
        raise OSError(  # the environment is wrong, as with a file that can't be read
            f"{ADMIN_VARIABLE} has {len(token)} characters, expected {_LEAST_TOKEN} at least; "
            "a good one is printed by: openssl rand -hex 32"
        )
    return token or secrets.token_urlsafe(32)


def operator_service(live: Live, token: str) -> grpc.GenericRpcHandler:
    """The service as a handler for RefereeServer; only who has the token is served."""
    service = _Operators(live, token)
    answers: dict[str, _Answer] = {
        wire.GET_TOURNAMENT: service.get_tournament,
        wire.GET_STANDINGS: service.get_standings,
        wire.CLOSE: service.close_tournament,
        wire.WITHDRAW: service.withdraw_entrant,
    }
    handlers: dict[str, Any] = {
        name: grpc.unary_unary_rpc_method_handler(service.guarded(answer))
        for name, answer in answers.items()
    }
    watch: Any = service.watch_tournament
    handlers[wire.WATCH] = grpc.unary_stream_rpc_method_handler(watch)
    return grpc.method_handlers_generic_handler(wire.SERVICE, handlers)


class _Operators:
    """The methods of the service."""

    def __init__(self, live: Live, token: str) -> None:
        self._live = live
        self._admin = _Admin(token)
        self._watchers = 0
        self._at_work: set[asyncio.Future[Any]] = set()

    def guarded(self, answer: _Answer) -> _Answer:
        """The method as it is served: to those who may call it, and with a status code."""

        async def serve(request: bytes, context: Any) -> bytes:
            await self._admin.check(context)
            try:
                return await answer(request, context)
            except Exception as error:  # noqa: BLE001 - told by a status code
                return await _abort(context, error)

        return serve

    async def get_tournament(self, _request: bytes, _context: Any) -> bytes:
        return wire.write_status(self._live.status())

    async def get_standings(self, _request: bytes, _context: Any) -> bytes:
        return wire.write_standings(await self._live.standings())

    async def close_tournament(self, _request: bytes, _context: Any) -> bytes:
        return wire.write_closed(await self._to_its_end(self._close()))

    async def withdraw_entrant(self, request: bytes, context: Any) -> bytes:
        name = wire.read_withdrawal(request)
        try:
            await self._to_its_end(self._live.withdraw(name))
        except (KeyError, IndexError):  # an exception of ours, no unknown name
            raise
        except LookupError as error:
            await context.abort(grpc.StatusCode.NOT_FOUND, _sentence(error))
        return b""

    async def watch_tournament(self, _request: bytes, context: Any) -> None:
        await self._admin.check(context)
        if self._watchers >= _WATCHERS:
            await context.abort(
                grpc.StatusCode.RESOURCE_EXHAUSTED, f"there are {_WATCHERS} watchers already"
            )
        self._watchers += 1
        try:
            await _Watch(self._live.watch(), context).serve()
        except PEER_GONE:
            return
        except _TooSlow:
            await context.abort(
                grpc.StatusCode.RESOURCE_EXHAUSTED, "the events were read too slowly"
            )
        except Exception as error:  # noqa: BLE001 - told by a status code
            await _abort(context, error)
        finally:
            self._watchers -= 1

    async def _close(self) -> Mapping[str, Any]:
        await self._live.close()
        return await self._live.standings()

    async def _to_its_end(self, work: Awaitable[_DoneT]) -> _DoneT:
        """What is begun is done, also when the operator hangs up meanwhile."""
        task = asyncio.ensure_future(work)
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        return await asyncio.shield(task)


async def _abort(context: Any, error: Exception) -> bytes:
    """Ends the call with the status code that the exception is worth."""
    if isinstance(error, grpc.aio.AbortError):  # it has been ended already
        raise error
    if isinstance(error, wire.WireError):
        await context.abort(grpc.StatusCode.INVALID_ARGUMENT, _sentence(error))
    if isinstance(error, JournalError):
        await context.abort(grpc.StatusCode.FAILED_PRECONDITION, _sentence(error))
    log.error("a call of an operator ended by an exception of the server", exc_info=error)
    await context.abort(grpc.StatusCode.INTERNAL, "the server failed; its log tells why")
    raise AssertionError("unreachable: abort raises")


def _sentence(error: Exception) -> str:
    """What is told of an error: no more than gRPC carries with a status, in any script."""
    text = str(error)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


class _Admin:
    """Who has the token, and what is logged of those who have not."""

    def __init__(self, token: str) -> None:
        self._hash = _hash(token)
        self._refused = 0
        self._told = -_REFUSALS_TOLD

    async def check(self, context: Any) -> None:
        """Ends the call unless it brings the token."""
        if not hmac.compare_digest(_hash(_bearer(context)), self._hash):
            self._note(context.peer())
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "refused")

    def _note(self, peer: str) -> None:
        self._refused += 1
        now = time.monotonic()
        if now - self._told >= _REFUSALS_TOLD:
            log.warning(
                "%d calls without the admin token were refused, the last from %s",
                self._refused,
                peer,
            )
            self._refused, self._told = 0, now


def _hash(token: str | bytes) -> bytes:
    return hashlib.sha256(token.encode() if isinstance(token, str) else token).digest()


def _bearer(context: Any) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str):
            scheme, token = value[: len(_BEARER)], value[len(_BEARER) :]
            return token if scheme.lower() == _BEARER else ""
    return ""


class _TooSlow(Exception):
    """A watcher leaves too much unread."""


class _Watch:
    """One watcher: events gather while those before are on their way."""

    def __init__(self, events: AsyncIterator[Event], context: Any) -> None:
        self._events = events
        self._context = context
        self._waiting: list[Event] = []
        self._news = asyncio.Event()

    async def serve(self) -> None:
        """Serves it to the end of the tournament; raises _TooSlow if it does not keep up."""
        tasks = [asyncio.create_task(self._gather())]
        try:
            await asyncio.sleep(0)  # gathering has begun: nothing is missed any more
            await self._context.write(wire.write_events(()))
            tasks.append(asyncio.create_task(self._write()))
            # What fails first ends both; gathering ends in peace with the last event.
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
            await tasks[-1]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _gather(self) -> None:
        async for event in self._events:
            if len(self._waiting) >= _UNREAD:
                raise _TooSlow
            self._waiting.append(event)
            self._news.set()
            if isinstance(event, TournamentEnded):
                return
        raise _TooSlow  # it was let go by the tournament itself

    async def _write(self) -> None:
        while True:
            await self._news.wait()
            events, self._waiting = self._waiting[:_BATCH], self._waiting[_BATCH:]
            if not self._waiting:
                self._news.clear()
            await self._context.write(wire.write_events(events))
            if isinstance(events[-1], TournamentEnded):
                return
            if not self._waiting:
                await asyncio.sleep(_GATHER)
