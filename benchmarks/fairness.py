"""Whether the referee is fair under load: instant bots at many tables must never be late.

Two bots that answer at once play at 64, 128 and 256 tables. A timeout that one of them is
charged with would be ours. `--busy N` adds N processes that only burn time, as a machine that
others use has; `--timeout` shortens the limit. Exit status 1 if there was a fault.

    python benchmarks/fairness.py [--tables N …] [--timeout SECONDS] [--boards N] [--busy N]
"""

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import uvloop
from rich.console import Console
from rich.table import Table as Grid

from pitch.rules import VARIANTS
from pitch_server.plan.settings import (
    ClockSettings,
    EntrantSettings,
    FormatSettings,
    Isolation,
    Settings,
)
from pitch_server.store.journal import Journal
from pitch_server.table.runner import Table
from pitch_server.table.spread import Spread
from pitch_server.tournament import Hosting, Progress, Tournament

HERE = Path(__file__).resolve().parent
TABLES = (64, 128, 256)


@dataclass(slots=True, kw_only=True)
class Run:
    """What one tournament gave; the spreads in seconds."""

    tables: int
    decisions: int
    seconds: float
    faults: Counter[str]
    lag: Spread
    echoes: Spread
    answers: Spread


def settings(boards: int, timeout: float) -> Settings:
    """A tournament of two instant bots."""
    command = ("{python}", str(HERE / "trivial_bot.py"))
    return Settings(
        name="fairness",
        variant=VARIANTS["pitch-ac"],
        format=FormatSettings(boards=boards, isolation=Isolation.NONE),
        clock=ClockSettings(move_timeout=timeout),
        entrants=tuple(EntrantSettings(name=name, command=command) for name in ("one", "two")),
    )


@contextmanager
def timed_answers(spread: Spread) -> Iterator[None]:
    """Within it the time from asking to the answer's coming is noted."""
    answered = Table.answered

    def timed(self: Table, asked: Any, action: Any, now: Any, reported: float) -> None:
        spread.add(now.time - asked.at.time)
        answered(self, asked, action, now, reported)

    Table.answered = timed  # type: ignore[method-assign]
    try:
        yield
    finally:
        Table.answered = answered  # type: ignore[method-assign]


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Within it so many processes take all the time that they get."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


async def play(tables: int, boards: int, limit: float) -> Run:
    """Plays one tournament to its end."""
    last = Progress(0, 0)

    def on_progress(now: Progress) -> None:
        nonlocal last
        last = now

    answers = Spread()
    begun = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        made = Journal.create(place / "fair.db", settings(boards, limit), "fairness")
        with made as journal, timed_answers(answers):
            tournament = Tournament(
                journal,
                Hosting(tables=tables, directory=place, log_directory=place / "logs"),
                on_progress=on_progress,
                on_news=print,
            )
            await tournament.play()
            faults = Counter(fault.kind for _, fault in journal.evidence())
    clock = tournament.clock
    return Run(
        tables=tables,
        decisions=last.decisions,
        seconds=perf_counter() - begun,
        faults=faults,
        lag=clock.meter.spread,
        echoes=clock.echoes,
        answers=answers,
    )


def show(runs: list[Run], timeout: float) -> None:
    """Prints the table."""
    grid = Grid(title=f"Two instant bots at a limit of {timeout:g} s; times in ms: p50 p99 worst")
    for column in ("tables", "decisions", "a second", "faults", "loop's lag", "echo", "answer"):
        grid.add_column(column, justify="right")
    for run in runs:
        grid.add_row(
            str(run.tables),
            f"{run.decisions:,}",
            f"{run.decisions / run.seconds:,.0f}",
            ", ".join(f"{count} {kind}" for kind, count in run.faults.items()) or "0",
            *(
                " ".join(f"{1e3 * each:.3g}" for each in (spread.p50, spread.p99, spread.worst))
                for spread in (run.lag, run.echoes, run.answers)
            ),
        )
    Console().print(grid)


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, nargs="+", default=TABLES)
    parser.add_argument("--timeout", type=float, default=1.0, help="seconds for an answer")
    parser.add_argument("--boards", type=int, default=1500, help="of two games each")
    parser.add_argument("--busy", type=int, default=0, help="processes that burn time")
    options = parser.parse_args()
    with busy(options.busy):
        runs = [
            uvloop.run(play(tables, options.boards, options.timeout)) for tables in options.tables
        ]
    show(runs, options.timeout)
    sys.exit(1 if any(run.faults for run in runs) else 0)


if __name__ == "__main__":
    main()
