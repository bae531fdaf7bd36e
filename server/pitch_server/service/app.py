"""The gRPC server: one port, the referee's method, its limits.

Here belongs what the listening socket needs to know; what is said on it is `stream`'s.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Self

import grpc
import grpc.aio
from grpc._cython import cygrpc  # type: ignore[attr-defined]

from pitch.wire.convert import write_server_frame
from pitch.wire.frames import FRAME_LIMIT_BYTES, ServerFrame
from pitch_server.metrics import Metrics
from pitch_server.service.door import Door
from pitch_server.service.listening import Listening, why_not_bound
from pitch_server.service.lobby import Lobby, Place
from pitch_server.service.public import Health, add_public_services
from pitch_server.service.stream import PEER_GONE, Stream
from pitch_server.service.sturdy import add_service, sturdy_server

__all__ = ["ListenError", "RefereeServer"]

log = logging.getLogger(__name__)

_FAREWELL_PATIENCE = 2.0  # seconds
_SERVICE = "pitch.wire.v1.RefereeService"
# A server of grpc that was never started crashes the process when it is collected.
_NEVER_STARTED: list[grpc.aio.Server] = []
_LOCAL = "127.0.0.1:0"


class _OursOnly(logging.Filter):
    """Keeps out of the log what grpc says of calls that are odd or gone: anybody could fill it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        error = record.exc_info[1] if record.exc_info else None
        return not (
            isinstance(error, UnicodeDecodeError | cygrpc.ExecuteBatchError)
            or str(record.msg).startswith(("Invalid encoding", "Failed sending"))
        )


logging.getLogger("grpc._cython.cygrpc").addFilter(_OursOnly())


class ListenError(Exception):
    """The address can't be listened on; says which and why."""


class RefereeServer:
    """Serves RefereeService; `async with` it, then `address` says where.

    `local_address` is where bots on this machine connect, in clear and without certificates:
    the same, or a port of its own on loopback.
    """

    def __init__(
        self,
        lobby: Lobby,
        listening: Listening | None = None,
        *,
        services: Sequence[grpc.GenericRpcHandler] = (),
        metrics: Metrics | None = None,
        spell: Callable[[ServerFrame], bytes] = write_server_frame,
    ) -> None:
        """`services` are served on the same port; `listening` must have no problem.

        `spell` makes bytes of what bots are sent.
        """
        self._spell = spell
        self.lobby = lobby
        self.listening = listening or Listening()
        self.address = self.local_address = self.listening.address
        self._services = services
        self._door = Door(self.listening, metrics)
        self._health = Health(())
        self._streams: dict[Stream, asyncio.Task[Any]] = {}
        self._server: grpc.aio.Server | None = None

    async def __aenter__(self) -> Self:
        """Begins to listen."""
        asked = self.listening.address
        if reason := why_not_bound(asked):  # grpc would print it, at length
            raise ListenError(f"cannot listen on {asked}: {reason}")
        self._server = sturdy_server(_options(self.listening))
        handler: Any = grpc.stream_stream_rpc_method_handler(self._play)
        play = grpc.method_handlers_generic_handler(_SERVICE, {"Play": handler})
        services = [add_service(self._server, each) for each in (play, *self._services)]
        self._health = add_public_services(self._server, services)
        self._open_ports(self._server)
        await self._server.start()
        await self._door.__aenter__()
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Stops at once; whoever is connected has been told before."""
        assert self._server is not None  # noqa: S101 - it was entered
        await self._server.stop(grace=None)
        await self._door.__aexit__()

    def set_serving(self, serving: bool) -> None:
        """What whoever watches the server's health is told; nothing else changes."""
        self._health.set_serving(serving)

    async def say_farewell(
        self,
        message: str,
        places: Sequence[Place] | None = None,
        *,
        come_back_fresh: bool = False,
    ) -> None:
        """Ends every session in peace, or those at some places; waits a moment for the words.

        Bots that are to come back fresh end their process and start it anew.
        """
        if places is None and not come_back_fresh:
            self.lobby.closing = True
        told = [
            task
            for stream, task in self._streams.items()
            if places is None or (stream.place is not None and stream.place in places)
            if stream.farewell(message, come_back_fresh=come_back_fresh)
        ]
        if told:
            await asyncio.wait(told, timeout=_FAREWELL_PATIENCE)

    def _open_ports(self, server: grpc.aio.Server) -> None:
        credentials = self.listening.credentials()
        asked = self.listening.address
        try:
            if credentials is None:
                port = server.add_insecure_port(asked)
            else:
                port = server.add_secure_port(asked, credentials)
        except RuntimeError:
            _NEVER_STARTED.append(server)
            raise ListenError(f"cannot listen on {asked}: it could not be opened") from None
        self.address = self.local_address = f"{asked.rpartition(':')[0]}:{port}"
        if self.listening.tls or not self.listening.on_loopback:
            port = server.add_insecure_port(_LOCAL)
            self.local_address = f"127.0.0.1:{port}"
        self._door.ports = {
            int(each.rpartition(":")[2]) for each in (self.address, self.local_address)
        }

    async def _play(self, _requests: Any, context: Any) -> None:
        stream = Stream(self.lobby, context, self._door, self._spell)
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


def _options(listening: Listening) -> list[tuple[str, int]]:
    keepalive, hello = int(listening.keepalive * 1000), int(listening.hello_timeout * 1000)
    return [
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", FRAME_LIMIT_BYTES),
        ("grpc.max_send_message_length", -1),
        ("grpc.keepalive_time_ms", keepalive),
        ("grpc.keepalive_timeout_ms", keepalive),
        # grpc waits for the sign no less than this, a minute if not told.
        ("grpc.http2.ping_timeout_ms", keepalive),
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.max_concurrent_streams", listening.connections),
        # Of whoever connects and never finishes a handshake, or makes no call.
        ("grpc.server_handshake_timeout_ms", hello),
        ("grpc.max_connection_idle_ms", hello),
        # Beyond these the door has no time left to see who must give way.
        ("grpc.max_allowed_incoming_connections", listening.connections + listening.strangers),
    ]
