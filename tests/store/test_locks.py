"""The locks of a process that plays, while others come to its database and go."""

import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from pitch_server.plan.games import Plan
from pitch_server.store.holding import hold_database
from pitch_server.store.journal import Journal
from pitch_server.store.rows import JournalEntry
from plan.making import make_settings
from verify.making import SEED, play

SETTINGS = make_settings(2, boards=4)
READ = """
import sys
from pathlib import Path
from pitch_server.store.journal import Journal
with Journal.open(Path(sys.argv[1])) as journal:
    print(len(journal.played()))
"""


def _created(file: Path) -> Journal:
    return Journal.create(file, SETTINGS, SEED)


def _opened(file: Path) -> Journal:
    _created(file).close()
    return Journal.open(file)


@pytest.mark.parametrize("make", [_created, _opened])
@pytest.mark.parametrize("held", ["before", "after"])
def test_a_reader_that_ends_leaves_the_log_of_who_plays(
    tmp_path: Path, make: Callable[[Path], Journal], held: str
) -> None:
    file = tmp_path / "a.db"
    log = file.with_name("a.db-wal")
    games = [play(SETTINGS, game) for game in islice(Plan(SETTINGS), 2)]
    if held == "before":
        with hold_database(file), make(file) as journal:
            _append_beside_a_reader(journal, file, log, games)
    else:
        with make(file) as journal, hold_database(file):
            _append_beside_a_reader(journal, file, log, games)


def _append_beside_a_reader(
    journal: Journal, file: Path, log: Path, games: list[JournalEntry]
) -> None:
    journal.append(games[:1])
    before = log.stat().st_ino
    command = [sys.executable, "-c", READ, str(file)]
    read = subprocess.run(command, capture_output=True, text=True, check=True)
    assert read.stdout == "1\n"
    assert log.stat().st_ino == before
    journal.append(games[1:])
