"""The door: connections that have no place yet, and those that must go.

Here belongs watching who stands before the door, holding refusals back where they are many,
cutting connections, and what the log says of it all. What a bot says is `stream`'s to read, how
much is too much `limits`'.
"""

import asyncio
import logging
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Self

from pitch.wire.frames import Refusal
from pitch_server.logs import Event, EventLog
from pitch_server.metrics import Metrics
from pitch_server.service import sockets
from pitch_server.service.limits import Lines, Refusals, Standing, address_of
from pitch_server.service.listening import Listening

__all__ = ["Door"]

log = logging.getLogger(__name__)

_LOOK = 0.25  # seconds between two looks at the connections
_HELD_BACK = 2.0  # seconds, at most
# Descriptors that come and go for other reasons than connections.
_OTHERS = 32
_SPARE = 512  # descriptors for everything else that a tournament needs


class Door:
    """Watches the connections to some ports; `async with` it while they are served."""

    def __init__(self, listening: Listening, metrics: Metrics | None = None) -> None:
        self._metrics = metrics or Metrics()
        self._log = EventLog()
        self.listening = listening
        self.ports: set[int] = set()
        self._seated: dict[str, int] = {}
        self._standing = Standing(listening.strangers, listening.connections)
        self._refusals = Refusals(_HELD_BACK)
        self._lines = Lines()
        self._to_cut: set[str] = set()
        self._before = 0
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Begins to watch."""
        self._before = sockets.descriptors()
        _make_room(self._before + self.listening.connections + self.listening.strangers)
        self._watching = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Watches no more."""
        assert self._watching is not None  # noqa: S101 - it was entered
        self._watching.cancel()
        with suppress(asyncio.CancelledError):
            await self._watching

    @contextmanager
    def seated(self, peer: str) -> Iterator[None]:
        """Within it the connection has a place: it is not cut for others."""
        self._seated[peer] = self._seated.get(peer, 0) + 1
        try:
            yield
        finally:
            self._seated[peer] -= 1
            if not self._seated[peer]:
                del self._seated[peer]

    def cut(self, peer: str, reason: str) -> None:
        """Has a connection cut a moment later, whatever it waits for; says so in the log."""
        self._to_cut.add(peer)
        self.note(Event.CONNECTION_CUT, peer=peer, reason=reason)

    async def hold_back(self, peer: str, refusal: Refusal, name: str) -> None:
        """Notes a refusal, and waits where its address has been refused too often."""
        reason = refusal.reason.value
        self._metrics.refused(reason)
        self.note(Event.CONNECTION_REFUSED, peer=peer, reason=reason, claims=name or None)
        await asyncio.sleep(self._refusals.wait(address_of(peer), _now()))

    def note(self, event: Event, **fields: object) -> None:
        """A line for the log, unless there were too many of late."""
        withheld = self._lines.write(_now())
        if withheld is not None:
            self._log.tell(event, **fields, withheld=withheld or None)

    # --- watching ---------------------------------------------------------------------------

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_LOOK)
            try:
                await self._look()
            except OSError:  # no descriptor is left for looking: the next time, perhaps
                log.exception("the connections could not be looked at")

    async def _look(self) -> None:
        """Looks at each connection where there are unknown ones in number, or some to be cut."""
        unknown = sockets.descriptors() - self._before - len(self._seated) - _OTHERS
        if unknown > self.listening.strangers or self._crowded(unknown):
            peers = await asyncio.to_thread(sockets.connections_to, self.ports)
            seated = set(self._seated)
            self._standing.update(peers, seated)
            too_many = self._standing.too_many(len(seated & peers))
            for peer in too_many:
                self.cut(peer, "too many connections without a place")
        if self._to_cut:
            to_cut, self._to_cut = self._to_cut, set()
            await asyncio.to_thread(sockets.cut, to_cut, self.ports)

    def _crowded(self, unknown: int) -> bool:
        return unknown > 0 and unknown + len(self._seated) > self.listening.connections


def _make_room(connections: int) -> None:
    """Raises this process's own limit of descriptors, as far as it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + _SPARE
    if soft != resource.RLIM_INFINITY and soft < needed:
        allowed = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def _now() -> float:
    return asyncio.get_running_loop().time()
