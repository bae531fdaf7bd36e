"""The server's own time: the loop's clock together with the lag that it gathers.

Here belongs the only reading of the clock for limits, and the tick that measures lag. Not the
loop's own time: a quick loop keeps that in whole milliseconds, and still while it works.
"""

import asyncio
from contextlib import suppress
from time import monotonic
from typing import Self

from pitch_server.table.clock import LagMeter, Moment

__all__ = ["ServerClock"]

_TICK = 0.01  # seconds; finer ticks cost CPU, coarser ones see less


class ServerClock:
    """Hands out moments; `async with` it, so that lag is measured meanwhile."""

    def __init__(self) -> None:
        self.meter = LagMeter(_TICK, monotonic())
        self._task: asyncio.Task[None] | None = None

    def now(self) -> Moment:
        """The moment that it is."""
        return self.meter.moment(monotonic())

    async def __aenter__(self) -> Self:
        """Begins to measure."""
        self._task = asyncio.create_task(self._tick())
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Ends measuring."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _tick(self) -> None:
        self.meter.tick(monotonic())
        while True:
            await asyncio.sleep(_TICK)
            self.meter.tick(monotonic())
