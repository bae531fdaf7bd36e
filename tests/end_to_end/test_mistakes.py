"""What authors get wrong, in real processes at a real server: told in the bot's log by the line."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.running import pitch
from end_to_end.running import FIRST, Arena
from pitch_server.store.journal import Journal

BOT = """\
import time

from pitch import Action, Bot, Kind, View, run


class MyBot(Bot):
    {head}
        {body}


{run}
"""
RUN = 'if __name__ == "__main__":\n    run(MyBot)'
PLAIN = "def choose(self, view: View) -> Action:"
WRONG = {
    "nothing": (PLAIN, "print('I was asked', view.seat)", RUN),
    "foreign": (PLAIN, "return Action(Kind.TRUMP, 3)", RUN),
    "raising": (PLAIN, "raise RuntimeError('lost')", RUN),
    "changing": (PLAIN, "view.legal = ()", RUN),
    "forgetful": (PLAIN, "return view.legal[0]", ""),
    "closing": (PLAIN, "import os; os.close(1); os.close(2); return view.legal[0]", RUN),
    "blocking": (
        "async def choose(self, view: View) -> Action:",
        "time.sleep(0.4 if view.seat == view.pitcher else 0); return view.legal[0]",
        RUN,
    ),
}


ENDING = {
    "exiting": (PLAIN, "raise SystemExit(3)", RUN),
    "interrupting": (PLAIN, "raise KeyboardInterrupt", RUN),
    "vanishing": (PLAIN, "import os; os._exit(4)", RUN),
    "forgetful": (PLAIN, "return view.legal[0]", ""),
    "hopeless": (PLAIN, "return view.legal[0]", "raise SystemExit('no model')"),
}


def played(directory: Path, bots: dict[str, tuple[str, str, str]], **more: Any) -> Arena:
    """A tournament of the bots against a good one, after its end."""
    commands = {"first": FIRST}
    for name, (head, body, ending) in bots.items():
        file = directory / f"{name}_bot.py"
        file.write_text(BOT.format(head=head, body=body, run=ending), encoding="utf-8")
        commands[name] = ("{python}", file.name)
    form = {"kind": "gauntlet", "challengers": list(bots), "boards": 1, "isolation": "none"}
    arena = Arena(directory, commands, format=form, **more)
    ended = arena.run()
    (directory / "told").write_text(ended.err)
    return arena


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Arena:
    """A tournament that they all played, after its end."""
    return played(tmp_path_factory.mktemp("mistakes"), WRONG, faults={"max_faults": 2})


@pytest.fixture(scope="module", params=[0, 1], ids=["no restart", "one restart"])
def ended(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Arena:
    """A tournament of bots whose processes end, after its end."""
    clock = {"reconnect_grace": "0s"}
    directory = tmp_path_factory.mktemp("ended")
    return played(directory, ENDING, clock=clock, restarts=request.param)


def log_of(arena: Arena, name: str) -> str:
    """All that a bot's process wrote, and its side of the SDK."""
    number = 2 + list(WRONG).index(name)
    return "".join(log.read_text() for log in sorted(arena.logs.glob(f"{number:02}-*.log")))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param(
            "nothing",
            r"MyBot\.choose returned None, expected one of view\.legal "
            r"\(MyBot\.choose, nothing_bot\.py:7\): some way through it ends without a return; "
            r"return view\.call\(bid\)",
            id="nothing",
        ),
        pytest.param(
            "foreign",
            r"trump S is not legal here \(MyBot\.choose, foreign_bot\.py:7\): a call is asked for; "
            r"legal: pass, bid 2",
            id="foreign",
        ),
        pytest.param("raising", r"RuntimeError: lost \(raising_bot\.py:8\)", id="raising"),
        pytest.param(
            "changing",
            r"AttributeError: view\.legal can't be set: .* \(changing_bot\.py:8\)",
            id="changing",
        ),
        pytest.param(
            "blocking",
            r"blocking_bot\.py:8: async def choose has held up the event loop for 0\.\d s",
            id="blocking",
        ),
    ],
)
def test_the_log_tells_the_line_and_the_remedy(arena: Arena, name: str, message: str) -> None:
    log = log_of(arena, name)
    assert re.search(message, log), log
    if name != "blocking":
        assert re.search(r"^question [0-9a-f]{16}, seat \d:", log, re.MULTILINE)


def test_what_a_bot_prints_is_headed_by_the_question(arena: Arena) -> None:
    log = log_of(arena, "nothing")
    assert re.search(r"^\[question [0-9a-f]{16}, seat (\d)\]\nI was asked \1$", log, re.MULTILINE)


def test_a_bot_that_forgets_to_run_is_told_once(arena: Arena) -> None:
    told = (arena.directory / "told").read_text()
    line = "its process ended with exit status 0 (forgetful_bot.py): it ended without saying hello"
    assert told.count(line) == 1, told


def test_the_evidence_of_a_fault_has_the_message(arena: Arena) -> None:
    with Journal.open(arena.database) as journal:
        evidence = [each for _, each in journal.evidence()]
    texts = [f"{each.came}\n{each.output}" for each in evidence]
    for name in ("nothing", "foreign", "raising", "changing", "closing"):
        assert any(f"{name}_bot.py:" in text for text in texts), texts


@pytest.mark.parametrize(
    ("name", "how", "printed"),
    [
        pytest.param(
            "exiting", "ended with exit status 3", "sys.exit(3) (exiting_bot.py:8) ends", id="exit"
        ),
        pytest.param(
            "interrupting",
            "ended with exit status 130",
            "KeyboardInterrupt (interrupting_bot.py:8) ends",
            id="interrupt",
        ),
        pytest.param("vanishing", "ended with exit status 4", "connected to", id="os-exit"),
        pytest.param(
            "forgetful",
            "ended with exit status 0 (forgetful_bot.py): it ended without saying hello; a bot's "
            'file ends with: if __name__ == "__main__": run(MyBot)',
            "",
            id="no-run",
        ),
        pytest.param(
            "hopeless",
            "ended with exit status 1 before it had said hello",
            "no model",
            id="at-the-top",
        ),
    ],
)
def test_a_process_that_ends_is_the_bots_fault_and_its_faults_say_how(
    ended: Arena, name: str, how: str, printed: str
) -> None:
    told = json.loads(pitch("faults", str(ended.database), "--json").stdout)
    found = [each for each in told["faults"] if each["entrant"] == name]
    assert found
    for each in found:
        assert each["came"].startswith(f"its process {how}"), each
        assert each["verdict"] == "bot", each
        assert printed in (each["output"] or ""), each
