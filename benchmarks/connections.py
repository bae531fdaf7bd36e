"""Many connections in the same second: all get in, and how long it takes.

From a few processes, to a server that waits, then to one at whose 64 tables others play. Exit
status 1 if one was not let in at its first attempt, or anybody was charged with a fault.

    python benchmarks/connections.py [--connections 200] [--drivers 4] [--tables 64]
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from rich.console import Console
from rich.table import Table as Grid

from chaos.arrivals import Arrival, Arrivals, arrive


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--drivers", type=int, default=4, help="processes with connections")
    parser.add_argument("--tables", type=int, default=64, help="where others play meanwhile")
    options = parser.parse_args()
    grid = Grid(title=f"{options.connections} connections at once, ms from connecting to welcome")
    for column in ("tables", "let in", "p50", "p90", "p99", "worst", "games meanwhile", "wrong"):
        grid.add_column(column, justify="right")
    good = True
    for tables in (0, options.tables):
        wanted = Arrivals(connections=options.connections, drivers=options.drivers, tables=tables)
        with tempfile.TemporaryDirectory() as folder:
            found = arrive(wanted, Path(folder))
        good &= len(found.seconds) == options.connections
        good &= not (found.refusals or found.faults)
        grid.add_row(str(tables), *_row(found))
    Console().print(grid)
    sys.exit(0 if good else 1)


def _row(found: Arrival) -> list[str]:
    ordered = sorted(found.seconds)
    times = [ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.9, 0.99, 1)]
    return [
        str(len(ordered)),
        *(f"{each * 1e3:,.0f}" for each in times),
        f"{found.games_meanwhile:,}",
        f"{found.refusals or ''} {found.faults or ''}".strip() or "nothing",
    ]


if __name__ == "__main__":
    main()
