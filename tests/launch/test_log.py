"""The log of an instance: bounded files, runs told apart, its end made harmless."""

import subprocess
import sys
from pathlib import Path

import pytest

from pitch_server.bot_log import LAST_BYTES, BotLog, shown_lines
from pitch_server.warden.log import Log


def written(view: BotLog, *pieces: bytes) -> BotLog:
    """A run of a bot that writes these pieces."""
    log = Log(str(view.path), view.limit, view.heading)
    for piece in pieces:
        log.write(piece)
    return view


def sizes(path: Path) -> dict[str, int]:
    return {each.name: each.stat().st_size for each in path.parent.iterdir()}


def test_a_full_log_makes_room_and_four_files_are_kept(tmp_path: Path) -> None:
    pieces = b"x" * 50_000, b"y" * 50_000, b"z" * 500_000
    view = written(BotLog(tmp_path / "a.log", 70_000), *pieces)
    assert sizes(view.path).keys() == {"a.log", "a.log.1", "a.log.2", "a.log.3"}
    assert max(sizes(view.path).values()) == 70_000
    assert view.tail().endswith(b"z")


def test_many_starts_share_the_space_of_one(tmp_path: Path) -> None:
    for number in range(100):
        written(BotLog(tmp_path / "a.log", 1000), b"crash %d\n" % number)
    assert sum(sizes(tmp_path / "a.log").values()) <= 4000
    older = (tmp_path / "a.log.1").read_text() + (tmp_path / "a.log").read_text()
    assert older.count("crash") > 20
    assert older.endswith("crash 99\n")


def test_a_run_shows_its_own_lines_only(tmp_path: Path) -> None:
    one = written(BotLog(tmp_path / "a.log"), b"secret of one")
    two = BotLog(tmp_path / "a.log")
    assert two.tail() == b""  # it has not begun
    written(two, f"{one.heading}\nforged\n".encode(), b"two\n")
    assert two.tail().decode() == f"{one.heading}\nforged\ntwo\n"


@pytest.mark.parametrize("extra", [-1, 0, 1, 100])
def test_the_tail_is_64_kib_across_files(tmp_path: Path, extra: int) -> None:
    view = written(BotLog(tmp_path / "a.log", 50_000), b"x\n" * 30_000, b"y" * 5535, b"z" * extra)
    whole = b"x\n" * 30_000 + b"y" * 5535 + b"z" * max(extra, 0)
    tail = view.tail()
    assert whole.endswith(tail)
    assert LAST_BYTES - 2 <= len(tail) + max(LAST_BYTES - len(whole), 0) <= LAST_BYTES


@pytest.mark.parametrize("cut", range(0, 40, 3))
def test_no_part_of_a_token_stands_where_the_tail_is_cut(tmp_path: Path, cut: int) -> None:
    token = b"0123456789abcdefghijklmnopqrstuvwxyzABCD"
    view = written(BotLog(tmp_path / "a.log"), b"x" * 500, token, b"y" * (LAST_BYTES - cut))
    lines = shown_lines(view.tail(), 5, token.decode())
    assert set("".join(lines)) <= {"y", "…"}


def test_a_full_disk_loses_output_and_nothing_else(tmp_path: Path) -> None:
    code = f"""
import resource
from pitch_server.warden.log import Log
log = Log({str(tmp_path / "a.log")!r}, 1 << 20, "heading")
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
log.write(b"x" * 5000)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
log.write(b"y" * 5000)
print("alive")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "alive\n"
    assert sizes(tmp_path / "a.log") == {"a.log": 1000}


def test_a_log_that_vanished_or_cannot_be_made_again_is_dropped(tmp_path: Path) -> None:
    directory = tmp_path / "logs"
    directory.mkdir()
    log = Log(str(directory / "a.log"), 100, "heading")
    (directory / "a.log").unlink()
    directory.rmdir()
    for _ in range(5):
        log.write(b"x" * 90)
    directory.mkdir()
    log.write(b"back")
    assert (directory / "a.log").read_bytes() == b"back"


def test_a_link_in_the_place_of_a_log_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.log").symlink_to(tmp_path / "precious")
    with pytest.raises(OSError, match="symbolic links"):
        Log(str(tmp_path / "a.log"), 100, "heading")
    assert not (tmp_path / "precious").exists()
