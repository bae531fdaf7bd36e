"""`pitch new`: what it writes runs as it is; what it refuses."""

import subprocess
import sys
from pathlib import Path

import pytest

from cli.running import pitch

FILES = {
    *(".gitignore", "README.md", "pytest.ini", "trial.toml"),
    *("alice_bot.py", "test_alice_bot.py"),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def test_a_project_runs_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    made = pitch("new", "alice")
    assert made.exit_code == 0
    assert made.stdout.splitlines()[-3:] == [
        "  cd alice",
        "  pitch try alice_bot.py",
        "  pitch run trial.toml",
    ]
    assert {each.name for each in Path("alice").iterdir()} == FILES
    Path("pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '--odd'\n")
    Path("conftest.py").write_text("raise RuntimeError('of another project')")
    monkeypatch.chdir("alice")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio"]
    tested = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert "5 passed" in tested.stdout, tested.stdout + tested.stderr
    tried = pitch("try", "alice_bot.py", "--boards", "10")
    assert tried.exit_code == 0
    assert "against random: better" in tried.stdout
    planned = pitch("run", "trial.toml", "--dry-run")
    assert planned.exit_code == 0, planned.output


@pytest.mark.parametrize(
    ("folder", "module", "bot"),
    [
        pytest.param("random", "random_bot", "RandomBot", id="a module of Python"),
        pytest.param("my-bot", "my_bot", "MyBot", id="a hyphen"),
        pytest.param("Deep Blue 2", "deep_blue_2_bot", "DeepBlue2Bot", id="spaces"),
        pytest.param("one/bär", "bär_bot", "BärBot", id="deeper, other letters"),
    ],
)
def test_the_bot_is_called_after_the_folder(folder: str, module: str, bot: str) -> None:
    assert pitch("new", folder).exit_code == 0
    text = (Path(folder) / f"{module}.py").read_text(encoding="utf-8")
    assert f"class {bot}(Bot):" in text
    assert f"run({bot})" in text
    assert (Path(folder) / f"test_{module}.py").is_file()


def test_the_folder_where_one_is_may_be_taken(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "bob").mkdir()
    monkeypatch.chdir("bob")
    made = pitch("new", ".")
    assert made.exit_code == 0
    assert "cd " not in made.stdout
    assert Path("bob_bot.py").is_file()


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        pytest.param("full", "full is not empty (mine.txt)", id="not empty"),
        pytest.param("file", "file is a file", id="a file"),
        pytest.param("2fast", "expected one to call a bot after", id="a digit first"),
        pytest.param("...", "got the name '...'", id="no letters"),
        pytest.param("x" * 60, "46 characters", id="too long"),
        pytest.param("file/x", "file/x can't be made: Not a directory", id="in a file"),
        pytest.param("al\nice", "expected one to call a bot after", id="a newline"),
        pytest.param("al\u202eice", "expected one to call a bot after", id="unseen letters"),
        pytest.param("/proc/alice", "/proc/alice can't be made: ", id="no place for files"),
    ],
)
def test_what_can_not_be_made_is_refused_and_nothing_is_written(
    here: Path, folder: str, said: str
) -> None:
    (here / "full").mkdir()
    (here / "full" / "mine.txt").write_text("mine")
    (here / "file").write_text("mine")
    before = sorted(here.rglob("*"))
    result = pitch("new", folder)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize("folder", ["random", "rule", "at-random"])
def test_a_bot_called_after_a_sample_has_a_trial_and_tests_too(
    monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    assert pitch("new", folder).exit_code == 0
    monkeypatch.chdir(folder)
    planned = pitch("run", "trial.toml", "--dry-run")
    assert planned.exit_code == 0, planned.output
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio"]
    tested = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert "passed" in tested.stdout
    assert "failed" not in tested.stdout, tested.stdout
