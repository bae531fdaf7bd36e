"""Who did how against whom: all against all, and a row for each pairing."""

from typing import Any

from pitch_server.reporting.cells import (
    MOST_IN_MATRIX,
    Cell,
    Heat,
    Name,
    Table,
    Words,
    interval_cell,
    key_of,
    name_cell,
)
from pitch_server.reporting.names import label
from pitch_server.reporting.numbers import Form, Node

__all__ = ["crosstable", "pairings"]


def crosstable(root: Node) -> Table | None:
    """Everybody against everybody, where pairings are of two."""
    names = [node["name"].value for node in root["entrants"]]
    pairings = list(root["pairings"])
    cells = _cross_cells(root)
    if not 2 <= len(names) <= MOST_IN_MATRIX or not cells or len(pairings) < len(cells) // 2:
        return None
    return Table(
        key="crosstable",
        title="All against all",
        columns=("#", "entrant", *(f"vs {rank}" for rank in range(1, len(names) + 1))),
        rows=tuple(
            (
                root["entrants"][index]["rank"].number(Form.COUNT),
                Name((label(name),)),
                *(cells.get((name, other), Words("" if other == name else "–")) for other in names),
            )
            for index, name in enumerate(names)
        ),
        note="Margin a board of the entrant in the row against that in the column, with its 95 % "
        "interval; above 0 the row is better."
        + (" * holds after Holm's correction for all pairings." if root["analysis"] else ""),
    )


def _cross_cells(root: Node) -> dict[tuple[Any, Any], Heat]:
    """By (row, column); only of pairings of two single entrants."""
    marks = {
        key_of(node["entrants"].value): node["holm"]["significant"].value is True
        for node in root["analysis"]["pairings"]
    }
    two = [node for node in root["pairings"] if len(node["margins"].value or ()) == 2]
    margins = [margin for node in two for margin in node["margins"]]
    largest = max((abs(margin["mean"].value or 0.0) for margin in margins), default=0.0)
    cells: dict[tuple[Any, Any], Heat] = {}
    for node in two:
        one, other = node["margins"]
        if not all(isinstance(margin["name"].value, str) for margin in (one, other)):
            continue
        marked = marks.get(key_of(node["entrants"].value), False)
        for mine, its in ((one, other), (other, one)):
            mean = mine["mean"].number(Form.SIGNED)
            shade = (mean.value or 0.0) / largest if largest else 0.0
            heat = Heat(mean, shade, marked, interval_cell(mine["ci95"]))
            cells[mine["name"].value, its["name"].value] = heat
    return cells


def pairings(root: Node) -> Table:
    """A row a pairing; of more sides one for each."""
    analysed = {
        (key_of(node["entrants"].value), key_of(node["point_of_view"].value)): node
        for node in root["analysis"]["pairings"]
    }
    rows = []
    for pairing in root["pairings"]:
        margins = list(pairing["margins"])
        chosen = [
            each
            for each in margins
            if (key_of(pairing["entrants"].value), key_of(each["name"].value)) in analysed
        ]
        for margin in chosen or margins[: 1 if len(margins) == 2 else None]:
            key = key_of(pairing["entrants"].value), key_of(margin["name"].value)
            rows.append(_pairing_row(pairing, margin, analysed.get(key), bool(analysed)))
    more = ("any time", "effect", "p (Holm)", "luck removed", "worth") if analysed else ()
    return Table(
        key="pairings",
        title="Pairings",
        columns=("entrant", "against", "mean", "95 % interval", *more, *_BOARD_COLUMNS),
        rows=tuple(rows),
        note="Margin a board of the first named."
        + (
            " The 95 % interval holds for a number of boards fixed beforehand; that for any "
            "time holds whenever one looks, and so is wider. Effect: mean / standard deviation. "
            "Luck removed: the share of the variance that duplicate deals took away, and how "
            "many independent deals each deal is worth."
            if analysed
            else ""
        ),
    )


_BOARD_COLUMNS = ("boards", "void", "W", "D", "L")


def _pairing_row(
    pairing: Node, margin: Node, analysed: Node | None, wide: bool
) -> tuple[Cell, ...]:
    others = tuple(
        label(each["name"].value)
        for each in pairing["margins"]
        if each["name"].value != margin["name"].value
    )
    row: list[Cell] = [name_cell(margin["name"]), Name(others)]
    row += [margin["mean"].number(Form.SIGNED), interval_cell(margin["ci95"])]
    if wide:
        found = analysed or Node(None)
        p_value = found["holm"]["adjusted"].number(Form.P_VALUE)
        row += [interval_cell(found["running"]), found["effect"].number(Form.SIGNED), p_value]
        row += [
            found["luck_removed"].number(Form.SHARE),
            found["deals_worth"].number(Form.PLAIN),
        ]
    row += [pairing[key].number(Form.COUNT) for key in ("boards", "void")]
    row += [margin[key].number(Form.COUNT) for key in ("wins", "draws", "losses")]
    return tuple(row)
