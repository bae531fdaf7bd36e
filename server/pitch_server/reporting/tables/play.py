"""How entrants play: what they bid and took."""

from collections.abc import Sequence

from pitch_server.reporting.cells import Cell, Table, name_cell
from pitch_server.reporting.numbers import Form, Node
from pitch_server.reporting.ranking import by_rank

__all__ = ["bids", "play"]


def play(root: Node) -> Table | None:
    """What everybody pitched, and took."""
    players = by_rank(root, root["analysis"]["play"])
    if not players:
        return None
    kinds = _keys(players, "points")
    columns = ["entrant", "hands pitched", "set", "set rate"]
    columns += [f"{kind.replace('_', ' ')}" for kind in kinds]
    rows = []
    for player in players:
        row: list[Cell] = [name_cell(player["name"])]
        row += [player[key].number(Form.COUNT) for key in ("hands_pitched", "set")]
        row.append(player["set_rate"].number(Form.SHARE))
        row += [player["points"][kind].number(Form.COUNT) for kind in kinds]
        rows.append(tuple(row))
    return Table(
        key="play",
        title="How they play",
        columns=tuple(columns),
        rows=tuple(rows),
        note="Hands in which the entrant was the pitcher, how many of them were set, and the "
        "points it took in all its hands.",
    )


def bids(root: Node) -> Table | None:
    """What everybody was pitcher for."""
    players = by_rank(root, root["analysis"]["play"])
    bids = sorted(_keys(players, "bids"), key=lambda bid: (not bid.isdecimal(), len(bid), bid))
    return Table(
        key="bids",
        title="Bids that won the auction",
        columns=("entrant", *bids),
        rows=tuple(
            (name_cell(player["name"]), *(player["bids"][bid].number(Form.COUNT) for bid in bids))
            for player in players
        )
        if bids
        else (),
    )


def _keys(players: Sequence[Node], of: str) -> list[str]:
    """The keys that any player has, as they first come."""
    return list(dict.fromkeys(key for player in players for key, _ in player[of].items()))
