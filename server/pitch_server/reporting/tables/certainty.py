"""How sure the order is: chances of ranks, and of being better."""

from pitch_server.reporting.cells import MOST_IN_MATRIX, Heat, Table, Words, name_cell
from pitch_server.reporting.numbers import Form, Node
from pitch_server.reporting.ranking import by_rank

__all__ = ["better", "ranks"]


def ranks(root: Node) -> Table | None:
    """How often everybody came where."""
    chances = by_rank(root, root["analysis"]["ranks"]["chances"])
    told = all(list(node["chances"]) for node in chances)  # not where too little is known
    if not told or not 0 < len(chances) <= MOST_IN_MATRIX:
        return None
    return Table(
        key="ranks",
        title="Chances of ranks",
        columns=("entrant", *(f"#{rank}" for rank in range(1, len(chances) + 1))),
        rows=tuple(
            (name_cell(node["name"]), *(_shade_of_share(chance) for chance in node["chances"]))
            for node in chances
        ),
        note="How often each entrant came where when the boards were drawn anew.",
    )


def better(root: Node) -> Table | None:
    """How sure it is of any two who is better."""
    unranked = list(root["analysis"]["ratings"])
    rows = list(root["analysis"]["better"])
    if not 2 <= len(unranked) <= MOST_IN_MATRIX or len(rows) != len(unranked):
        return None
    ranked = by_rank(root, unranked)
    places = [next(at for at, node in enumerate(unranked) if node is each) for each in ranked]
    return Table(
        key="better",
        title="Who is better",
        columns=("#", "entrant", *(f"than {rank}" for rank in range(1, len(ranked) + 1))),
        rows=tuple(
            (
                root["entrants"][rank]["rank"].number(Form.COUNT),
                name_cell(node["name"]),
                *(
                    Words("") if other == place else _about_half(rows[place][other])
                    for other in places
                ),
            )
            for rank, (place, node) in enumerate(zip(places, ranked, strict=True))
        ),
        note="How sure the strengths are that the entrant in the row is better than that in the "
        "column.",
    )


def _shade_of_share(node: Node) -> Heat:
    number = node.number(Form.SHARE)
    return Heat(number, number.value or 0.0)


def _about_half(node: Node) -> Heat:
    number = node.number(Form.SHARE)
    return Heat(number, 0.0 if number.value is None else 2 * number.value - 1)
