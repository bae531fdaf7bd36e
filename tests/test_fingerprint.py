from pathlib import Path

from pitch_server.fingerprint import changed_files, fingerprint

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
