"""The tournaments of a database: listing them, finding one, adding one.

Here belong the rows that stand for a tournament as it is made; its games belong to `journal`.
"""

import json
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Row, func, select

from pitch.records import canonical_json
from pitch_server.plan.decks import commitment
from pitch_server.plan.settings import Settings, settings_json
from pitch_server.store.database import open_database
from pitch_server.store.errors import JournalError, NoTournament
from pitch_server.store.rows import State, TournamentRow, guest_columns, parse_state
from pitch_server.store.schema import entrants, tournaments

__all__ = ["insert_tournament", "list_tournaments", "tournament_row"]


def list_tournaments(database: URL | Path) -> tuple[TournamentRow, ...]:
    """The tournaments of a database, oldest first."""
    opened = open_database(database)
    try:
        with opened.reading() as connection:
            query = select(tournaments.c.id, tournaments.c.name, tournaments.c.state)
            return tuple(
                TournamentRow(id=row.id, name=row.name, state=parse_state(row.state))
                for row in connection.execute(query.order_by(tournaments.c.id))
            )
    finally:
        opened.close()


def tournament_row(connection: Connection, place: str, tournament: int | None) -> Row[Any]:
    """The row of a tournament, the latest by default; `place` names the database in errors."""
    query = select(tournaments).order_by(tournaments.c.id.desc()).limit(1)
    if tournament is not None:
        query = query.where(tournaments.c.id == tournament)
    row = connection.execute(query).one_or_none()
    if row is not None:
        return row
    count = connection.scalar(select(func.count()).select_from(tournaments))
    if tournament is None or not count:
        raise NoTournament(f"{place} holds no tournament")
    raise JournalError(f"{place} holds no tournament {tournament}; there are {count}, from 1 on")


def insert_tournament(
    connection: Connection, settings: Settings, seed: str, directory: Path | None
) -> int:
    """A new tournament, and its number."""
    row = tournaments.insert().values(
        name=settings.name,
        settings=canonical_json(settings_json(settings)),
        directory=None if directory is None else str(directory.absolute()),
        seed=seed,
        commitment=commitment(seed),
        state=str(State.RUNNING),
    )
    tournament: int = connection.execute(row.returning(tournaments.c.id)).scalar_one()
    connection.execute(
        entrants.insert(),
        [
            {
                "tournament": tournament,
                "position": position,
                "name": entrant.name,
                "command": None if entrant.command is None else json.dumps(entrant.command),
                "withdrawn": False,
            }
            | guest_columns(entrant.processes, entrant.guest)
            for position, entrant in enumerate(settings.entrants)
        ],
    )
    return tournament
