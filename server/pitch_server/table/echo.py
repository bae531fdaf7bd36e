"""An echo through the transport: what the event loop's own lag does not show.

Answers pass through gRPC's threads before the loop sees them, and on a busy machine these wait
for a processor like any other. Here belongs a connection of the server with itself, in the same
process and through the same threads: what is sent on it comes back after all that had arrived
when it was sent. What follows from that is the clock's.

It is a socket in a directory of our own, whose name is gone as soon as the connection is there:
nobody else can reach it, and nothing is left of it however the server ends.
"""

import asyncio
import shutil
import tempfile
from contextlib import suppress
from typing import Any

import grpc
import grpc.aio

__all__ = ["ECHO_LOST", "Echo"]

ECHO_LOST = (grpc.RpcError, grpc.aio.UsageError, asyncio.InvalidStateError, OSError, RuntimeError)
"""What an echo raises that can't be opened or has been lost."""
_SERVICE, _METHOD = "pitch.Echo", "Echo"
_PING = b"\0"
_LONGEST_PATH = 80  # of a socket's name the system takes about 100 bytes


class Echo:
    """The connection; `open` it first, and again if it was lost."""

    def __init__(self) -> None:
        self._server: grpc.aio.Server | None = None
        self._channel: grpc.aio.Channel | None = None
        self._call: Any = None

    async def open(self) -> None:
        """Connects; one of ECHO_LOST if that can't be."""
        await self.close()
        folder = tempfile.mkdtemp(prefix="pitch-")
        if len(folder) > _LONGEST_PATH:
            shutil.rmtree(folder)
            folder = tempfile.mkdtemp(prefix="pitch-", dir="/tmp")
        address = f"unix:{folder}/echo"
        try:
            self._server = grpc.aio.server()
            handler: Any = grpc.stream_stream_rpc_method_handler(_return_all)
            self._server.add_generic_rpc_handlers(
                (grpc.method_handlers_generic_handler(_SERVICE, {_METHOD: handler}),)
            )
            self._server.add_insecure_port(address)
            await self._server.start()
            self._channel = grpc.aio.insecure_channel(address)
            self._call = self._channel.stream_stream(f"/{_SERVICE}/{_METHOD}")()
            await self.once()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    async def once(self) -> None:
        """Returns when what is sent now has come back; one of ECHO_LOST if it won't."""
        if self._call is None:
            raise ConnectionError("there is no echo")
        await self._call.write(_PING)
        if await self._call.read() is grpc.aio.EOF:
            raise ConnectionError("the echo has ended")

    async def close(self) -> None:
        """Lets go of it."""
        if self._call is not None:
            self._call.cancel()
        if self._channel is not None:
            with suppress(*ECHO_LOST):
                await self._channel.close()
        if self._server is not None:
            await self._server.stop(grace=None)
        self._server, self._channel, self._call = None, None, None


async def _return_all(_requests: Any, context: Any) -> None:
    with suppress(asyncio.CancelledError, *ECHO_LOST):
        while (data := await context.read()) is not grpc.aio.EOF:
            await context.write(data)
