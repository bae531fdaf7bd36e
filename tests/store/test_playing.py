"""Whole tournaments on either database: killed, cut off, taken over, and the same in the end."""

import json
import re
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import URL

from end_to_end.expected import expected_records
from end_to_end.running import FIRST, RANDOM, Arena, Ended
from pitch_server.published import published_standings
from pitch_server.store.errors import JournalError
from pitch_server.store.export import export_lines
from pitch_server.store.journal import Journal
from pitch_server.verify import verify
from store.conftest import NOT_HERE, SERVER
from store.making import cut_all

BOARDS = 100
BOTS = {"random": RANDOM, "first": FIRST}


def tournament(directory: Path, place: URL) -> tuple[Arena, tuple[str, str]]:
    """A tournament, and the option that plays it in a database."""
    arena = Arena(directory, BOTS, format={"boards": BOARDS, "isolation": "none"}, tables=4)
    return arena, ("--db", place.render_as_string(hide_password=False))


def games_in(place: URL) -> int:
    try:
        with Journal.open(place) as journal:
            return len(journal.played())
    except JournalError:  # not there yet
        return 0


def wait_for(true: Callable[[], object], process: "subprocess.Popen[str]") -> None:
    """Returns when it is true; fails if the run ends before."""
    while not true():
        assert process.poll() is None, process.communicate()
        threading.Event().wait(0.01)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The standings and the final table that nothing happened to, in an embedded database."""
    arena = Arena(
        tmp_path_factory.mktemp("undisturbed"),
        BOTS,
        format={"boards": BOARDS, "isolation": "none"},
    )
    ended = arena.run()
    assert ended.status == 0, ended.err
    return json.dumps(arena.standings()), ended.out


def check(place: URL, arena: Arena, ended: Ended, undisturbed: tuple[str, str]) -> None:
    """Fails unless all that is published is as if nothing had happened."""
    assert ended.status == 0, ended.err
    with Journal.open(place) as journal:
        assert json.dumps(published_standings(journal)) == undisturbed[0]
        assert list(export_lines(journal)) == expected_records(arena.config)
        assert verify(journal).ok
    assert ended.out == undisturbed[1]


def test_killed_again_and_again_it_ends_as_if_nothing_had_happened(
    place: URL, tmp_path: Path, undisturbed: tuple[str, str]
) -> None:
    arena, db = tournament(tmp_path / "arena", place)
    for games in (0, 1, 70):
        process = arena.start(*db)
        wait_for(lambda: games_in(place) >= games, process)  # noqa: B023 - called at once
        assert arena.kill(process)
    check(place, arena, arena.run(*db), undisturbed)


def test_a_second_run_is_refused_while_the_first_one_plays(place: URL, tmp_path: Path) -> None:
    arena, db = tournament(tmp_path / "arena", place)
    process = arena.start(*db)
    wait_for(lambda: games_in(place) > 0, process)
    second = arena.finish(arena.start(*db))
    assert second.status == 2
    assert second.out == ""
    assert f"is in use: another process (process {process.pid}" in second.err
    assert "Traceback" not in second.err
    assert arena.finish(process).status == 0


@pytest.mark.skipif(SERVER is None, reason=NOT_HERE)
def test_a_server_that_is_cut_off_gives_way_to_the_one_that_took_over(
    postgres: URL, tmp_path: Path, undisturbed: tuple[str, str]
) -> None:
    """As by a broken network, or a machine that sleeps."""
    arena, db = tournament(tmp_path / "first", postgres)
    first = arena.start(*db)
    wait_for(lambda: games_in(postgres) > 0, first)
    first.send_signal(signal.SIGSTOP)
    played = games_in(postgres)
    assert played < 2 * BOARDS
    cut_all(postgres)
    other, _ = tournament(tmp_path / "second", postgres)
    second = other.start(*db)
    wait_for(lambda: games_in(postgres) > played, second)
    second.send_signal(signal.SIGSTOP)  # it has not ended when the first one looks
    first.send_signal(signal.SIGCONT)
    ended = arena.finish(first)
    assert ended.status == 1, ended.err
    # by whether it asks for the lock or for the number first
    assert re.search("is in use: another process|was taken by another process", ended.err)
    assert ended.err.count("stopped: ") == 1
    assert not arena.survivors()
    second.send_signal(signal.SIGCONT)
    check(postgres, other, other.finish(second), undisturbed)
