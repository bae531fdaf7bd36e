"""Answer times: how long entrants took, summed up in the database as their games come in.

Here belong the rows of it. They are measured: nothing that can be computed again depends on them.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Row, select

from pitch_server.store.database import is_known
from pitch_server.store.errors import DamagedRow
from pitch_server.store.rows import JournalEntry
from pitch_server.store.schema import answer_times
from pitch_server.table.spread import Spread

__all__ = ["add_times", "spreads"]


def spreads(connection: Connection, tournament: int) -> dict[int, Spread]:
    """By entrant, for those of whom any answer was timed."""
    if not is_known(connection, answer_times):
        return {}
    mine = select(answer_times).where(answer_times.c.tournament == tournament)
    return {row.entrant: _spread(row) for row in connection.execute(mine)}


def add_times(connection: Connection, tournament: int, entries: Iterable[JournalEntry]) -> None:
    """Add what entries that are new tell, within the transaction that takes them in."""
    new: dict[int, Spread] = {}
    for entry in entries:
        for entrant, seconds in entry.times:
            if entrant not in new:
                new[entrant] = Spread()
            new[entrant].add(seconds)
    if new:
        _write(connection, tournament, new)


def _write(connection: Connection, tournament: int, new: Mapping[int, Spread]) -> None:
    known = spreads(connection, tournament)
    for entrant, spread in new.items():
        before = known.get(entrant)
        if before is not None:
            spread.add_all(before)
        values = {"counts": json.dumps(spread.counts), "longest": spread.worst}
        if before is None:
            row = {"tournament": tournament, "entrant": entrant, **values}
            connection.execute(answer_times.insert().values(**row))
        else:
            mine = (answer_times.c.tournament == tournament) & (answer_times.c.entrant == entrant)
            connection.execute(answer_times.update().where(mine).values(**values))


def _spread(row: Row[Any]) -> Spread:
    """What a row holds; DamagedRow if it is none: SQLite keeps anything in any column."""
    try:
        return Spread.of(list(json.loads(row.counts)), float(row.longest))
    except (TypeError, ValueError, RecursionError):
        raise DamagedRow(f"the answer times of entrant {row.entrant!r:.40} can't be read") from None
