"""A database of schema 1, as the code of that time wrote it, goes on with all that is in it."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import inspect

from pitch_server.guest import GuestSettings
from pitch_server.plan.games import Plan
from pitch_server.scores.standings import standings
from pitch_server.store.database import Database
from pitch_server.store.errors import JournalError
from pitch_server.store.journal import Journal, list_tournaments
from pitch_server.store.rows import Crash, FaultEvidence, State
from pitch_server.store.schema import METADATA, VERSION
from pitch_server.verify import verify
from plan.making import make_settings
from verify.making import SEED, play

SETTINGS = make_settings(2, boards=3)
PLAYED = (0, 1, 2, 4)


def old_database(path: Path) -> Path:
    """The games 0, 1, 2 and 4 of six, with evidence, a command and a token."""
    connection = sqlite3.connect(path)
    connection.executescript(Path(__file__).with_name("version-1.sql").read_text("utf-8"))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    return path


def schema_of(path: Path) -> int:
    connection = sqlite3.connect(path)
    found: int = connection.execute("select version from pitch_schema").fetchone()[0]
    connection.close()
    return found


def test_reading_an_old_database_changes_nothing_in_it(tmp_path: Path) -> None:
    file = old_database(tmp_path / "old.db")
    before = file.read_bytes()
    assert [row.name for row in list_tournaments(file)] == ["test"]
    with Journal.open(file) as journal:
        entries = list(journal.entries())
        assert [entry.result.number for entry in entries] == list(PLAYED)
        assert entries[1].evidence[0] == FaultEvidence(
            0, "timeout", 4, 1.0, 1.25, 0.001, 0.5, 0.002, "bid ü", "pass bid-2", "pass"
        )
        a, b = journal.entrants()
        assert (a.command, a.processes, a.guest) == (("{python}", "a.py"), 1, GuestSettings())
        assert b.token_hash == "f" * 64
        assert list(journal.crashes()) == []
    assert file.read_bytes() == before
    assert schema_of(file) == 1


def test_an_old_tournament_is_played_on_and_verified(tmp_path: Path) -> None:
    file = old_database(tmp_path / "old.db")
    with Journal.open(file) as journal:
        missing = [game for game in Plan(SETTINGS) if game.number not in journal.played()]
        assert [game.number for game in missing] == [3, 5]
        journal.append([play(SETTINGS, game, faulty=0.1) for game in missing])
        journal.note_crash(3, 1, "Traceback")
        journal.set_guest("a", 2, GuestSettings(nice=3))
        assert list(journal.crashes()) == [Crash(3, 1, "Traceback")]
        assert [entry.result.number for entry in journal.entries()] == list(range(6))
        table = standings(
            SETTINGS,
            Plan(SETTINGS),
            journal.results(),
            commitment=journal.commitment,
            seed=SEED,
        )
        journal.end(State.FINISHED, table)
    assert schema_of(file) == VERSION
    with Journal.open(file) as journal:
        assert journal.settings.entrants[0].processes == 2
        assert journal.settings.entrants[0].guest == GuestSettings(nice=3)
        assert verify(journal).difference is None


def test_a_migrated_database_has_the_tables_of_a_new_one(tmp_path: Path) -> None:
    file = old_database(tmp_path / "old.db")
    database = Database(file)
    with database.writing() as connection:
        found = {
            name: {column["name"] for column in inspect(connection).get_columns(name)}
            for name in inspect(connection).get_table_names()
        }
    database.close()
    assert found == {name: set(table.columns.keys()) for name, table in METADATA.tables.items()}


def test_a_migration_is_in_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = old_database(tmp_path / "old.db")
    with Journal.open(file) as journal:
        with monkeypatch.context() as patch:
            patch.setattr(
                "pitch_server.store.migrations._STEPS", {1: ("CREATE TABLE x (y INTEGER)", "odd")}
            )
            with pytest.raises(JournalError, match=r"old\.db can't be used"):
                journal.withdraw("a")
        assert schema_of(file) == 1
        assert len(list(journal.entries())) == len(PLAYED)
        journal.withdraw("a")
        assert schema_of(file) == VERSION


def test_an_old_database_that_cannot_be_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = old_database(tmp_path / "old.db")
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with Journal.open(file) as journal:
        assert len(list(journal.entries())) == len(PLAYED)
        with pytest.raises(JournalError, match="can't be written"):
            journal.withdraw("a")
