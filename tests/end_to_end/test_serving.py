"""Served tournaments: bots that connect by themselves, come late, go, and come back."""

import re
import signal
import time
from pathlib import Path

import psutil
import pytest

from end_to_end.expected import Drawing, expected_records
from end_to_end.running import FIRST, RANDOM, faults_of
from end_to_end.serving import Served, words_of
from pitch_server.published import published_standings
from pitch_server.service.lobby import token_hash
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State

FORM = {"boards": 40, "isolation": "seats"}


def test_bots_connect_by_themselves_and_one_process_too_many_is_refused(tmp_path: Path) -> None:
    arena = Served(tmp_path, ["ann"], launched={"house": RANDOM}, format=FORM)
    with arena.serve() as server:
        server.wait_for("^waiting for ann$")
        stranger = server.bot("eve")
        words = words_of(stranger)
        assert "refused (credentials): refused. The server does not let 'eve' in" in words
        assert "check --name and the token, or ask whoever runs the tournament" in words
        one = server.bot("ann", "--instances", "2")
        server.wait_for("^ready to play: ann$")
        more = server.bot("ann")
        assert "all 2 instances of 'ann'" in words_of(more)
        assert more.returncode == 1
        ended = server.end()
        assert "the games are over" in words_of(one)
    assert ended.status == 0, ended.err
    assert arena.records() == expected_records(arena.config, plays_as=Drawing)
    assert not arena.verified()
    assert faults_of(arena.standings(), "ann") == {}
    assert not (tmp_path / "arena.db.server").exists()


def test_a_late_comer_is_taken_in_and_its_games_come_last(tmp_path: Path) -> None:
    arena = Served(tmp_path, ["late"], launched={"a": RANDOM, "b": FIRST}, format=FORM, tables=4)
    with arena.serve() as server:
        while arena.games_played() < 80:  # all that can be played without it
            time.sleep(0.05)
        late = server.bot("late", "--instances", "2")
        ended = server.end()
        words_of(late)
    assert ended.status == 0, ended.err
    assert arena.records() == expected_records(arena.config, plays_as=Drawing)
    assert faults_of(arena.standings(), "late") == {}


def test_nobody_forfeits_before_a_game_could_be_played(tmp_path: Path) -> None:
    """The time to come begins with the first game, so that an event does not play itself out."""
    arena = Served(
        tmp_path,
        ["ann", "bob"],
        launched={"house": RANDOM},
        format=FORM,
        clock={"move_timeout": "30s", "start_timeout": "3s"},
    )
    with arena.serve() as server:
        time.sleep(4)
        assert server.process.poll() is None
        bots = [server.bot(name, "--instances", "2") for name in ("ann", "bob")]
        ended = server.end()
        assert all("connected to" in words_of(bot) for bot in bots)
    assert ended.status == 0, ended.err
    assert arena.standings()["commitment"] in ended.err


def test_several_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    arena = Served(tmp_path, ["ann"], launched={"house": RANDOM}, format={"boards": 100_000})
    with arena.serve() as server:
        first = server.bot("ann", "--instances", "2")
        server.wait_for("^ready to play: ann$")
        instances = psutil.Process(first.pid).children()
        first.kill()
        gone, left = psutil.wait_procs(instances, timeout=30)
        assert (len(gone), left) == (2, [])
        server.wait_for("^not there|^waiting for ann$")
        again = server.bot("ann", "--instances", "2")
        played = arena.games_played()
        while arena.games_played() < played + 20:
            assert again.poll() is None
            time.sleep(0.05)


def test_who_never_comes_forfeits_in_the_end(tmp_path: Path) -> None:
    clock = {"start_timeout": "2s"}
    arena = Served(
        tmp_path, ["never"], launched={"a": RANDOM, "b": FIRST}, format=FORM, clock=clock
    )
    with arena.serve() as server:
        ended = server.end()
    assert ended.status == 1
    assert faults_of(arena.standings(), "never") == {"absent": 160}
    assert not arena.verified()


def test_a_slow_bot_plays_at_as_many_tables_as_it_has_processes(tmp_path: Path) -> None:
    arena = Served(
        tmp_path,
        ["many"],
        launched={"house": RANDOM},
        extra={"many": {"processes": 3}},
        format=FORM,
    )
    with arena.serve() as server:
        bots = server.bot("many", "--instances", "6")
        ended = server.end()
        assert words_of(bots).count("the games are over") == 6
    assert ended.status == 0, ended.err
    assert arena.records() == expected_records(arena.config, plays_as=Drawing)


def test_by_boards_bots_come_back_as_fresh_processes_for_each_pairing(tmp_path: Path) -> None:
    arena = Served(
        tmp_path,
        ["ann", "bob", "cleo"],
        format={"boards": 6, "isolation": "boards"},
    )
    with arena.serve() as server:
        bots = [server.bot(name, "--instances", "4") for name in ("ann", "bob", "cleo")]
        ended = server.end()
        for bot in bots:
            words_of(bot)
    assert ended.status == 0, ended.err
    assert arena.records() == expected_records(arena.config, plays_as=Drawing)


def test_what_changes_in_the_database_is_taken_in_while_it_plays(tmp_path: Path) -> None:
    """As by commands that found no server to tell: a new token, a withdrawal, the end."""
    arena = Served(tmp_path, ["ann", "bob"], format={"boards": 100_000}, tables=4)
    with arena.serve() as server:
        bots = [server.bot(name, "--instances", "2") for name in ("ann", "bob")]
        while arena.games_played() < 20:
            time.sleep(0.02)
        with Journal.open(arena.database) as journal:
            journal.set_token_hash("ann", token_hash("a new one").hex())
        server.wait_for("^ann: has another token")
        assert "was replaced by another" in words_of(bots[0])
        assert "refused" in words_of(server.bot("ann", token="any"))
        again = server.bot("ann", "--instances", "2", token="a new one")
        played = arena.games_played()
        while arena.games_played() < played + 20:
            time.sleep(0.02)
        with Journal.open(arena.database) as journal:
            journal.withdraw("bob")
        assert "withdrawn" in words_of(bots[1])
        with Journal.open(arena.database) as journal:
            journal.end(State.CLOSED, published_standings(journal, revealed=True))
        ended = server.end()
        words_of(again)
    assert re.search("the tournament (was|is) closed", ended.err)
    assert not arena.verified()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_stopped_it_goes_on_where_it_was(tmp_path: Path, number: signal.Signals) -> None:
    arena = Served(tmp_path, ["ann"], launched={"house": RANDOM}, format={"boards": 300}, tables=4)
    with arena.serve() as server:
        bots = server.bot("ann", "--instances", "2")
        while arena.games_played() < 50:
            time.sleep(0.02)
        server.process.send_signal(number)
        stopped = server.end()
        with arena.serve(address=server.address) as again:  # its bots come back by themselves
            ended = again.end()
        assert words_of(bots).count("connected again to") == 2
    assert stopped.status == 128 + number
    assert ("games that go on have 30 s" in stopped.err) == (number == signal.SIGTERM)
    assert "go on with: pitch serve" in stopped.err
    assert ended.status == 0, ended.err
    assert arena.records() == expected_records(arena.config, plays_as=Drawing)
