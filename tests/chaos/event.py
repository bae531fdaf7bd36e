"""An event with a crowd: `pitch serve` and drivers, from the first greeting to the last check.

Here belongs the course of it. What guests do is `deeds`', what must be so in the end `checks`'.
"""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path

from chaos.checks import (
    Check,
    FaultCounts,
    check_games,
    fault_counts,
    replacements,
    wrong_faults,
)
from chaos.crowd import Crowd, orders
from chaos.deeds import GUESTS
from chaos.driver import Order, Told
from chaos.scraping import Scrape
from chaos.usage import Sample, Usage, flatness
from end_to_end.running import Ended
from end_to_end.serving import Served, Server
from pitch_server.plan.games import Plan
from pitch_server.store.journal import Journal

__all__ = ["Event", "Outcome", "play"]

_FLAT = 0.1  # a course may rise or fall by this part
_PATIENCE = 120  # seconds for the last games and for going


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """How large it is; spans in seconds."""

    games: int
    seconds: float
    tables: int = 64
    connections: int = 200
    drivers: int = 4
    strangers: int = 12
    move_timeout: float = 1.0
    grace: float = 4.0
    seed: int = 1
    kinds: tuple[str, ...] = tuple(GUESTS)

    @property
    def guests(self) -> tuple[str, ...]:
        """A kind for each connection: pairs of instances, as partners are apart."""
        pairs = max(len(self.kinds), self.connections // 2)
        return tuple(self.kinds[pair % len(self.kinds)] for pair in range(pairs) for _ in range(2))

    @property
    def boards(self) -> int:
        """Boards of a pairing, for so many games at least."""
        pairings = len(self.kinds) * (len(self.kinds) - 1) // 2
        return ceil(self.games / pairings / 2)

    def arena(self, directory: Path) -> Served:
        """The tournament."""
        teams = Counter(self.guests)
        return Served(
            directory,
            self.kinds,
            extra={name: {"processes": count // 2} for name, count in teams.items()},
            tables=self.tables,
            format={"boards": self.boards, "isolation": "seats"},
            clock={
                "move_timeout": f"{self.move_timeout:g}s",
                "reconnect_grace": f"{self.grace:g}s",
                "start_timeout": "60s",
            },
            faults={"max_faults": 3},
        )

    def orders(self, server: str) -> list[Order]:
        """What the drivers do."""
        order = Order(
            server=server,
            guests=self.guests,
            seed=self.seed,
            move_timeout=self.move_timeout,
            grace=self.grace,
            strangers=self.strangers,
        )
        return orders(order, self.drivers)


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What became of it."""

    played: int
    planned: int
    seconds: float
    told: Told
    samples: list[Sample]
    scrape: Scrape
    faults: FaultCounts
    checks: list[Check] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether all is as it must be."""
        return all(check.ok for check in self.checks)


def play(event: Event, directory: Path, tell: Callable[[int, int, Sample | None], None]) -> Outcome:
    """Plays the event and judges it; `tell` gets games played and planned, and the last sample."""
    arena = event.arena(directory)
    begun = time.monotonic()
    serving = arena.serve("--metrics", "127.0.0.1:0")
    with serving as server, Usage(server.process.pid) as usage:
        scrape = Scrape(server.wait_for(r"metrics on (\S+)"))
        with Crowd(event.orders(server.address)) as crowd:
            crowd.begin()
            with Journal.open(arena.database) as journal:
                planned = len(Plan(journal.settings))
            while not _over(server, crowd, begun + event.seconds):
                tell(arena.games_played(), planned, usage.samples[-1] if usage.samples else None)
                scrape.look()
                time.sleep(1)
            in_time = server.process.poll() is not None
            seconds = time.monotonic() - begun
            if not in_time:
                server.process.send_signal(signal.SIGTERM)
            server.process.wait(timeout=_PATIENCE)
            told = crowd.end()
        ended = server.end()
    with Journal.open(arena.database) as journal:
        outcome = Outcome(
            played=arena.games_played(),
            planned=planned,
            seconds=seconds,
            told=told,
            samples=usage.samples,
            scrape=scrape,
            faults=fault_counts(journal),
        )
        outcome.checks += _end(ended, outcome, in_time=in_time)
        outcome.checks += wrong_faults(journal, outcome.faults, told.notes)
        outcome.checks.append(replacements(told.notes))
        outcome.checks += check_games(journal, whole=in_time)
    found = arena.verified()
    outcome.checks.append(Check("pitch verify", not found, found or "all agrees"))
    outcome.checks += _flat(usage)
    return outcome


def _over(server: Server, crowd: Crowd, deadline: float) -> bool:
    if server.process.poll() is not None or time.monotonic() > deadline:
        return True
    assert crowd.all_alive(), "a driver has ended"
    return False


def _end(ended: Ended, outcome: Outcome, *, in_time: bool) -> Iterator[Check]:
    """How the server ended: in peace, with everything on disk that it says is there."""
    last = next((line for line in ended.err.splitlines() if line.startswith("stopped: ")), "")
    if in_time:
        good = ended.status in (0, 1) and outcome.played == outcome.planned
    else:
        good = ended.status == 128 + signal.SIGTERM
        good &= last.startswith(f"stopped: {outcome.played:,} of {outcome.planned:,} games")
    yield Check("no game left open", good, last or f"all are over, exit status {ended.status}")
    bad = [line for line in ended.err.splitlines() if "exception" in line and "bot" not in line]
    bad += [line for line in ended.err.splitlines() if "Traceback" in line]
    yield Check("no exception in the server's log", not bad, "; ".join(bad[:3]) or "none")


def _flat(usage: Usage) -> Iterator[Check]:
    """Memory and descriptors stay within a tenth, threads within those of asyncio's own pool."""
    pool = min(32, (os.cpu_count() or 1) + 4)
    courses = {
        "memory": (usage.course(lambda sample: sample.memory / 2**20), 0),
        "descriptors": (usage.course(lambda sample: sample.descriptors), 0),
        "threads": (usage.course(lambda sample: sample.threads), pool),
    }
    for what, (course, more) in courses.items():
        flat = flatness(course)
        if flat is None:
            yield Check(f"{what} flat", True, "too short to tell")
            continue
        yield Check(
            f"{what} flat",
            flat.spread <= max(_FLAT, more / flat.first),
            f"{flat.first:.0f} after warming up, {flat.lowest:.0f} to {flat.highest:.0f}, "
            f"{flat.last:.0f} in the end: {flat.spread:.1%}",
        )
