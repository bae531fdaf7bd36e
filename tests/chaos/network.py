"""A line: a relay between one bot and the server, for all that can happen to a connection.

Here belong cutting, stopping and slowing down, at the level of TCP. When that happens and what
a bot does then is the guest's.
"""

import asyncio
import socket
import struct
from contextlib import suppress
from enum import Enum
from time import monotonic
from typing import Self

__all__ = ["Line", "Way"]

_RESET = struct.pack("ii", 1, 0)  # closing discards what is unsent and says so to the other end
_CHUNK = 1 << 16


class Way(Enum):
    """A direction on a line, as the bot sees it."""

    UP = "to the server"
    DOWN = "to the bot"


class Line:
    """Relays one connection after the other to the server; `async with` it."""

    def __init__(self, server: str) -> None:
        self.address = ""
        self.cut_at: float | None = None
        self._host, _, port = server.rpartition(":")
        self._port = int(port)
        self._listener: asyncio.Server | None = None
        self._writers: list[asyncio.StreamWriter] = []
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._trap: Way | None = None
        self._dripping = False

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        host, port = self._listener.sockets[0].getsockname()[:2]
        self.address = f"{host}:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cut()
        assert self._listener is not None
        self._listener.close()

    # --- what can happen ------------------------------------------------------------------------

    def cut(self, *, reset: bool = True) -> None:
        """Ends the connection here and now, by a reset or as a process that ends does."""
        if self._writers and self.cut_at is None:
            self.cut_at = monotonic()
        for writer in self._writers:
            if reset:
                with suppress(OSError):
                    writer.get_extra_info("socket").setsockopt(
                        socket.SOL_SOCKET, socket.SO_LINGER, _RESET
                    )
                writer.transport.abort()
            else:
                writer.close()
        self._writers = []

    def trap(self, way: Way) -> None:
        """Cuts as soon as anything comes this way; half of it still gets through."""
        self._trap = way

    def stop(self) -> None:
        """Lets nothing through any more, either way, and tells nobody."""
        self._flowing.clear()

    def drip(self) -> None:
        """From now on what the bot sends gets through byte by byte, one a second."""
        self._dripping = True

    # --- inside ---------------------------------------------------------------------------------

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            up_reader, up_writer = await asyncio.open_connection(self._host, self._port)
        except OSError:
            writer.transport.abort()
            return
        self._flowing.set()
        self._trap, self._dripping, self.cut_at = None, False, None
        mine = [writer, up_writer]
        self._writers = mine
        pumps = (
            asyncio.create_task(self._pump(reader, up_writer, Way.UP)),
            asyncio.create_task(self._pump(up_reader, writer, Way.DOWN)),
        )
        try:
            with suppress(asyncio.CancelledError):  # the loop's end is no failure of a relay
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in pumps:
                task.cancel()
            for each in mine:
                each.close()
            if self._writers is mine:
                self._writers = []

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: Way
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(_CHUNK):
                await self._flowing.wait()
                if self._trap is way:
                    self._trap = None
                    writer.write(data[: len(data) // 2])
                    self.cut(reset=False)
                    return
                if self._dripping and way is Way.UP:
                    await self._drip(writer, data)
                    continue
                writer.write(data)
                await writer.drain()

    async def _drip(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        for byte in data:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(1)
