"""The gRPC server: one port, the referee's method, its limits.

Here belongs what the listening socket needs to know; what is said on it is `stream`'s.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Any, Self

import grpc
import grpc.aio

from pitch.wire.frames import FRAME_LIMIT_BYTES
from pitch_server.service.lobby import Lobby
from pitch_server.service.stream import PEER_GONE, Stream

__all__ = ["ListenError", "RefereeServer"]

log = logging.getLogger(__name__)

_OPTIONS = (
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", FRAME_LIMIT_BYTES),
    ("grpc.max_send_message_length", -1),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.max_concurrent_streams", 1024),
)
_FAREWELL_PATIENCE = 2.0  # seconds


class ListenError(Exception):
    """The address can't be listened on; says which and why."""


class RefereeServer:
    """Serves RefereeService; `async with` it, then `address` says where."""

    def __init__(self, lobby: Lobby, address: str = "127.0.0.1:0") -> None:
        self.lobby = lobby
        self.address = address
        self._streams: dict[Stream, asyncio.Task[Any]] = {}
        self._server: grpc.aio.Server | None = None

    async def __aenter__(self) -> Self:
        """Begins to listen."""
        self._server = grpc.aio.server(options=_OPTIONS)
        handler: Any = grpc.stream_stream_rpc_method_handler(self._play)
        self._server.add_generic_rpc_handlers(
            (
                grpc.method_handlers_generic_handler(
                    "pitch.wire.v1.RefereeService", {"Play": handler}
                ),
            )
        )
        try:
            port = self._server.add_insecure_port(self.address)
        except RuntimeError as error:
            raise ListenError(f"cannot listen on {self.address}: {error}") from error
        self.address = f"{self.address.rpartition(':')[0]}:{port}"
        await self._server.start()
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Stops at once; whoever is connected has been told before."""
        assert self._server is not None  # noqa: S101 - it was entered
        await self._server.stop(grace=None)

    async def say_farewell(self, message: str) -> None:
        """Ends every session in peace; waits a moment for the words to arrive."""
        self.lobby.closing = True
        for stream in self._streams:
            stream.farewell(message)
        if self._streams:
            await asyncio.wait(self._streams.values(), timeout=_FAREWELL_PATIENCE)

    async def _play(self, _requests: Any, context: Any) -> None:
        stream = Stream(self.lobby, context)
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a coroutine runs in one
        self._streams[stream] = task
        try:
            # A peer that goes away in the middle is no news: its place is left, that is all.
            with suppress(*PEER_GONE):
                await stream.serve()
        except Exception:
            log.exception("a connection ended by an exception of the server")
        finally:
            del self._streams[stream]
