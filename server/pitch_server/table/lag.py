"""The server's own time: the clock together with the lag that gathers.

Here belong the only reading of the clock for limits, the tick that measures the event loop's
lag, and the echo that measures the transport's. Not the loop's own time: a quick loop keeps that
in whole milliseconds, and still while it works. Nor the wall clock, which may jump.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Self

from pitch_server.table.clock import LagMeter, Moment
from pitch_server.table.echo import ECHO_LOST, Echo
from pitch_server.table.spread import Spread

__all__ = ["ServerClock"]

log = logging.getLogger(__name__)

_TICK = 0.01  # seconds; finer ticks cost CPU, coarser ones see less
_ECHO = 0.1  # seconds from one echo to the next that nobody waits for
_AGAIN = 0.005  # seconds from one echo to the next where somebody waits
_LATELY = 10  # echoes that tell how slow they are
_MOST_SLOWNESS = 0.25  # seconds that a proof stays behind for it, at most
_USUAL = 0.002  # seconds that an echo takes on a machine with free processors, at most
_ECHO_PATIENCE = 5.0  # seconds after which it is lost


def _unheard(_late: float) -> None:
    """Nobody wants to know."""


class ServerClock:
    """Hands out moments; `async with` it, so that lag is measured meanwhile.

    It proves that what had arrived was read (`Proof`): by an echo of its own. Where echoes have
    been slow lately, a bot on the same machine may have waited for a processor as long as they
    did, which nothing shows: by so much the proof stays behind.
    """

    def __init__(self, on_lag: Callable[[float], None] = _unheard) -> None:
        """`on_lag` gets what each tick was late by, in seconds."""
        self._on_lag = on_lag
        self.meter = LagMeter(_TICK, monotonic())
        self.echoes = Spread()
        self._echo = Echo()
        self._proven = self.now()
        self._slowness: deque[float] = deque(maxlen=_LATELY)
        self._wanted = asyncio.Event()
        self._waiting: list[tuple[float, Callable[[], None]]] = []
        self._tasks: tuple[asyncio.Task[None], ...] = ()

    def now(self) -> Moment:
        """The moment that it is."""
        return self.meter.moment(monotonic())

    @property
    def proven(self) -> Moment:
        """Whatever had arrived by this moment has been handed over."""
        return self._proven

    def prove(self, done: Callable[[], None]) -> None:
        """Calls back once an echo that is sent from now on has come back."""
        self._waiting.append((monotonic(), done))
        self._wanted.set()

    async def __aenter__(self) -> Self:
        """Begins to measure."""
        with suppress(*ECHO_LOST):
            await self._echo.open()
        self._tasks = (asyncio.create_task(self._tick()), asyncio.create_task(self._listen()))
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Ends measuring."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._echo.close()

    async def _tick(self) -> None:
        self.meter.tick(monotonic())
        while True:
            await asyncio.sleep(_TICK)
            self._on_lag(self.meter.tick(monotonic()))

    async def _listen(self) -> None:
        """Sends echoes, one after the other, sooner where somebody waits for one."""
        while True:
            if self._waiting:  # for what the last one did not prove
                await asyncio.sleep(_AGAIN)
            else:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._wanted.wait(), _ECHO)
            self._wanted.clear()
            sent = self.now()
            if await self._came_back(sent):
                returned = self.now()
                self.echoes.add(returned.time - sent.time)
                self.meter.add_echo(sent, returned, _USUAL)
                late = returned.time - sent.time - _USUAL
                self._slowness.append(min(max(0.0, late), _MOST_SLOWNESS))
            self._prove(sent)

    def _prove(self, sent: Moment) -> None:
        """The echo that was sent then has come back: tells those who waited for it."""
        until = sent.time - max(self._slowness, default=0.0)
        if until > self._proven.time:
            self._proven = Moment(until, sent.lag)
        loop = asyncio.get_running_loop()
        waiting, self._waiting = self._waiting, []
        for since, done in waiting:
            if since <= until:
                loop.call_soon(done)
            else:
                self._waiting.append((since, done))

    async def _came_back(self, sent: Moment) -> bool:
        """Sends an echo and waits for it; False, after a moment of patience, if it is lost."""
        echo = asyncio.ensure_future(self._echo.once())
        try:
            while not echo.done() and self.now().since(sent) < _ECHO_PATIENCE:
                await asyncio.wait({echo}, timeout=_ECHO_PATIENCE / 5)
            if echo.done():
                echo.result()
                return True
            log.warning("an echo of the server through its own transport has not come back")
        except ECHO_LOST as error:
            log.warning("the server's own echo is lost: %r", error)
        finally:
            echo.cancel()
        await self._reopen()
        return False

    async def _reopen(self) -> None:
        """Connects the echo anew; until it is back, judging waits for what may be read."""
        await asyncio.sleep(_ECHO)
        with suppress(*ECHO_LOST):
            await asyncio.wait_for(self._echo.open(), _ECHO_PATIENCE)
