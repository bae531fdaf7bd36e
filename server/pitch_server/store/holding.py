"""Holding a database: one process plays in it at a time.

Here belongs the lock that a playing process keeps. It is the operating system's, so it ends with
its process, even by kill -9. Reading, closing and withdrawing need no lock.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL

from pitch_server.store.database import database_name, database_path
from pitch_server.store.errors import DatabaseHeld, JournalError

__all__ = ["hold_database"]


@contextmanager
def hold_database(database: URL | Path) -> Iterator[None]:
    """Within it no other process can hold the database; DatabaseHeld if one does already.

    The lock is on a file beside the database, `NAME.lock`, which stays: were it removed, two
    processes could each lock a file of that name. Of a database on a server the caller must see
    to it himself.
    """
    path = database_path(database)
    if path is None:
        yield
        return
    lock = path.with_name(path.name + ".lock")
    name = database_name(database)
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
