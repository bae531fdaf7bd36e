"""A tournament in a crowd that misbehaves in every way: nobody pays for what it did not do.

`pitch serve` in a process of its own, and a few processes with many connections each: honest
bots, also over lines that are cut at every moment of a question's life, and bots that hang, die,
come back, drip, flood, send garbage, answer twice or late, or never read. In the end the
journal is judged: no wrong fault, no lost or doubled game, games among honest bots as if
nothing had been, memory and descriptors flat. It ends with the plan or with the time, whichever
is first. Exit status 1 if anything is not as it must be.

    python benchmarks/chaos.py [--minutes 30] [--games 100000] [--tables 64] [--connections 200]
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from rich.console import Console
from rich.table import Table as Grid

from chaos.deeds import GUESTS
from chaos.event import Event, Outcome, play
from chaos.usage import Sample, chart


def show(outcome: Outcome, console: Console) -> None:
    """Prints what became of it."""
    notes, told = outcome.told.notes, outcome.told
    grid = Grid(title="What guests did, and what they are charged with")
    for column in ("guest", "did", "faults"):
        grid.add_column(column)
    for name in outcome.faults:
        did = {deed: count for (who, deed), count in notes.deeds.items() if who == name}
        grid.add_row(
            name if not GUESTS[name].honest else f"{name} (honest)",
            ", ".join(f"{deed} {count:,}" for deed, count in sorted(did.items())),
            ", ".join(f"{kind} {count:,}" for kind, count in outcome.faults[name].items()),
        )
    console.print(grid)
    late, entered = sorted(told.late), sorted(notes.entered_after)
    console.print(
        f"{outcome.played:,} games in {outcome.seconds:,.0f} s "
        f"({outcome.played / outcome.seconds:,.1f} a second), {notes.decisions:,} answers, "
        f"{notes.entries:,} times let in (p50 {_at(entered, 0.5)}, p99 {_at(entered, 0.99)}, "
        f"worst {_at(entered, 1)}), refused {dict(notes.refusals) or 'nobody'}"
    )
    console.print(
        f"{told.strangers} strangers at the door, {told.cut_off} of them cut off; "
        f"drivers were late, worst of each second: p50 {_at(late, 0.5)}, p99 {_at(late, 0.99)}, "
        f"worst {_at(late, 1)}; overstayed {dict(+notes.overstayed)}"
    )
    console.print(f"by the server's metrics: {outcome.scrape.sentence()}")
    samples = outcome.samples
    for what, course in {
        "memory": [sample.memory / 2**20 for sample in samples],
        "descriptors": [sample.descriptors for sample in samples],
        "threads": [sample.threads for sample in samples],
    }.items():
        console.print(f"{what:12} {chart(course)} to {max(course, default=0):,.0f}")
    checks = Grid(title="As it must be")
    for column in ("", "", ""):
        checks.add_column(column)
    for check in outcome.checks:
        checks.add_row("ok" if check.ok else "FAILED", check.what, check.found)
    console.print(checks)


def _at(ordered: list[float], share: float) -> str:
    if not ordered:
        return "–"
    return f"{ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1e3:,.0f} ms"


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--drivers", type=int, default=4, help="processes with connections")
    parser.add_argument("--timeout", type=float, default=1.0, help="seconds for an answer")
    parser.add_argument("--grace", type=float, default=4.0, help="seconds to come back, a game")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    event = Event(
        games=options.games,
        seconds=options.minutes * 60,
        tables=options.tables,
        connections=options.connections,
        drivers=options.drivers,
        move_timeout=options.timeout,
        grace=options.grace,
        seed=options.seed,
    )

    def tell(played: int, planned: int, sample: Sample | None) -> None:
        if sample is not None:
            status.update(
                f"{played:,} of {planned:,} games, {sample.memory / 2**20:,.0f} MiB, "
                f"{sample.descriptors:.0f} descriptors"
            )

    with tempfile.TemporaryDirectory() as folder, console.status("beginning") as status:
        outcome = play(event, Path(folder), tell)
    show(outcome, console)
    sys.exit(0 if outcome.ok else 1)


if __name__ == "__main__":
    main()
