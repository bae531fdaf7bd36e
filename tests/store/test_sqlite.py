"""What is true of SQLite alone: files that are no database of ours, or no longer a whole one."""

import sqlite3
from pathlib import Path

import pytest

from pitch_server.scores.results import GameResult
from pitch_server.store.errors import Damaged, JournalError, NoDatabase
from pitch_server.store.journal import Journal, list_tournaments
from pitch_server.store.rows import State
from plan.making import make_settings
from store.making import entry


def sqlite_file(path: Path, *statements: str) -> Path:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def test_what_is_no_journal_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase, match=r"none\.db: there is no file of that name"):
        Journal.open(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(NoDatabase, match="there is a directory"):
        Journal.open(tmp_path)
    text = tmp_path / "text.db"
    text.write_text("not a database at all, but long enough to be looked at" * 100)
    with pytest.raises(JournalError, match=r"text\.db is not a database of ours"):
        Journal.open(text)
    with pytest.raises(JournalError, match=r"text\.db is not a database of ours"):
        Journal.create(text, make_settings(2), "s")
    other = sqlite_file(tmp_path / "other.db", "create table birds (name)")
    with pytest.raises(JournalError, match="is a database of something else"):
        Journal.open(other)
    with pytest.raises(JournalError, match="is a database of something else"):
        Journal.create(other, make_settings(2), "s")
    empty = tmp_path / "empty.db"
    empty.touch()
    with pytest.raises(JournalError, match="holds no tournament"):
        Journal.open(empty)
    with pytest.raises(JournalError, match=r"x\.db can't be made: No such file or directory"):
        Journal.create(tmp_path / "no" / "x.db", make_settings(2), "s")
    (tmp_path / "loop.db").symlink_to("loop.db")
    with pytest.raises(JournalError, match=r"loop\.db can't be made: Too many levels"):
        Journal.create(tmp_path / "loop.db", make_settings(2), "s")


def test_a_truncated_database_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    with Journal.create(file, make_settings(2), "s") as journal:
        journal.append([entry(number) for number in range(2000)])
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])

    def read() -> list[GameResult]:
        with Journal.open(file) as journal:
            return list(journal.results())

    with pytest.raises(JournalError, match=r"a\.db (is damaged|can't be read)"):
        read()


def test_a_locked_database_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitch_server.store.sqlite.BUSY_SECONDS", 0.05)
    file = tmp_path / "a.db"
    with Journal.create(file, make_settings(2), "s") as journal:
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            with pytest.raises(JournalError, match="is locked by another program"):
                journal.append([entry(0)])
            assert list(journal.results()) == []
        finally:
            other.close()
        assert journal.append([entry(0)]) == (0,)


@pytest.mark.parametrize("replaced", [False, True])
def test_a_database_that_is_gone_takes_no_more(tmp_path: Path, replaced: bool) -> None:
    """SQLite would write on to the file that was removed, and all would be lost at the end."""
    settings, file = make_settings(2), tmp_path / "a.db"
    with Journal.create(file, settings, "s") as journal:
        file.rename(tmp_path / "b.db")
        if replaced:
            file.touch()
        with pytest.raises(JournalError, match=r"a\.db was removed or replaced"):
            journal.append([entry(0)])


def test_the_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    Journal.create(tmp_path / "a.db", make_settings(2), "s").close()
    assert (tmp_path / "a.db").stat().st_mode & 0o077 == 0


def test_paths_may_hold_anything(tmp_path: Path) -> None:
    file = tmp_path / "ä ?mode=ro#%20.db"
    with Journal.create(file, make_settings(2), "s") as journal:
        journal.append([entry(0)])
    assert file.is_file()


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("update games set scores = 'x'", "the row of game 0 can't be read"),
        ("update games set scores = '[1]'", "game 0 has sides or seats that are not there"),
        ("update games set winner = 2", "game 0 has sides or seats that are not there"),
        ("update games set forfeits = '[[0]]'", "the row of game 0 can't be read"),
        ("update games set faults = '[[4, \"timeout\", 1]]'", "game 0 has sides or seats"),
        ("update games set digest = 5", None),  # a column of text makes it text
        ("update games set number = 99", "game 99 is not in the plan of 8 games"),
        ("update records set record = x'ff'", "the record of game 0 is no text"),
        ("update faults set kind = x'ff'", "a fault of game 0 can't be read"),
        ("update tournaments set seed = x'ff'", "the tournament's seed can't be"),
        ("update tournaments set state = 'odd'", "state can't be 'odd'"),
        ("update entrants set command = '['", "the command of entrant 'a' can't be read"),
    ],
)
def test_a_damaged_row_is_told_in_a_sentence(
    tmp_path: Path, statement: str, sentence: str | None
) -> None:
    file = tmp_path / "a.db"
    with Journal.create(file, make_settings(2), "s") as journal:
        journal.append([entry(0, faults=((1, "timeout", 1),))])
    sqlite_file(file, statement)

    def read() -> None:
        list_tournaments(file)
        with Journal.open(file) as journal:
            assert journal.state() is State.RUNNING
            list(journal.results())
            list(journal.records())
            list(journal.entries())

    if sentence is None:
        read()
        return
    with pytest.raises(Damaged, match=f"a.db is damaged: .*{sentence}"):
        read()


def test_on_a_medium_that_cannot_be_written_it_is_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a?b#c %41.db"
    with Journal.create(file, make_settings(2), "s") as journal:
        journal.append([entry(0)])
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with Journal.open(file) as journal:
        assert len(list(journal.results())) == 1
        assert [path.name for path in tmp_path.iterdir()] == [file.name]  # nothing is put beside it
        with pytest.raises(JournalError, match="can't be written"):
            journal.append([entry(1)])
