"""CSV files of a report: every cell must be what is recomputed.

Here belongs finding the table that a file holds, and comparing it cell by cell.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from pitch_server.against.documents import are_close, differing, short

__all__ = ["sheet_difference"]

Rows = Sequence[Sequence[str]]


def sheet_difference(name: str, text: str, files: Mapping[str, str]) -> str | None:
    """The first difference of a file to the one of `files`, by name, that holds the same table."""
    try:
        published = _rows(text)
    except csv.Error as error:
        return f"it is no CSV: {error}"
    recomputed = _table(name, published, files)
    if recomputed is None:
        return (
            f"no table of the report is named so, or has its head {short(published[:1])}; "
            f"expected one of {', '.join(files)}"
        )
    for number, (mine, its) in enumerate(zip_longest(published, recomputed), 1):
        found = _of_rows(number, mine, its, recomputed[0])
        if found is not None:
            return found
    return None


def _rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def _table(name: str, published: Rows, files: Mapping[str, str]) -> Rows | None:
    """The table of that name; a file that was renamed is known by its head."""
    if name in files:
        return _rows(files[name])
    tables = map(_rows, files.values())
    return next((table for table in tables if table[:1] == list(published[:1])), None)


def _of_rows(
    number: int, mine: Sequence[str] | None, its: Sequence[str] | None, head: Sequence[str]
) -> str | None:
    if mine is None or its is None:
        return differing(f"row {number}", mine, its)
    if len(mine) != len(its):
        return differing(f"the number of cells in row {number}", len(mine), len(its))
    for column, one, other in zip(head, mine, its, strict=True):
        if one != other and not are_close(_fraction(one), _fraction(other)):
            return differing(f"row {number}, column {short(column)}", one, other)
    return None


def _fraction(text: str) -> float | str:
    """A fraction as such; what else looks like a number stays text, and must be the same.

    That are whole numbers, and names: fractions are written in one way alone.
    """
    try:
        number = float(text)
    except ValueError:
        return text
    return number if repr(number) == text else text
