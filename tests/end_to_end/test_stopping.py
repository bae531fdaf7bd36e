"""Tournaments that are killed or stopped and go on: nothing is lost, nothing is different."""

import json
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from end_to_end.expected import expected_records
from end_to_end.running import FIRST, RANDOM, Arena, Ended, zoo

BOARDS = 150
GAMES = 2 * BOARDS
KILLS = 7  # each time, for each number of tables
BOTS = {"random": RANDOM, "first": FIRST}


class Outcome(NamedTuple):
    """All that a tournament publishes."""

    standings: str
    records: list[str]
    table: str


def tournament(directory: Path, **more: Any) -> Arena:
    form = {"boards": BOARDS, "isolation": "none"}
    return Arena(directory, BOTS, format=form, **more)


def outcome(arena: Arena) -> Outcome:
    """Plays what is missing; what is published then."""
    ended = arena.run()
    assert ended.status == 0, ended.err
    return published(arena, ended)


def published(arena: Arena, ended: Ended) -> Outcome:
    """What there is to compare of a run that is over."""
    return Outcome(json.dumps(arena.standings()), arena.records(), ended.out)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """The outcome of a tournament that nothing happened to."""
    arena = tournament(tmp_path_factory.mktemp("uninterrupted"), tables=8)
    ended = outcome(arena)
    assert ended.records == expected_records(arena.config)
    return ended


def wait_for_games(arena: Arena, process: "subprocess.Popen[str]", games: int) -> None:
    """Returns when so many games are in the journal, or when the run is over."""
    while arena.games_played() < games and process.poll() is None:
        time.sleep(0.01)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("tables", [1, 4, 32])
def test_killed_at_any_moment_and_resumed_it_ends_as_if_nothing_had_been(
    tmp_path: Path, uninterrupted: Outcome, tables: int
) -> None:
    arena = tournament(tmp_path, tables=tables)
    chance = random.Random(tables)
    moments = sorted(chance.sample(range(GAMES * 7 // 10), KILLS - 2))
    killed = 0
    for kill in range(KILLS):
        process = arena.start()
        if kill in (1, 4):  # before it plays, perhaps before it listens or has a journal
            time.sleep(chance.random())
        else:
            wait_for_games(arena, process, moments.pop(0))
        killed += arena.kill(process)
    assert killed >= KILLS - 1  # the last one may come too late, should the machine be quick
    assert outcome(arena) == uninterrupted
    assert arena.verified() == ""


STOPPED = {signal.SIGINT: 130, signal.SIGTERM: 143}


@pytest.mark.parametrize("number", STOPPED, ids=lambda number: number.name)
def test_stopped_by_a_signal_it_says_how_to_go_on_and_loses_no_game(
    tmp_path: Path, uninterrupted: Outcome, number: signal.Signals
) -> None:
    arena = tournament(tmp_path)
    process = arena.start()
    wait_for_games(arena, process, 40)
    counted = arena.games_played()
    process.send_signal(number)
    ended = arena.finish(process)
    assert not arena.survivors()
    assert ended.status == STOPPED[number], ended.err
    assert counted <= arena.games_played() < GAMES
    assert f"pitch resume {arena.database}" in ended.err
    assert not ended.out
    assert outcome(arena) == uninterrupted


def test_a_signal_ends_a_tournament_that_waits_for_a_bot(tmp_path: Path) -> None:
    bots = {"first": FIRST, "mute": zoo("stranger", "nothing")}
    arena = Arena(tmp_path, bots, clock={"start_timeout": "500s"})
    process = arena.start()
    log = arena.logs / "02-mute-1.log"
    while not log.exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert arena.finish(process).status == 130
    assert not arena.survivors()


def test_only_one_process_plays_in_a_database(tmp_path: Path, uninterrupted: Outcome) -> None:
    arena = tournament(tmp_path)
    process = arena.start()
    wait_for_games(arena, process, 1)
    second = arena.finish(arena.start())
    assert process.poll() is None, "the first one was over too early for this test"
    assert second.status == 2
    assert not second.out
    assert "is in use" in second.err
    first = arena.finish(process)
    assert first.status == 0, first.err
    assert published(arena, first) == uninterrupted
