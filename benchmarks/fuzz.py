"""Whatever can be sent to the open port of `pitch serve`, while honest bots play there.

Attackers in processes of their own: random bytes, frames of HTTP/2 by hand, real frames with
some bytes changed, fields and kinds that nobody knows, wrong order, huge lengths, calls that are
dropped; as strangers and as an entrant with a token. In the end honest bots' games are as if
nothing had been, and the server lives, without an exception in its log. Exit status 1 if not.

    python benchmarks/fuzz.py [--seconds 600] [--attackers 2] [--seed 1]
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from rich.console import Console
from rich.table import Table as Grid

from chaos.usage import Sample, chart
from fuzz.event import Outcome, play


def show(outcome: Outcome, seconds: float, console: Console) -> None:
    """Prints what became of it."""
    attacks = Grid(title=f"{outcome.attacks.total():,} attacks in {seconds:,.0f} s")
    attacks.add_column("attack")
    attacks.add_column("times", justify="right")
    for name, count in sorted(outcome.attacks.items()):
        attacks.add_row(name, f"{count:,}")
    console.print(attacks)
    console.print(f"{outcome.games:,} games")
    for what, course in {
        "memory, MiB": [sample.memory / 2**20 for sample in outcome.samples],
        "descriptors": [sample.descriptors for sample in outcome.samples],
    }.items():
        console.print(f"{what:12} {chart(course)} to {max(course, default=0):,.0f}")
    checks = Grid(title="As it must be")
    for column in ("", "", ""):
        checks.add_column(column)
    for check in outcome.checks:
        checks.add_row("ok" if check.ok else "FAILED", check.what, check.found)
    console.print(checks)


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--attackers", type=int, default=2, help="processes full of them")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)

    def tell(games: int, sample: Sample | None) -> None:
        if sample is not None:
            memory = sample.memory / 2**20
            status.update(f"{games:,} games, {memory:,.0f} MiB, {sample.descriptors:.0f} files")

    with tempfile.TemporaryDirectory() as folder, console.status("beginning") as status:
        outcome = play(
            Path(folder),
            options.seconds,
            attackers=options.attackers,
            seed=options.seed,
            tell=tell,
        )
    show(outcome, options.seconds, console)
    sys.exit(0 if outcome.ok else 1)


if __name__ == "__main__":
    main()
