"""The report's tables as CSV files, for spreadsheets and programs.

Here belong the files' names and their cells. Numbers are whole, as in the document; text that a
spreadsheet would take for a formula begins with an apostrophe, and what has one with another.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from pitch_server.reporting.cells import Cell, Heat, Interval, Table
from pitch_server.reporting.numbers import Number
from pitch_server.reporting.tables.every import tables

__all__ = ["csv_files"]

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")


def csv_files(document: Mapping[str, Any]) -> dict[str, str]:
    """The text of each file, by its name."""
    return {f"{key}.csv": _file(table) for key, table in tables(dict(document)).items()}


def _file(table: Table) -> str:
    written = io.StringIO()
    writer = csv.writer(written)  # lines end as RFC 4180 says
    intervals = {
        column
        for row in table.rows
        for column, cell in enumerate(row)
        if isinstance(cell, Interval)
    }
    writer.writerow(list(_heads(table, intervals)))
    for row in table.rows:
        writer.writerow(
            [text for column, cell in enumerate(row) for text in _texts(cell, column in intervals)]
        )
    return written.getvalue()


def _heads(table: Table, intervals: set[int]) -> Iterator[str]:
    for column, name in enumerate(table.columns):
        if column in intervals:
            yield from (f"{name} low", f"{name} high")
        else:
            yield _text(name)


def _texts(cell: Cell, two: bool) -> list[str]:
    """The fields of a cell: one, or two of an interval."""
    if isinstance(cell, Interval):
        return [_number(cell.low), _number(cell.high)]
    if isinstance(cell, Heat):
        return [_number(cell.number)]
    if isinstance(cell, Number):
        return [_number(cell)]
    return [_text(cell.text)] * (1 + two)


def _number(number: Number) -> str:
    """In full; nothing where it is not known."""
    return "" if number.value is None else repr(number.value)


def _text(text: str) -> str:
    return f"'{text}" if text.startswith((*_FORMULA, "'")) else text
