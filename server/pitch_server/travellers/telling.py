"""The hand that tells a board: of whole games the one whose outcomes differ most.

Here belongs that choice, from the JSON of a board alone. The deal of a hand is the same at every
table, so that one diagram stands for all.
"""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["telling_hand"]

Json = Mapping[str, Any]


def telling_hand(board: Json) -> dict[str, Any]:
    """The board told by one hand, the first of those that differ most, with its number."""
    games = [table["hands"] for table in board["tables"]]
    common = min(map(len, games))
    hand = max(range(common), key=lambda at: (_spread([each[at] for each in games]), -at))
    told = [each[hand] for each in games]
    margins = zip(board["entrants"], board["margins"], strict=True)
    return {
        "board": board["board"],
        "margins": [{"name": name, "margin": margin} for name, margin in margins],
        "hand": hand,
        "hands": max(map(len, games)),
        "dealer": told[0]["dealer"],
        "dealt": told[0]["dealt"],
        "tables": [
            {"game": table["game"], "seats": table["seats"], **_of_its_own(each)}
            for table, each in zip(board["tables"], told, strict=True)
        ],
    }


def _of_its_own(hand: Json) -> dict[str, Any]:
    """What differs from table to table."""
    return {key: value for key, value in hand.items() if key not in ("dealer", "dealt")}


def _spread(hands: Sequence[Json]) -> int:
    """How far apart what a side's seats scored was over the tables."""
    changes = [told["delta"] for told in hands if told["delta"] is not None]
    return max((max(side) - min(side) for side in zip(*changes, strict=True)), default=0)
