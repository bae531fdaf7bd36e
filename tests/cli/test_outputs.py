"""What commands write never costs a file of another kind: a database, a bot, somebody's page."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.running import pitch
from cli.tournaments import commanded, config
from pitch_server.logs import configure_logs
from pitch_server.messages import message_console

BOT = "# a bot that took an evening\nfrom pitch import Bot\n"

Arguments = Callable[[str, str], list[str]]

COMMANDS: list[Arguments] = [
    lambda db, out: ["export", db, "--output", out],
    lambda db, out: ["export", db, "--npz", out],
    lambda db, out: ["report", db, "--markdown", out],
    lambda db, out: ["why", db, "0", "--decision", "0", "--save", out],
]
NAMES = ["export --output", "export --npz", "report --markdown", "why --save"]


@pytest.mark.parametrize("arguments", COMMANDS, ids=NAMES)
def test_the_database_itself_is_not_replaced(played: Path, arguments: Arguments) -> None:
    before = played.read_bytes()
    result = pitch(*arguments(str(played), str(played)))
    assert result.exit_code == 2
    assert f"{played} is a database, and stays" in result.stderr
    assert played.read_bytes() == before


@pytest.mark.parametrize("arguments", COMMANDS, ids=NAMES)
@pytest.mark.parametrize("link", [os.symlink, os.link], ids=["symbolic", "hard"])
def test_nor_by_a_link_to_it(
    played: Path, tmp_path: Path, arguments: Arguments, link: Callable[[Path, Path], None]
) -> None:
    before = played.read_bytes()
    other = tmp_path / "out"
    link(played, other)
    assert pitch(*arguments(str(played), str(other))).exit_code == 2
    assert played.read_bytes() == before


@pytest.mark.parametrize("arguments", COMMANDS, ids=NAMES)
@pytest.mark.parametrize(
    "content",
    [BOT, '{"name": "somebody\'s"}\n', "name = 'a config'\n", "\x00\x01", "# Notes\n\nof mine\n"],
    ids=["bot", "json", "toml", "bytes", "notes"],
)
def test_nor_is_any_other_file_of_another_kind(
    played: Path, tmp_path: Path, arguments: Arguments, content: str
) -> None:
    out = tmp_path / "mine"
    out.write_text(content)
    result = pitch(*arguments(str(played), str(out)))
    assert result.exit_code == 2
    assert f"{out} is there and not " in result.stderr
    assert "name another file, or move it away first" in result.stderr
    assert out.read_text() == content
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("arguments", COMMANDS, ids=NAMES)
def test_its_own_kind_and_an_empty_file_are_replaced(
    played: Path, tmp_path: Path, arguments: Arguments
) -> None:
    out = tmp_path / "out"
    out.touch()
    first = pitch(*arguments(str(played), str(out)))
    assert first.exit_code == 0, first.output
    written = out.read_bytes()
    again = pitch(*arguments(str(played), str(out)))
    assert again.exit_code == 0, again.output
    assert out.read_bytes() == written
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("arguments", COMMANDS, ids=NAMES)
@pytest.mark.parametrize("name", ["", "a\0b", "no/such/folder/x"], ids=["empty", "zero", "folder"])
def test_a_name_that_no_file_can_have_is_told(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: Arguments, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "no").touch()
    result = pitch(*arguments(str(played), name))
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["no"]


def test_what_a_link_points_to_is_replaced_and_the_link_stays(played: Path, tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    assert pitch("export", str(played), "--output", str(link)).exit_code == 0
    assert link.is_symlink()
    assert real.read_bytes().startswith(b"{")


def test_a_pipe_is_written_to(played: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    result = pitch("export", str(played), "--output", str(pipe))
    reader.join()
    assert result.exit_code == 0
    assert read[0].decode() == pitch("export", str(played)).stdout


def test_anothers_tables_stay_and_ours_are_replaced(played: Path, tmp_path: Path) -> None:
    for _ in range(2):
        result = pitch("report", str(played), "--csv", str(tmp_path))
        assert result.exit_code == 0, result.output
    table = tmp_path / "standings.csv"
    table.write_text("name,points\nAda,3\n")
    names = sorted(path.name for path in tmp_path.iterdir())
    result = pitch("report", str(played), "--csv", str(tmp_path))
    assert result.exit_code == 2
    assert f"{table} is there and not a report's table" in result.stderr
    assert table.read_text() == "name,points\nAda,3\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def test_a_folder_that_is_a_file_is_told(played: Path) -> None:
    before = played.read_bytes()
    result = pitch("report", str(played), "--csv", str(played))
    assert result.exit_code == 2
    assert f"{played} is a file; expected a folder" in result.stderr
    assert played.read_bytes() == before


def test_a_certificate_is_not_written_over_the_bot(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    result = pitch("check", str(bot), "--quick", "--certificate", str(bot))
    assert result.exit_code == 2
    assert f"{bot} is there and not a certificate, and stays" in result.stderr
    assert bot.read_text() == BOT


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_log_is_written_on_to_and_to_no_other_file(tmp_path: Path, form: str) -> None:
    log, other = tmp_path / "log", tmp_path / "bot.py"
    other.write_text(BOT)
    for _ in range(2):
        with configure_logs(format=form, level="info", path=log, console=message_console()):  # type: ignore[arg-type]
            pass
    with pytest.raises(OSError, match=r"bot\.py is there and not a log, and stays"):
        configure_logs(format=form, level="info", path=other, console=message_console())  # type: ignore[arg-type]
    assert other.read_text() == BOT


def test_a_run_asked_to_log_into_a_bot_starts_nothing(tmp_path: Path) -> None:
    file = config(tmp_path, commanded())
    before = (tmp_path / "bot.py").read_text()
    result = pitch("run", file, "--log", str(tmp_path / "bot.py"))
    assert result.exit_code == 2, result.output
    assert "bot.py is there and not a log, and stays" in result.stderr
    assert (tmp_path / "bot.py").read_text() == before


@pytest.mark.parametrize("name", ["bot.py", "a.toml"])
def test_nor_does_one_whose_database_is_another_file(tmp_path: Path, name: str) -> None:
    file = config(tmp_path, commanded())
    before = (tmp_path / name).read_text()
    result = pitch("run", file, "--db", str(tmp_path / name))
    assert result.exit_code == 2, result.output
    assert (tmp_path / name).read_text() == before
