"""Cells and tables as values: what stands in which row, before it is drawn anywhere.

Here belong the kinds of cells. A cell with a number knows its place in the document, so whoever
draws it can say where it comes from. Which tables there are is for `tables`.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pitch_server.reporting.names import label
from pitch_server.reporting.numbers import Form, Node, Number

__all__ = [
    "MOST_IN_MATRIX",
    "Cell",
    "Heat",
    "Interval",
    "Name",
    "Table",
    "Words",
    "interval_cell",
    "key_of",
    "name_cell",
]

MOST_IN_MATRIX = 40  # entrants in a table of all against all: nobody reads more
MOST_ROWS = 500  # drawn of a table


class Name(NamedTuple):
    """A cell with names of entrants, each a piece of its own."""

    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """In one line."""
        return ", ".join(self.names)


class Words(NamedTuple):
    """A cell with words of ours or of a bot."""

    text: str


class Interval(NamedTuple):
    """A cell with two ends."""

    low: Number
    high: Number

    @property
    def text(self) -> str:
        """As it is shown: nothing where boards have no spread, which says nothing."""
        if None in (self.low.value, self.high.value) or self.low.value == self.high.value:
            return self.low._replace(value=None).text
        return f"{self.low.text} to {self.high.text}"


class Heat(NamedTuple):
    """A cell of a heat map: the number, its shade from -1 to 1, what else is to be said."""

    number: Number
    shade: float
    marked: bool = False
    interval: Interval | None = None

    @property
    def text(self) -> str:
        """As it is shown."""
        return self.number.text + ("*" if self.marked else "")


Cell: TypeAlias = Name | Words | Number | Interval | Heat


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table: `key` names it for programs, `note` says how to read it."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    @property
    def shown(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows that are drawn for people; a file for programs has them all."""
        return self.rows[:MOST_ROWS]

    @property
    def left_out(self) -> str:
        """What to say of rows that are not drawn; empty where all are."""
        if len(self.rows) <= MOST_ROWS:
            return ""
        return f"The first {MOST_ROWS:,} of {len(self.rows):,} rows; {self.key}.csv has them all."


def name_cell(node: Node) -> Name:
    """The cell of an entrant, or of partners."""
    return Name((label(node.value),))


def interval_cell(ends: Node) -> Interval:
    """The cell of an interval."""
    return Interval(ends[0].number(Form.SIGNED), ends[1].number(Form.SIGNED))


def key_of(entrants: object) -> str:
    """What an entrant, or partners, are looked up by."""
    return repr(entrants)
