import subprocess
import sys
from pathlib import Path

import pytest

from pitch_server.store.errors import DatabaseHeld, JournalError
from pitch_server.store.holding import hold_database

HOLD = """
import sys, time
from pathlib import Path
from pitch_server.store.holding import hold_database
with hold_database(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_one_is_refused_until_the_first_is_gone_even_by_kill_9(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(file)], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with (
            pytest.raises(DatabaseHeld, match=rf"a\.db is in use: .*\(process {process.pid}\)"),
            hold_database(file),
        ):
            pass
        process.kill()
        process.wait()
        with hold_database(file):
            pass


def test_another_name_of_the_file_is_the_same_database(tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()
    (tmp_path / "b.db").symlink_to(tmp_path / "a.db")
    with (
        hold_database(tmp_path / "a.db"),
        pytest.raises(DatabaseHeld),
        hold_database(tmp_path / "b.db"),
    ):
        pass


def test_a_place_that_cannot_be_locked_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(JournalError, match=r"a\.db\.lock can't be made"),
        hold_database(tmp_path / "no" / "a.db"),
    ):
        pass
