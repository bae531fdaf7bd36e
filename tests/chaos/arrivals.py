"""Arrivals: how long it takes until many connections of one second are let in.

Here belong a tournament that they come to, quiet or in full play, and the times as measured by
the guests themselves, from connecting to the welcome.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from chaos.checks import fault_counts
from chaos.crowd import Crowd, orders
from chaos.driver import Order
from end_to_end.serving import Served, Server
from pitch_server.store.journal import Journal

__all__ = ["Arrival", "Arrivals", "arrive"]

_PATIENCE = 60  # seconds
_PLAYED_IN = 200  # games that the others have played when the crowd comes
_ENTRANTS = 4  # that the connections are of
_WATCHED = 6  # seconds from then on


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """How many come in the same second; `tables` are played meanwhile, none where it is 0."""

    connections: int = 200
    drivers: int = 4
    tables: int = 0
    move_timeout: float = 5.0


class Arrival(NamedTuple):
    """What came of it: seconds until each was let in, and what went wrong."""

    seconds: list[float]
    refusals: dict[str, int]
    faults: dict[str, dict[str, int]]
    games_meanwhile: int


def arrive(wanted: Arrivals, directory: Path) -> Arrival:
    """Lets them come at once, and looks who is in."""
    playing = {"early one": 32, "early two": 32} if wanted.tables else {}
    coming = {
        f"late {number}": len(range(number, wanted.connections, _ENTRANTS))
        for number in range(_ENTRANTS)
    }
    arena = Served(
        directory,
        [*playing, *coming],
        extra={name: {"processes": count} for name, count in (playing | coming).items()},
        tables=max(1, wanted.tables),
        format={"boards": 100_000, "isolation": "none"},
        clock={
            "move_timeout": f"{wanted.move_timeout:g}s",
            "start_timeout": "500s",
            "reconnect_grace": "60s",
        },
    )
    with arena.serve() as server:
        given = [_orders(server, wanted, each) for each in (playing, coming)]
        with Crowd(given[0]) as early, Crowd(given[1]) as crowd:
            early.begin()
            if playing:
                _wait_for_games(arena, _PLAYED_IN)
            games = arena.games_played()
            crowd.begin()
            time.sleep(_WATCHED)
            meanwhile = arena.games_played() - games
            told = crowd.end()
            early.end()
    with Journal.open(arena.database) as journal:
        faults = {name: dict(kinds) for name, kinds in fault_counts(journal).items() if kinds}
    return Arrival(told.notes.entered_after, dict(told.notes.refusals), faults, meanwhile)


def _orders(server: Server, wanted: Arrivals, entrants: Mapping[str, int]) -> list[Order]:
    names = tuple(name for name, count in entrants.items() for _ in range(count))
    order = Order(
        server=server.address,
        guests=names,
        seed=1,
        move_timeout=wanted.move_timeout,
        grace=60.0,
    )
    return orders(order, wanted.drivers if names else 0)


def _wait_for_games(arena: Served, games: int) -> None:
    deadline = time.monotonic() + _PATIENCE
    while arena.games_played() < games:
        assert time.monotonic() < deadline, "no games are played"
        time.sleep(0.05)
