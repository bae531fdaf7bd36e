"""Holding a database: one process plays in it at a time.

Here belong the lock that a playing process keeps and the number that tells its writes from those
of a process that had the lock before (fencing). The lock ends with its process, even by kill -9.
Reading needs no hold.

A lock alone is not enough: a process may be cut off from a server, or stopped for a while, and
not know that another has taken its place. So each hold raises `pitch_schema.holder`, and a
journal that is held writes only while that number is its own.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, select

from pitch_server.store.database import Database, create_database, database_name, database_path
from pitch_server.store.errors import DatabaseHeld, JournalError
from pitch_server.store.schema import version
from pitch_server.store.session_lock import SessionLock

__all__ = ["Hold", "hold_database"]


class Hold:
    """That this process plays in a database; give it to the journal that it plays by."""

    def __init__(self, place: str, number: int) -> None:
        """`number` is that of this hold, higher than of all before it."""
        self.place = place
        self.number = number
        self.lost: JournalError | None = None
        self._on_loss: Callable[[JournalError], None] | None = None

    def check(self, connection: Connection) -> None:
        """DatabaseHeld if another process has taken the database since; within a transaction."""
        if connection.scalar(select(version.c.holder)) != self.number:
            raise DatabaseHeld(
                f"{self.place} was taken by another process, which plays in it now; "
                "this one had lost its hold and stops"
            )

    def on_loss(self, told: Callable[[JournalError], None] | None) -> None:
        """Whom to tell, from a thread of ours, that the hold is lost; at once if it is already."""
        self._on_loss = told
        if told is not None and self.lost is not None:
            told(self.lost)

    def lose(self, error: JournalError) -> None:
        """The hold is lost, and can't be taken back."""
        self.lost = error
        if self._on_loss is not None:
            self._on_loss(error)


@contextmanager
def hold_database(database: URL | Path) -> Iterator[Hold]:
    """Within it no other process can hold the database; DatabaseHeld if one does already.

    The database is made if there is none. Of an embedded one the lock is on a file beside it,
    `NAME.lock`, which stays: were it removed, two processes could each lock a file of that name.
    Of one on a server it is a lock of a session, which is watched.
    """
    path = database_path(database)
    if path is not None:
        with _file_lock(path, database_name(database)), _opened(database) as opened:
            yield _raised(opened)
        return
    with _opened(database) as opened, SessionLock(opened.engine, opened.place) as lock:
        hold = _raised(opened)
        with lock.watched(lambda: _still_ours(opened, hold), hold.lose):
            yield hold


@contextmanager
def _opened(database: URL | Path) -> Iterator[Database]:
    opened = create_database(database)
    try:
        yield opened
    finally:
        opened.close()


def _raised(database: Database) -> Hold:
    with database.writing() as connection:
        raised = version.update().values(holder=version.c.holder + 1).returning(version.c.holder)
        return Hold(database.place, connection.execute(raised).scalar_one())


def _still_ours(database: Database, hold: Hold) -> None:
    with database.reading() as connection:
        hold.check(connection)


@contextmanager
def _file_lock(path: Path, name: str) -> Iterator[None]:
    lock = path.with_name(path.name + ".lock")
    try:
        # not inherited: a bot that outlives us must not keep it
        file = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise JournalError(f"{lock} can't be made: {error.strerror}") from error
    try:
        _lock(file, name)
        yield
    finally:
        os.close(file)


def _lock(file: int, name: str) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.pread(file, 32, 0).decode("ascii", "replace").strip()
        by = f" (process {owner})" if owner else ""
        raise DatabaseHeld(
            f"{name} is in use: another process{by} plays a tournament in it"
        ) from None
    os.ftruncate(file, 0)
    os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
