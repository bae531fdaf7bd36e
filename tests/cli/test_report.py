"""`pitch report`: which files it writes, and what it refuses."""

import sys
from pathlib import Path

import pytest

from cli.running import pitch
from cli.tournaments import going_on


def test_markdown_and_tables_are_written(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "tables"
    result = pitch("report", str(played), "--markdown", str(tmp_path / "a.md"), "--csv", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / "a.md").read_text(encoding="utf-8").startswith("# test\n")
    names = {file.name for file in out.iterdir()}
    assert names >= {"standings.csv", "crosstable.csv", "pairings.csv", "setup.csv"}
    assert result.stderr.count("wrote ") == len(names) + 1


def test_markdown_may_go_to_standard_output(played: Path) -> None:
    result = pitch("report", str(played), "--markdown", "-")
    assert result.stdout.startswith("# test\n")
    assert result.stderr == ""


def test_without_its_extra_the_page_says_how_to_get_it(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.delitem(sys.modules, "pitch_server.reporting.drawing", raising=False)
    result = pitch("report", str(played), "--html", str(tmp_path))
    assert result.exit_code == 2
    assert "-m pip install -c constraints.txt -e '.[report]')" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_running_tournament_has_a_report_without_its_boards(tmp_path: Path) -> None:
    file = going_on(tmp_path / "a.db")
    text = pitch("report", str(file), "--markdown", "-").stdout
    assert "Not complete" in text
    assert "Boards that made the difference" not in text


def test_something_to_write_must_be_named(played: Path) -> None:
    result = pitch("report", str(played))
    assert result.exit_code == 2
    assert "expected --html DIR, --markdown FILE or --csv DIR" in result.stderr


def test_a_place_that_cannot_be_written_to_is_bad_input(played: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = pitch("report", str(played), "--markdown", str(tmp_path / "file" / "a.md"))
    assert result.exit_code == 2
    assert "file is a file; expected a folder" in result.stderr
