"""SQLite as an embedded database: its file, its address and the settings of a connection.

Here belongs what is true of SQLite alone. It runs with a write-ahead log and `synchronous=FULL`:
a commit is on the disk when it returns, so a finished game survives kill -9 and a power cut.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event

from pitch_server.store.errors import JournalError
from pitch_server.store.schema import version

__all__ = ["FileWatch", "create_file", "sqlite_engine"]

BUSY_SECONDS = 5.0

_Identity = tuple[int, int]


def sqlite_engine(path: Path) -> Engine:
    """The engine of a file; its transactions write where the option `pitch_writes` says so."""
    engine = create_engine(_url(path))
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def create_file(path: Path, name: str) -> None:
    """Make an empty file that only its owner can read: the seed will be in it.

    One that is there is not opened. Closing a file lets go of every lock that this process has on
    it, those of connections too: the next reader that ends would then remove the log beside it.
    """
    try:
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
        path.stat()  # a link that leads to itself is there, and leads nowhere
    except OSError as error:
        raise JournalError(f"{name} can't be made: {error.strerror}") from error


class FileWatch:
    """Whether a database that is open is still the one at its place.

    SQLite writes on to files that were removed, and what we write, nobody would find. It looks by
    stat() alone: who opens and closes a file loses all locks that SQLite has on it.
    """

    def __init__(self, path: Path, place: str) -> None:
        self._path = path
        self._log = path.with_name(path.name + "-wal")
        self._place = place
        self._identity, self._size = _look(path)
        self._log_identity: _Identity | None = None

    def check(self) -> None:
        """JournalError if the file, or its log, is another one now, or none, or was cut.

        To be asked within a transaction that has written: then there is a log.
        """
        identity, size = _look(self._path)
        if identity != self._identity:
            raise JournalError(f"{self._place} was removed or replaced by another file meanwhile")
        if size < self._size:  # without VACUUM it only grows
            raise JournalError(f"{self._place} was cut off meanwhile")
        self._size = size
        log, _ = _look(self._log)
        if self._log_identity not in (None, log):
            raise JournalError(f"{self._log} was removed or replaced by another file meanwhile")
        self._log_identity = log


def _look(path: Path) -> tuple[_Identity | None, int]:
    """What tells a file from any other, and its size; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None, 0
    return (status.st_dev, status.st_ino), status.st_size


def _url(path: Path) -> URL:
    """The URL of a file, opened as immutable if it is one, such as on a read-only medium.

    SQLite else needs to write beside it, even to read. While somebody has it open with the right
    to write, there is a log beside it.
    """
    log = path.with_name(path.name + "-wal")
    if path.is_file() and not log.exists() and not os.access(path.parent, os.W_OK):
        frozen = {"immutable": "1", "uri": "true"}
        return URL.create("sqlite", database=f"file:{quote(str(path))}", query=frozen)
    return URL.create("sqlite", database=str(path))


def _is_foreign(cursor: Any) -> bool:
    """Whether tables are there, and none of ours: a database of another program stays as it is."""
    tables = {name for (name,) in cursor.execute("SELECT name FROM sqlite_master")}
    return bool(tables) and version.name not in tables


def _set_up(connection: Any, _: object) -> None:
    # BEGIN is ours to say (below), not the driver's
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")
    if not _is_foreign(cursor):  # it is written into the file, for good
        cursor.execute("PRAGMA journal_mode = WAL")
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    # A writer takes its lock at once: two that began by reading could only fail each other.
    writes = connection.get_execution_options().get("pitch_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
