"""Operators of a tournament in play: what they see is so, what they do is done, nothing is lost."""

import json
import subprocess
import time
from pathlib import Path
from typing import Any

from end_to_end.running import FIRST, LAST, PITCH, RANDOM, Arena, Ended
from pitch_server.endpoint import endpoint_path


def pitch(*arguments: str) -> Ended:
    """`pitch` as a process of its own."""
    done = subprocess.run(
        [*PITCH, *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def playing(arena: Arena, process: "subprocess.Popen[str]", games: int) -> dict[str, Any]:
    """The status once so many games are played."""
    while process.poll() is None:
        shown = pitch("status", str(arena.database), "--json")
        if shown.status == 0:  # before, there is no database
            told: dict[str, Any] = json.loads(shown.out)
            if told["server"] is not None and told["games"]["played"] >= games:
                return told
        time.sleep(0.1)
    raise AssertionError(process.communicate())


def test_a_tournament_in_play_is_watched_steered_and_closed(tmp_path: Path) -> None:
    bots = {"random": RANDOM, "first": FIRST, "last": LAST}
    arena = Arena(tmp_path, bots, format={"boards": 5000, "isolation": "none"})
    database = str(arena.database)
    process = arena.start()
    told = playing(arena, process, 20)
    assert told["server"]["stage"] == "playing"
    assert [each["name"] for each in told["server"]["entrants"]] == ["random", "first", "last"]
    with subprocess.Popen(
        [*PITCH, "status", database, "--watch"], stdout=subprocess.PIPE, text=True
    ) as watching:
        assert watching.stdout is not None
        lines = iter(watching.stdout)
        while not next(lines).startswith("game "):
            pass
        assert pitch("withdraw", database, "last").status == 0
        while next(lines) != "last is withdrawn\n":
            pass
        closed = pitch("close", database)
        assert [*lines][-1].startswith("the tournament has ended: ")
    assert watching.returncode == 0
    ended = arena.finish(process)
    told_by_run = [line for line in ended.out.splitlines() if not line.startswith("log of ")]
    assert (closed.status, closed.out.splitlines()) == (ended.status, told_by_run)
    assert "an operator has closed the tournament" in ended.err
    path = endpoint_path(arena.database)
    assert path is not None
    assert not path.exists()
    assert pitch("close", database).out == closed.out
    assert pitch("verify", database).status == 0
    assert arena.standings()["games"]["played"] == len(arena.records()) == arena.games_played()


def test_after_kill_9_nothing_is_missing_that_an_operator_was_told_of(tmp_path: Path) -> None:
    arena = Arena(
        tmp_path, {"random": RANDOM, "first": FIRST}, format={"boards": 5000, "isolation": "none"}
    )
    database = str(arena.database)
    process = arena.start()
    told = playing(arena, process, 20)
    process.kill()
    process.communicate()
    after = json.loads(pitch("status", database, "--json").out)
    assert after["server"] is None
    assert after["games"]["played"] >= told["games"]["played"]
    assert pitch("close", database).status == 0
    assert pitch("verify", database).status == 0
