"""Checkpoints in the database: the row of one, and the games that it covers.

Here belong reading and writing them. What is in one is `scores.checkpoint`'s, whether it may be
used is for whoever uses it: all that it says follows from the games, and can be thrown away.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sqlalchemy import Connection, Text, cast, func, literal, select
from sqlalchemy.sql.elements import ColumnElement

from pitch_server.store.database import is_known
from pitch_server.store.pages import pages
from pitch_server.store.schema import checkpoints, games

__all__ = ["ROW_TEXT", "Checkpoint", "Coverage", "CoveredGame", "covered_games", "read", "write"]


class Checkpoint(NamedTuple):
    """What was counted of the first games of the plan.

    `covered` is the digest of their rows (`Coverage`), `state` the JSON of what was counted,
    `digest` that of the state.
    """

    games: int
    covered: str
    state: str
    digest: str


class CoveredGame(NamedTuple):
    """A game that a checkpoint covers: its number, its record's digest, its row as a text."""

    number: int
    digest: str
    text: str


class Coverage:
    """SHA-256 over a line for every row of games that counts for results, in plan order."""

    __slots__ = ("_hash",)

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, texts: Iterable[str]) -> None:
        """Take the next rows in, as `ROW_TEXT` gives them."""
        for text in texts:
            self._hash.update(f"{text}\n".encode())

    def hex(self) -> str:
        """The digest so far."""
        return self._hash.hexdigest()


def _row_text() -> ColumnElement[str]:
    """All columns of a result in one text."""
    row = games.c
    columns: tuple[ColumnElement[str], ...] = (
        cast(row.number, Text),
        row.digest,
        row.scores,
        func.coalesce(cast(row.winner, Text), "-"),
        func.coalesce(row.ended, "-"),
        row.forfeits,
        cast(row.void, Text),
        row.faults,
        cast(row.hands, Text),
    )
    text, *others = columns
    for column in others:
        text = text.concat(literal(" ")).concat(column)
    return text.label("row_text")


ROW_TEXT = _row_text()


def covered_games(connection: Connection, tournament: int) -> Iterator[CoveredGame]:
    """The games of a tournament in plan order, as far as a checkpoint needs to know them."""
    query = select(games.c.number, games.c.digest, ROW_TEXT)
    for page in pages(connection, query, games, tournament):
        for row in page:
            yield CoveredGame(row.number, str(row.digest), str(row.row_text))


def read(connection: Connection, tournament: int) -> Checkpoint | None:
    """The checkpoint of a tournament, as it stands there, if there is one."""
    if not is_known(connection, checkpoints):
        return None
    mine = checkpoints.c.tournament == tournament
    row = connection.execute(select(checkpoints).where(mine)).one_or_none()
    return None if row is None else Checkpoint(row.games, row.covered, row.state, row.digest)


def write(connection: Connection, tournament: int, checkpoint: Checkpoint) -> None:
    """Keep a checkpoint in the place of any before it."""
    connection.execute(checkpoints.delete().where(checkpoints.c.tournament == tournament))
    row = {"tournament": tournament} | checkpoint._asdict()
    connection.execute(checkpoints.insert().values(**row))
