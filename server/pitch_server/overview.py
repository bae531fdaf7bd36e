"""The tournament in play as its operators meet it (`live.Live`).

Here belongs gathering what they are told from where it is known; playing is `tournament`'s.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from difflib import get_close_matches
from time import monotonic
from typing import Any

from pitch_server.live import Event, Status
from pitch_server.tournament import Tournament

__all__ = ["Overview"]


class Overview:
    """How a tournament stands, and what may be done about it."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._began = monotonic()

    def status(self) -> Status:
        """How it stands now."""
        it = self._tournament
        meter, progress = it.clock.meter, it.progress
        return Status(
            tournament=it.settings.name,
            stage=it.stage,
            planned=progress.planned,
            played=progress.played,
            decisions=progress.decisions,
            faults=progress.faults,
            running=it.running,
            tables=it.hosting.tables,
            backlog=it.committer.backlog,
            uptime=monotonic() - self._began,
            lag_p50=meter.p50,
            lag_p99=meter.p99,
            lag_worst=meter.worst,
            entrants=it.entrants.status(),
        )

    async def standings(self) -> Mapping[str, Any]:
        """The standings by what is on disk, read beside the games that go on."""
        return await asyncio.to_thread(self._standings)

    def _standings(self) -> Mapping[str, Any]:
        it = self._tournament
        return it.counted.standings(seed=it.journal.published_seed())

    def watch(self) -> AsyncIterator[Event]:
        """What happens from now on."""
        return self._tournament.telling.channel.watch()

    async def close(self) -> None:
        """Ends the tournament early; returns once that is on disk."""
        await self._tournament.close()

    async def withdraw(self, name: str) -> None:
        """Takes an entrant out; LookupError, with a sentence, if there is none of that name."""
        names = self._tournament.settings.names
        if name not in names:
            near = get_close_matches(name, names, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
            raise LookupError(f"no entrant is named {name!r}; {hint}")
        await self._tournament.withdraw(names.index(name))
