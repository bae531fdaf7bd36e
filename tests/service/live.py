"""A tournament that does nothing but keep what operators do to it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

from pitch_server.live import (
    Channel,
    EntrantStatus,
    Event,
    Presence,
    Stage,
    Status,
    TournamentEnded,
)

STATUS = Status(
    tournament="Größe, по-русски",
    stage=Stage.PLAYING,
    planned=10**12,
    played=7,
    decisions=5_000_000_000,
    faults=3,
    running=2,
    tables=8,
    backlog=1,
    uptime=12.5,
    lag_p50=0.000_01,
    lag_p99=0.002,
    lag_worst=0.25,
    entrants=(
        EntrantStatus("ann", Presence.PRESENT, 2, 2, 4, 0),
        EntrantStatus("bob", Presence.ABSENT, 0, 2, 0, 3),
        EntrantStatus("cid", Presence.STARTING, 1, 2, 0, 0),
        EntrantStatus("dan", Presence.WITHDRAWN, 0, 2, 0, 0),
    ),
)
STANDINGS = {"tournament": "t", "seed": None, "mean": 0.1 + 0.2, "none": None, "names": ["é", "и"]}


class QuietLive:
    """Tells what it is given; closing and withdrawing are noted and change what it tells."""

    def __init__(self) -> None:
        self.channel = Channel()
        self.closed = 0
        self.withdrawn: list[str] = []
        self.failure: Exception | None = None
        self.closing = asyncio.Event()
        self.may_close = asyncio.Event()
        self.may_close.set()

    def status(self) -> Status:
        """The status above."""
        if self.failure is not None:
            raise self.failure
        return STATUS

    async def standings(self) -> Mapping[str, Any]:
        """The standings above, with the seed once it is closed."""
        return STANDINGS | {"seed": "the seed" if self.closed else None}

    def watch(self) -> AsyncIterator[Event]:
        """What is told by the channel."""
        return self.channel.watch()

    async def close(self) -> None:
        """Ends when it may."""
        self.closing.set()
        await self.may_close.wait()
        self.closed += 1
        self.channel.tell(TournamentEnded("it was closed"))

    async def withdraw(self, name: str) -> None:
        """Notes a name that is there."""
        if self.failure is not None:
            raise self.failure
        if name not in [entrant.name for entrant in STATUS.entrants]:
            raise LookupError(f"no entrant is named {name!r}; did you mean 'ann'?")
        self.withdrawn.append(name)
