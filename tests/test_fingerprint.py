import shutil
import sys
from pathlib import Path

from pitch_server.fingerprint import (
    changed_files,
    fingerprint,
    portable_command,
    portable_fingerprint,
)

COMMAND = ["{python}", "bot.py", "weights", "-x"]


def test_a_changed_file_a_new_one_and_one_that_is_gone_are_named(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("one")
    (tmp_path / "weights").write_text("two")
    before = fingerprint(COMMAND, tmp_path)
    assert changed_files(before, fingerprint(COMMAND, tmp_path)) == ()
    (tmp_path / "bot.py").write_text("other")
    assert changed_files(before, fingerprint(COMMAND, tmp_path)) == ("bot.py",)
    (tmp_path / "weights").unlink()
    (tmp_path / "-x").write_text("three")
    assert changed_files(before, fingerprint(COMMAND, tmp_path)) == ("-x", "bot.py", "weights")


def test_the_files_may_move_with_their_directory(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text("one")
    before = fingerprint(COMMAND, tmp_path / "a")
    assert changed_files(before, fingerprint(COMMAND, tmp_path / "b")) == ()


def test_a_bot_of_before_fingerprints_is_not_said_to_have_changed(tmp_path: Path) -> None:
    assert changed_files(None, fingerprint(COMMAND, tmp_path)) == ()


def test_a_bot_is_known_again_wherever_it_is(tmp_path: Path) -> None:
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text("pass\n")
    here, there = tmp_path / "here", tmp_path / "there"
    made = portable_fingerprint((sys.executable, str(here / "bot.py"), "--bold"), tmp_path)
    assert made == portable_fingerprint(("{python}", "bot.py", "--bold"), there)
    assert made != portable_fingerprint(("{python}", "bot.py"), there)
    (there / "bot.py").write_text("pass  # better\n")
    assert made != portable_fingerprint(("{python}", "bot.py", "--bold"), there)


def test_a_class_of_a_file_counts_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text("pass\n")
    words = portable_command(("{python}", "-m", "module", f"{tmp_path}/bots.py:Bold"), tmp_path)
    assert words[:3] == ("{python}", "-m", "module")
    assert words[3].startswith("sha256:")
    assert words[3].endswith(":Bold")


def test_a_program_of_the_system_is_told_by_its_name_and_ones_own_by_its_content(
    tmp_path: Path,
) -> None:
    shell = shutil.which("sh")
    assert shell is not None
    assert portable_command((shell, "-c", "exit"), tmp_path) == ("sh", "-c", "exit")
    (tmp_path / "sh").write_text("mine\n")
    assert portable_command(("./sh",), tmp_path)[0].startswith("sha256:")
