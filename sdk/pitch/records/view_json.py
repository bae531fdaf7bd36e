"""A seat's view as JSON with cards as text: what `pitch view` prints.

Here belongs the text form of pitch.rules.View, field by field, and nothing that a View does
not hold: what a seat may know is decided in pitch.rules.view alone.
"""

from collections.abc import Iterable, Iterator

from pitch.records.reading import JsonObject
from pitch.records.record import seat_action_text
from pitch.records.replay import bid_json, legal_json
from pitch.rules import View, action_text, card_text, cards_of, suit_text

__all__ = ["view_json"]


def view_json(view: View) -> JsonObject:
    """Everything that a view holds; null where something is not there (yet).

    `hand_number` counts from 0 and `scores` are those before the hand. `discard_counts` has a
    list of "SEAT COUNT" for each round of discards that is over, `tricks` the finished tricks
    and `trick` the one that goes on, a card as "SEAT CARD".
    """
    tricks, trick = _tricks(view)
    return {
        "seat": view.seat,
        "dealer": view.dealer,
        "hand_number": view.hand_number,
        "scores": list(view.scores),
        "phase": view.phase.name.lower(),
        "to_act": _index(view.to_act),
        "hand": _cards(view.hand),
        "discarded": _cards(view.discarded),
        "auction": [seat_action_text(seat, action) for seat, action in view.auction],
        "pitcher": _index(view.pitcher),
        "bid": bid_json(view.bid) if view.bid else None,
        "trump": suit_text(view.trump) if view.trump >= 0 else None,
        "discard_counts": [
            [f"{seat} {count}" for seat, count in counts] for counts in view.discard_counts
        ],
        "leftovers": None if view.leftovers is None else action_text(view.leftovers),
        "received": _cards(view.received),
        "tricks": tricks,
        "trick": trick,
        "points": None if view.points is None else list(view.points),
        "legal": legal_json(view.legal),
    }


def _tricks(view: View) -> tuple[list[JsonObject], list[str]]:
    cards = iter(view.played)
    tricks: list[JsonObject] = [
        {"winner": winner, "cards": _played(_take(cards, size))}
        for size, winner in zip(view.trick_sizes, view.trick_winners, strict=True)
    ]
    return tricks, _played(cards)


def _take(cards: Iterator[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    return [next(cards) for _ in range(count)]


def _played(cards: Iterable[tuple[int, int]]) -> list[str]:
    return [f"{seat} {card_text(card)}" for seat, card in cards]


def _cards(mask: int) -> list[str]:
    return [card_text(card) for card in cards_of(mask)]


def _index(value: int) -> int | None:
    return None if value < 0 else value
