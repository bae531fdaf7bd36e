"""The operator's end of TournamentService: calls and what comes back, as values.

Here belong the connection and its errors; callers never see gRPC's. Where a server is, and with
which token, is for `pitch_server.endpoint`.

    OperatorError        the text is one sentence
    ├── ServerGone       nobody is there, or not any more
    │   └── ServerSilent it is there and does not answer
    ├── TokenRefused     it does not take the token
    └── NoSuchEntrant    it has no entrant of that name
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

import grpc
import grpc.aio

from pitch.bot.tls import Tls
from pitch_server.live import Event, Status
from pitch_server.service import operator_wire as wire

__all__ = [
    "NoSuchEntrant",
    "OperatorClient",
    "OperatorError",
    "Server",
    "ServerGone",
    "ServerSilent",
    "TokenRefused",
]

_PATIENCE = 10.0  # seconds for an answer that takes no work
_WORK_PATIENCE = 300.0  # for standings of many games, and for what must be on disk
_OPTIONS: tuple[tuple[str, int | str], ...] = (
    ("grpc.max_receive_message_length", -1),  # standings of many entrants
    ("grpc.enable_retries", 0),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 20_000),
)


_AnswerT = TypeVar("_AnswerT")


class OperatorError(Exception):
    """The server did not do what it was asked for; the text is one sentence."""


class ServerGone(OperatorError):
    """Nobody is at the address, or not any more."""


class ServerSilent(ServerGone):
    """Somebody is at the address and does not answer: it may be stopped, or work too hard."""


class TokenRefused(OperatorError):
    """The server does not take the token."""


class NoSuchEntrant(OperatorError):
    """The tournament has no entrant of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where a server is and what it takes to be heard by it; without `tls` all is in clear."""

    address: str
    token: str = field(repr=False)
    tls: Tls | None = None


class OperatorClient:
    """Calls of one server; `async with` it. Every call may raise an OperatorError."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._metadata = (("authorization", f"Bearer {server.token}"),)
        self._channel: grpc.aio.Channel | None = None

    async def __aenter__(self) -> Self:
        """Opens a channel; it connects with the first call."""
        server, options = self._server, [*_OPTIONS]
        if server.tls is None:
            self._channel = grpc.aio.insecure_channel(server.address, options)
            return self
        if server.tls.server_name:
            options.append(("grpc.ssl_target_name_override", server.tls.server_name))
        credentials = server.tls.credentials()
        self._channel = grpc.aio.secure_channel(server.address, credentials, options)
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Closes the connection."""
        if self._channel is not None:
            await self._channel.close()

    async def status(self) -> Status:
        """How the tournament stands now."""
        return await self._call(wire.GET_TOURNAMENT, wire.read_status, patience=_PATIENCE)

    async def standings(self) -> dict[str, Any]:
        """The standings of the games that are on disk."""
        return await self._call(wire.GET_STANDINGS, wire.read_standings)

    async def close(self) -> dict[str, Any]:
        """Ends the tournament; its last standings, with the seed."""
        return await self._call(wire.CLOSE, wire.read_standings)

    async def withdraw(self, name: str) -> None:
        """Takes an entrant out of the tournament."""
        await self._call(wire.WITHDRAW, bytes, request=wire.write_withdrawal(name))

    async def watch(self) -> AsyncIterator[Event]:
        """Begins to watch; what happens from now on, to the end, is in what is returned."""
        method: Any = self._connected.unary_stream(wire.method_path(wire.WATCH))
        call = method(b"", metadata=self._metadata)
        try:
            await asyncio.wait_for(call.read(), _PATIENCE)  # the empty one
        except TimeoutError:
            raise self._silent() from None
        except grpc.aio.AioRpcError as error:
            raise self._error(error) from None
        return self._events(call)

    async def _events(self, call: Any) -> AsyncIterator[Event]:
        try:
            while (data := await call.read()) is not grpc.aio.EOF:
                for event in wire.read_events(data):
                    yield event
        except (grpc.aio.AioRpcError, wire.WireError) as error:
            raise self._error(error) from None
        finally:
            call.cancel()

    async def _call(
        self,
        method: str,
        read: Callable[[bytes], _AnswerT],
        *,
        request: bytes = b"",
        patience: float = _WORK_PATIENCE,
    ) -> _AnswerT:
        call: Any = self._connected.unary_unary(wire.method_path(method))
        try:
            return read(await call(request, metadata=self._metadata, timeout=patience))
        except (grpc.aio.AioRpcError, wire.WireError) as error:
            raise self._error(error) from None

    @property
    def _connected(self) -> grpc.aio.Channel:
        assert self._channel is not None  # noqa: S101 - it was entered
        return self._channel

    def _silent(self) -> ServerSilent:
        return ServerSilent(f"the server at {self._server.address} does not answer")

    def _error(self, error: grpc.aio.AioRpcError | wire.WireError) -> OperatorError:
        """The error in words; the server's own are told as they are."""
        address = self._server.address
        if isinstance(error, wire.WireError):
            return OperatorError(f"what the server at {address} says can't be read: {error}")
        code, details = error.code(), error.details() or ""
        if code is grpc.StatusCode.UNAUTHENTICATED:
            return TokenRefused(f"the server at {address} refused the admin token")
        if code is grpc.StatusCode.NOT_FOUND:
            return NoSuchEntrant(details)
        if code is grpc.StatusCode.UNIMPLEMENTED:
            return OperatorError(f"the server at {address} has no service for operators")
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            return self._silent()
        if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
            return ServerGone(f"no server answers at {address} ({details})")
        return OperatorError(f"the server at {address}: {details}")
