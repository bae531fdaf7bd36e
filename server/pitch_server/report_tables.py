"""Pieces of the report: empty tables, names and numbers as they are drawn everywhere in it.

Here belongs how a cell looks. What is in which table belongs to `report` and `report_analysis`.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

__all__ = [
    "GAP",
    "NOTHING",
    "add_names",
    "add_numbers",
    "boards_were_fixed",
    "empty_table",
    "interval",
    "least_width",
    "one_line",
    "side_name",
    "signed",
    "title",
]

NOTHING = "–"
GAP = 2  # columns of the screen between two of a table


def empty_table(console: Console) -> Table:
    """An empty table: ruled on a terminal, bare in a file."""
    ruled = console.is_terminal
    return Table(
        box=box.SIMPLE_HEAD if ruled else None,
        padding=(0, GAP - ruled, 0, 0),  # a ruled table has a divider of one space
        pad_edge=False,
        show_edge=False,
    )


def title(text: str) -> Text:
    """The line above a table."""
    return Text(text, style="bold")


def add_names(table: Table, header: str) -> None:
    """A column of names, which may be folded."""
    table.add_column(header, overflow="fold", min_width=12)


def add_numbers(table: Table, *headers: str) -> None:
    """Columns of numbers, which are never folded; their cells are texts without markup."""
    for header in headers:
        table.add_column(header, justify="right", no_wrap=True)


def signed(number: float | None) -> str:
    """A number with its sign, to two digits."""
    return NOTHING if number is None else f"{number:+z.2f}"


def boards_were_fixed(standings: Mapping[str, Any]) -> bool:
    """Whether intervals for a number of boards that was fixed beforehand hold."""
    asked = standings.get("format", {}).get("question")
    return not asked and not any("separation" in each for each in standings["pairings"])


def interval(ends: Sequence[float] | None) -> str:
    """The two ends of an interval; nothing where boards have no spread, which says nothing."""
    return (
        NOTHING if ends is None or ends[0] == ends[1] else f"{signed(ends[0])} to {signed(ends[1])}"
    )


def one_line(text: str) -> str:
    """The text as it is, or quoted if it would break the line; joiners of scripts may stay."""
    fine = all(char.isprintable() or char in "\u200c\u200d\u00a0\u3000" for char in text)
    return text if fine else json.dumps(text)


def side_name(side: str | Sequence[str]) -> str:
    """Who plays a side: an entrant, or partners."""
    return one_line(side) if isinstance(side, str) else " + ".join(map(one_line, side))


def least_width(table: Table) -> int:
    """The width of a table whose names are folded as far as they may be, and no number is."""
    columns = [
        max(cell_len(str(cell)) for cell in (column.header, *column.cells))
        if column.no_wrap
        else column.min_width or 0
        for column in table.columns
    ]
    return sum(columns) + GAP * (len(columns) - 1)
