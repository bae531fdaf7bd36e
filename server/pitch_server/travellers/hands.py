"""A hand at one table, as JSON: the deal, the calls, the tricks, what came of it.

Here belong the keys of that. Everything comes from replayed states; nothing about the game is
worked out here.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pitch.records import HandRecord, PlayedHand, SeatAction, bid_json, seat_action_text
from pitch.rules import Hand, HandResult, Kind, Phase, card_text, cards_of, suit_text

__all__ = ["told_hand"]

_EXCHANGES = (Kind.DISCARD, Kind.TAKE, Kind.GIVE)


def told_hand(hand: PlayedHand, seats: Sequence[str]) -> dict[str, Any]:
    """What was dealt, called and taken; null is what an unfinished hand did not come to."""
    end = hand.end
    pitcher = None if end.phase is Phase.AUCTION else end.pitcher
    return {
        "dealer": hand.dealt.dealer,
        "dealt": [_cards(mask) for mask in hand.dealt.hands],
        "auction": [seat_action_text(seat, call) for seat, call in end.auction],
        "pitcher": pitcher,
        "entrant": None if pitcher is None else seats[pitcher],
        "bid": None if pitcher is None else bid_json(end.bid),
        "trump": suit_text(end.trump) if end.trump >= 0 else None,
        "exchange": list(_texts(hand.record.actions)),
        "tricks": list(_tricks(end)),
        **_came_of_it(hand.result),
        "substituted": _substituted(hand.record),
    }


def _came_of_it(result: HandResult | None) -> dict[str, Any]:
    if result is None:
        return {"made": None, "points": None, "delta": None, "won": None}
    return {
        "made": result.made,
        "points": list(result.points),
        "delta": list(result.delta),
        "won": dict(result.won),
    }


def _texts(actions: Sequence[SeatAction]) -> Iterator[str]:
    """What was discarded, taken and given, in the words of records."""
    for seat, action in actions:
        if action.kind in _EXCHANGES:
            yield seat_action_text(seat, action)


def _tricks(end: Hand) -> Iterator[dict[str, Any]]:
    start = 0
    for size, winner in zip(end.trick_sizes, end.trick_winners, strict=True):
        cards = [[seat, card_text(card)] for seat, card in end.played[start : start + size]]
        yield {"cards": cards, "winner": winner}
        start += size


def _substituted(record: HandRecord) -> int:
    """How many of the actions were the referee's, in a bot's place."""
    noted = record.extra.get("x_substituted")
    return len(noted) if isinstance(noted, list | tuple) else 0


def _cards(mask: int) -> list[str]:
    """High cards first."""
    return [card_text(card) for card in reversed(cards_of(mask))]
