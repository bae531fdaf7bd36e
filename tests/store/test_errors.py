import sqlite3

import pytest
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

from pitch_server.store.errors import JournalError, clear_errors


class NamedError(sqlite3.OperationalError):
    def __init__(self, name: str) -> None:
        super().__init__("some words")
        self.sqlite_errorname = name


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("SQLITE_READONLY", "read-only"),
        ("SQLITE_READONLY_DIRECTORY", "read-only"),
        ("SQLITE_CANTOPEN", "directory must exist"),
        ("SQLITE_FULL", "disk is full"),
        ("SQLITE_IOERR_SHORT_READ", "cut off"),
        ("SQLITE_BUSY_SNAPSHOT", "locked"),
        ("SQLITE_CORRUPT_INDEX", "damaged"),
        ("SQLITE_ODD", "can't be used: some words"),
    ],
)
def test_sqlites_errors_become_sentences(name: str, sentence: str) -> None:
    with pytest.raises(JournalError, match=rf"^x\.db .*{sentence}"), clear_errors("x.db"):
        raise OperationalError("select", {}, NamedError(name))
    with pytest.raises(JournalError, match=sentence), clear_errors("x.db"):
        raise NamedError(name)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (NoSuchModuleError("no plugin"), "needs a driver"),
        (ModuleNotFoundError("No module named 'psycopg'"), "needs a driver .*psycopg"),
        (ArgumentError("what"), "can't be used"),
    ],
)
def test_others_too(error: Exception, sentence: str) -> None:
    with pytest.raises(JournalError, match=sentence), clear_errors("x"):
        raise error
