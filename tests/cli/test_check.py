"""`pitch check`: what it shows, its document, its exit status, and how it is stopped."""

import json
import os
import pty
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from cli.running import command, pitch
from pitch_server.checkup.checkup import CHECKS

SHORT = ("--quick", "--variant", "pitch-ac", "--decisions", "500")
BOTS = Path(__file__).parents[1] / "bots"

BROKEN = """
from pitch import Bot, run

class Broken(Bot):
    def choose(self, view):
        return "a card"

if __name__ == "__main__":
    run(Broken)
"""


def test_a_good_bot_gets_its_certificate(tmp_path: Path) -> None:
    file = tmp_path / "random.json"
    result = pitch("check", "random", *SHORT, "--certificate", str(file))
    assert result.exit_code == 0, result.output
    for number, check in enumerate(CHECKS, 1):
        assert f"{number:>3}  passed  {check.name}: " in result.stdout
    assert "random: passed (16 passed)" in result.stdout
    document = json.loads(file.read_text())
    assert document["passed"]
    assert document["quick"]
    assert document["bot"] == "random"
    assert document["command"][0] == "{python}"
    assert document["fingerprint"] in result.stdout
    assert document["variants"] == ["pitch-ac"]
    assert [check["outcome"] for check in document["checks"]] == ["passed"] * len(CHECKS)


def test_what_fails_is_told_with_its_line_and_what_to_do(tmp_path: Path) -> None:
    bot = tmp_path / "broken.py"
    bot.write_text(BROKEN)
    result = pitch("check", str(bot), *SHORT, "--json")
    assert result.exit_code == 1
    (document,) = json.loads(result.stdout)["bots"]
    assert not document["passed"]
    failed = [check for check in document["checks"] if check["outcome"] == "failed"]
    assert [check["name"] for check in failed] == ["no errors"]
    assert "returned 'a card', expected one of view.legal" in failed[0]["details"][0]
    assert failed[0]["remedy"]
    reasons = {c["name"]: c["did"] for c in document["checks"] if c["outcome"] == "skipped"}
    assert reasons.pop("legal") == "no decision came to an action"
    assert set(reasons.values()) == {"needs a bot that passes no errors (5)"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param(("no_such.py",), "no_such.py", id="no-file"),
        pytest.param(("rnadom",), "random", id="misspelt"),
        pytest.param(("rule", "--variant", "pitch"), "--variant", id="variant"),
        pytest.param(("rule", "random", "--certificate", "c.json"), "one bot", id="two-bots"),
        pytest.param(("rule", "--certificate", "no/c.json"), "no/c.json", id="no-folder"),
    ],
)
def test_wrong_use_starts_nothing(arguments: tuple[str, ...], told: str) -> None:
    result = pitch("check", *arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("number", "status"),
    [pytest.param(signal.SIGINT, 130, id="ctrl-c"), pytest.param(signal.SIGTERM, 143, id="term")],
)
def test_stopped_it_leaves_no_process_behind(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    bot = tmp_path / "silent_start.py"
    bot.write_text("import time\ntime.sleep(600)\n")
    waiting = command("check", f"{{python}} {bot}", *SHORT)
    with subprocess.Popen(waiting, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        family = psutil.Process(process.pid)
        while not any(str(bot) in each.cmdline() for each in family.children(recursive=True)):
            time.sleep(0.02)
        children = family.children(recursive=True)
        process.send_signal(number)
        _, told = process.communicate(timeout=30)
    assert process.returncode == status
    assert b"Traceback" not in told
    _, left = psutil.wait_procs(children, timeout=10)
    assert left == []


def test_on_a_terminal_a_status_line_stands_beside_results_that_go_to_a_file(
    tmp_path: Path,
) -> None:
    results = tmp_path / "results.txt"
    terminal, end = pty.openpty()
    with results.open("wb") as file:
        process = subprocess.Popen(command("check", "random", *SHORT), stdout=file, stderr=end)
    os.close(end)
    shown = b""
    with suppress(OSError):  # what a terminal says when nobody writes to it any more
        while piece := os.read(terminal, 1 << 16):
            shown += piece
    os.close(terminal)
    assert process.wait(timeout=30) == 0
    assert b"random: 16 of 16, ends" in shown
    assert "random: passed (16 passed)" in results.read_text()
