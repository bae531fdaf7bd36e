"""Databases: opening one so that what is committed survives, and nothing is opened by mistake.

Here belong addresses, the settings of a connection and the check that a database is ours. What
is kept in it belongs to `schema` and `journal`.

SQLite runs with a write-ahead log and `synchronous=FULL`: a commit is on the disk when it
returns, so a finished game survives kill -9 and a power cut.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, select

from pitch_server.store.errors import JournalError, NoDatabase, NoTournament, clear_errors
from pitch_server.store.schema import METADATA, VERSION, version

__all__ = ["Database", "create_database", "database_path", "open_database"]

BUSY_SECONDS = 5.0


def database_path(database: URL | Path) -> Path | None:
    """The file of an embedded database, absolute; None for one on a server."""
    if not isinstance(database, Path):
        if database.get_backend_name() != "sqlite":
            return None
        database = Path(database.database or "")
    return Path(os.path.realpath(database))  # not resolve(), which raises where links go in a loop


class Database:
    """An open database of ours. Usable from any thread; close it in the end."""

    def __init__(self, database: URL | Path) -> None:
        self.path = database_path(database)
        if self.path is None and isinstance(database, URL):
            self.place, url = database.render_as_string(hide_password=True), database
        else:
            self.place = str(database if isinstance(database, Path) else database.database)
            url = _sqlite_url(self.path or Path(self.place))
        self._file = _identity(self.path)
        with self.clear_errors():
            self._engine = _engine(url)

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()

    @contextmanager
    def clear_errors(self) -> Iterator[None]:
        """Within it what the database raises becomes a JournalError."""
        with clear_errors(self.place):
            yield

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees the database as it was at its first query, and locks nobody."""
        with self.clear_errors(), self._engine.connect() as connection:
            yield connection

    def _check_place(self) -> None:
        """JournalError if the file is another one now, or none: what we write, nobody would find.

        SQLite writes on to a file that was removed.
        """
        if self._file is not None and _identity(self.path) != self._file:
            raise JournalError(f"{self.place} was removed or replaced by another file meanwhile")

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that nobody else's can come between; committed at its end."""
        with (
            self.clear_errors(),
            self._engine.connect().execution_options(pitch_writes=True) as connection,
            connection.begin(),
        ):
            yield connection
            self._check_place()


def _identity(path: Path | None) -> tuple[int, int] | None:
    """What tells a file from any other; None if there is none."""
    try:
        status = None if path is None else path.stat()
    except OSError:
        return None
    return None if status is None else (status.st_dev, status.st_ino)


def open_database(database: URL | Path) -> Database:
    """A database that must be there and be ours."""
    path = database_path(database)
    if path is not None and not path.is_file():
        what = "a directory" if path.is_dir() else "no file"
        raise NoDatabase(f"{database_name(database)}: there is {what} of that name, no database")
    return _checked(Database(database), create=False)


def create_database(database: URL | Path) -> Database:
    """A database that is ours, or made so if there is nothing in it yet."""
    path = database_path(database)
    if path is not None:
        _create_file(path, database_name(database))
    return _checked(Database(database), create=True)


def database_name(database: URL | Path) -> str:
    """How messages name a database: never with a password."""
    if isinstance(database, Path):
        return str(database)
    path = database.database if database.get_backend_name() == "sqlite" else None
    return path or database.render_as_string(hide_password=True)


def _create_file(path: Path, name: str) -> None:
    """Make an empty file that only its owner can read: the seed will be in it."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise JournalError(f"{name} can't be made: {error.strerror}") from error


def _checked(database: Database, *, create: bool) -> Database:
    try:
        _check(database, create=create)
    except BaseException:
        database.close()
        raise
    return database


def _check(database: Database, *, create: bool) -> None:
    with database.writing() if create else database.reading() as connection:
        tables = set(inspect(connection).get_table_names())
        if version.name not in tables:
            if tables:
                raise JournalError(f"{database.place} is a database of something else")
            if not create:
                raise NoTournament(f"{database.place} holds no tournament")
            METADATA.create_all(connection)
            connection.execute(version.insert().values(version=VERSION))
        found = connection.scalar(select(version.c.version))
    if found != VERSION:
        whose = "a newer" if found is not None and found > VERSION else "another"
        raise JournalError(
            f"{database.place} was written by {whose} version of Pitch Arena "
            f"(its schema is {found}, this version reads {VERSION})"
        )


def _sqlite_url(path: Path) -> URL:
    """The URL of a file, opened as immutable if it is one, such as on a read-only medium.

    SQLite else needs to write beside it, even to read. While somebody has it open with the right
    to write, there is a log beside it.
    """
    log = path.with_name(path.name + "-wal")
    if path.is_file() and not log.exists() and not os.access(path.parent, os.W_OK):
        frozen = {"immutable": "1", "uri": "true"}
        return URL.create("sqlite", database=f"file:{quote(str(path))}", query=frozen)
    return URL.create("sqlite", database=str(path))


def _engine(url: URL) -> Engine:
    engine = create_engine(url)
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _: object) -> None:
    # BEGIN is ours to say (below), not the driver's
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout = {int(BUSY_SECONDS * 1000)}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its lock at once: two that began by reading could only fail each other.
    writes = connection.get_execution_options().get("pitch_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
