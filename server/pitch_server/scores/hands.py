"""Hands: what a game's finished hands say of how they were bid and what was taken, in a line.

Here belongs that line, which the journal keeps beside a result so that no record has to be read
for it. Counting over many games is `analysis.habits`'.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pitch.rules.variant import Variant

__all__ = ["HandPlay", "hands_of", "hands_text", "parse_hands"]


class HandPlay(NamedTuple):
    """A finished hand: who pitched, for what, whether it was made, and who took which point.

    `bid` is as in a record; `won` has a side, or None, for each point of the variant in its order.
    """

    pitcher: int
    bid: int | str
    made: bool
    won: Sequence[int | None]


def hands_of(record: Mapping[str, Any], variant: Variant) -> list[HandPlay]:
    """The finished hands of a record, which is JSON of records.md."""
    results = (hand.get("result") for hand in record["hands"])
    return [
        HandPlay(
            result["pitcher"],
            result["bid"],
            result["made"],
            [result["won"][kind] for kind in variant.points],
        )
        for result in results
        if result is not None
    ]


def hands_text(hands: Iterable[HandPlay]) -> str:
    """The line: a JSON list of [pitcher, bid, made, [side or null, …]] for each hand."""
    return json.dumps(list(hands), separators=(",", ":"))


def parse_hands(text: str, variant: Variant) -> list[HandPlay]:
    """The hands of a line; ValueError if it is none of the variant's."""
    value = json.loads(text)
    try:
        hands = [HandPlay(*hand) for hand in value]
    except TypeError as error:
        raise ValueError(f"expected hands of four values, got {text:.200}") from error
    for hand in hands:
        if not _is_sound(hand, variant):
            raise ValueError(f"no hand of this variant is {list(hand)!r:.200}")
    return hands


def _is_sound(hand: Any, variant: Variant) -> bool:
    """Whether all is of its type and there: databases are written by anybody."""
    sides = range(variant.sides)
    return (
        type(hand.pitcher) is int
        and hand.pitcher in range(variant.players)
        and type(hand.bid) in (int, str)
        and type(hand.made) is bool
        and isinstance(hand.won, list)
        and len(hand.won) == len(variant.points)
        and all(side is None or (type(side) is int and side in sides) for side in hand.won)
    )
