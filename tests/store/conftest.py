"""The databases that the store's tests run on: SQLite always, PostgreSQL where a server is named.

PITCH_TEST_POSTGRES is the URL of a server on which databases may be made and dropped; a server
that is named and does not answer is a failure, never a skip. Where none is named, `test_postgres`
says so.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import URL

from store.making import execute, new_postgres

NOT_HERE = "PostgreSQL is not tested here; to do so: .ci/postgres .venv/bin/pytest tests/store"
SERVER = os.environ.get("PITCH_TEST_POSTGRES")


@pytest.fixture
def postgres() -> Iterator[URL]:
    """A new database on the server."""
    assert SERVER, "tests of PostgreSQL are chosen only where a server is named"
    database = new_postgres(SERVER)
    try:
        yield database
    finally:
        execute(SERVER, f'DROP DATABASE "{database.database}" WITH (FORCE)')


@pytest.fixture(params=["sqlite", "postgres"] if SERVER else ["sqlite"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> URL:
    """A new database of each kind, with nothing in it."""
    if request.param == "sqlite":
        return URL.create("sqlite", database=str(tmp_path / "a.db"))
    database: URL = request.getfixturevalue("postgres")
    return database
