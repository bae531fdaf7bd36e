"""Errors of the store, each one sentence for whoever typed the command.

JournalError               the database can't be used as asked; its text says which and why
├── NoDatabase             there is none there
├── NoTournament           there is one, and nothing in it yet
├── ExportRefused          its records are still secret
├── DatabaseHeld           another process plays in it
├── TournamentOver         it takes no more games
└── Damaged                something in it is not as we write it
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError

__all__ = [
    "Damaged",
    "DamagedRow",
    "DatabaseHeld",
    "ExportRefused",
    "JournalError",
    "NoDatabase",
    "NoTournament",
    "TournamentOver",
    "clear_errors",
]


class JournalError(Exception):
    """A database that can't be used as asked; the text is one sentence that names it."""


class NoDatabase(JournalError):
    """There is no database at that place."""


class NoTournament(JournalError):
    """The database is empty, or holds no tournament."""


class ExportRefused(JournalError):
    """The tournament goes on, and its records would tell the boards to those who still play."""


class DatabaseHeld(JournalError):
    """Another process plays a tournament in this database."""


class TournamentOver(JournalError):
    """The tournament is finished or closed and takes no more games."""


class Damaged(JournalError):
    """Something in the database is not as we write it."""


class DamagedRow(ValueError):
    """A row that is not as we write it, before it is known in which database."""


# By the beginning of SQLite's name of the error; the first that fits.
_SENTENCES = {
    "SQLITE_NOTADB": "is not a database of ours (it is no SQLite file)",
    "SQLITE_CORRUPT": "is damaged; take a copy of it from a backup",
    "SQLITE_BUSY": "is locked by another program that writes to it; try again when it has ended",
    "SQLITE_LOCKED": "is locked by another program that writes to it; try again when it has ended",
    "SQLITE_READONLY": "can't be written: the file or its directory is read-only",
    "SQLITE_CANTOPEN": "can't be opened: its directory must exist and be writable",
    "SQLITE_FULL": "can't grow: the disk is full",
    "SQLITE_IOERR": "can't be read or written: the disk reports an error, or the file is cut off",
    "SQLITE_PERM": "can't be opened: permission denied",
    "SQLITE_AUTH": "can't be opened: permission denied",
    "SQLITE_NOMEM": "needs more memory than there is",
}


@contextmanager
def clear_errors(place: str) -> Iterator[None]:
    """Within it what a database raises becomes a JournalError that names the place."""
    try:
        yield
    except DamagedRow as error:
        raise Damaged(f"{place} is damaged: {error}") from error
    except DBAPIError as error:
        raise JournalError(f"{place} {_sentence(error.orig or error)}") from error
    except sqlite3.Error as error:  # while a connection is being set up
        raise JournalError(f"{place} {_sentence(error)}") from error
    except (NoSuchModuleError, ImportError) as error:
        raise JournalError(f"{place} needs a driver that is not installed: {error}") from error
    except SQLAlchemyError as error:
        raise JournalError(f"{place} can't be used: {error}") from error


def _sentence(error: BaseException) -> str:
    name = getattr(error, "sqlite_errorname", None) or ""
    for beginning, sentence in _SENTENCES.items():
        if name.startswith(beginning):
            return sentence
    first_line = (str(error).strip() or type(error).__name__).splitlines()[0]
    return f"can't be used: {first_line}"
