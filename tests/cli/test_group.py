"""The group: help with examples, suggestions, exit statuses, lazy imports, missing extras."""

import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import click
import pytest

from cli.running import command, pitch, pitch_process, write_lines
from pitch_server.cli import cli, group
from records.making import a_record

NAMES = cli.list_commands(click.Context(cli))
CHECKOUT = Path(__file__).parents[2]


def test_help_lists_the_commands_without_importing_them() -> None:
    result = pitch("--help")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in NAMES)
    assert "Example" in result.stdout


@pytest.mark.parametrize("name", NAMES)
def test_every_help_has_an_example(name: str) -> None:
    result = pitch(name, "--help")
    assert result.exit_code == 0
    assert re.search(rf"\n  Examples?:\n    pitch {name}\b", result.stdout)


def test_version() -> None:
    result = pitch("--version")
    assert (result.exit_code, result.stdout) == (0, f"pitch, version {version('pitch-arena')}\n")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        pytest.param(["repaly"], "did you mean replay?", id="command"),
        pytest.param(["variant"], "did you mean variants?", id="command, too short"),
        pytest.param(["xyzzy"], "there are", id="nothing near"),
        pytest.param(["replay", "-", "--sumary"], "--summary", id="option"),
        pytest.param(["--versoin"], "--version", id="option of the group"),
        pytest.param(["variants", "pitch-ca"], "did you mean pitch-ac?", id="variant"),
    ],
)
def test_a_misspelt_name_gets_a_suggestion_and_status_2(arguments: list[str], hint: str) -> None:
    result = pitch(*arguments)
    assert result.exit_code == 2
    assert hint in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("arguments", [["replay"], ["view", "-"], ["replay", "-", "--what"]])
def test_wrong_use_is_status_2_with_a_message_on_stderr(arguments: list[str]) -> None:
    result = pitch(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage: pitch" in result.stderr


def _ending(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    @click.command()
    def broken() -> None:
        raise error

    monkeypatch.setattr(group.LazyGroup, "get_command", lambda *_: broken)
    result = pitch("replay")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stderr


@pytest.mark.parametrize(
    ("installed", "command"),
    [
        pytest.param(True, f"{sys.executable} -m pip install 'pitch-arena[server]'", id="wheel"),
        pytest.param(
            False,
            f"(cd {CHECKOUT} && {sys.executable} -m pip install -c constraints.txt -e '.[server]')",
            id="checkout",
        ),
    ],
)
def test_a_missing_extra_is_one_sentence_with_the_mending_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, installed: bool, command: str
) -> None:
    if installed:
        monkeypatch.setattr(group, "__file__", str(tmp_path / "a/b/c/group.py"))
    error = ModuleNotFoundError("No module named 'scipy.stats'", name="scipy.stats")
    assert _ending(error, monkeypatch) == (
        2,
        f"Error: this command needs scipy, a part of the server extra; get it with: {command}\n",
    )


def test_another_missing_module_is_our_own_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModuleNotFoundError):
        _ending(ModuleNotFoundError("No module named 'x'", name="x"), monkeypatch)


def test_an_interrupt_is_status_130(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _ending(KeyboardInterrupt(), monkeypatch)[0] == 130


def test_a_failing_disk_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    error = OSError(28, "No space left on device")
    said = "Error: No space left on device; what was being written is not whole\n"
    assert _ending(error, monkeypatch) == (2, said)
    named = OSError(28, "No space left on device", "a.db.logs")
    assert _ending(named, monkeypatch) == (2, "Error: a.db.logs: No space left on device\n")


@pytest.mark.parametrize(
    "arguments", [["replay", "-"], ["variants"], ["view", "-", "--seat", "0"], ["--help"]]
)
def test_light_commands_import_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "from pitch_server.cli import cli\n"
        f"cli({arguments!r}, standalone_mode=False)\n"
        f"print(sorted(set({_HEAVY!r}) & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(a_record()).encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == b"[]\n"
    assert done.stdout


_HEAVY = ("sqlalchemy", "scipy", "trueskill", "psutil", "grpc", "google", "rich", "asyncio")


def test_no_arguments_print_the_help_with_status_2() -> None:
    done = pitch_process()
    assert done.returncode == 2
    assert b"Commands:" in done.stderr


@pytest.mark.parametrize(
    ("closed", "heard"), [("<&-", True), (">&-", False), ("2>&-", True), ("<&- >&- 2>&-", False)]
)
@pytest.mark.parametrize("name", ["variants", "replay"])
def test_a_standard_stream_that_is_closed_leads_nowhere(
    tmp_path: Path, closed: str, heard: bool, name: str
) -> None:
    records = [write_lines(tmp_path / "records.jsonl", a_record())] if name == "replay" else []
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *command(name, *records)]
    done = subprocess.run(shell, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert bool(done.stdout) is heard
