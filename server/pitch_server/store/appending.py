"""Appending: finished games into the tables, each whole, and each once.

Here belong the rows of a game that is new; the transaction is its caller's.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, select

from pitch_server.store.answer_times import add_times
from pitch_server.store.pages import PAGE
from pitch_server.store.rows import JournalEntry, result_columns
from pitch_server.store.schema import faults, games, records

__all__ = ["insert_new"]


def insert_new(
    connection: Connection, tournament: int, entries: Iterable[JournalEntry]
) -> tuple[int, ...]:
    """Take in the games that are not in, the first entry of each; their numbers."""
    by_number: dict[int, JournalEntry] = {}
    for entry in entries:
        by_number.setdefault(entry.result.number, entry)
    known = _known(connection, tournament, tuple(by_number))
    new = [entry for number, entry in by_number.items() if number not in known]
    if new:
        _insert(connection, tournament, new)
    return tuple(entry.result.number for entry in new)


def _known(connection: Connection, tournament: int, numbers: Sequence[int]) -> set[int]:
    known: set[int] = set()
    for start in range(0, len(numbers), PAGE):
        chosen = games.c.number.in_(numbers[start : start + PAGE])
        query = select(games.c.number).where(games.c.tournament == tournament, chosen)
        known.update(connection.scalars(query))
    return known


def _insert(connection: Connection, tournament: int, entries: Sequence[JournalEntry]) -> None:
    own = {"tournament": tournament}
    connection.execute(
        games.insert(),
        [own | result_columns(entry.result) | {"play": entry.play} for entry in entries],
    )
    connection.execute(
        records.insert(), [own | {"number": e.result.number, "record": e.record} for e in entries]
    )
    evidence = [
        own | {"number": entry.result.number, "position": position} | fault._asdict()
        for entry in entries
        for position, fault in enumerate(entry.evidence)
    ]
    if evidence:
        connection.execute(faults.insert(), evidence)
    add_times(connection, tournament, entries)
