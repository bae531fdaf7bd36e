"""Journal entries for tests that need no true games, and databases to keep them in."""

import json
import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import URL, create_engine, make_url, text

from pitch_server.scores.digest import text_digest
from pitch_server.store.rows import FaultEvidence, JournalEntry
from scores.making import result


def entry(number: int, scores: tuple[int, ...] = (3, 1), **others: Any) -> JournalEntry:
    """An entry whose record is a stand-in."""
    record = json.dumps({"x_game": number})
    evidence = tuple(
        FaultEvidence(seat=seat, kind=kind, question=5, measured=1.25, came="bid ü")
        for seat, kind, count in others.get("faults", ())
        for _ in range(count)
    )
    game = result(number, scores, digest=text_digest(record), **others)
    return JournalEntry(game, record, evidence)


def execute(place: str | URL, *statements: str) -> Sequence[Any]:
    """What the last of the statements gives, each in a transaction of its own.

    As another program would, beside the store: on a database of either kind.
    """
    url = make_url(place)
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            rows: Sequence[Any] = ()
            for statement in statements:
                found = connection.execute(text(statement))
                rows = found.all() if found.returns_rows else ()
            return rows
    finally:
        engine.dispose()


def new_postgres(server: str) -> URL:
    """A new database on a server, with nothing in it."""
    name = f"pitch_{uuid.uuid4().hex}"
    execute(server, f'CREATE DATABASE "{name}" TEMPLATE template0')
    return make_url(server).set(database=name)


def cut_all(server: URL, place: URL | None = None) -> None:
    """Ends all sessions of a database, as an operator or a restart does."""
    execute(
        server,
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        f"WHERE datname = '{(place or server).database}' AND pid <> pg_backend_pid()",
    )
