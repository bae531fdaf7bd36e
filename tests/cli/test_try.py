"""`pitch try`: what it shows, what it refuses, and that it plays what a tournament plays."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from cli.running import pitch, pitch_process
from pitch.testing.samples import sample_directory
from pitch_server.cli import try_bots
from pitch_server.trying.meeting import Meeting
from pitch_server.trying.telling import pace_line

ANY = """\
from pitch import Bot, run

calls = 0


class MyBot(Bot):
    def choose(self, view):
        global calls
        calls += 1
        {line}
        return view.random.choice(view.legal)


if __name__ == "__main__":
    run(MyBot)
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    write("pass")


def write(line: str, name: str = "my_bot.py") -> None:
    Path(name).write_text(ANY.format(line=line), encoding="utf-8")


def tried(*arguments: str, status: int = 0) -> list[dict[str, Any]]:
    result = pitch("try", *arguments, "--json")
    assert result.exit_code == status, result.output
    meetings: list[dict[str, Any]] = json.loads(result.stdout)["meetings"]
    return meetings


def test_each_bot_meets_each_opponent_and_the_table_tells_how() -> None:
    write("return view.legal[0]", "first.py")
    result = pitch("try", "my_bot.py", "first.py", "--boards", "12")
    assert result.exit_code == 0
    text = re.sub(r" +", " ", result.stdout)
    assert text.count("against boards margin 95 % interval won drawn lost faults") == 2
    assert re.search(r"my_bot, pitch-ac, margins in points of a hand\n", text)
    assert re.search(r"\nrule 12 -\d\.\d\d -\d\.\d\d to -\d\.\d\d \d+ \d+ \d+ 0\n", text)
    assert re.search(r"\nagainst rule: worse; [\d,]+ decisions: ", text)
    assert text.count("against random: ") == 2


def test_classes_play_as_processes_what_they_play_here() -> None:
    arguments = ("my_bot.py", "--against", "rule", "--boards", "10", "--move-timeout", "30")
    (here,), (there,) = tried(*arguments), tried(*arguments, "--processes")
    timed = ("decisions", "seconds", "games_per_second")
    assert {k: here[k] for k in here if k not in timed} == {
        k: there[k] for k in there if k not in timed
    }
    assert here["decisions"]["count"] == there["decisions"]["count"]
    assert here["margin"]["mean"] != 0


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--unit", "game"), id="games"),
        pytest.param(("--variant", "cutthroat"), id="three sides"),
        pytest.param(("--variant", "ten-point"), id="ten points"),
    ],
)
def test_any_variant_and_unit_can_be_tried(options: tuple[str, ...]) -> None:
    (meeting,) = tried("rule", "--against", "random", "--boards", "6", *options)
    assert meeting["boards"] == 6
    assert meeting["margin"]["mean"] > 0
    assert meeting["wins"] + meeting["draws"] + meeting["losses"] == 6


def test_without_a_number_of_boards_it_is_over_after_some_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(try_bots, "SECONDS", 1e-9)
    (meeting,) = tried("my_bot.py", "--against", "random")
    assert meeting["boards"] == 1
    assert meeting["margin"]["ci95"] is None


@pytest.mark.parametrize(
    ("line", "kind", "said"),
    [
        pytest.param(
            "if calls == 9: view.legal[999]",
            r"error, once at board \d, game \d, action \d+; the referee played \w+",
            "my_bot.py, line 10, in choose: if calls == 9: view.legal[999]\n    IndexError",
            id="raises",
        ),
        pytest.param(
            "if calls % 9 == 0: return None",
            r"error, \d+ times, first at board \d, game \d, action",
            "MyBot.choose returned None, expected one of view.legal",
            id="returns nothing",
        ),
        pytest.param(
            "from pitch import PASS; return PASS",
            r"illegal, \d+ times, first at board 0",
            "(MyBot.choose, my_bot.py:7): a card is asked for; legal: play",
            id="illegal",
        ),
        pytest.param(
            "import time; calls == 9 and time.sleep(9)",
            r"timeout, once at board \d, game \d, action",
            "in choose: import time; calls == 9 and time.sleep(9)\n    interrupted after 1.",
            id="late",
        ),
    ],
)
def test_a_fault_is_told_with_the_line_that_it_came_from(line: str, kind: str, said: str) -> None:
    write(line)
    result = pitch(
        "try", "my_bot.py", "--against", "random", "--boards", "3", "--move-timeout", "1.5"
    )
    assert result.exit_code == 1
    assert re.search(kind, result.stdout)
    assert said in result.stdout


def test_a_bot_that_ends_the_program_has_lost_the_game() -> None:
    write("import sys; calls == 9 and sys.exit('no idea')")
    result = pitch("try", "my_bot.py", "--against", "random", "--boards", "3")
    assert result.exit_code == 1
    assert re.search(r"disconnect, once at board 0, game \d.*; the game was lost", result.stdout)
    assert "sys.exit('no idea') (my_bot.py:" in result.stdout
    assert re.search(r"\nrandom +3 ", result.stdout)


def test_a_hook_that_raises_is_told_with_its_line() -> None:
    hook = "    def hand_over(self, view, result):\n        result.nothing\n\n\nif __name__"
    text = Path("my_bot.py").read_text(encoding="utf-8")
    Path("my_bot.py").write_text(text.replace("\nif __name__", hook), encoding="utf-8")
    result = pitch("try", "my_bot.py", "--against", "random", "--boards", "3")
    assert result.exit_code == 1
    assert re.search(
        r"hook, \d+ times, first at board 0, game 0, .*; it costs no game", result.stdout
    )
    assert re.search(r"my_bot.py, line \d+, in hand_over: result.nothing", result.stdout)


def test_a_process_that_does_not_play_is_told_with_its_last_words() -> None:
    Path("dies.py").write_text("import sys\nsys.exit('no model here')")
    result = pitch("try", "{python} dies.py", "--against", "random", "--boards", "2")
    assert result.exit_code == 1
    assert "absent, 4 times, first at board 0, game 0" in result.stdout
    assert "| no model here" in result.stdout
    assert "its process ended with exit status 1 before it had said hello" in result.stdout


def test_the_slowest_decisions_are_shown_with_what_the_bot_saw() -> None:
    result = pitch("try", "my_bot.py", "--against", "rule", "--boards", "3", "--slowest", "2")
    assert len(re.findall(r"\n  \S+ .?s at board \d, game \d, action \d+:\n", result.stdout)) == 2
    assert result.stdout.count("legal  ") == 2


def test_what_bots_print_does_not_stand_among_results() -> None:
    write("print('thinking', calls)")
    result = pitch("try", "my_bot.py", "--against", "random", "--boards", "2", "--json")
    json.loads(result.stdout)
    shown = pitch("try", "my_bot.py", "--against", "random", "--boards", "2").stdout
    assert "The bots printed:\n  thinking 1\n" in shown
    assert shown.splitlines()[-1].endswith("more lines")


INTERRUPT = "import signal; calls == 300 and signal.raise_signal(signal.SIGINT)"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(INTERRUPT, id="in the bot"),
        pytest.param(
            f"exec('try:\\n {INTERRUPT}\\nexcept BaseException: pass')", id="caught by the bot"
        ),
    ],
)
def test_a_signal_shows_what_is_known_so_far(line: str) -> None:
    write(line)
    result = pitch("try", "my_bot.py", "--boards", "1000")
    assert result.exit_code == 130
    assert re.search(r"\nrule +\d+ ", result.stdout)
    assert "\nrandom " not in result.stdout
    assert "stopped" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("my_bt.py",), "did you mean my_bot.py?", id="file"),
        pytest.param(("my_bot.py", "--against", "rul"), "did you mean rule?", id="opponent"),
        pytest.param(("my_bot.py", "my_bot.py"), "two bots are named 'my_bot'", id="names"),
        pytest.param(("rule", "--against", "random,random"), "named 'random'", id="opponents"),
        pytest.param(("rule", "--variant", "pitch-ca"), "did you mean pitch-ac?", id="variant"),
        pytest.param((f"{'x' * 65}=rule",), "1 to 64 characters", id="long name"),
        pytest.param(("rule", "--boards", "0"), "0", id="boards"),
    ],
)
def test_bad_input_is_refused_before_anything_is_played(
    arguments: tuple[str, ...], said: str
) -> None:
    result = pitch("try", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_a_bot_may_meet_itself_and_is_as_good() -> None:
    (meeting,) = tried("rule", "--against", "rule", "--boards", "4")
    assert (meeting["opponent"], meeting["margin"]["mean"]) == ("rule 2", 0)


def test_names_that_look_like_markup_stay_as_they_are() -> None:
    result = pitch("try", "[red]a=rule", "--against", "[b]=random", "--boards", "2")
    assert "[red]a, pitch-ac" in result.stdout
    assert "\n[b]  " in result.stdout
    assert "against [b]: " in result.stdout


def test_it_works_without_the_server_extra_but_for_the_interval(tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    names = ("scipy", "numpy", "sqlalchemy", "trueskill", "psutil", "uvloop", "prometheus_client")
    for name in names:
        (blocked / f"{name}.py").write_text(f"raise ModuleNotFoundError(name={name!r})")
    arguments = ("try", "my_bot.py", "--against", "random", "--boards", "3")
    done = pitch_process(*arguments, PYTHONPATH=str(blocked))
    assert done.returncode == 0, done.stderr
    assert "a part of the server extra: " in done.stdout.decode()
    refused = pitch_process(*arguments, "--processes", PYTHONPATH=str(blocked))
    assert refused.returncode == 2
    assert b"a part of the server extra" in refused.stderr


def test_the_samples_are_where_they_are_said_to_be() -> None:
    script = sample_directory() / "random_bot.py"
    (meeting,) = tried(str(script), "--against", "random", "--boards", "2")
    assert meeting["bot"] == "random_bot"


@pytest.mark.parametrize(
    ("ending", "warned"),
    [
        pytest.param("", True, id="nothing"),
        pytest.param('if __name__ == "__main__":\n    pass\n', True, id="an empty main part"),
        pytest.param('if __name__ == "__main__":\n    run(MyBot)\n', False, id="run"),
        pytest.param(
            'if "__main__" == __name__:\n    sys.exit(main())\n', False, id="its own main"
        ),
    ],
)
def test_a_file_that_never_calls_run_is_warned_of(ending: str, warned: bool) -> None:
    bot = ANY.partition("\nif __name__")[0].format(line="pass")
    Path("my_bot.py").write_text(f"import sys\n{bot}\n{ending}", encoding="utf-8")
    result = pitch("try", "my_bot.py", "--against", "random", "--boards", "1")
    assert result.exit_code == 0
    line = (
        "Warning: my_bot.py never calls run, so that a tournament would start it in vain; a bot's "
        'file ends with: if __name__ == "__main__": run(MyBot)\n'
    )
    assert (line in result.stderr) is warned


def test_one_that_says_no_hello_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitch_server.trying.meeting.START", 0.5)
    result = pitch("try", "sleep 60", "--against", "random", "--boards", "1")
    assert result.exit_code == 1
    assert "no hello came from it within " in result.stdout
    assert "ended" not in result.stdout


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["sleep", "86402"], id="child"),
        pytest.param(["sh", "-c", "setsid sleep 86402 & exit"], id="daemon"),
    ],
)
def test_processes_that_a_bot_has_started_end_with_the_trial(command: list[str]) -> None:
    write(f"import subprocess; subprocess.Popen({command}, start_new_session=True)")
    done = pitch_process("try", "my_bot.py", "--against", "random", "--boards", "1")
    assert done.returncode == 0, done.stderr
    commands = [each.info["cmdline"] or [] for each in psutil.process_iter(["cmdline"])]
    assert not [command for command in commands if "86402" in command]


def test_one_mistake_is_told_once_whatever_values_it_shows() -> None:
    write("return [calls, view.hand]")
    result = pitch("try", "my_bot.py", "--against", "random", "--boards", "3")
    assert result.exit_code == 1
    assert len(re.findall(r"^ +error, ", result.stdout, re.MULTILINE)) == 1


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "0", "-1", "soon"])
def test_a_limit_that_is_no_time_is_refused(number: str) -> None:
    result = pitch("try", "my_bot.py", "--move-timeout", number)
    assert result.exit_code == 2
    assert "'--move-timeout': " in result.stderr


def test_decisions_of_a_board_that_was_not_finished_are_told_too() -> None:
    meeting = Meeting("a", "b")
    asked = try_bots._asked(None, "pitch-ac", "hand", "s", 1.0)
    assert pace_line(meeting, asked) == "it decided nothing"
    meeting.thoughts.append(0.25)
    assert pace_line(meeting, asked) == (
        "1 decision: 0.25 s on average, 99 % within 0.25 s, the longest 0.25 s"
    )


def test_a_thread_that_a_bot_has_left_keeps_nobody_waiting() -> None:
    write("import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()")
    done = pitch_process("try", "my_bot.py", "--against", "random", "--boards", "1")
    assert done.returncode == 0, done.stderr
    assert b"a thread that a bot has started still runs" in done.stderr
    assert b"against random" in done.stdout


def test_what_a_bot_says_commands_no_terminal_and_is_cut() -> None:
    write("raise ValueError(chr(27) + '[2J' + chr(0) + 'x' * 1_000_000)")
    result = pitch("try", "my_bot.py", "--against", "random", "--boards", "1")
    assert result.exit_code == 1
    assert chr(27) not in result.stdout
    assert chr(0) not in result.stdout
    assert len(result.stdout) < 20_000


def test_a_hook_that_raises_costs_no_game() -> None:
    text = Path("my_bot.py").read_text(encoding="utf-8")
    hook = "    def game_over(self, outcome):\n        outcome.nothing\n\n\nif __name__"
    Path("my_bot.py").write_text(text.replace("\nif __name__", hook), encoding="utf-8")
    result = pitch("try", "my_bot.py", "--against", "random", "--boards", "3")
    assert result.exit_code == 1
    assert re.search(r"\nrandom +3 ", result.stdout)
    assert re.search(r"hook, 12 times, first at board 0, game 0, ", result.stdout)


def test_a_file_that_hides_a_module_of_python_is_warned_of() -> None:
    Path("string.py").write_text("x = 1\n", encoding="utf-8")
    result = pitch("try", "my_bot.py", "--against", "random", "--boards", "1")
    assert result.exit_code == 0
    assert "Warning: string.py hides Python's own module; rename it\n" in result.stderr


def test_a_file_with_an_equals_sign_in_its_name_is_that_file() -> None:
    write("pass", "a=b.py")
    (meeting,) = tried("a=b.py", "--against", "random", "--boards", "1")
    assert meeting["bot"] == "a=b"
