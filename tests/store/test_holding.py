import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import URL

from pitch_server.store.errors import DatabaseHeld, JournalError
from pitch_server.store.holding import hold_database
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State
from plan.making import make_settings
from store.making import entry

HOLD = """
import sys, time
from sqlalchemy import make_url
from pitch_server.store.holding import hold_database
with hold_database(make_url(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_one_is_refused_until_the_first_is_gone_even_by_kill_9(place: URL) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, place.render_as_string(hide_password=False)],
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with (
            pytest.raises(DatabaseHeld, match=rf" is in use: .*\(process {process.pid}\b.*\)"),
            hold_database(place),
        ):
            pass
        process.kill()
        process.wait()
        until_free(place)


def until_free(place: URL) -> None:
    """Holds it once; a server notices a moment later that a session has ended."""
    while True:
        try:
            with hold_database(place):
                return
        except DatabaseHeld:
            if place.get_backend_name() == "sqlite":
                raise


def test_who_has_lost_the_database_writes_nothing_into_it_any_more(place: URL) -> None:
    """As a process that was cut off or stopped for a while, and missed that another took over."""
    with Journal.create(place, make_settings(2), "s") as journal:
        with hold_database(place) as journal.hold:
            assert journal.append([entry(0)]) == (0,)
        with hold_database(place) as second, Journal.open(place) as other:
            for write in (
                lambda: journal.append([entry(1)]),
                lambda: journal.withdraw("a"),
                lambda: journal.note_crash(1, 1, "x"),
                lambda: journal.end(State.FINISHED, {"digest": "d"}),
            ):
                with pytest.raises(DatabaseHeld, match="was taken by another process, which"):
                    write()
            other.hold = second
            assert other.append([entry(1), entry(2)]) == (1, 2)
            assert len(other.played()) == 3
            assert not other.entrants()[0].withdrawn


def test_operators_write_while_another_process_plays(place: URL) -> None:
    with hold_database(place) as hold, Journal.create(place, make_settings(2), "s") as journal:
        journal.hold = hold
        with Journal.open(place) as beside:
            beside.withdraw("a")
        assert journal.append([entry(0)]) == (0,)


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
