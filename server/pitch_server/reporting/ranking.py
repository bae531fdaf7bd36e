"""The order of a report: everything that is told by entrant comes in the order of the standings.

Here belongs that order alone.
"""

from collections.abc import Iterable

from pitch_server.reporting.numbers import Node

__all__ = ["by_rank"]


def by_rank(root: Node, nodes: Iterable[Node]) -> list[Node]:
    """Places with a name, the best entrant's first; those of no entrant come last."""
    ranks = {entrant["name"].value: rank for rank, entrant in enumerate(root["entrants"])}
    return sorted(nodes, key=lambda node: ranks.get(node["name"].value, len(ranks)))
