"""Databases: opening one so that what is committed survives, and nothing is opened by mistake.

Here belong addresses, transactions, and the check that a database is ours and of which version.
What is kept in it belongs to `schema` and `journal`, what one of the two kinds of database needs
alone to `sqlite` and `postgres`.

Reading never changes a database, not even an old one: what its version lacks is read as null.
The first transaction that writes brings it to ours, and is whole or not at all like any other.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Column, Connection, Engine, Select, Table, inspect, null, select
from sqlalchemy.sql.elements import ColumnElement

from pitch_server.store.errors import JournalError, NoDatabase, NoTournament, clear_errors
from pitch_server.store.migrations import migrate
from pitch_server.store.postgres import check_encoding, postgres_engine
from pitch_server.store.schema import METADATA, VERSION, columns, version
from pitch_server.store.sqlite import FileWatch, create_file, sqlite_engine

__all__ = [
    "Database",
    "closing_on_error",
    "create_database",
    "database_name",
    "database_path",
    "is_known",
    "known_column",
    "open_database",
    "select_known",
]

# What may stand in the query of a URL and is nobody's business.
_SECRETS = frozenset({"password", "sslpassword", "passfile", "sslkey"})


def database_path(database: URL | Path) -> Path | None:
    """The file of an embedded database, absolute; None for one on a server."""
    if not isinstance(database, Path):
        if database.get_backend_name() != "sqlite":
            return None
        database = Path(database.database or "")
    return Path(os.path.realpath(database))  # not resolve(), which raises where links go in a loop


def database_name(database: URL | Path) -> str:
    """How messages name a database: never with a password."""
    if isinstance(database, Path):
        return str(database)
    if database.get_backend_name() == "sqlite":
        return database.database or ""
    shown = database.difference_update_query(_SECRETS)
    return shown.render_as_string(hide_password=True)


class Database:
    """An open database of ours. Usable from any thread; close it in the end."""

    def __init__(self, database: URL | Path) -> None:
        self.path = database_path(database)
        self.place = database_name(database)
        self._file = None if self.path is None else FileWatch(self.path, self.place)
        with self.clear_errors():
            self.engine = _engine(database, self.path, self.place)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    @contextmanager
    def clear_errors(self) -> Iterator[None]:
        """Within it what the database raises becomes a JournalError."""
        with clear_errors(self.place):
            yield

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees the database as it was at its first query, and locks nobody.

        What it reads of tables is chosen by `select_known`: the database may be an older one.
        """
        with self._transaction(writes=False) as connection:
            connection.execution_options(pitch_schema=self._version(connection))
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that nobody else's can come between; committed at its end."""
        with self._transaction(writes=True) as connection:
            found = self._version(connection)
            if found < VERSION:
                migrate(connection, found)
            connection.execution_options(pitch_schema=VERSION)
            yield connection
            if self._file is not None:
                self._file.check()

    def check(self) -> None:
        """JournalError if it is not ours, or of a version that is not known here."""
        with self._transaction(writes=False) as connection:
            if not self._is_ours(connection):
                raise NoTournament(f"{self.place} holds no tournament")
            self._version(connection)

    def make(self) -> None:
        """Make it ours if there is nothing in it yet; JournalError if it can't be."""
        with self._transaction(writes=True) as connection:
            if self._is_ours(connection):
                self._version(connection)
                return
            if self.path is None:
                check_encoding(connection, self.place)
            METADATA.create_all(connection)
            connection.execute(version.insert().values(version=VERSION))

    def _is_ours(self, connection: Connection) -> bool:
        """Whether our tables are in it; JournalError if others are."""
        tables = set(inspect(connection).get_table_names())
        if version.name in tables:
            return True
        if tables:
            raise JournalError(f"{self.place} is a database of something else")
        return False

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Connection]:
        options: dict[str, Any] = {"pitch_writes": writes}
        if self.path is None and not writes:
            options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with (
            self.clear_errors(),
            self.engine.connect().execution_options(**options) as connection,
            connection.begin(),
        ):
            yield connection

    def _version(self, connection: Connection) -> int:
        found: int | None = connection.scalar(select(version.c.version))
        if found is not None and 1 <= found <= VERSION:
            return found
        whose = "a newer" if found is not None and found > VERSION else "another"
        raise JournalError(
            f"{self.place} was written by {whose} version of Pitch Arena "
            f"(its schema is {found}, this version reads up to {VERSION})"
        )


def is_known(connection: Connection, table: Table) -> bool:
    """Whether a database is new enough to have a table."""
    found: int = connection.get_execution_options()["pitch_schema"]
    return bool(table.info.get("since", 1) <= found)


def select_known(connection: Connection, table: Table) -> Select[Any]:
    """A query of all columns of a table: null for those that the database is too old for."""
    return select(*columns(table, connection.get_execution_options()["pitch_schema"]))


def known_column(connection: Connection, column: Column[Any]) -> ColumnElement[Any]:
    """A column for a query: null in a database that is too old for it."""
    found: int = connection.get_execution_options()["pitch_schema"]
    return column if column.info.get("since", 1) <= found else null().label(column.name)


def open_database(database: URL | Path) -> Database:
    """A database that must be there and be ours."""
    path = database_path(database)
    if path is not None and not path.is_file():
        what = "a directory" if path.is_dir() else "no file"
        raise NoDatabase(f"{database_name(database)}: there is {what} of that name, no database")
    opened = Database(database)
    with closing_on_error(opened):
        opened.check()
    return opened


def create_database(database: URL | Path) -> Database:
    """A database that is ours, or made so if there is nothing in it yet."""
    path = database_path(database)
    if path is not None:
        create_file(path, database_name(database))
    opened = Database(database)
    with closing_on_error(opened):
        opened.make()
    return opened


@contextmanager
def closing_on_error(database: Database) -> Iterator[None]:
    """Within it a database is let go of if something goes wrong."""
    try:
        yield
    except BaseException:
        database.close()
        raise


def _engine(database: URL | Path, path: Path | None, place: str) -> Engine:
    if path is None and isinstance(database, URL):
        return postgres_engine(database, place)
    return sqlite_engine(path or Path(str(database)))
