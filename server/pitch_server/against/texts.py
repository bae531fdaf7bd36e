"""Markdown of a report: every line must be what is recomputed, cell by cell.

Here belongs that a rounded number may have been rounded to the other side on another machine,
whose last digits differ: what is expected is drawn of numbers that are a little more and less, too.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from pitch_server.against.documents import differing

__all__ = ["nudged", "text_difference"]

_A_LITTLE = 2e-9
_CELLS = re.compile(r"(?<!\\)\|")


def text_difference(
    text: str, document: Mapping[str, Any], drawn: Callable[[Mapping[str, Any]], str]
) -> str | None:
    """The first line that is not as `drawn` of the document."""
    expected = drawn(document).splitlines()
    others = [drawn(nudged(document, by)).splitlines() for by in (_A_LITTLE, -_A_LITTLE)]
    others = [lines for lines in others if len(lines) == len(expected)]
    heading = ""
    for at, (came, line) in enumerate(zip_longest(text.splitlines(), expected)):
        if line is not None and line.startswith("#"):
            heading = line.lstrip("# ")
        if came != line and not _as_any(came, [line, *(each[at] for each in others if line)]):
            return differing(f"line {at + 1}, under {heading!r},", came, line)
    return None


def _as_any(came: str | None, lines: Sequence[str | None]) -> bool:
    """Whether each cell of the line is as in one of these."""
    if came is None or None in lines:
        return False
    cells = [_CELLS.split(line) for line in lines if line is not None]
    mine = _CELLS.split(came)
    return all(len(each) == len(mine) for each in cells) and all(
        cell in (each[at] for each in cells) for at, cell in enumerate(mine)
    )


def nudged(value: Any, by: float) -> Any:
    """The document with all fractions moved a little; whole ones stay."""
    if isinstance(value, float):
        return value if value.is_integer() else value + by * max(1.0, abs(value))
    if isinstance(value, Mapping):
        return {key: nudged(inner, by) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [nudged(inner, by) for inner in value]
    return value
