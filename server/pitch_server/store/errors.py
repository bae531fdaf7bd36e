"""Errors of the store, each one sentence for whoever typed the command.

JournalError               the database can't be used as asked; its text says which and why
├── NoDatabase             there is none there
├── ServerGone             the database's server can't be reached, perhaps for a moment
├── DatabaseBusy           another program locks it, perhaps for a moment
├── NoTournament           there is one, and nothing in it yet
├── ExportRefused          its records are still secret
├── DatabaseHeld           another process plays in it, or has taken it over
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
    "DatabaseBusy",
    "DatabaseHeld",
    "ExportRefused",
    "JournalError",
    "NoDatabase",
    "NoTournament",
    "ServerGone",
    "TournamentOver",
    "clear_errors",
]


class JournalError(Exception):
    """A database that can't be used as asked; the text is one sentence that names it."""


class NoDatabase(JournalError):
    """There is no database at that place."""


class ServerGone(JournalError):
    """The server of the database can't be reached; what was committed is there."""


class DatabaseBusy(JournalError):
    """Another program has the database locked for longer than we wait."""


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


_BUSY = "is locked by another program that writes to it; try again when it has ended"
# By the beginning of SQLite's name of the error; the first that fits.
_SENTENCES = {
    "SQLITE_NOTADB": "is not a database of ours (it is no SQLite file)",
    "SQLITE_CORRUPT": "is damaged; take a copy of it from a backup",
    "SQLITE_BUSY": _BUSY,
    "SQLITE_LOCKED": _BUSY,
    "SQLITE_READONLY": "can't be written: the file or its directory is read-only",
    "SQLITE_CANTOPEN": "can't be opened: its directory must exist and be writable",
    "SQLITE_FULL": "can't grow: the disk is full",
    "SQLITE_IOERR": "can't be read or written: the disk reports an error or is full, or the file "
    "is cut off",
    "SQLITE_PERM": "can't be opened: permission denied",
    "SQLITE_AUTH": "can't be opened: permission denied",
    "SQLITE_NOMEM": "needs more memory than there is",
}


# By PostgreSQL's SQLSTATE.
_STATES = {
    "53100": "can't grow: the server's disk is full",
    "55P03": _BUSY,
    "25006": "can't be written: the server takes no changes (is it a standby?)",
    "42501": "can't be used: the server gives this user no permission to use it",
    "XX001": "is damaged; take a copy of it from a backup",
    "XX002": "is damaged; take a copy of it from a backup",
    "58030": "can't be read or written: the server's disk reports an error",
}
# States that pass when the server is back: connections, resources, shutting down and starting.
_GONE = ("08", "53", "57P")


@contextmanager
def clear_errors(place: str) -> Iterator[None]:
    """Within it what a database raises becomes a JournalError that names the place."""
    try:
        yield
    except DamagedRow as error:
        raise Damaged(f"{place} is damaged: {error}") from error
    except UnicodeDecodeError as error:  # even SQLite's own messages quote what is no text
        raise Damaged(f"{place} is damaged: it holds a text that is none") from error
    except DBAPIError as error:
        raise _journal_error(place, error.orig or error) from error
    except sqlite3.Error as error:  # while a connection is being set up
        raise _journal_error(place, error) from error
    except (NoSuchModuleError, ImportError) as error:
        raise JournalError(
            f"{place} needs a driver that is not installed ({error}); "
            "for PostgreSQL install pitch-arena with its extra: pitch-arena[server,postgres]"
        ) from error
    except SQLAlchemyError as error:
        raise JournalError(f"{place} can't be used: {error}") from error


def _journal_error(place: str, error: BaseException) -> JournalError:
    if isinstance(error, sqlite3.Error):
        sentence = _of_sqlite(error)
    else:
        state = getattr(error, "sqlstate", None)
        # The driver has no state to tell where it has no connection.
        lost = state is None and type(error).__name__ == "OperationalError"
        if lost or ((state or "").startswith(_GONE) and state not in _STATES):
            return ServerGone(f"{place} can't be reached: {_reason(error)}")
        sentence = _STATES.get(state or "") or f"can't be used: {_reason(error)}"
    return (DatabaseBusy if sentence is _BUSY else JournalError)(f"{place} {sentence}")


def _of_sqlite(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", None) or ""
    for beginning, sentence in _SENTENCES.items():
        if name.startswith(beginning):
            return sentence
    if "decode to UTF-8" in str(error):  # what follows is a text that may be secret
        return "is damaged: it holds a text that is none"
    return f"can't be used: {_reason(error)}"


def _reason(error: BaseException) -> str:
    """The line that says most: the first, or of several attempts to connect the last."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    attempts = [line for line in lines if line.startswith("- ")]
    line = (attempts or lines[:1] or [type(error).__name__])[-1]
    return line.rpartition("connection failed: ")[2].rstrip(".:")
