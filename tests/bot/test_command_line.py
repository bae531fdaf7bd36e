import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from certificates import Authority
from pitch.bot.command_line import INSTANCE_VARIABLE, parse_options
from pitch.bot.tls import Tls
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


def test_the_token_may_stand_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("secret\n")
    arguments = ["--server", "localhost:1", "--name", "ann"]
    for options in (
        parse_options([*arguments, "--token-file", str(file)], {"PITCH_TOKEN": "other"}),
        parse_options(arguments, {"PITCH_TOKEN_FILE": str(file)}),
    ):
        assert options.token == "secret"


def test_what_stands_in_a_file_that_holds_no_token_is_not_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "token"
    file.write_text("ann = secret\n")
    with pytest.raises(SystemExit):
        parse_options([*GIVEN, "--token-file", str(file)], {})
    shown = capsys.readouterr().err
    assert f"expected the token alone in {file}, got 3 words" in shown
    assert "secret" not in shown


@pytest.mark.parametrize(
    ("arguments", "environment", "tls"),
    [
        pytest.param([], {}, None, id="in clear"),
        pytest.param([], {"PITCH_TLS": "0"}, None, id="switched off"),
        pytest.param(["--tls"], {}, Tls(), id="option"),
        pytest.param([], {"PITCH_TLS": "1"}, Tls(), id="variable"),
        pytest.param(
            ["--tls", "--server-name", "a.example"], {}, Tls(server_name="a.example"), id="name"
        ),
    ],
)
def test_tls_is_asked_for(
    arguments: list[str], environment: dict[str, str], tls: Tls | None
) -> None:
    assert parse_options([*GIVEN, *arguments], environment).tls == tls


def test_whoever_names_an_authority_means_tls(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("ann")
    given = ["--client-certificate", str(pair.certificate), "--client-key", str(pair.key)]
    options = parse_options([*GIVEN, *given], {"PITCH_CA": str(authority.file)})
    assert options.tls == Tls(ca=authority.file, certificate=pair.certificate, key=pair.key)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--token-file", "no/file"], "cannot read no/file: No such file", id="token"),
        pytest.param(["--ca", "no/file"], "--ca: cannot read no/file: No such file", id="no ca"),
        pytest.param(["--ca", "{key}"], "--ca: expected certificates in PEM form in", id="no pem"),
        pytest.param(["--server-name", "a"], "--server-name is for TLS", id="name without TLS"),
        pytest.param(["--client-key", "{key}"], "belong together: give both", id="key alone"),
        pytest.param(
            ["--client-certificate", "{ca}", "--client-key", "{key}"],
            "expected a certificate and its key in PEM form (KEY_VALUES_MISMATCH)",
            id="another's key",
        ),
    ],
)
def test_files_that_cannot_be_used_end_the_bot_before_it_connects(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    authority = Authority(tmp_path)
    files = {"ca": authority.file, "key": authority.issue("ann").key}
    with pytest.raises(SystemExit) as end:
        parse_options([*GIVEN, *(each.format(**files) for each in arguments)], {})
    assert end.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "no server to connect to. A tournament starts this bot", id="nothing"),
        pytest.param(["--server", "x"], "with a port from 1 to 65535, got 'x'", id="no port"),
        pytest.param(["--server", ":7"], "expected HOST:PORT with a port", id="no host"),
        pytest.param(["--server", "a:99999"], "1 to 65535, got 'a:99999'", id="no such port"),
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
