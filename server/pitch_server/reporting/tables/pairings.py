"""Pairings: a row each with everything that is known of it; of more than two sides one a side."""

from pitch_server.reporting.cells import (
    Cell,
    Name,
    Table,
    Words,
    interval_cell,
    key_of,
    name_cell,
)
from pitch_server.reporting.names import label
from pitch_server.reporting.numbers import Form, Node

__all__ = ["pairings"]

_BOARDS = ("boards", "void", "W", "D", "L")
_FIXED = "The 95 % interval holds for a number of boards fixed beforehand"
_REST = (
    "that for any time holds whenever one looks, and so is wider. Effect: mean / standard "
    "deviation. Luck removed: the share of the variance that duplicate deals took away, and how "
    "many independent deals each deal is worth; below 0 equal cards happened to spread the margins."
)


def pairings(root: Node) -> Table:
    """A row a pairing; of more sides one for each."""
    analysed = {
        (key_of(node["entrants"].value), key_of(node["point_of_view"].value)): node
        for node in root["analysis"]["pairings"]
    }
    separated = any(node["separation"] for node in root["pairings"])
    rows = []
    for pairing in root["pairings"]:
        margins, key = list(pairing["margins"]), key_of(pairing["entrants"].value)
        chosen = [each for each in margins if (key, key_of(each["name"].value)) in analysed]
        for margin in chosen or margins[: 1 if len(margins) == 2 else None]:
            found = analysed.get((key, key_of(margin["name"].value)))
            rows.append(_row(pairing, margin, found, separated=separated, wide=bool(analysed)))
    return Table(
        key="pairings",
        title="Pairings",
        columns=_columns(separated, bool(analysed)),
        rows=tuple(rows),
        note=_note(root, separated, bool(analysed)),
    )


def _columns(separated: bool, wide: bool) -> tuple[str, ...]:
    columns = ["entrant", "against", "mean"]
    columns += ["better", "p (Holm)"] if separated else []
    columns += ["any time"] if wide else []
    columns += ["95 % interval"]
    columns += ["effect"] if wide else []
    columns += ["p (Holm)"] if wide and not separated else []
    columns += ["luck removed", "worth"] if wide else []
    return (*columns, *_BOARDS)


def _row(
    pairing: Node, margin: Node, analysed: Node | None, *, separated: bool, wide: bool
) -> tuple[Cell, ...]:
    others = tuple(
        label(each["name"].value)
        for each in pairing["margins"]
        if each["name"].value != margin["name"].value
    )
    found = analysed or Node(None)
    row: list[Cell] = [name_cell(margin["name"]), Name(others)]
    row.append(margin["mean"].number(Form.SIGNED))
    if separated:
        better = pairing["separation"]["better"]
        row.append(Words("undecided") if better.value is None else name_cell(better))
        row.append(pairing["separation"]["p_value"].number(Form.P_VALUE))
    row += [interval_cell(found["running"])] if wide else []
    row.append(interval_cell(margin["ci95"]))
    row += [found["effect"].number(Form.SIGNED)] if wide else []
    if wide and not separated:
        row.append(found["holm"]["adjusted"].number(Form.P_VALUE))
    if wide:
        row.append(found["luck_removed"].number(Form.SHARE))
        row.append(found["deals_worth"].number(Form.PLAIN))
    row += [pairing[key].number(Form.COUNT) for key in ("boards", "void")]
    row += [margin[key].number(Form.COUNT) for key in ("wins", "draws", "losses")]
    return tuple(row)


def _note(root: Node, separated: bool, wide: bool) -> str:
    note = "Margin a board of the first named."
    if separated:
        note += (
            " Better: told apart by a test that may be looked at as often as one likes, corrected "
            "for all pairings."
        )
    adaptive = any(node["anytime"].value for node in root["analysis"]["pairings"])
    if adaptive:
        note += f" {_FIXED}, which it was not here, so it does not hold; {_REST}"
    elif wide:
        note += f" {_FIXED}; {_REST}"
    return note
