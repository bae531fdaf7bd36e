"""Everybody against everybody in one table, and who does how well with whom as a partner.

Here belong tables with a row and a column for each entrant. Where pairings are of two single
entrants a cell is a pairing; else it is a mean over all boards at which the two met.
"""

from collections.abc import Callable, Iterator, Mapping

from pitch_server.reporting.cells import (
    MOST_IN_MATRIX,
    Cell,
    Heat,
    Interval,
    Name,
    Table,
    Words,
    interval_cell,
    key_of,
)
from pitch_server.reporting.names import label
from pitch_server.reporting.numbers import NOTHING, Form, Node, Number

__all__ = ["crosstable", "partners"]

Cells = Mapping[tuple[int, int], Heat]


def crosstable(root: Node) -> Table | None:
    """Everybody against everybody."""
    if root["analysis"]["meetings"]:
        note = (
            "By how much the row's side was better than the column's, a board, over all boards at "
            "which the two met on different sides. Blue: the row is better."
        )
        return _matrix(root, "crosstable", "All against all", "vs", _met(root, "against"), note)
    cells = _of_pairings(root)
    if len(list(root["pairings"])) < len(cells) // 2:
        return None
    adaptive = any(node["anytime"].value for node in root["analysis"]["pairings"])
    held = "interval that holds at any time" if adaptive else "95 % interval"
    note = (
        f"Margin a board of the entrant in the row against that in the column, with its {held}; "
        "above 0 the row is better."
    )
    if root["analysis"]:
        note += " * holds after Holm's correction for all pairings."
    return _matrix(root, "crosstable", "All against all", "vs", cells, note)


def partners(root: Node) -> Table | None:
    """How the sides did that two entrants played together."""
    return _matrix(
        root,
        "partners",
        "All with all",
        "with",
        _met(root, "together"),
        "Margin a board of the side that the two played together. Blue: their side was better.",
    )


def _matrix(root: Node, key: str, title: str, head: str, cells: Cells, note: str) -> Table | None:
    names = [node["name"].value for node in root["entrants"]]
    if not 2 <= len(names) <= MOST_IN_MATRIX or not cells:
        return None
    places = range(len(names))

    def row(at: int) -> Iterator[Cell]:
        yield root["entrants"][at]["rank"].number(Form.COUNT)
        yield Name((label(names[at]),))
        for other in places:
            yield cells.get((at, other)) or Words("" if at == other else NOTHING)

    return Table(
        key=key,
        title=title,
        columns=("#", "entrant", *(f"{head} {at + 1}" for at in places)),
        rows=tuple(tuple(row(at)) for at in places),
        note=note,
    )


# --- where pairings are of two entrants -----------------------------------------------------------


def _of_pairings(root: Node) -> Cells:
    """By places in the standings; only of pairings of two single entrants."""
    places = {node["name"].value: at for at, node in enumerate(root["entrants"])}
    analysed = {key_of(node["entrants"].value): node for node in root["analysis"]["pairings"]}
    two = [
        node
        for node in root["pairings"]
        if len(node["margins"].value or ()) == 2
        and all(isinstance(name.value, str) for name in node["entrants"])
    ]
    shade = _shading(margin["mean"] for node in two for margin in node["margins"])
    cells: dict[tuple[int, int], Heat] = {}
    for node in two:
        found = analysed.get(key_of(node["entrants"].value), Node(None))
        ends = places[node["entrants"][0].value], places[node["entrants"][1].value]
        for margin, (one, other) in zip(node["margins"], (ends, ends[::-1]), strict=True):
            mean = margin["mean"].number(Form.SIGNED)
            holds = _holding(margin, found)
            cells[one, other] = Heat(mean, shade(mean), _marked(node, found), holds)
    return cells


def _marked(pairing: Node, analysed: Node) -> bool:
    if pairing["separation"]:
        return pairing["separation"]["better"].value is not None
    return analysed["holm"]["significant"].value is True


def _holding(margin: Node, analysed: Node) -> Interval:
    """That for any time where the number of boards follows from results, as only that holds."""
    if not analysed["anytime"].value:
        return interval_cell(margin["ci95"])
    if analysed["point_of_view"].value == margin["name"].value:
        return interval_cell(analysed["running"])
    low, high = (analysed["running"][end].value for end in (0, 1))
    ends = (None if end is None else -end for end in (high, low))  # the other's point of view
    return Interval(*(Number(end, Form.SIGNED, "") for end in ends))


# --- where more than two meet ---------------------------------------------------------------------


def _met(root: Node, how: str) -> Cells:
    rows = [list(row) for row in root["analysis"]["meetings"][how]]
    shade = _shading(cell["mean"] for row in rows for cell in row)
    return {
        (one, other): Heat(mean, shade(mean))
        for one, row in enumerate(rows)
        for other, cell in enumerate(row)
        if (mean := cell["mean"].number(Form.SIGNED)).value is not None
    }


def _shading(means: Iterator[Node]) -> Callable[[Number], float]:
    """A shade from -1 to 1, of which the largest of the means has the strongest."""
    largest = max((abs(mean.value or 0.0) for mean in means), default=0.0)
    return lambda number: (number.value or 0.0) / largest if largest else 0.0
