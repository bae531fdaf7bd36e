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
from pitch_server.scores.standings import standings
from pitch_server.store.errors import JournalError, TournamentOver
from pitch_server.store.journal import Journal, list_tournaments
from pitch_server.store.rows import Crash, EntrantRow, FaultEvidence, State
from plan.making import make_settings
from store.making import entry, execute


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


def test_a_tournament_comes_back_as_it_was_made(place: URL) -> None:
    settings = commanded()
    with Journal.create(place, settings, "söd") as journal:
        assert journal.settings == settings
    with Journal.open(place) as journal:
        assert journal.settings == settings
        assert journal.seed == "söd"
        assert journal.commitment == commitment("söd")
        assert journal.state() is State.RUNNING
        assert len(journal.played()) == 0
        assert list(journal.results()) == []


def test_games_come_back_whole_in_plan_order(place: URL) -> None:
    entries = {
        7: entry(7, forfeits=((1, "timeout"),), faults=((1, "timeout", 2), (3, "illegal", 1))),
        2: entry(2, (0, 0), void=True, winner=None, ended=None, hands=0),
        5: entry(5, (-4, 2)),
    }
    with Journal.create(place, make_settings(2), "s") as journal:
        assert journal.append(list(entries.values())) == (7, 2, 5)
        assert list(journal.entries()) == [entries[2], entries[5], entries[7]]
        assert list(journal.results()) == [entries[n].result for n in (2, 5, 7)]
        assert [(r.number, r.record) for r in journal.records()] == [
            (n, entries[n].record) for n in (2, 5, 7)
        ]
        assert list(journal.evidence()) == [(7, fault) for fault in entries[7].evidence]
        assert [number for number in range(9) if number in journal.played()] == [2, 5, 7]


def test_a_game_that_is_in_is_never_counted_twice_nor_changed(place: URL) -> None:
    with Journal.create(place, make_settings(2), "s") as journal:
        assert journal.append([entry(0, (1, 0)), entry(0, (4, 0))]) == (0,)
        assert journal.append([entry(0, (2, 0)), entry(1, (3, 0))]) == (1,)
        assert journal.append([entry(0, (2, 0))]) == ()
        assert [result.scores for result in journal.results()] == [(1, 0), (3, 0)]


def test_many_games_are_read_in_pages(place: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitch_server.store.pages.PAGE", 7)
    with Journal.create(place, make_settings(2, boards=21), "s") as journal:
        journal.append([entry(number) for number in range(0, 42, 2)])
        assert [result.number for result in journal.results()] == list(range(0, 42, 2))
        assert [stored.number for stored in journal.records()] == list(range(0, 42, 2))
        assert len(journal.append([entry(number) for number in range(42)])) == 21


def test_a_reader_sees_one_moment(place: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitch_server.store.pages.PAGE", 1)
    with Journal.create(place, make_settings(2), "s") as journal:
        journal.append([entry(0), entry(2)])
        results = journal.results()
        assert next(results).number == 0
        journal.append([entry(1), entry(3)])
        assert [result.number for result in results] == [2]


def test_a_batch_is_in_whole_or_not_at_all(place: URL) -> None:
    bad = entry(2)._replace(record=None)  # type: ignore[arg-type]
    with Journal.create(place, make_settings(2), "s") as journal:
        journal.append([entry(0)])
        with pytest.raises(JournalError, match=str(place.database)):
            journal.append([entry(1), bad])
        assert [result.number for result in journal.results()] == [0]
        assert [stored.number for stored in journal.records()] == [0]
        assert journal.append([entry(1)]) == (1,)


def test_of_threads_that_append_the_same_game_one_brings_it_in(place: URL) -> None:
    with Journal.create(place, make_settings(2, boards=50), "s") as journal:
        got: list[tuple[int, ...]] = []
        barrier = threading.Barrier(4)

        def append(own: int) -> None:
            for shared in range(90, 95):
                barrier.wait()
                got.append(journal.append([entry(own * 10 + shared - 90), entry(shared)]))

        threads = [threading.Thread(target=append, args=(own,)) for own in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        own = [10 * thread + turn for thread in range(4) for turn in range(5)]
        assert sorted(number for new in got for number in new) == [*own, *range(90, 95)]
        assert len(journal.played()) == 25


KILLED = """
import os, sys
from sqlalchemy import make_url
from pitch_server.store.journal import Journal
from store.making import entry
journal = Journal.open(make_url(sys.argv[1]))
batch = 10
for start in range(0, 100_000, batch):
    journal.append([entry(number) for number in range(start, start + batch)])
    print(start + batch, flush=True)
"""


@pytest.mark.parametrize("after", [1, 3, 6])
def test_what_is_committed_survives_kill_9_and_nothing_half(place: URL, after: int) -> None:
    Journal.create(place, make_settings(2, boards=1_000_000), "s").close()
    tests = str(Path(__file__).parents[1])
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, place.render_as_string(hide_password=False)],
        stdout=subprocess.PIPE,
        cwd=tests,
        env={"PYTHONPATH": tests},
    )
    with process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(after)][-1]
        process.kill()
        told = max([told, *(int(line) for line in process.stdout if line.endswith(b"\n"))])
    with Journal.open(place) as journal:
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
def test_the_end_reveals_the_seed_and_stops_the_journal(place: URL, state: State) -> None:
    with Journal.create(place, make_settings(2), "s") as journal:
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


def test_no_character_of_what_a_bot_sent_is_lost(place: URL) -> None:
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
    with Journal.create(place, make_settings(2), "seed \0") as journal:
        journal.append([entry(0)._replace(evidence=(fault,))])
        journal.set_directory(Path("/bots/\udcff"))
    with Journal.open(place) as journal:
        assert list(journal.evidence()) == [(0, fault)]
        assert (journal.seed, journal.directory) == ("seed \0", Path("/bots/\udcff"))


def test_every_exception_of_ours_is_kept_with_its_game(place: URL) -> None:
    crashes = [
        Crash(7, 1, "Traceback: b"),
        Crash(2, 1, ODD),
        Crash(7, 2, "c"),
        Crash(7, 1, "again"),
    ]
    with Journal.create(place, make_settings(2), "s") as journal:
        for crash in crashes:
            journal.note_crash(*crash)
        assert list(journal.crashes()) == [crashes[1], crashes[0], crashes[2], crashes[3]]


def test_entrants_may_change_beside_the_settings(place: URL) -> None:
    with Journal.create(place, commanded(), "s") as journal:
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
    with Journal.open(place) as journal:
        assert journal.settings.entrants[1].command == ("./bot", "-x")


def test_a_database_holds_several_tournaments(place: URL) -> None:
    with Journal.create(place, make_settings(2), "one") as first:
        first.append([entry(0), entry(1)])
        with Journal.create(place, make_settings(3), "two") as second:
            assert second.append([entry(0)]) == (0,)
        assert len(first.played()) == 2
    with Journal.open(place) as latest:
        assert (latest.tournament, latest.seed) == (2, "two")
    with Journal.open(place, 1) as first:
        assert first.seed == "one"
    assert [(row.id, row.name) for row in list_tournaments(place)] == [(1, "test"), (2, "test")]
    with pytest.raises(JournalError, match="no tournament 3; there are 2, from 1 on"):
        Journal.open(place, 3)


def test_a_newer_database_is_refused(place: URL) -> None:
    Journal.create(place, make_settings(2), "s").close()
    execute(place, "update pitch_schema set version = 99")
    with pytest.raises(JournalError, match=r"a newer version .* schema is 99"):
        Journal.open(place)
    with pytest.raises(JournalError, match=r"a newer version"):
        Journal.create(place, make_settings(2), "s")


def test_the_directory_of_the_bots_is_remembered_and_may_change(place: URL, tmp_path: Path) -> None:
    with Journal.create(place, commanded(), "s", directory=tmp_path) as journal:
        assert journal.directory == tmp_path
        journal.set_directory(tmp_path / "b")
        journal.set_command("a", ["./new"])
        assert journal.settings.entrants[0].command == ("./new",)
    with Journal.open(place) as journal:
        assert journal.directory == tmp_path / "b"
        assert journal.settings.entrants[0].command == ("./new",)
    with Journal.create(place, make_settings(2), "s") as journal:
        assert journal.directory is None


def test_evidence_stays_with_its_game_where_another_game_is_missing(place: URL) -> None:
    fault = FaultEvidence(seat=0, kind="timeout")
    with Journal.create(place, make_settings(2), "seed") as journal:
        journal.append([entry(number)._replace(evidence=(fault,)) for number in range(4)])
        execute(place, "DELETE FROM games WHERE number = 1")
        found = {each.result.number: each.evidence for each in journal.entries()}
    assert found == {0: (fault,), 2: (fault,), 3: (fault,)}
