import sqlite3

import pytest
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError

from pitch_server.store.errors import JournalError, ServerGone, clear_errors


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


class ServerError(Exception):
    """As psycopg's, with a state."""

    def __init__(self, state: str | None, text: str = "some words\nLINE 1: select") -> None:
        super().__init__(text)
        self.sqlstate = state


@pytest.mark.parametrize(
    ("state", "gone", "sentence"),
    [
        ("53100", False, "can't grow: the server's disk is full"),
        ("55P03", False, "is locked by another program"),
        ("25006", False, "can't be written"),
        ("42501", False, "can't be used: .* no permission to use it"),
        ("XX001", False, "is damaged"),
        ("42P01", False, "can't be used: some words$"),
        ("57P01", True, "can't be reached: some words$"),
        ("08006", True, "can't be reached: some words$"),
        ("53300", True, "can't be reached: some words$"),
    ],
)
def test_a_servers_states_become_sentences(state: str, gone: bool, sentence: str) -> None:
    with pytest.raises(JournalError, match=f"^x {sentence}") as caught, clear_errors("x"):
        raise DBAPIError("select", {"seed": "secret"}, ServerError(state))
    assert isinstance(caught.value, ServerGone) is gone
    assert "secret" not in str(caught.value)


def test_of_several_attempts_to_connect_the_last_is_told() -> None:
    text = (
        "Multiple connection attempts failed. All failures were:\n"
        "- host: 'localhost', hostaddr: '::1': connection failed: A\n"
        "- host: 'localhost', hostaddr: '127.0.0.1': connection failed: refused\n"
    )
    lost = type("OperationalError", (ServerError,), {})
    with pytest.raises(ServerGone, match=r"^x can't be reached: refused$"), clear_errors("x"):
        raise DBAPIError("", {}, lost(None, text))
