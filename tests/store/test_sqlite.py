"""What is true of SQLite alone: files that are no database of ours, or no longer a whole one."""

import asyncio
import os
import random
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import event

from pitch_server.store.committer import Committer
from pitch_server.store.errors import Damaged, JournalError, NoDatabase
from pitch_server.store.holding import hold_database
from pitch_server.store.journal import Journal, list_tournaments
from pitch_server.store.rows import State
from plan.making import make_settings
from store.making import entry


def sqlite_file(path: Path, *statements: str) -> Path:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def test_what_is_no_journal_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase, match=r"none\.db: there is no file of that name"):
        Journal.open(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(NoDatabase, match="there is a directory"):
        Journal.open(tmp_path)
    text = tmp_path / "text.db"
    text.write_text("not a database at all, but long enough to be looked at" * 100)
    with pytest.raises(JournalError, match=r"text\.db is not a database of ours"):
        Journal.open(text)
    with pytest.raises(JournalError, match=r"text\.db is not a database of ours"):
        Journal.create(text, make_settings(2), "s")
    other = sqlite_file(tmp_path / "other.db", "create table birds (name)")
    before = other.read_bytes()
    with pytest.raises(JournalError, match="is a database of something else"):
        Journal.open(other)
    with pytest.raises(JournalError, match="is a database of something else"):
        Journal.create(other, make_settings(2), "s")
    assert other.read_bytes() == before
    empty = tmp_path / "empty.db"
    empty.touch()
    with pytest.raises(JournalError, match="holds no tournament"):
        Journal.open(empty)
    with pytest.raises(JournalError, match=r"x\.db can't be made: No such file or directory"):
        Journal.create(tmp_path / "no" / "x.db", make_settings(2), "s")
    (tmp_path / "loop.db").symlink_to("loop.db")
    with pytest.raises(JournalError, match=r"loop\.db can't be made: Too many levels"):
        Journal.create(tmp_path / "loop.db", make_settings(2), "s")


def use_as_a_run_does(file: Path) -> None:
    """What `pitch resume` does with a database before and after games, and a report after it."""
    list_tournaments(file)
    with hold_database(file) as hold, Journal.open(file) as journal:
        journal.hold = hold
        journal.played()
        journal.append([entry(999)])
    with Journal.open(file) as journal:
        list(journal.entries())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database of four hundred games, of more than a hundred kB."""
    file = tmp_path_factory.mktemp("whole") / "a.db"
    with Journal.create(file, make_settings(2, boards=500), "s") as journal:
        for start in range(0, 400, 50):
            journal.append([entry(number) for number in range(start, start + 50)])
    return file.read_bytes()


@pytest.mark.parametrize("part", range(8))
def test_a_database_that_is_cut_off_anywhere_is_told(
    tmp_path: Path, whole: bytes, part: int
) -> None:
    file = tmp_path / "a.db"
    lengths = [16, 99, 100, 4095, 4096, 4097, *range(5000, len(whole) - 4096, 4999)]
    for length in lengths[part::8]:
        file.write_bytes(whole[:length])
        with pytest.raises(JournalError, match=r"^\S+a\.db (is damaged|is not a database of ours)"):
            use_as_a_run_does(file)


@pytest.mark.parametrize("part", range(8))
def test_flipped_bits_are_told_in_a_sentence_or_change_nothing_that_is_read(
    tmp_path: Path, whole: bytes, part: int
) -> None:
    file, chance = tmp_path / "a.db", random.Random(part)
    for _ in range(6):
        content = bytearray(whole)
        for _ in range(chance.choice([1, 100])):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        for name in ("a.db-wal", "a.db-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        file.write_bytes(content)
        told = ""
        try:
            use_as_a_run_does(file)
        except JournalError as error:
            told = str(error)
        assert re.fullmatch(rf"({re.escape(str(file))} .+)?", told)


def test_a_message_quotes_nothing_that_is_secret(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    with Journal.create(file, make_settings(2), "s") as journal:
        journal.append([entry(0)])
    sqlite_file(file, "update records set record = cast(x'7365637265742dff' as text)")
    with Journal.open(file) as journal, pytest.raises(JournalError) as caught:
        list(journal.entries())
    assert str(caught.value) == f"{file} is damaged: it holds a text that is none"


def test_a_locked_database_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitch_server.store.sqlite.BUSY_SECONDS", 0.05)
    file = tmp_path / "a.db"
    with Journal.create(file, make_settings(2), "s") as journal:
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            with pytest.raises(JournalError, match="is locked by another program"):
                journal.append([entry(0)])
            assert list(journal.results()) == []
        finally:
            other.close()
        assert journal.append([entry(0)]) == (0,)


WRITER = """
import resource, sys
from pathlib import Path
from pitch_server.store.errors import JournalError
from pitch_server.store.holding import hold_database
from pitch_server.store.journal import Journal
from store.making import entry
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
journal = Journal.open(Path(sys.argv[1]))
start = len(journal.played())
try:
    while True:
        journal.append([entry(number) for number in range(start, start + 20)])
        start += 20
        print(start, flush=True)
except JournalError as error:
    sys.exit(str(error))
"""


def write_on(file: Path, limit: int) -> "subprocess.Popen[str]":
    """A process that writes games and tells each commit, to files of so many bytes at most."""
    tests = str(Path(__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(file), str(limit)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": tests},
    )


@pytest.mark.parametrize("limit", [50_000, 140_000, 1_000_000])
def test_where_a_file_may_not_grow_nothing_that_was_told_is_lost(
    tmp_path: Path, limit: int
) -> None:
    """As on a full disk, which not everybody may make."""
    file = tmp_path / "a.db"
    Journal.create(file, make_settings(2, boards=100_000), "s").close()
    with write_on(file, limit) as process:
        out, err = process.communicate()
    told = int((out.split() or ["0"])[-1])
    assert process.returncode == 1
    assert re.fullmatch(rf"{re.escape(str(file))} can't (grow|be read or written): .*\n", err)
    with Journal.open(file) as journal:
        assert [each.result.number for each in journal.entries()] == list(range(told))
        assert journal.append([entry(told)]) == (told,)


def test_on_a_full_disk_nothing_that_was_told_is_lost(small_disk: Path) -> None:
    file = small_disk / "a.db"
    Journal.create(file, make_settings(2, boards=100_000), "s").close()
    with write_on(file, 1 << 40) as process:
        out, err = process.communicate()
    told = int(out.split()[-1])
    assert err == f"{file} can't grow: the disk is full\n"
    with Journal.open(file) as journal:
        assert [each.result.number for each in journal.entries()] == list(range(told))
        assert told > 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 700 kB; only root may make one, the test before this needs none."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """A database and its log, as a process leaves them that is killed among commits of twenty."""
    file = tmp_path_factory.mktemp("killed") / "a.db"
    Journal.create(file, make_settings(2, boards=100_000), "s").close()
    with write_on(file, 1 << 40) as process:
        assert process.stdout is not None
        for _ in range(20):
            process.stdout.readline()
        process.kill()
        process.communicate()
    return file.read_bytes(), file.with_name("a.db-wal").read_bytes()


@pytest.mark.parametrize("kept", [0, 10, 32, 4120, 0.25, 0.5, 0.99])
def test_of_a_log_that_was_cut_off_whole_commits_are_left(
    tmp_path: Path, killed: tuple[bytes, bytes], kept: float
) -> None:
    """As a power cut leaves it on a disk that does not keep its word."""
    file, (content, log) = tmp_path / "a.db", killed
    file.write_bytes(content)
    length = int(kept * len(log)) if kept < 1 else int(kept)
    (tmp_path / "a.db-wal").write_bytes(log[:length])
    with Journal.open(file) as journal:
        numbers = [each.result.number for each in journal.entries()]
        assert numbers == list(range(len(numbers)))
        assert len(numbers) % 20 == 0
        assert (len(numbers) > 0) is (0 < kept < 1)
        assert journal.append([entry(len(numbers))]) == (len(numbers),)


@pytest.mark.parametrize("what", ["removed", "replaced"])
def test_without_its_log_it_takes_no_more(tmp_path: Path, what: str) -> None:
    """What went to a log that was removed would be gone with the process."""
    file, log = tmp_path / "a.db", tmp_path / "a.db-wal"
    with Journal.create(file, make_settings(2), "s") as journal:
        journal.append([entry(0)])
        log.rename(tmp_path / "gone")
        if what == "replaced":
            log.write_bytes((tmp_path / "gone").read_bytes())
        with pytest.raises(JournalError, match=r"a\.db-wal was removed or replaced"):
            journal.append([entry(1)])
    if what == "removed":
        with Journal.open(file) as journal:
            assert len(journal.played()) == 1


def test_a_database_that_is_cut_off_while_it_is_open_takes_no_more(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    with Journal.create(file, make_settings(2), "s") as journal:
        os.truncate(file, 0)
        with pytest.raises(JournalError, match=r"a\.db (was cut off|is damaged|is not)"):
            journal.append([entry(0)])


async def test_a_lock_that_passes_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitch_server.store.sqlite.BUSY_SECONDS", 0.05)
    done: list[int] = []
    failures: list[Exception] = []
    with Journal.create(tmp_path / "a.db", make_settings(2), "s") as journal:
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        committer: Committer[int] = Committer(journal, entry, done.extend, failures.append)
        committer.put(0)
        await asyncio.sleep(0.3)
        assert (done, failures) == ([], [])
        other.close()
        await committer.close()
        assert (done, failures) == ([0], [])


@pytest.mark.parametrize("replaced", [False, True])
def test_a_database_that_is_gone_takes_no_more(tmp_path: Path, replaced: bool) -> None:
    """SQLite would write on to the file that was removed, and all would be lost at the end."""
    settings, file = make_settings(2), tmp_path / "a.db"
    with Journal.create(file, settings, "s") as journal:
        file.rename(tmp_path / "b.db")
        if replaced:
            file.touch()
        with pytest.raises(JournalError, match=r"a\.db was removed or replaced"):
            journal.append([entry(0)])


def test_the_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    Journal.create(tmp_path / "a.db", make_settings(2), "s").close()
    assert (tmp_path / "a.db").stat().st_mode & 0o077 == 0


def test_paths_may_hold_anything(tmp_path: Path) -> None:
    file = tmp_path / "ä ?mode=ro#%20.db"
    with Journal.create(file, make_settings(2), "s") as journal:
        journal.append([entry(0)])
    assert file.is_file()


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("update games set scores = 'x'", "the row of game 0 can't be read"),
        ("update games set scores = '[1]'", "game 0 has sides or seats that are not there"),
        ("update games set winner = 2", "game 0 has sides or seats that are not there"),
        ("update games set forfeits = '[[0]]'", "the row of game 0 can't be read"),
        ("update games set faults = '[[4, \"timeout\", 1]]'", "game 0 has sides or seats"),
        ("update games set digest = 5", None),  # a column of text makes it text
        ("update games set number = 99", "game 99 is not in the plan of 8 games"),
        ("update records set record = x'ff'", "the record of game 0 is no text"),
        ("update faults set kind = x'ff'", "a fault of game 0 can't be read"),
        ("update tournaments set seed = x'ff'", "the tournament's seed can't be"),
        ("update tournaments set state = 'odd'", "state can't be 'odd'"),
        ("update entrants set command = '['", "the command of entrant 'a' can't be read"),
    ],
)
def test_a_damaged_row_is_told_in_a_sentence(
    tmp_path: Path, statement: str, sentence: str | None
) -> None:
    file = tmp_path / "a.db"
    with Journal.create(file, make_settings(2), "s") as journal:
        journal.append([entry(0, faults=((1, "timeout", 1),))])
    sqlite_file(file, statement)

    def read() -> None:
        list_tournaments(file)
        with Journal.open(file) as journal:
            assert journal.state() is State.RUNNING
            list(journal.results())
            list(journal.records())
            list(journal.entries())

    if sentence is None:
        read()
        return
    with pytest.raises(Damaged, match=f"a.db is damaged: .*{sentence}"):
        read()


def test_on_a_medium_that_cannot_be_written_it_is_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a?b#c %41.db"
    with Journal.create(file, make_settings(2), "s") as journal:
        journal.append([entry(0)])
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with Journal.open(file) as journal:
        assert len(list(journal.results())) == 1
        assert [path.name for path in tmp_path.iterdir()] == [file.name]  # nothing is put beside it
        with pytest.raises(JournalError, match="can't be written"):
            journal.append([entry(1)])


def steps(file: Path, read: Callable[[Journal], Iterable[object]]) -> int:
    """How many steps SQLite's machine makes to read it all."""
    ticks = 0

    def tick() -> int:
        nonlocal ticks
        ticks += 1
        return 0

    def connected(connection: sqlite3.Connection, _: object) -> None:
        connection.set_progress_handler(tick, 10)

    with Journal.open(file) as journal:
        engine = journal._database.engine
        event.listen(engine, "connect", connected)
        engine.dispose()  # what is connected already does not count
        assert list(read(journal))
    return ticks


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(lambda journal: journal.results(), id="results"),
        pytest.param(lambda journal: journal.results(10), id="results from one on"),
        pytest.param(lambda journal: journal.covered_results(10), id="with their rows"),
        pytest.param(lambda journal: journal.plays(), id="plays"),
        pytest.param(lambda journal: journal.records(), id="records"),
        pytest.param(lambda journal: journal.entries(), id="entries"),
        pytest.param(lambda journal: journal.covered_games(), id="what checkpoints cover"),
    ],
)
def test_a_game_costs_the_same_to_read_however_many_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Journal], Iterable[object]]
) -> None:
    monkeypatch.setattr("pitch_server.store.pages.PAGE", 10)
    with Journal.create(tmp_path / "a.db", make_settings(2, boards=800), "s") as journal:
        journal.append([entry(number) for number in range(400)])
        few = steps(tmp_path / "a.db", read)
        journal.append([entry(number) for number in range(400, 1600)])
        many = steps(tmp_path / "a.db", read)
        assert many < 4.5 * few
