"""Reading many rows in plan order, a page in memory at a time.

Here belong the queries over a tournament's games that may return millions of rows. Each page is
found by the primary key, whatever the database knows of its tables, so reading is linear.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, select

from pitch_server.store.database import select_known
from pitch_server.store.errors import DamagedRow
from pitch_server.store.rows import FaultEvidence, parse_evidence
from pitch_server.store.schema import faults, games, records

__all__ = ["PAGE", "evidence_by_game", "games_with_records", "pages"]

PAGE = 1000  # rows in memory at a time


def pages(
    connection: Connection, query: Select[Any], table: Table, tournament: int
) -> Iterator[list[Row[Any]]]:
    """The rows of a tournament in plan order, in lists of a page; their numbers are whole."""
    last = -1
    mine = query.where(table.c.tournament == tournament).order_by(table.c.number).limit(PAGE)
    while True:
        page = list(connection.execute(mine.where(table.c.number > last)))
        for row in page:
            _number(row)
        if page:
            yield page
        if len(page) < PAGE:
            return
        last = page[-1].number


def games_with_records(
    connection: Connection, tournament: int
) -> Iterator[tuple[Row[Any], Any | None]]:
    """The rows of games, each with its record, None where that is missing.

    A game without its record is a damage that `pitch verify` names, a record without its game
    none. The two are not joined: a database that knows nothing of its tables yet may well join
    a page with all of them.
    """
    query = select(records.c.number, records.c.record).where(records.c.tournament == tournament)
    for page in pages(connection, select(games), games, tournament):
        within = records.c.number.between(page[0].number, page[-1].number)
        found: dict[int, Any] = {
            row.number: row.record for row in connection.execute(query.where(within))
        }
        for row in page:
            yield row, found.get(row.number)


def evidence_by_game(
    connection: Connection, tournament: int
) -> Iterator[tuple[int, tuple[FaultEvidence, ...]]]:
    """(game number, its evidence) for the games that have any, in plan order."""
    query = select_known(connection, faults).where(faults.c.tournament == tournament)
    ordered = query.order_by(faults.c.number, faults.c.position)
    rows = connection.execute(ordered, execution_options={"yield_per": PAGE})
    for number, group in groupby(rows, key=_number):
        yield number, tuple(map(parse_evidence, group))


def _number(row: Row[Any]) -> int:
    """The number of a row's game; DamagedRow if it is none: SQLite keeps anything in any column."""
    number = row.number
    if type(number) is not int:
        raise DamagedRow(f"a game can't have the number {number!r:.40}")
    return number
