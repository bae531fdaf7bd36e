"""All tables of a report, in its order."""

from collections.abc import Callable
from typing import Any

from pitch_server.reporting.cells import Table
from pitch_server.reporting.numbers import Node
from pitch_server.reporting.tables.certainty import better, ranks
from pitch_server.reporting.tables.crosstable import crosstable, partners
from pitch_server.reporting.tables.faults import faults, verdicts
from pitch_server.reporting.tables.pairings import pairings
from pitch_server.reporting.tables.play import bids, play
from pitch_server.reporting.tables.question import comparison
from pitch_server.reporting.tables.rounds import byes, rounds, swiss
from pitch_server.reporting.tables.setup import setup
from pitch_server.reporting.tables.standings import standings
from pitch_server.reporting.tables.times import times

__all__ = ["tables"]

_BUILDERS: tuple[Callable[[Node], Table | None], ...] = (
    comparison,
    standings,
    swiss,
    rounds,
    crosstable,
    partners,
    pairings,
    byes,
    ranks,
    better,
    play,
    bids,
    times,
    faults,
    verdicts,
    setup,
)


def tables(document: dict[str, Any]) -> dict[str, Table]:
    """The tables that the document has something for, by key, in the order of the report."""
    root = Node(document)
    made = (build(root) for build in _BUILDERS)
    return {table.key: table for table in made if table is not None and table.rows}
