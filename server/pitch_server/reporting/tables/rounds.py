"""Rounds and byes: the order of a Swiss, who met whom in which round, who had nobody to play."""

from collections.abc import Iterator

from pitch_server.reporting.cells import Cell, Name, Table, Words, key_of, name_cell
from pitch_server.reporting.names import label
from pitch_server.reporting.numbers import Form, Node

__all__ = ["byes", "rounds", "swiss"]


def swiss(root: Node) -> Table:
    """The order of a Swiss."""
    over = sum(node["complete"].value is True for node in root["rounds"])
    return Table(
        key="swiss",
        title=f"Order of the Swiss after {over:,} round{'' if over == 1 else 's'}",
        columns=("#", "entrant", "match points", "margins", "byes"),
        rows=tuple(
            (
                row["place"].number(Form.COUNT),
                name_cell(row["name"]),
                row["points"].number(Form.HALVES),
                row["margin"].number(Form.SIGNED),
                row["byes"].number(Form.COUNT),
            )
            for row in root["swiss"]
        ),
        note="A match won is a point, drawn a half; a bye is a point and no game. Equal points "
        "are ordered by the sum of all margins, then by the points of those met.",
    )


def rounds(root: Node) -> Table:
    """Who met whom in each round of a Swiss, and how it went."""
    return Table(
        key="rounds",
        title="Rounds",
        columns=("round", "entrant", "against", "margin a board"),
        rows=tuple(_meetings(root)),
        note="Margin of the first named.",
    )


def _meetings(root: Node) -> Iterator[tuple[Cell, ...]]:
    margins = {key_of(node["entrants"].value): node["margins"][0] for node in root["pairings"]}
    for number, node in enumerate(root["rounds"], 1):
        told = Words(f"{number}" if node["complete"].value else f"{number}, not over")
        for pairing in node["pairings"]:
            mean = margins.get(key_of(pairing.value), Node(None))["mean"]
            names = (name_cell(pairing[0]), name_cell(pairing[1]))
            yield (told, *names, mean.number(Form.SIGNED))
        for bye in node["byes"]:
            yield (told, name_cell(bye), Words("bye"), Words(""))


def byes(root: Node) -> Table:
    """Who has nobody to play in which round of the circle."""
    return Table(
        key="byes",
        title="Byes",
        columns=("round of the circle", "has a bye"),
        rows=tuple(
            (
                node["round"].number(Form.COUNT),
                Name(tuple(label(each.value) for each in node["byes"])),
            )
            for node in root["byes"]
        ),
        note="Of an odd number one has nobody to play in each round of a board. A bye is no game "
        "and counts nowhere.",
    )
