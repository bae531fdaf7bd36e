"""`pitch replay`: lines, statuses, several files, the summary; real processes for pipes."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from cli.running import LIMIT, command, pitch, pitch_process, write_lines
from records.making import ACTIONS, VECTOR_FILES, a_hand, a_record, agrees, vectors

GOOD = a_record()
WRONG = a_record(format="?")


def test_a_line_a_record_in_order(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "a.jsonl", GOOD, WRONG)
    second = write_lines(tmp_path / "b.jsonl", GOOD)
    result = pitch("replay", first, second)
    assert [json.loads(line)["ok"] for line in result.stdout.splitlines()] == [True, False, True]
    assert (result.exit_code, result.stderr) == (1, "")


@pytest.mark.parametrize(
    ("text", "status", "lines"),
    [
        pytest.param("", 0, 0, id="empty"),
        pytest.param(json.dumps(GOOD), 0, 1, id="one"),
        pytest.param(json.dumps(GOOD, indent=2), 0, 1, id="one over several lines"),
        pytest.param(json.dumps(WRONG), 1, 1, id="not ok"),
        pytest.param(json.dumps(GOOD) + "\n[]\n" + json.dumps(GOOD), 2, 1, id="unreadable"),
        pytest.param(json.dumps(WRONG) + "\n{", 2, 1, id="not ok, then unreadable"),
    ],
)
def test_statuses_of_standard_input(text: str, status: int, lines: int) -> None:
    result = pitch("replay", "-", stdin=text)
    assert result.exit_code == status
    assert len(result.stdout.splitlines()) == lines
    assert ("standard input: line" in result.stderr) == (status == 2)


@pytest.mark.parametrize("broken", ["missing", "directory", "bytes", "nul in name"])
def test_an_unreadable_file_does_not_stop_the_others(tmp_path: Path, broken: str) -> None:
    good = write_lines(tmp_path / "good.jsonl", GOOD)
    bad = tmp_path / "bad"
    if broken == "directory":
        bad.mkdir()
    elif broken == "bytes":
        bad.write_bytes(b"\xff\x00")
    name = f"{bad}\0" if broken == "nul in name" else str(bad)
    result = pitch("replay", name, good)
    assert result.exit_code == 2
    assert json.loads(result.stdout)["ok"] is True
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1


def test_the_summary_counts_kinds_of_errors(tmp_path: Path) -> None:
    illegal = a_record(hands=[a_hand(actions=["2 pass"])])
    unfinished = a_record(hands=[a_hand(actions=ACTIONS[:9])])
    path = write_lines(tmp_path / "a.jsonl", GOOD, WRONG, illegal, WRONG, unfinished)
    result = pitch("replay", path, "--summary")
    assert result.exit_code == 1
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert lines[:3] == ["2 of 5 records ok, 2 games not over", "2 bad header", "1 illegal action"]
    assert "1 hands in" in lines[3]
    assert lines[3].endswith("a second")


def test_summary_and_show_exclude_each_other() -> None:
    assert pitch("replay", "-", "--summary", "--show").exit_code == 2


def test_every_vector_through_a_process() -> None:
    cases = [(path.name, case) for path in VECTOR_FILES for case in vectors(path)]
    stdin = "".join(json.dumps(case.input) + "\n" for _, case in cases).encode()
    done = pitch_process("replay", "-", stdin=stdin)
    assert (done.returncode, done.stderr) == (1, b"")
    lines = done.stdout.decode("ascii").splitlines()
    assert len(lines) == len(cases)
    agreed = {path.name: 0 for path in VECTOR_FILES}
    for line, (name, case) in zip(lines, cases, strict=True):
        agreed[name] += agrees(json.loads(line), case.expected)
    for path in VECTOR_FILES:
        print(f"{path.name}: agree {agreed[path.name]} of {len(vectors(path))}")
    assert agreed == {path.name: len(vectors(path)) for path in VECTOR_FILES}


def test_a_reader_that_goes_away_ends_it_quietly(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "many.jsonl", *[GOOD] * 2000)
    with subprocess.Popen(
        command("replay", path), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(LIMIT) == 141
        assert process.stderr.read() == b""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_it_with_their_status(number: signal.Signals, status: int) -> None:
    with subprocess.Popen(
        command("replay", "-"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(GOOD).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["ok"] is True  # answered at once
        process.send_signal(number)
        assert process.wait(LIMIT) == status
        process.stdin.close()
        assert b"Traceback" not in (process.stderr.read() if process.stderr else b"")


def test_output_does_not_depend_on_the_locale() -> None:
    record = json.dumps(a_record(format="naïve ☃"), ensure_ascii=False).encode()
    done = pitch_process("replay", "-", stdin=record, PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert "naïve ☃" in json.loads(done.stdout)["error"]["reason"]


@pytest.mark.parametrize("form", [["replay", "--show"], ["view", "--seat", "0"]])
def test_who_gives_a_database_is_told_of_the_export(played: Path, form: list[str]) -> None:
    result = pitch(*form, str(played))
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"is a database; its records are told by pitch export {played}" in result.stderr
