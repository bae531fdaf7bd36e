"""What a running tournament tells its operators and takes from them.

Here belong the values and the protocol that stand between the tournament and whoever watches or
steers it: the service for operators, the metrics, the terminal. How they are carried or shown
is theirs.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

__all__ = [
    "Channel",
    "EntrantChanged",
    "EntrantStatus",
    "Event",
    "FaultCharged",
    "GameFinished",
    "Live",
    "Presence",
    "Stage",
    "Status",
    "TournamentEnded",
]

_UNREAD = 10_000  # events that a watcher may leave unread before it is let go


class Stage(StrEnum):
    """What a running tournament is doing."""

    WAITING = "waiting"
    PLAYING = "playing"
    DRAINING = "draining"
    ENDED = "ended"


class Presence(StrEnum):
    """Whether an entrant can play."""

    STARTING = "starting"
    PRESENT = "present"
    ABSENT = "absent"
    WITHDRAWN = "withdrawn"


class EntrantStatus(NamedTuple):
    """One entrant now; `needed` instances make it present, `tables` are those it sits at."""

    name: str
    presence: Presence
    connected: int
    needed: int
    tables: int
    faults: int


class Status(NamedTuple):
    """A running tournament now; spans in seconds, lag of the server's event loop since the start.

    `backlog` are games that are over and not on disk yet.
    """

    tournament: str
    stage: Stage
    planned: int
    played: int
    decisions: int
    faults: int
    running: int
    tables: int
    backlog: int
    uptime: float
    lag_p50: float
    lag_p99: float
    lag_worst: float
    entrants: tuple[EntrantStatus, ...]


class GameFinished(NamedTuple):
    """A game is on disk; `entrants` by seat, `scores` by side, causes of forfeits by side."""

    number: int
    board: int
    entrants: tuple[str, ...]
    scores: tuple[int, ...]
    winner: int | None
    forfeits: tuple[tuple[int, str], ...]
    void: bool


class FaultCharged(NamedTuple):
    """A fault of a game that is on disk; `text` explains it in one line."""

    number: int
    seat: int
    entrant: str
    kind: str
    text: str


class EntrantChanged(NamedTuple):
    """An entrant has come, gone, or was withdrawn."""

    name: str
    presence: Presence


class TournamentEnded(NamedTuple):
    """Nothing more will come; `reason` for people."""

    reason: str


Event = GameFinished | FaultCharged | EntrantChanged | TournamentEnded


class Live(Protocol):
    """A tournament in play, as operators meet it. Everything is called on its event loop."""

    def status(self) -> Status:
        """How it stands now."""

    async def standings(self) -> Mapping[str, Any]:
        """The standings by what is on disk, as `pitch standings --json` gives them."""

    def watch(self) -> AsyncIterator[Event]:
        """What happens from now on, to the end; ends early for who reads too slowly."""

    async def close(self) -> None:
        """Ends the tournament early; returns once that is on disk."""

    async def withdraw(self, name: str) -> None:
        """Takes an entrant out; LookupError, with a sentence, if there is none of that name."""


class Channel:
    """Hands events to any number of watchers; nobody waits for a slow one."""

    def __init__(self) -> None:
        self._watchers: set[asyncio.Queue[Event | None]] = set()
        self._ended: TournamentEnded | None = None

    def tell(self, event: Event) -> None:
        """Hands an event to everyone who watches now."""
        if isinstance(event, TournamentEnded):
            self._ended = event
        for queue in list(self._watchers):
            if queue.qsize() < _UNREAD:
                queue.put_nowait(event)
            else:
                self._watchers.discard(queue)
                queue.put_nowait(None)

    @property
    def watched(self) -> bool:
        """Whether anybody watches: else nothing need be made to tell."""
        return bool(self._watchers)

    async def watch(self) -> AsyncIterator[Event]:
        """The events from now on, until the tournament ends or the watcher is too slow."""
        if self._ended is not None:
            yield self._ended
            return
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._watchers.add(queue)
        try:
            while (event := await queue.get()) is not None:
                yield event
                if isinstance(event, TournamentEnded):
                    return
        finally:
            self._watchers.discard(queue)
