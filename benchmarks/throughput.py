"""Decisions a second of a whole tournament, beside a bare gRPC ping-pong, in one run.

On loopback, between separate processes, interleaved and pinned: the referee on the first
processor, the bots on the second; the referee on uvloop as in `pitch run`, the ping-pong on
plain asyncio. Ratios are what counts; absolute figures move by a third
from run to run. `--quick` takes a fifth of the time.

    python benchmarks/throughput.py [--quick] [--rounds N]
"""

import argparse
import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Before grpc is imported, and as the server does it.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc.aio
import psutil
import uvloop
from rich.console import Console
from rich.table import Table as Grid

from pitch.rules import VARIANTS
from pitch.table.referee import Referee
from pitch_server import tournament
from pitch_server.plan.settings import (
    EntrantSettings,
    FormatSettings,
    Isolation,
    Settings,
)
from pitch_server.service import stream
from pitch_server.store.journal import Journal
from pitch_server.table.runner import Table

HERE = Path(__file__).resolve().parent
QUESTION, ANSWER = b"q" * 175, b"a" * 18
TABLES = (1, 8, 64, 256)


@dataclass(slots=True)
class Measured:
    """What one run gave; CPU in microseconds a decision."""

    decisions: int = 0
    seconds: float = 0.0
    server_cpu: float = 0.0
    bot_cpu: float = 0.0
    latencies: list[float] = field(default_factory=list)
    shares: dict[str, float] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds

    def cpu(self, seconds: float) -> float:
        """Microseconds a decision."""
        return seconds / self.decisions * 1e6


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _pin(pid: int, processor: int) -> None:
    """Pins a process to one of ours, where there are several."""
    os.sched_setaffinity(pid, {ALL[processor % len(ALL)]})


ALL = sorted(os.sched_getaffinity(0))


# --- the bare ping-pong -----------------------------------------------------------------------


async def ping_pong(count: int) -> Measured:
    """One message outstanding on a bidirectional stream to another process."""
    done = Measured()
    finished = asyncio.Event()

    async def play(_requests: Any, context: Any) -> None:
        child = psutil.Process(client.pid)
        await context.read()
        for _ in range(count // 10):
            await context.write(QUESTION)
            await context.read()
        begun, cpu, bots = time.perf_counter(), _cpu(), _cpu_of([child])
        for _ in range(count):
            asked = time.perf_counter()
            await context.write(QUESTION)
            await context.read()
            done.latencies.append(time.perf_counter() - asked)
        done.decisions, done.seconds = count, time.perf_counter() - begun
        done.server_cpu, done.bot_cpu = _cpu() - cpu, _cpu_of([child]) - bots
        finished.set()

    server = grpc.aio.server()
    handler: Any = grpc.stream_stream_rpc_method_handler(play)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("bench.Ping", {"Pong": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    client = subprocess.Popen([sys.executable, __file__, "--pong", str(port)])  # noqa: ASYNC220
    _pin(client.pid, 1)
    await finished.wait()
    await server.stop(None)
    client.wait()
    return done


async def pong(port: int) -> None:
    """The other end: answers each message."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call: Any = channel.stream_stream("/bench.Ping/Pong")()
        await call.write(ANSWER)
        try:
            while await call.read() is not grpc.aio.EOF:
                await call.write(ANSWER)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return


def _cpu_of(processes: list[psutil.Process]) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in processes)


# --- a tournament -------------------------------------------------------------------------------


def _settings(boards: int) -> Settings:
    command = ("{python}", str(HERE / "trivial_bot.py"))
    return Settings(
        name="throughput",
        variant=VARIANTS["pitch-ac"],
        format=FormatSettings(boards=boards, isolation=Isolation.NONE),
        entrants=tuple(EntrantSettings(name=name, command=command) for name in ("one", "two")),
    )


async def tournament_run(tables: int, boards: int, timers: "Timers | None" = None) -> Measured:
    """A tournament of two trivial bots; measured once both bots play."""
    done = Measured()
    start: dict[str, float] = {}
    bots: list[psutil.Process] = []

    def mark(now: tournament.Progress) -> dict[str, float]:
        return {
            "decisions": float(now.decisions),
            "time": time.perf_counter(),
            "cpu": _cpu(),
            "bots": _cpu_of(bots),
        }

    def on_progress(now: tournament.Progress) -> None:
        if not start and now.played >= now.planned // 10:
            bots.extend(p for p in psutil.process_iter(["cmdline"]) if _is_bot(p))
            for bot in bots:
                _pin(bot.pid, 1)
            if timers:
                timers.reset()
            start.update(mark(now))
        elif now.played >= now.planned and not done.decisions:
            end = mark(now)
            done.decisions = int(end["decisions"] - start["decisions"])
            done.seconds = end["time"] - start["time"]
            done.server_cpu = end["cpu"] - start["cpu"]
            done.bot_cpu = end["bots"] - start["bots"]
            if timers:
                done.shares = timers.shares(done)

    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "bench.db"
        with Journal.create(database, _settings(boards), "throughput") as journal:
            await tournament.Tournament(
                journal,
                tournament.Hosting(
                    tables=tables, directory=Path(folder), log_directory=Path(folder) / "logs"
                ),
                on_progress=on_progress,
                on_news=print,
            ).play()
    return done


def _is_bot(process: psutil.Process) -> bool:
    words = process.info["cmdline"] or []
    return len(words) == 2 and words[-1].endswith("trivial_bot.py")


# --- where the time goes ------------------------------------------------------------------------


class Timers:
    """Seconds of CPU by kind of work, taken by wrapping the functions that do it."""

    def __init__(self) -> None:
        self.spent = {"rules": 0.0, "conversion": 0.0, "journal": 0.0}

    def reset(self) -> None:
        """Begins anew."""
        for kind in self.spent:
            self.spent[kind] = 0.0

    def shares(self, done: Measured) -> dict[str, float]:
        """Microseconds a decision by kind; what is left is transport, event loop and tables."""
        parts = {kind: done.cpu(seconds) for kind, seconds in self.spent.items()}
        parts["transport and loop"] = done.cpu(done.server_cpu) - sum(parts.values())
        return parts

    def wrap(self, kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, timed."""
        clock = time.thread_time if kind == "journal" else time.perf_counter

        def timed(*arguments: Any, **named: Any) -> Any:
            begun = clock()
            try:
                return function(*arguments, **named)
            finally:
                self.spent[kind] += clock() - begun

        return timed


@contextmanager
def timed_rooms() -> Iterator[Timers]:
    """Within it the rooms of the server are timed."""
    timers = Timers()
    places: list[tuple[Any, str, str]] = [
        (Referee, "begin", "rules"),
        (Referee, "answer", "rules"),
        (Referee, "view", "rules"),
        (stream, "write_server_frame", "conversion"),
        (stream, "read_bot_frame", "conversion"),
        (tournament, "entry_of", "journal"),
        (Journal, "append", "journal"),
    ]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in places]
    for owner, name, kind in places:
        setattr(owner, name, timers.wrap(kind, getattr(owner, name)))
    try:
        yield timers
    finally:
        for owner, name, function in before:
            setattr(owner, name, function)


@contextmanager
def timed_answers(latencies: list[float]) -> Iterator[None]:
    """Within it the time from asking to the answer's coming is noted, in seconds."""
    answered = Table.answered

    def timed(self: Table, asked: Any, action: Any, now: Any, reported: float) -> None:
        latencies.append(now.time - asked.at.time)
        answered(self, asked, action, now, reported)

    Table.answered = timed  # type: ignore[method-assign]
    try:
        yield
    finally:
        Table.answered = answered  # type: ignore[method-assign]


# --- the report -----------------------------------------------------------------------------------


def median(values: list[float]) -> float:
    """The median."""
    return statistics.median(values)


def percentile(values: list[float], share: float) -> float:
    """The value that `share` of all lie below."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measure(rounds: int, scale: float) -> tuple[list[Measured], dict[int, list[Measured]]]:
    """Ping-pong and tournaments in turn."""
    bare: list[Measured] = []
    played: dict[int, list[Measured]] = {tables: [] for tables in TABLES}
    boards = {1: 200, 8: 500, 64: 1500, 256: 2000}
    for _ in range(rounds):
        bare.append(asyncio.run(ping_pong(int(8000 * scale))))
        for tables in TABLES:
            latencies: list[float] = []
            with timed_answers(latencies) if tables == 1 else timed_answers([]):
                done = uvloop.run(tournament_run(tables, int(boards[tables] * scale)))
            done.latencies = latencies[len(latencies) // 10 :]
            played[tables].append(done)
    return bare, played


def show(bare: list[Measured], played: dict[int, list[Measured]]) -> None:
    """Prints the table."""
    console = Console()
    grid = Grid(title="Decisions of two trivial bots, referee and bots pinned apart")
    for column in ("", "decisions/s", "of ping-pong", "server µs", "of 1 table", "bots µs"):
        grid.add_column(column, justify="left" if not column else "right")
    rows = {"bare ping-pong": bare} | {f"{n} tables": runs for n, runs in played.items()}
    one = median([run.cpu(run.server_cpu) for run in played[1]])
    for name, runs in rows.items():
        server = median([run.cpu(run.server_cpu) for run in runs])
        ratios = [run.rate / base.rate for run, base in zip(runs, bare, strict=True)]
        grid.add_row(
            name,
            f"{median([run.rate for run in runs]):,.0f}",
            f"{median(ratios):.2f}",
            f"{server:.0f}",
            f"{server / one:.2f}",
            f"{median([run.cpu(run.bot_cpu) for run in runs]):.0f}",
        )
    console.print(grid)
    pings = [1e3 * each for run in bare for each in run.latencies]
    whole = [1e3 * each for run in played[1] for each in run.latencies]
    for share in (0.5, 0.99):
        ping, decision = percentile(pings, share), percentile(whole, share)
        console.print(
            f"p{share * 100:.0f} of a decision at 1 table: {decision:.3f} ms, "
            f"ping-pong {ping:.3f} ms, added {decision - ping:.3f} ms"
        )


def show_shares(tables: int, scale: float) -> None:
    """Prints where the server's time goes."""
    with timed_rooms() as timers:
        done = uvloop.run(tournament_run(tables, int(1500 * scale), timers))
    total = sum(done.shares.values())
    parts = ", ".join(
        f"{kind} {part:.0f} µs ({part / total:.0%})" for kind, part in done.shares.items()
    )
    Console().print(f"server at {tables} tables, timed by room: {parts}")


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a fifth of the games")
    parser.add_argument("--rounds", type=int, default=3, help="runs of everything, in turn")
    parser.add_argument("--pong", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.pong:
        asyncio.run(pong(options.pong))
        return
    _pin(0, 0)
    scale = 0.2 if options.quick else 1.0
    show(*measure(options.rounds, scale))
    for tables in (1, 64):
        show_shares(tables, scale)


if __name__ == "__main__":
    main()
