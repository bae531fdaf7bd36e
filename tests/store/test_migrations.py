"""A database of each former schema, as the code of its time wrote it, goes on with all in it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import URL, MetaData, create_engine, inspect, select

from pitch_server.guest import GuestSettings
from pitch_server.plan.games import Plan
from pitch_server.published import published_analysis
from pitch_server.scores.standings import standings
from pitch_server.store.database import Database
from pitch_server.store.errors import JournalError
from pitch_server.store.journal import Journal, list_tournaments
from pitch_server.store.rows import Crash, FaultEvidence, State
from pitch_server.store.schema import METADATA, VERSION
from pitch_server.verify import verify
from plan.making import make_settings
from store.making import execute
from verify.making import SEED, play

SETTINGS = make_settings(2, boards=3)
PLAYED = (0, 1, 2, 4)


@pytest.fixture(name="former", params=[1, 2])
def former_version(request: pytest.FixtureRequest) -> int:
    """The version of the schema that the database has."""
    version: int = request.param
    return version


@pytest.fixture
def old(place: URL, tmp_path: Path, former: int) -> URL:
    """The games 0, 1, 2 and 4 of six, with evidence, a command and a token."""
    file = place.database if place.get_backend_name() == "sqlite" else str(tmp_path / "old.db")
    connection = sqlite3.connect(str(file))
    connection.executescript(Path(__file__).with_name(f"version-{former}.sql").read_text("utf-8"))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    if place.get_backend_name() != "sqlite":
        copy(URL.create("sqlite", database=str(file)), place)
    return place


def copy(one: URL, other: URL) -> None:
    """Tables and rows of a database into an empty one of another kind."""
    source, target = create_engine(one), create_engine(other.set(drivername="postgresql+psycopg"))
    with source.connect() as reader, target.begin() as writer:
        tables = MetaData()
        tables.reflect(reader)
        tables.create_all(writer)
        for table in tables.sorted_tables:
            rows = [row._asdict() for row in reader.execute(select(table))]
            if rows:
                writer.execute(table.insert(), rows)
    source.dispose()
    target.dispose()


def schema_of(place: URL) -> int:
    found: int = execute(place, "select version from pitch_schema")[0][0]
    return found


def test_reading_an_old_database_changes_nothing_in_it(old: URL, former: int) -> None:
    assert [row.name for row in list_tournaments(old)] == ["test"]
    with Journal.open(old) as journal:
        entries = list(journal.entries())
        assert [entry.result.number for entry in entries] == list(PLAYED)
        assert entries[1].evidence[0] == FaultEvidence(
            0, "timeout", 4, 1.0, 1.25, 0.001, 0.5, 0.002, "bid ü", "pass bid-2", "pass"
        )
        a, b = journal.entrants()
        assert (a.command, a.processes, a.guest) == (("{python}", "a.py"), 1, GuestSettings())
        assert b.token_hash == "f" * 64
        assert list(journal.crashes()) == []
        assert journal.stopped() is None
        assert journal.answer_times() == {}
        play = published_analysis(journal, resamples=0)["analysis"]["play"]  # from the records
        assert [row["hands"] for row in play] == [len(PLAYED)] * 2
    assert schema_of(old) == former


def test_an_old_tournament_is_played_on_and_verified(old: URL) -> None:
    with Journal.open(old) as journal:
        missing = [game for game in Plan(SETTINGS) if game.number not in journal.played()]
        assert [game.number for game in missing] == [3, 5]
        journal.append([play(SETTINGS, game, faulty=0.1) for game in missing])
        journal.note_crash(3, 1, "Traceback")
        journal.note_stop(6)
        assert journal.stopped() == 6
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
    assert schema_of(old) == VERSION
    with Journal.open(old) as journal:
        assert journal.settings.entrants[0].processes == 2
        assert journal.settings.entrants[0].guest == GuestSettings(nice=3)
        assert verify(journal).difference is None


def test_a_migrated_database_has_the_tables_of_a_new_one(old: URL) -> None:
    database = Database(old)
    with database.writing() as connection:
        found = {
            name: {column["name"] for column in inspect(connection).get_columns(name)}
            for name in inspect(connection).get_table_names()
        }
    database.close()
    assert found == {name: set(table.columns.keys()) for name, table in METADATA.tables.items()}


def test_a_migration_is_in_whole_or_not_at_all(
    old: URL, former: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.open(old) as journal:
        with monkeypatch.context() as patch:
            steps = {former: ("CREATE TABLE x (y INTEGER)", "odd")}
            patch.setattr("pitch_server.store.migrations._STEPS", steps)
            with pytest.raises(JournalError, match=r" can't be used: .*\bodd\b"):
                journal.withdraw("a")
        assert schema_of(old) == former
        assert len(list(journal.entries())) == len(PLAYED)
        journal.withdraw("a")
        assert schema_of(old) == VERSION


@contextmanager
def unwritable(place: URL, monkeypatch: pytest.MonkeyPatch) -> Iterator[URL]:
    """The database for somebody who may only read it."""
    if place.get_backend_name() == "sqlite":
        with monkeypatch.context() as patch:
            patch.setattr("os.access", lambda path, mode: False)
            yield place
        return
    role = f"reader_of_{place.database}"
    execute(place, f'CREATE ROLE "{role}" LOGIN IN ROLE pg_read_all_data')
    try:
        yield place.set(username=role)
    finally:
        execute(place, f'DROP ROLE "{role}"')


def test_an_old_database_is_read_by_who_may_not_write_it(
    old: URL, former: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with unwritable(old, monkeypatch) as place, Journal.open(place) as journal:
        assert len(list(journal.entries())) == len(PLAYED)
        with pytest.raises(JournalError, match=r"can't be written|no permission"):
            journal.withdraw("a")
    assert schema_of(old) == former


def test_a_newer_program_may_migrate_it_while_we_play(place: URL) -> None:
    with Journal.create(place, SETTINGS, SEED) as journal:
        execute(place, "UPDATE pitch_schema SET version = 99")
        with pytest.raises(JournalError, match="by a newer version of Pitch Arena"):
            journal.withdraw("a")
        with pytest.raises(JournalError, match="by a newer version of Pitch Arena"):
            journal.played()
