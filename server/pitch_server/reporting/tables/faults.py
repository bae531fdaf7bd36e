"""Faults: how many of which kind, and explained."""

from pitch_server.reporting.cells import Table, Words, name_cell
from pitch_server.reporting.names import printable
from pitch_server.reporting.numbers import Form, Node

__all__ = ["faults", "verdicts"]

MOST_FAULTS = 40  # kinds of fault that are explained


def faults(root: Node) -> Table:
    """How many of which kind; only those who had any."""
    entrants = [each for each in root["entrants"] if any((each["faults"].value or {}).values())]
    kinds = list(
        dict.fromkeys(key for each in entrants for key, of in each["faults"].items() if of)
    )
    return Table(
        key="faults",
        title="Faults",
        columns=("entrant", *kinds),
        rows=tuple(
            (
                name_cell(each["name"]),
                *(each["faults"][kind].number(Form.COUNT) for kind in kinds),
            )
            for each in entrants
        ),
    )


def verdicts(root: Node) -> Table:
    """Kinds of faults with their evidence."""
    groups = list(root["fault_groups"])[:MOST_FAULTS]
    return Table(
        key="verdicts",
        title="Faults explained",
        columns=("entrant", "fault", "whose", "count", "what happened, first in game"),
        rows=tuple(
            (
                name_cell(group["entrant"]),
                Words(printable(group["kind"].value)),
                Words(printable(group["verdict"].value)),
                group["count"].number(Form.COUNT),
                Words(
                    f"{printable(group['explanation'].value)}; "
                    f"{printable(group['reason'].value)} (game {printable(group['game'].value)})"
                ),
            )
            for group in groups
        ),
        note="Whose a fault was is what can be known from here; it changes no result.",
    )
