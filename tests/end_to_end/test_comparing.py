"""Comparisons as real processes: decided, stopped by hand and gone on with, always the same."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from end_to_end.running import FIRST, LIMIT, PITCH, RANDOM, SEED
from pitch_server.plan.games import Plan
from pitch_server.published import published_analysis
from pitch_server.store.journal import Journal
from pitch_server.verify import verify

BOTS = ("random=" + " ".join(RANDOM), "first=" + " ".join(FIRST))
DECIDE = ("--until-decided", "--effect0", "-0.3", "--effect1", "0.3", "--max-boards", "300")


def command(*arguments: str) -> list[str]:
    return [*PITCH, "compare", *BOTS, "--seed", SEED, "--db", "a.db", *arguments]


def environment() -> dict[str, str]:
    import os

    from end_to_end.running import TESTS

    return {**os.environ, "PYTHONPATH": str(TESTS)}


def compared(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        cwd=directory,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )


def told(directory: Path) -> dict[str, Any]:
    with Journal.open(directory / "a.db") as journal:
        document: dict[str, Any] = json.loads(json.dumps(published_analysis(journal)))
    del document["measured"]  # times: no two runs are alike in them
    return document


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a comparison that nothing happened to."""
    directory = tmp_path_factory.mktemp("decided")
    result = compared(directory, *DECIDE, "--tables", "8")
    assert result.returncode == 0, result.stderr
    last = result.stdout.splitlines()[-1]
    assert last.startswith(("random is better", "first is better", "More likely", "Inconclusive"))
    assert "points per board" in last
    assert "H0 (first ahead by 0.3 standard" in result.stderr
    assert "at most 600 games" in result.stderr
    return directory


def test_it_stops_where_the_finished_prefix_says_so(decided: Path) -> None:
    with Journal.open(decided / "a.db") as journal:
        plan, played = Plan(journal.settings), len(journal.played())
        assert verify(journal).ok
    document = told(decided)
    assert document["complete"]
    said = document["analysis"]["comparison"]
    assert said["boards"] + said["later_boards"] == document["pairings"][0]["boards"]
    assert played == 2 * document["pairings"][0]["boards"] <= plan.total
    assert played % 40 == 0 or played == 600
    if said["verdict"] != "undecided":
        assert said["later_boards"] < 20


def test_stopped_by_hand_it_is_undecided_and_goes_on_to_the_same_end(
    decided: Path, tmp_path: Path
) -> None:
    process = subprocess.Popen(
        command(*DECIDE, "--tables", "3", "--json"),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        while process.poll() is None and games(tmp_path) < 5:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 130, err
    stopped = json.loads(out)
    assert stopped["verdict"]["verdict"] == "undecided"
    assert "stopped by hand" in stopped["verdict"]["sentence"]
    assert "go on with: pitch resume a.db" in err
    assert not stopped["complete"]
    # whoever looks later learns it, too
    said = told(tmp_path)["analysis"]["comparison"]
    assert said["sentence"].startswith("Inconclusive, stopped by hand: ")
    assert (said["ending"], said["verdict"]) == ("stopped by hand", "undecided")
    with Journal.open(tmp_path / "a.db") as journal:
        assert journal.stopped() == len(journal.played())
    result = compared(tmp_path, *DECIDE, "--tables", "8")
    assert result.returncode == 0, result.stderr
    assert "it was stopped by hand after" in result.stderr
    # once it is answered it is as if it had never been stopped
    assert told(tmp_path) == told(decided)
    with Journal.open(tmp_path / "a.db") as journal:
        assert verify(journal).ok


def games(directory: Path) -> int:
    try:
        with Journal.open(directory / "a.db") as journal:
            return len(journal.played())
    except Exception:  # noqa: BLE001 - it is being made
        return 0
