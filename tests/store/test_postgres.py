"""What is true of PostgreSQL alone: sessions that are cut, servers that are gone, encodings."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
from sqlalchemy import URL, make_url

from pitch_server.store.appending import insert_new
from pitch_server.store.committer import Committer
from pitch_server.store.errors import DatabaseHeld, JournalError, ServerGone
from pitch_server.store.holding import Hold, hold_database
from pitch_server.store.journal import Journal
from plan.making import make_settings
from store.conftest import NOT_HERE, SERVER
from store.making import cut_all, entry, execute

if SERVER is None:
    pytest.skip(NOT_HERE, allow_module_level=True)

HOLDERS = """
    SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


@contextmanager
def locked_out(place: URL) -> Iterator[None]:
    """Within it the server lets nobody into the database: as good as gone."""
    assert SERVER
    allow = f'ALTER DATABASE "{place.database}" ALLOW_CONNECTIONS'
    execute(SERVER, f"{allow} false")
    try:
        cut_all(make_url(SERVER), place)
        yield
    finally:
        execute(SERVER, f"{allow} true")


def holders(place: URL) -> set[int]:
    return {row.pid for row in execute(place, HOLDERS)}


@contextmanager
def playing(place: URL) -> Iterator[tuple[Hold, Journal]]:
    """A new tournament, held."""
    with hold_database(place) as hold, Journal.create(place, make_settings(2), "s") as journal:
        journal.hold = hold
        yield hold, journal


def until(true: Callable[[], object]) -> None:
    """Waits for what another thread or process does; the test's own limit ends it."""
    while not true():
        threading.Event().wait(0.02)


@pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg"])
def test_both_forms_of_its_url_are_known(postgres: URL, scheme: str) -> None:
    with Journal.create(postgres.set(drivername=scheme), make_settings(2), "s") as journal:
        journal.append([entry(0)])
        assert len(journal.played()) == 1


def test_other_drivers_are_refused(postgres: URL) -> None:
    with pytest.raises(JournalError, match=r"expected postgresql:// or postgresql\+psycopg://"):
        Journal.open(postgres.set(drivername="postgresql+psycopg2"))


@pytest.mark.parametrize("how", ["in the address", "in the query"])
def test_no_message_has_a_password(postgres: URL, how: str) -> None:
    url = postgres.set(port=1)
    if how == "in the query":
        url = url.update_query_dict({"password": "hunter2"})
    else:
        url = url.set(password="hunter2")
    with pytest.raises(ServerGone, match=r"can't be reached: .*refused") as caught:
        Journal.open(url)
    assert "hunter2" not in str(caught.value)
    with Journal.create(url.set(port=postgres.port), make_settings(2), "s") as journal:
        assert "hunter2" not in journal.place
        assert "127.0.0.1" in journal.place


def test_a_database_that_is_not_there_is_told(postgres: URL) -> None:
    with pytest.raises(JournalError, match='database "nowhere" does not exist'):
        Journal.create(postgres.set(database="nowhere"), make_settings(2), "s")


def test_a_database_of_something_else_is_left_alone(postgres: URL) -> None:
    execute(postgres, "CREATE TABLE birds (name TEXT)")
    for use in (Journal.open, lambda place: Journal.create(place, make_settings(2), "s")):
        with pytest.raises(JournalError, match="is a database of something else"):
            use(postgres)
    assert execute(postgres, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(1,)]


def test_an_encoding_without_all_scripts_is_refused(postgres: URL) -> None:
    latin = f"{postgres.database}_latin"
    execute(
        postgres,
        f"CREATE DATABASE \"{latin}\" TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'",
    )
    try:
        with pytest.raises(JournalError, match=r"keeps text as LATIN1; expected .* 'UTF8'"):
            Journal.create(postgres.set(database=latin), make_settings(2), "s")
    finally:
        execute(postgres, f'DROP DATABASE "{latin}"')


def test_a_commit_is_on_the_disk_whatever_the_server_does_by_default(postgres: URL) -> None:
    execute(postgres, f'ALTER DATABASE "{postgres.database}" SET synchronous_commit = off')
    with (
        Journal.create(postgres, make_settings(2), "s") as journal,
        journal._writing() as connection,
    ):
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"


def test_tables_that_another_program_locks_are_told(
    postgres: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitch_server.store.postgres.BUSY_SECONDS", 0.05)
    with Journal.create(postgres, make_settings(2), "s") as journal:
        other = Journal.open(postgres)
        with other._writing() as connection:
            connection.exec_driver_sql("LOCK TABLE games")
            with pytest.raises(JournalError, match="is locked by another program"):
                journal.append([entry(0)])
        other.close()
        assert journal.append([entry(0)]) == (0,)


def test_a_connection_that_was_cut_between_two_commits_is_made_anew(postgres: URL) -> None:
    with Journal.create(postgres, make_settings(2), "s") as journal:
        journal.append([entry(0)])
        cut_all(postgres)
        assert journal.append([entry(1)]) == (1,)
        assert len(journal.played()) == 2


def test_a_connection_that_is_cut_within_a_commit_leaves_nothing_half(postgres: URL) -> None:
    with Journal.create(postgres, make_settings(2), "s") as journal:

        def cut_within() -> None:
            with journal._writing() as connection:
                insert_new(connection, journal._id, [entry(0)])
                cut_all(postgres)

        with pytest.raises(ServerGone, match="can't be reached"):
            cut_within()
        assert list(journal.results()) == []
        assert journal.append([entry(0)]) == (0,)


def test_a_hold_whose_session_is_cut_takes_it_back(postgres: URL) -> None:
    with (
        hold_database(postgres) as hold,
        Journal.create(postgres, make_settings(2), "s") as journal,
    ):
        journal.hold = hold
        before = holders(postgres)
        cut_all(postgres)
        until(lambda: holders(postgres) - before)
        assert hold.lost is None
        with pytest.raises(DatabaseHeld), hold_database(postgres):
            pass
        assert journal.append([entry(0)]) == (0,)


def test_a_hold_that_another_process_has_taken_is_lost(postgres: URL) -> None:
    told: list[JournalError] = []
    with (
        hold_database(postgres) as hold,
        Journal.create(postgres, make_settings(2), "s") as journal,
    ):
        journal.hold = hold
        hold.on_loss(told.append)
        execute(postgres, "UPDATE pitch_schema SET holder = holder + 1")  # as another hold does
        with pytest.raises(DatabaseHeld, match="was taken by another process"):
            journal.append([entry(0)])
        cut_all(postgres)
        until(lambda: told)
        assert "was taken by another process" in str(told[0])
        assert hold.lost is told[0]
    assert not holders(postgres)


def test_a_server_that_stays_away_ends_the_hold(
    postgres: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitch_server.store.postgres.PATIENCE_SECONDS", 0.0)
    told: list[JournalError] = []
    with hold_database(postgres) as hold:
        hold.on_loss(told.append)
        with locked_out(postgres):
            until(lambda: told)
    assert isinstance(told[0], ServerGone)


async def commit_while(
    journal: Journal, numbers: Sequence[int]
) -> tuple[Committer[int], list[int], list[Exception]]:
    """A committer at work, and what it has told so far."""
    done: list[int] = []
    failures: list[Exception] = []
    committer: Committer[int] = Committer(journal, entry, done.extend, failures.append)
    for number in numbers:
        committer.put(number)
    return committer, done, failures


async def true_soon(true: Callable[[], object]) -> None:
    await asyncio.to_thread(until, true)


async def test_a_server_that_comes_back_in_time_costs_nothing(postgres: URL) -> None:
    with (
        hold_database(postgres) as hold,
        Journal.create(postgres, make_settings(2), "s") as journal,
    ):
        journal.hold = hold
        with locked_out(postgres):
            committer, done, failures = await commit_while(journal, (0, 1, 2))
            await asyncio.sleep(0.2)
            assert (done, failures, committer.backlog) == ([], [], 3)
        await true_soon(lambda: len(done) == 3)
        await committer.close()
        assert (failures, committer.backlog, len(journal.played())) == ([], 0, 3)


async def test_a_server_that_stays_away_stops_the_tournament_once(
    postgres: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitch_server.store.postgres.PATIENCE_SECONDS", 0.0)
    with (
        hold_database(postgres) as hold,
        Journal.create(postgres, make_settings(2), "s") as journal,
    ):
        journal.hold = hold
        with locked_out(postgres):
            committer, done, failures = await commit_while(journal, (0, 1, 2))
            await true_soon(lambda: failures)
            await committer.close()
        assert done == []
        assert [type(failure) for failure in failures] == [ServerGone]
        assert str(failures[0]).startswith(f"{journal.place} can't be reached: ")
    with Journal.open(postgres) as journal:
        assert len(journal.played()) == 0


async def test_a_hold_that_is_lost_stops_the_tournament_without_a_game_to_commit(
    postgres: URL,
) -> None:
    with (
        hold_database(postgres) as hold,
        Journal.create(postgres, make_settings(2), "s") as journal,
    ):
        journal.hold = hold
        committer, _, failures = await commit_while(journal, ())
        execute(postgres, "UPDATE pitch_schema SET holder = holder + 1")
        cut_all(postgres)
        await true_soon(lambda: failures)
        await committer.close()
        assert [type(failure) for failure in failures] == [DatabaseHeld]
