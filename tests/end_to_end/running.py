"""Whole tournaments as real processes: their configuration, their run, what they leave.

A run's processes, bots, wardens and all that they start, are known by a mark in their
environment, so that nobody can survive unseen.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from pitch_server.published import published_standings
from pitch_server.store.export import export_lines
from pitch_server.store.journal import Journal
from pitch_server.verify import verify

LIMIT = 100  # seconds that a run may take
SEED = "a seed for tests"
SERVED_SEED = "a seed for tests that nobody guesses"

TESTS = Path(__file__).parents[1]
RANDOM = ("{python}", str(TESTS.parent / "sample_bots" / "random_bot.py"))
PITCH = (sys.executable, "-c", "from pitch_server.cli import main; main()")

Json = dict[str, Any]
Section = Mapping[str, object]


def zoo(name: str, *arguments: object) -> tuple[str, ...]:
    """The command of a bot of `tests/bots`."""
    return ("{python}", "-m", f"bots.{name}", *map(str, arguments))


FIRST, LAST = zoo("first"), zoo("last")


class Ended(NamedTuple):
    """How a run ended; `out` and `err` are what it wrote."""

    status: int
    out: str
    err: str


class Arena:
    """A directory with a tournament in it. `entrants` are commands by name."""

    def __init__(
        self,
        directory: Path,
        entrants: Mapping[str, Sequence[str]],
        *,
        variant: Section | None = None,
        tables: int = 8,
        restarts: int = 3,
        **sections: Section,
    ) -> None:
        """`sections` are those of the configuration: `format`, `clock`, `faults`, `rating`."""
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.config = directory / "arena.toml"
        self.database = directory / "arena.db"
        self.logs = directory / "arena.db.logs"
        top = {"name": "arena", "seed": SEED, "database": "arena.db", "tables": tables}
        lines = _lines(top)
        tables_of = {"variant": variant or {"name": "pitch-ac"}, "clock": PATIENT, **sections}
        for name, section in tables_of.items():
            lines += [f"[{name}]", *_lines(section)]
        for name, command in entrants.items():
            keys = {"name": name, "command": list(command), "restarts": restarts}
            lines += ["[[entrants]]", *_lines(keys)]
        self.config.write_text("\n".join(lines) + "\n", encoding="utf-8")

    # --- running --------------------------------------------------------------------------------

    def start(self, *arguments: str, command: str = "run") -> "subprocess.Popen[str]":
        """`pitch run` of the configuration as a process, going on."""
        self._mark.mkdir(exist_ok=True)
        return subprocess.Popen(
            [*PITCH, command, str(self.config), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "TMPDIR": str(self._mark), "PYTHONPATH": str(TESTS)},
        )

    def run(self, *arguments: str) -> Ended:
        """`pitch run` of the configuration to its end; fails if a process is left then."""
        ended = self.finish(self.start(*arguments))
        assert not self.survivors()
        return ended

    def finish(self, process: "subprocess.Popen[str]") -> Ended:
        """Waits until a run ends by itself."""
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            raise AssertionError(f"did not end:\n{out}\n{err}") from None
        return Ended(process.returncode, out, err)

    def kill(self, process: "subprocess.Popen[str]") -> bool:
        """Ends a run as a power cut would; fails if a process survives it. False: it was over."""
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert not self.survivors()
        return process.returncode == -signal.SIGKILL

    def survivors(self, seconds: float = 15) -> list[str]:
        """Command lines of the run's processes that are left after so long, at once if none."""
        deadline = time.monotonic() + seconds
        while (left := self._family()) and time.monotonic() < deadline:
            time.sleep(0.05)
        return left

    def _family(self) -> list[str]:
        mark, found = str(self._mark), []
        for process in psutil.process_iter():
            try:
                if process.environ().get("TMPDIR") == mark and process.is_running():
                    found.append(" ".join(process.cmdline()))
            except (psutil.Error, OSError):
                continue
        return found

    @property
    def _mark(self) -> Path:
        return self.directory / "tmp"

    # --- what is left ---------------------------------------------------------------------------

    def games_played(self) -> int:
        """How many games are in the journal now, while the tournament may be running."""
        try:
            with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
                count: int = database.execute("select count(*) from games").fetchone()[0]
                return count
        except sqlite3.OperationalError:  # not there yet
            return 0

    def standings(self) -> Json:
        """The published standings."""
        with Journal.open(self.database) as journal:
            return dict(published_standings(journal))

    def records(self) -> list[str]:
        """The exported lines."""
        with Journal.open(self.database) as journal:
            return list(export_lines(journal, reveal=True))

    def verified(self) -> str:
        """What verification finds wrong; nothing, one hopes."""
        with Journal.open(self.database) as journal:
            result = verify(journal)
            return "" if result.ok else str(result)


PATIENT: Section = {"move_timeout": "30s", "start_timeout": "600s"}
"""Limits that no good bot ever meets, however busy the machine is."""


def _lines(values: Section) -> list[str]:
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]


def games_among(records: Sequence[str], names: set[str]) -> list[Json]:
    """The games that only these entrants played: board, seats, decks, actions and results."""
    games = [json.loads(line) for line in records]
    kept = ("x_board", "seats", "variant", "first_dealer", "max_hands", "hands", "result")
    found = [{key: game.get(key) for key in kept} for game in games if set(game["seats"]) <= names]
    return sorted(found, key=lambda game: (game["x_board"], game["seats"]))


def faults_of(standings: Json, name: str) -> dict[str, int]:
    """The faults that an entrant is charged with, by kind; those it has."""
    row = next(row for row in standings["entrants"] if row["name"] == name)
    return {kind: count for kind, count in row["faults"].items() if count}
