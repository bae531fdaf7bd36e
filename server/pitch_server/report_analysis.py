"""The analysis drawn for people: order-free ratings, chances of the first place, bids and points.

Here belong the tables of the document's keys "analysis" and "measured" that have something in them.
Nothing is computed here.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from pitch_server.faults import span
from pitch_server.report_tables import (
    NOTHING,
    add_names,
    add_numbers,
    empty_table,
    one_line,
    signed,
    title,
)

__all__ = ["analysis_parts", "measured_parts"]

Json = Mapping[str, Any]


def analysis_parts(analysis: Json, console: Console) -> list[RenderableType]:
    """What there is to draw beside the standings, an empty line after each part."""
    parts: list[RenderableType] = []
    if "comparison" in analysis:
        parts += [Text(one_line(analysis["comparison"]["sentence"]), style="bold"), Text()]
    if analysis["ranks"] is not None:
        parts += [*_ratings(analysis, console), Text()]
    if analysis["play"]:
        parts += [*_play(analysis["play"], console), Text()]
    return parts


def measured_parts(measured: Json, console: Console) -> list[RenderableType]:
    """How long decisions took, where it is known; an empty line after it."""
    rows = [row for row in measured["decision_seconds"] if row["decisions"]]
    if not rows:
        return []
    table = empty_table(console)
    add_names(table, "entrant")
    add_numbers(table, "decisions", "median", "99 %", "longest")
    for row in rows:
        spans = (span(row[key]) for key in ("p50", "p99", "max"))
        table.add_row(Text(one_line(row["name"])), f"{row['decisions']:,}", *spans)
    return [title("Time for decisions, as measured in this run"), table, Text()]


def _ratings(analysis: Json, console: Console) -> list[RenderableType]:
    table = empty_table(console)
    add_names(table, "entrant")
    add_numbers(table, "rating", "error", "first")
    for row, chances in zip(analysis["ratings"], analysis["ranks"]["chances"], strict=True):
        error = row["standard_error"]
        table.add_row(
            Text(one_line(row["name"])),
            signed(row["rating"]),
            NOTHING if error is None else f"±{error:.2f}",
            NOTHING if chances["chances"] is None else _share(chances["chances"][0]),
        )
    resamples = analysis["ranks"]["resamples"]
    return [
        title(f"Order-free rating, in {analysis['measure']}"),
        table,
        Text(f"first: in how many of {resamples:,} resamples of the boards"),
    ]


def _play(rows: Sequence[Json], console: Console) -> list[RenderableType]:
    """Bids and points of each entrant, by the hundred hands."""
    kinds = list(rows[0]["points"])
    table = empty_table(console)
    add_names(table, "entrant")
    add_numbers(table, "hands", "pitched", "set", *kinds)
    for row in rows:
        hands = row["hands"]
        table.add_row(
            Text(one_line(row["name"])),
            f"{hands:,}",
            _share(row["hands_pitched"] / hands) if hands else NOTHING,
            NOTHING if row["set_rate"] is None else _share(row["set_rate"]),
            *(_share(row["points"][kind] / hands) if hands else NOTHING for kind in kinds),
        )
    return [
        title("Bids and points"),
        table,
        Text("pitched and points: of all hands; set: of those pitched"),
    ]


def _share(part: float) -> str:
    return f"{100 * part:.0f} %"
