"""Reading many rows in plan order, a page in memory at a time.

Here belong the queries over a tournament's games that may return millions of rows. Each page is
found by the primary key, whatever the database knows of its tables, so reading is linear.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, select

from pitch_server.scores.results import GameResult
from pitch_server.store.database import known_column, select_known
from pitch_server.store.errors import DamagedRow
from pitch_server.store.rows import FaultEvidence, parse_evidence
from pitch_server.store.schema import faults, games, records

__all__ = ["PAGE", "RESULT", "evidence_by_game", "games_with_records", "pages", "plays"]

PAGE = 1000  # rows in memory at a time


# What a result is made of, in the order of its fields. All versions of the schema have these.
RESULT = tuple(games.c[name] for name in GameResult._fields)


def pages(
    connection: Connection, query: Select[Any], table: Table, tournament: int, start: int = 0
) -> Iterator[Sequence[Row[Any]]]:
    """The rows of a tournament in plan order from a number on, in lists of a page.

    The number is the query's first column; all that come are whole. One condition on it is all:
    of two, SQLite may seek by the one that is always true, and read every row for every page.
    """
    last = start - 1
    mine = query.where(table.c.tournament == tournament).order_by(table.c.number).limit(PAGE)
    while True:
        page = connection.execute(mine.where(table.c.number > last)).all()
        for row in page:
            if type(row[0]) is not int:
                _number(row)
        if page:
            yield page
        if len(page) < PAGE:
            return
        last = page[-1][0]


def games_with_records(
    connection: Connection, tournament: int
) -> Iterator[tuple[Row[Any], Any | None]]:
    """The rows of games (`RESULT`, then `play`), each with its record, None where that is missing.

    A game without its record is a damage that `pitch verify` names, a record without its game
    none. The two are not joined: a database that knows nothing of its tables yet may well join
    a page with all of them.
    """
    query = select(*RESULT, known_column(connection, games.c.play))
    for page in pages(connection, query, games, tournament):
        found = _records(connection, tournament, [row[0] for row in page])
        for row in page:
            yield row, found.get(row[0])


def plays(connection: Connection, tournament: int) -> Iterator[tuple[int, Any | None, Any | None]]:
    """(number, play, record) of the games; a record is read only where there is no play."""
    query = select(games.c.number, known_column(connection, games.c.play))
    for page in pages(connection, query, games, tournament):
        silent = [row.number for row in page if row.play is None]
        found = _records(connection, tournament, silent) if silent else {}
        for row in page:
            yield row.number, row.play, found.get(row.number)


def _records(connection: Connection, tournament: int, numbers: Sequence[int]) -> dict[int, Any]:
    """The records of a page's games, of these and maybe of some between them."""
    within = records.c.number.between(numbers[0], numbers[-1])
    query = select(records.c.number, records.c.record).where(records.c.tournament == tournament)
    return {row.number: row.record for row in connection.execute(query.where(within))}


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
