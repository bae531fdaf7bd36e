"""`pitch export`: records in plan order, secrets kept, output that breaks nothing."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cli.running import LIMIT, command, pitch, pitch_process
from cli.tournaments import GAMES, SETTINGS, finished, going_on
from pitch.envs.encoding import Encoding
from pitch_server.plan.settings import EntrantSettings
from pitch_server.store.journal import Journal
from plan.making import make_settings


def test_every_record_is_a_line_in_plan_order_and_replays(played: Path) -> None:
    result = pitch("export", str(played))
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    with Journal.open(played) as journal:
        assert lines == [stored.record for stored in journal.records()]
    assert [json.loads(line)["x_game"] for line in lines] == list(range(GAMES))
    replayed = pitch("replay", "-", "--summary", stdin=result.stdout)
    assert replayed.exit_code == 0
    assert f"{GAMES} of {GAMES} records ok" in replayed.output


def test_before_the_end_it_is_refused_and_revealed_on_demand(tmp_path: Path) -> None:
    file = str(going_on(tmp_path / "a.db"))
    result = pitch("export", file, "--output", str(tmp_path / "out"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the tournament is not over" in result.stderr
    assert "say --reveal" in result.stderr
    assert not (tmp_path / "out").exists()
    revealed = pitch("export", file, "--reveal")
    assert revealed.exit_code == 0
    assert len(revealed.stdout.splitlines()) == 5


def test_a_file_appears_when_it_is_whole(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    result = pitch("export", str(played), "--output", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_text(encoding="utf-8") == pitch("export", str(played)).stdout
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_file_that_was_there_stays_if_the_export_fails(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.jsonl"
    before = '{"format": "pitch-record/1"}\n'
    out.write_text(before)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pitch_server.store.journal.parse_record_text", full)
    result = pitch("export", str(played), "--output", str(out))
    assert result.exit_code == 2
    assert f"{out}: cannot be written: No space left on device" in result.stderr
    assert out.read_text() == before
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


@pytest.mark.parametrize("name", ["no/out.jsonl", "."])
def test_a_place_that_cannot_be_written_is_told(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = pitch("export", str(played), "--output", name)
    assert result.exit_code == 2
    assert f"{name}: cannot be written: " in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_decisions_are_written_as_arrays(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "played.npz"
    result = pitch("export", str(played), "--npz", str(file))
    assert (result.exit_code, result.stdout) == (0, "")
    arrays = np.load(file)
    rows = len(arrays["actions"])
    assert f"{file}: {rows:,} decisions of 3 bots" in result.stderr
    with Journal.open(played) as journal:
        size = Encoding(journal.settings.variant, journal.settings.format.unit).size
        assert list(arrays["names"]) == [each.name for each in journal.settings.entrants]
        records = [json.loads(stored.record) for stored in journal.records()]
    whole = [each["x_game"] for each in records if not {"x_void", "x_forfeit"} & each.keys()]
    assert arrays["observations"].shape == (rows, size)
    assert arrays["masks"][np.arange(rows), arrays["actions"]].all()
    assert sorted(set(arrays["games"])) == whole
    assert [path.name for path in tmp_path.iterdir()] == ["played.npz"]


def test_arrays_are_refused_where_records_are(played: Path, tmp_path: Path) -> None:
    file = str(going_on(tmp_path / "a.db"))
    assert pitch("export", file, "--npz", str(tmp_path / "x.npz")).exit_code == 2
    assert not (tmp_path / "x.npz").exists()
    both = pitch("export", str(played), "--npz", "x.npz", "--output", "y.jsonl")
    assert both.exit_code == 2
    assert "say which of them is to be written" in both.stderr


def test_a_device_is_written_to_and_stays(played: Path) -> None:
    assert pitch("export", str(played), "--output", "/dev/null").exit_code == 0
    assert Path("/dev/null").is_char_device()


def test_names_of_any_script_are_utf_8_whatever_the_terminal_has(tmp_path: Path) -> None:
    plain = make_settings(2, boards=1)
    names = ("ännchen", "猫")
    settings = replace(plain, entrants=tuple(EntrantSettings(name=name) for name in names))
    file = finished(tmp_path / "a.db", settings)
    ended = pitch_process("export", str(file), PYTHONIOENCODING="ascii", LC_ALL="C")
    assert ended.returncode == 0
    line = ended.stdout.decode("utf-8").splitlines()[0]
    assert json.loads(line)["seats"] == ["ännchen", "猫", "ännchen", "猫"]


def test_a_reader_that_goes_away_ends_it_quietly(tmp_path: Path) -> None:
    file = finished(tmp_path / "a.db", replace(SETTINGS, format=make_settings(3, boards=40).format))
    with subprocess.Popen(
        command("export", str(file)), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"{")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(LIMIT) == 141
