"""Pages of a report: what is seen on them must be what is recomputed, to the last line.

A page holds its document. That is compared with what is recomputed, number by number; then the
page is made again of it and must be the same text, charts and all: whatever is seen on a page
follows from its document.
"""

import re
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any

from pitch_server.against.documents import document_difference
from pitch_server.reporting.page import embedded_document

__all__ = ["page_difference"]

_CHART = re.compile(r'<svg class="chart".*?</svg>', re.DOTALL)
# What letters take of room moves: the picture's edges, its frame within them, titles of axes.
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_MEASURED_BY_FONTS = re.compile(
    rf'(?<=^<svg class="chart" role="img" )(?P<words>aria-label="[^"]*") width="{_NUMBER}" '
    rf'height="{_NUMBER}" viewBox="0 0 {_NUMBER} {_NUMBER}"><g fill="none" '
    rf'stroke-miterlimit="10" transform="translate\({_NUMBER},{_NUMBER}\)"'
    r'|(?P<title>class="mark-text role-axis-title"[^>]*><text [^>]*?)'
    rf'transform="translate\({_NUMBER},{_NUMBER}\)'
)
_ROOM = 60.0  # pixels, by which letters of another font may move these
_PLACE = re.compile(r'<(?:section|table)[^>]* id="([^"]+)"|<(header|nav|main|footer)\b')
_POINTER = re.compile(r'data-at="([^"]+)"')
_SHOWN = 60  # characters about a difference


def page_difference(
    text: str, document: Mapping[str, Any], drawn: Callable[[Mapping[str, Any]], str]
) -> str | None:
    """The first difference of a page to the document; `drawn` makes the page of one."""
    try:
        held = embedded_document(text)
    except ValueError as error:
        return str(error)
    if not isinstance(held, dict):
        return "the document in the page is no JSON object"
    found = document_difference(held, document, whole=True)
    if found is not None:
        return f"in the document of the page {found}"
    return _of_texts(text, drawn(held))


def _of_texts(text: str, expected: str) -> str | None:
    """The first difference of two pages: in the text about the charts, then in the charts."""
    place = "its head"
    lines = zip_longest(_CHART.sub("", text).splitlines(), _CHART.sub("", expected).splitlines())
    for number, (came, line) in enumerate(lines, 1):
        if came != line:
            return f"line {number}, in {place}: {_shown(came, line)}"
        if found := _PLACE.search(line or ""):
            place = found[1] or found[2]
    for number, (came, chart) in enumerate(
        zip_longest(_CHART.findall(text), _CHART.findall(expected)), 1
    ):
        if not _same_drawing(came, chart):
            return f"chart {number} is not as it is drawn of the numbers: {_shown(came, chart)}"
    return None


def _same_drawing(came: str | None, chart: str | None) -> bool:
    """Whether charts are the same but for the room that letters take, another machine's font's."""
    if came is None or chart is None:
        return came is chart
    (fixed, moved), (expected, places) = _drawing(came), _drawing(chart)
    return (
        fixed == expected
        and len(moved) == len(places)
        and all(abs(one - other) <= _ROOM for one, other in zip(moved, places, strict=True))
    )


def _drawing(chart: str) -> tuple[str, list[float]]:
    """A chart without the numbers that follow from fonts, and these."""
    numbers: list[float] = []

    def take(found: re.Match[str]) -> str:
        words, title = found["words"], found["title"]
        numbers.extend(
            float(each) for each in found.groups() if each and each not in (words, title)
        )
        return f"{words or title} #"

    return _MEASURED_BY_FONTS.sub(take, chart), numbers


def _shown(came: str | None, expected: str | None) -> str:
    """The two lines about where they part, and whose number it is that stands there."""
    if came is None or expected is None:
        told = [_cut(line, 0) if line is not None else "nothing" for line in (came, expected)]
        return f"it is {told[0]}, recomputed it is {told[1]}"
    pairs = enumerate(zip(came, expected, strict=False))
    at = next((at for at, (one, other) in pairs if one != other), min(len(came), len(expected)))
    pointers = [each for each in _POINTER.finditer(expected) if each.start() <= at]
    whose = f" ({pointers[-1][1]})" if pointers else ""
    return f"it is {_cut(came, at)}, recomputed it is {_cut(expected, at)}{whose}"


def _cut(line: str, at: int) -> str:
    start = max(0, at - _SHOWN // 2)
    cut = line[start : start + _SHOWN * 2]
    before, after = "…" if start else "", "…" if start + len(cut) < len(line) else ""
    return f"{before}{cut!r}{after}"
