"""Everybody against everybody on a terminal: pairings of two, or whoever met among many.

Here belongs drawing these tables where the terminal is wide enough. Nothing is computed but what
the drawing needs.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from pitch_server.report_tables import (
    NOTHING,
    add_names,
    add_numbers,
    boards_were_fixed,
    empty_table,
    least_width,
    one_line,
    signed,
    title,
)

__all__ = ["MOST_COLUMNS", "crosstables"]

Json = Mapping[str, Any]
Cells = Mapping[tuple[int, int], str]

_HALF = "mean \u00b1 half of the 95 % interval"
MOST_COLUMNS = 40  # entrants in a crosstable: nobody reads more


def crosstables(standings: Json, console: Console) -> Iterator[list[RenderableType]]:
    """The tables that fit the terminal, each with its title and how it is to be read."""
    if len(standings["entrants"]) > MOST_COLUMNS:
        return
    for head, cells, above, below in _told(standings):
        found = _drawn(standings, head, cells, console)
        if found is not None:
            yield [title(above), found, Text(below)]


def _told(standings: Json) -> Iterator[tuple[str, Cells, str, str]]:
    """Heads of columns, cells by places in the standings, title and note."""
    met = standings.get("analysis", {}).get("meetings")
    if met:
        yield (
            "vs",
            _means(met["against"]),
            "By how much the row's side was better than the column's, per board",
            "means over all boards at which the two met; above 0 the row is better",
        )
    if met and met["together"]:
        yield (
            "with",
            _means(met["together"]),
            "Margin per board of the side that the two played together",
            "means over all boards at which the two were partners",
        )
    if all(len(each["entrants"]) == 2 for each in standings["pairings"]) and not met:
        yield (
            "vs",
            _of_pairings(standings),
            "Margin per board of the entrant in the row against that in the column",
            f"{_HALF if boards_were_fixed(standings) else 'mean'}; above 0 the row is better",
        )


def _means(rows: list[list[Json | None]]) -> Cells:
    return {
        (one, other): signed(cell["mean"])
        for one, row in enumerate(rows)
        for other, cell in enumerate(row)
        if cell is not None
    }


def _of_pairings(standings: Json) -> Cells:
    places = {row["name"]: at for at, row in enumerate(standings["entrants"])}
    fixed = boards_were_fixed(standings)
    return {
        (places[margin["name"]], places[other["name"]]): _estimate(margin, fixed=fixed)
        for pairing in standings["pairings"]
        if all(isinstance(name, str) for name in pairing["entrants"])
        for margin, other in zip(pairing["margins"], reversed(pairing["margins"]), strict=True)
    }


def _estimate(margin: Json, *, fixed: bool) -> str:
    if margin["mean"] is None or margin["ci95"] is None or not fixed:
        return signed(margin["mean"])
    low, high = margin["ci95"]
    if low == high:  # no spread, which says nothing
        return signed(margin["mean"])
    return f"{signed(margin['mean'])} \u00b1{(high - low) / 2:z.2f}"


def _drawn(standings: Json, head: str, cells: Cells, console: Console) -> RenderableType | None:
    names = [row["name"] for row in standings["entrants"]]
    places = range(len(names))
    if not cells:
        return None
    table = empty_table(console)
    add_numbers(table, "#")
    add_names(table, "entrant")
    add_numbers(table, *(f"{head} {at + 1}" for at in places))
    for one in places:
        row = [cells.get((one, other), "" if one == other else NOTHING) for other in places]
        table.add_row(str(one + 1), Text(one_line(names[one])), *row)
    return None if least_width(table) > console.width else table
