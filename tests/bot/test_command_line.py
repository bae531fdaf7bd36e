import os
import signal
import subprocess
import sys

import pytest

from pitch.bot.command_line import INSTANCE_VARIABLE, parse_options
from pitch.wire.frames import Hello, Welcome

GIVEN = ["--server", "localhost:7777", "--name", "ann", "--token", "secret"]


def test_options_come_from_the_command_line_or_else_from_the_environment() -> None:
    environment = {
        "PITCH_SERVER": "localhost:1",
        "PITCH_NAME": "bob",
        "PITCH_TOKEN": "other",
    }
    options = parse_options([], environment)
    assert (options.server, options.name, options.token) == ("localhost:1", "bob", "other")
    options = parse_options(GIVEN, environment)
    assert (options.server, options.name, options.token) == ("localhost:7777", "ann", "secret")


def test_a_capacity_given_in_code_gives_way_to_the_command_line() -> None:
    assert parse_options(GIVEN, {}, 5).capacity == 5
    assert parse_options([*GIVEN, "--capacity", "7"], {}, 5).capacity == 7


def test_the_token_does_not_stay_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITCH_TOKEN", "secret")
    parse_options(["--server", "localhost:1", "--name", "ann"], os.environ)
    assert "PITCH_TOKEN" not in os.environ


def test_no_text_of_ours_shows_a_secret() -> None:
    welcome = Welcome(session_key="secret", tournament="t", instance=0, capacity=1)
    hello = Hello(name="ann", token="secret", session_key="secret")
    for value in (parse_options(GIVEN, {}), hello, welcome):
        assert "secret" not in repr(value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "no server to connect to. A tournament starts this bot", id="nothing"),
        pytest.param(["--server", "x"], "expected HOST:PORT, got 'x'", id="no port"),
        pytest.param(["--server", ":7"], "expected HOST:PORT, got ':7'", id="no host"),
        pytest.param(["--server", "a:7"], "no name: give --name or PITCH_NAME", id="no name"),
        pytest.param([*GIVEN, "--capacity", "0"], "expected 1 to 4096, got '0'", id="capacity"),
        pytest.param([*GIVEN, "--instances", "-1"], "--instances", id="instances"),
        pytest.param([*GIVEN, "--inst", "3"], "unrecognized arguments: --inst 3", id="short"),
    ],
)
def test_wrong_options_end_the_bot_with_help(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        parse_options(arguments, {})
    assert end.value.code == 2
    shown = capsys.readouterr().err
    assert message in shown
    assert shown.startswith("usage: ")


def test_a_process_started_by_instances_starts_no_more() -> None:
    given = [*GIVEN, "--instances", "3"]
    assert parse_options(given, {}).instances == 3
    assert parse_options(given, {INSTANCE_VARIABLE: "0"}).instances == 1


# What every instance runs: it says which one it is and where its token came from. All share one
# pipe, so that each line must be a single write.
_BOT = """
import os, sys, time
from pitch import Bot, run
if instance := os.environ.get("PITCH_INSTANCE"):
    os.write(1, f"{{instance}} {{'secret' in sys.argv}} {{os.environ['PITCH_TOKEN']}}\\n".encode())
    {then}
run(Bot)
"""


def started(then: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _BOT.format(then=then), *GIVEN, "--instances", "3"],
        stdout=subprocess.PIPE,
        text=True,
    )


def test_instances_are_processes_and_their_worst_status_counts() -> None:
    with started("sys.exit(int(instance))") as bot:
        assert bot.stdout is not None
        assert sorted(bot.stdout) == [f"{each} False secret\n" for each in range(3)]
        assert bot.wait() == 2


def test_an_instance_that_a_signal_ended_is_no_success() -> None:
    with started("os.kill(os.getpid(), 9)") as bot:
        assert bot.wait() == 128 + signal.SIGKILL


def test_instances_end_with_whoever_started_them() -> None:
    with started("time.sleep(100)") as bot:
        assert bot.stdout is not None
        for _ in range(3):
            assert bot.stdout.readline()
        bot.send_signal(signal.SIGTERM)
        assert bot.wait() == 143
        assert bot.stdout.read() == ""  # only an end of all of them closes the pipe
