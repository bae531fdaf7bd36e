import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL

from pitch_server.guest import GuestSettings
from pitch_server.plan.decks import commitment
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import EntrantSettings, Settings
from pitch_server.scores.results import GameResult
from pitch_server.scores.standings import standings
from pitch_server.store.errors import Damaged, JournalError, NoDatabase, TournamentOver
from pitch_server.store.journal import Journal, list_tournaments
from pitch_server.store.rows import Crash, EntrantRow, FaultEvidence, State
from plan.making import make_settings
from store.making import entry


def commanded() -> Settings:
    plain = make_settings(2)
    return Settings(
        name="cup",
        variant=plain.variant,
        format=plain.format,
        entrants=(
            EntrantSettings(name="a", command=("python", "bot.py")),
            EntrantSettings(
                name="ü b",
                processes=3,
                guest=GuestSettings(memory=1 << 30, nice=5, environment=(("Z", "1"), ("A", "ü"))),
            ),
        ),
    )


def test_a_tournament_comes_back_as_it_was_made(tmp_path: Path) -> None:
    settings = commanded()
    with Journal.create(tmp_path / "a.db", settings, "söd") as journal:
        assert journal.settings == settings
    with Journal.open(URL.create("sqlite", database=str(tmp_path / "a.db"))) as journal:
        assert journal.settings == settings
        assert journal.seed == "söd"
        assert journal.commitment == commitment("söd")
        assert journal.state() is State.RUNNING
        assert len(journal.played()) == 0
        assert list(journal.results()) == []


def test_games_come_back_whole_in_plan_order(tmp_path: Path) -> None:
    entries = {
        7: entry(7, forfeits=((1, "timeout"),), faults=((1, "timeout", 2), (3, "illegal", 1))),
        2: entry(2, (0, 0), void=True, winner=None, ended=None, hands=0),
        5: entry(5, (-4, 2)),
    }
    with Journal.create(tmp_path / "a.db", make_settings(2), "s") as journal:
        assert journal.append(list(entries.values())) == (7, 2, 5)
        assert list(journal.entries()) == [entries[2], entries[5], entries[7]]
        assert list(journal.results()) == [entries[n].result for n in (2, 5, 7)]
        assert [(r.number, r.record) for r in journal.records()] == [
            (n, entries[n].record) for n in (2, 5, 7)
        ]
        assert list(journal.evidence()) == [(7, fault) for fault in entries[7].evidence]
        assert [number for number in range(9) if number in journal.played()] == [2, 5, 7]


def test_a_game_that_is_in_is_never_counted_twice_nor_changed(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "a.db", make_settings(2), "s") as journal:
        assert journal.append([entry(0, (1, 0)), entry(0, (4, 0))]) == (0,)
        assert journal.append([entry(0, (2, 0)), entry(1, (3, 0))]) == (1,)
        assert journal.append([entry(0, (2, 0))]) == ()
        assert [result.scores for result in journal.results()] == [(1, 0), (3, 0)]


def test_many_games_are_read_in_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitch_server.store.pages.PAGE", 7)
    with Journal.create(tmp_path / "a.db", make_settings(2, boards=21), "s") as journal:
        journal.append([entry(number) for number in range(0, 42, 2)])
        assert [result.number for result in journal.results()] == list(range(0, 42, 2))
        assert [stored.number for stored in journal.records()] == list(range(0, 42, 2))
        assert len(journal.append([entry(number) for number in range(42)])) == 21


def test_a_reader_sees_one_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitch_server.store.pages.PAGE", 1)
    with Journal.create(tmp_path / "a.db", make_settings(2), "s") as journal:
        journal.append([entry(0), entry(2)])
        results = journal.results()
        assert next(results).number == 0
        journal.append([entry(1), entry(3)])
        assert [result.number for result in results] == [2]


def test_a_batch_is_in_whole_or_not_at_all(tmp_path: Path) -> None:
    bad = entry(2)._replace(record=None)  # type: ignore[arg-type]
    with Journal.create(tmp_path / "a.db", make_settings(2), "s") as journal:
        journal.append([entry(0)])
        with pytest.raises(JournalError, match=r"a\.db"):
            journal.append([entry(1), bad])
        assert [result.number for result in journal.results()] == [0]
        assert [stored.number for stored in journal.records()] == [0]
        assert journal.append([entry(1)]) == (1,)


def test_another_thread_may_append(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "a.db", make_settings(2), "s") as journal:
        got: list[Any] = []
        threads = [
            threading.Thread(target=lambda n=n: got.append(journal.append([entry(n)])))
            for n in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(got) == [(n,) for n in range(8)]
        assert len(journal.played()) == 8


KILLED = """
import os, sys
from pathlib import Path
from pitch_server.store.journal import Journal
from store.making import entry
journal = Journal.open(Path(sys.argv[1]))
batch = 10
for start in range(0, 100_000, batch):
    journal.append([entry(number) for number in range(start, start + batch)])
    print(start + batch, flush=True)
"""


@pytest.mark.parametrize("after", [1, 3, 6])
def test_what_is_committed_survives_kill_9_and_nothing_half(tmp_path: Path, after: int) -> None:
    file = tmp_path / "a.db"
    Journal.create(file, make_settings(2, boards=1_000_000), "s").close()
    tests = str(Path(__file__).parents[1])
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(file)],
        stdout=subprocess.PIPE,
        cwd=tests,
        env={"PYTHONPATH": tests},
    )
    with process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(after)][-1]
        process.kill()
        told = max([told, *(int(line) for line in process.stdout if line.endswith(b"\n"))])
    with Journal.open(file) as journal:
        numbers = [result.number for result in journal.results()]
        assert numbers == list(range(len(numbers)))
        assert len(numbers) >= told
        assert len(numbers) % 10 == 0
        assert [stored.number for stored in journal.records()] == numbers
        assert journal.append([entry(len(numbers))]) == (len(numbers),)


def final_standings(journal: Journal) -> dict[str, Any]:
    return standings(
        journal.settings,
        Plan(journal.settings),
        journal.results(),
        commitment=journal.commitment,
        seed=journal.seed,
    )


@pytest.mark.parametrize("state", [State.FINISHED, State.CLOSED])
def test_the_end_reveals_the_seed_and_stops_the_journal(tmp_path: Path, state: State) -> None:
    with Journal.create(tmp_path / "a.db", make_settings(2), "s") as journal:
        journal.append([entry(0)])
        assert journal.published_seed() is None
        table = final_standings(journal)
        journal.end(state, table)
        assert journal.published_seed() == "s"
        assert journal.state() is state
        assert journal.final_digests()[0] == table["digest"]
        journal.end(state, table)
        with pytest.raises(TournamentOver, match=f"is {state} already"):
            journal.end(state, table | {"complete": True})
        with pytest.raises(TournamentOver, match="no game can follow"):
            journal.append([entry(1)])
        assert len(journal.played()) == 1


ODD = "nul \0, half a character \udc80, \x1e at first, \\u0000"


def test_no_character_of_what_a_bot_sent_is_lost(tmp_path: Path) -> None:
    fault = FaultEvidence(
        seat=1,
        kind="malformed",
        wire=0.25,
        waited=2.5,
        verdict="network",
        came=ODD,
        legal="\x1e",
        played='\x1e"json"',
        output="\x1e[",
    )
    with Journal.create(tmp_path / "a.db", make_settings(2), "seed \0") as journal:
        journal.append([entry(0)._replace(evidence=(fault,))])
        journal.set_directory(Path("/bots/\udcff"))
    with Journal.open(tmp_path / "a.db") as journal:
        assert list(journal.evidence()) == [(0, fault)]
        assert (journal.seed, journal.directory) == ("seed \0", Path("/bots/\udcff"))


def test_every_exception_of_ours_is_kept_with_its_game(tmp_path: Path) -> None:
    crashes = [
        Crash(7, 1, "Traceback: b"),
        Crash(2, 1, ODD),
        Crash(7, 2, "c"),
        Crash(7, 1, "again"),
    ]
    with Journal.create(tmp_path / "a.db", make_settings(2), "s") as journal:
        for crash in crashes:
            journal.note_crash(*crash)
        assert list(journal.crashes()) == [crashes[1], crashes[0], crashes[2], crashes[3]]


def test_entrants_may_change_beside_the_settings(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "a.db", commanded(), "s") as journal:
        journal.set_command("ü b", ["./bot", "-x"], fingerprint="f00")
        journal.set_token_hash("ü b", "hash")
        journal.set_guest("ü b", 2, GuestSettings(cpu_time=60))
        journal.withdraw("a")
        a, b = journal.entrants()
        assert (a.name, a.command, a.withdrawn) == ("a", ("python", "bot.py"), True)
        assert b == EntrantRow(
            "ü b", ("./bot", "-x"), "f00", "hash", False, 2, GuestSettings(cpu_time=60)
        )
        assert journal.settings.entrants[1].guest.cpu_time == 60
        with pytest.raises(JournalError, match="no entrant is named 'x'"):
            journal.withdraw("x")
    with Journal.open(tmp_path / "a.db") as journal:
        assert journal.settings.entrants[1].command == ("./bot", "-x")


def test_a_database_holds_several_tournaments(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    with Journal.create(file, make_settings(2), "one") as first:
        first.append([entry(0), entry(1)])
        with Journal.create(file, make_settings(3), "two") as second:
            assert second.append([entry(0)]) == (0,)
        assert len(first.played()) == 2
    with Journal.open(file) as latest:
        assert (latest.tournament, latest.seed) == (2, "two")
    with Journal.open(file, 1) as first:
        assert first.seed == "one"
    assert [(row.id, row.name) for row in list_tournaments(file)] == [(1, "test"), (2, "test")]
    with pytest.raises(JournalError, match="no tournament 3; there are 2, from 1 on"):
        Journal.open(file, 3)


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


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    Journal.create(file, make_settings(2), "s").close()
    sqlite_file(file, "update pitch_schema set version = 99")
    with pytest.raises(JournalError, match=r"a newer version .* schema is 99"):
        Journal.open(file)
    with pytest.raises(JournalError, match=r"a newer version"):
        Journal.create(file, make_settings(2), "s")


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


def test_the_directory_of_the_bots_is_remembered_and_may_change(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    with Journal.create(file, commanded(), "s", directory=tmp_path) as journal:
        assert journal.directory == tmp_path
        journal.set_directory(tmp_path / "b")
        journal.set_command("a", ["./new"])
        assert journal.settings.entrants[0].command == ("./new",)
    with Journal.open(file) as journal:
        assert journal.directory == tmp_path / "b"
        assert journal.settings.entrants[0].command == ("./new",)
    with Journal.create(file, make_settings(2), "s") as journal:
        assert journal.directory is None


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


def test_evidence_stays_with_its_game_where_another_game_is_missing(tmp_path: Path) -> None:
    fault = FaultEvidence(seat=0, kind="timeout")
    with Journal.create(tmp_path / "a.db", make_settings(2), "seed") as journal:
        journal.append([entry(number)._replace(evidence=(fault,)) for number in range(4)])
        with sqlite3.connect(tmp_path / "a.db") as connection:
            connection.execute("DELETE FROM games WHERE number = 1")
        connection.close()
        found = {each.result.number: each.evidence for each in journal.entries()}
    assert found == {0: (fault,), 2: (fault,), 3: (fault,)}
