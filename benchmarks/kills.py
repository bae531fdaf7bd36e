"""Tournaments whose processes are killed and stopped at random moments: the same final table.

kill -9 of the server and of its bots, launched or not, SIGSTOP of bots and, for longer than every
limit, of the server, and a wall clock that jumps by an hour: standings, export and printed table
must be byte for byte those of the tournament that nothing happened to. The jumps need Debian's
package libfaketime. Exit status 1 if anything differs.

    python benchmarks/kills.py [--kills 100] [--boards 1500] [--only WORD …]
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from rich.console import Console
from rich.table import Table as Grid

from chaos.checks import Check
from chaos.kills import Kills, faketime, undisturbed


def trials(kills: Kills, count: int) -> dict[str, Callable[[Path], Check]]:
    """What is tried, by a word."""
    few = max(1, count // 20)
    return {
        "server": lambda place: kills.of_the_server(place, count),
        "guests": lambda place: kills.of_a_server_with_guests(place, max(1, count // 4)),
        "launched": lambda place: kills.of_launched_bots(place, count),
        "remote": lambda place: kills.of_bots_that_connect(place, count),
        "stopped-bots": lambda place: kills.stopped_bots(place, max(1, count // 4)),
        "stopped-server": lambda place: kills.stopped_server(place, few),
        "clock": lambda place: kills.jumping_clock(place, 4 * few, faketime()),
    }


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--boards", type=int, default=1500, help="of two games each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", metavar="WORD", help="some of the trials")
    options = parser.parse_args()
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    grid = Grid(title=f"Tournaments of {2 * options.boards:,} games, against an undisturbed one")
    for column in ("", "", "", "seconds"):
        grid.add_column(column)
    good = True
    with tempfile.TemporaryDirectory() as folder:
        expected = undisturbed(Path(folder) / "undisturbed", options.boards)
        wanted = trials(Kills(expected, options.boards, options.seed), options.kills)
        for word in options.only or wanted:
            console.print(f"{word} …")
            begun = time.monotonic()
            check = wanted[word](Path(folder) / word)
            good &= check.ok
            seconds = f"{time.monotonic() - begun:.0f}"
            console.print(f"  {'ok' if check.ok else 'FAILED'} after {seconds} s: {check.found}")
            grid.add_row("ok" if check.ok else "FAILED", check.what, check.found, seconds)
    console.print(grid)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
