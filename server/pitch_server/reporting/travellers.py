"""Travellers: what happened at each table of a board, as JSON, from the records of its games.

Here belongs one board told hand by hand. Everything comes from replayed states; nothing about
the game is worked out here. Which boards are told is for `swings`, drawing them for each form.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pitch.records import GameRecord, HandRecord
from pitch.rules import (
    Game,
    Hand,
    HandResult,
    Kind,
    Phase,
    action_text,
    apply_action,
    bid_text,
    card_text,
    cards_of,
    finish_hand,
    start_game,
    start_hand,
    suit_text,
)

__all__ = ["traveller"]

_EXCHANGES = (Kind.DISCARD, Kind.TAKE, Kind.GIVE)


class _Told(NamedTuple):
    """One hand of a record: as dealt, at its end, its result if it came to one."""

    record: HandRecord
    dealt: Hand
    end: Hand
    result: HandResult | None


def traveller(records: Sequence[tuple[int, GameRecord]]) -> dict[str, Any]:
    """The board that these games played, each with its number.

    Of games of several hands one hand is told: that whose outcomes differ most, the first of
    equal ones; the deal of a hand is the same at every table.
    """
    games = [_hands(record) for _, record in records]
    hand = _telling(games)
    first = games[0][hand]
    return {
        "hand": hand,
        "hands": max(map(len, games)),
        "dealer": first.dealt.dealer,
        "dealt": [_cards(mask) for mask in first.dealt.hands],
        "tables": [
            {"game": number, "seats": list(record.seats), **_table(told[hand])}
            for (number, record), told in zip(records, games, strict=True)
        ],
    }


def _hands(record: GameRecord) -> list[_Told]:
    game = start_game(record.variant, first_dealer=record.first_dealer, max_hands=record.max_hands)
    told = []
    for hand in record.hands:
        one, game = _hand(game, hand)
        told.append(one)
    return told


def _hand(game: Game, record: HandRecord) -> tuple[_Told, Game]:
    dealt = end = start_hand(game.variant, game.dealer, record.deck)
    for _, action in record.actions:
        end = apply_action(end, action)
    if end.phase is not Phase.OVER:
        return _Told(record, dealt, end, None), game
    after, result = finish_hand(game, end)
    return _Told(record, dealt, end, result), after


def _telling(games: Sequence[Sequence[_Told]]) -> int:
    """The hand of the greatest difference between tables, among those that all have."""
    common = min(map(len, games))
    return max(range(common), key=lambda hand: (_spread([each[hand] for each in games]), -hand))


def _spread(hands: Sequence[_Told]) -> int:
    """How far apart what a side's seats scored was over the tables."""
    changes = [told.result.delta for told in hands if told.result is not None]
    return max((max(side) - min(side) for side in zip(*changes, strict=True)), default=0)


def _table(told: _Told) -> dict[str, Any]:
    end, result = told.end, told.result
    return {
        "auction": [[seat, action_text(call)] for seat, call in end.auction],
        "pitcher": end.pitcher if end.phase is not Phase.AUCTION else None,
        "bid": bid_text(end.bid),
        "trump": suit_text(end.trump) if end.trump >= 0 else None,
        "exchange": [
            [seat, action_text(action)]
            for seat, action in told.record.actions
            if action.kind in _EXCHANGES
        ],
        "tricks": list(_tricks(end)),
        "made": None if result is None else result.made,
        "points": None if result is None else list(result.points),
        "delta": None if result is None else list(result.delta),
        "won": {} if result is None else dict(result.won),
        "substituted": _substituted(told.record),
    }


def _tricks(end: Hand) -> list[dict[str, Any]]:
    tricks, start = [], 0
    for size, winner in zip(end.trick_sizes, end.trick_winners, strict=True):
        cards = [[seat, card_text(card)] for seat, card in end.played[start : start + size]]
        tricks.append({"cards": cards, "winner": winner})
        start += size
    return tricks


def _substituted(record: HandRecord) -> int:
    """How many of the actions were the referee's, in a bot's place."""
    noted = record.extra.get("x_substituted")
    return len(noted) if isinstance(noted, list | tuple) else 0


def _cards(mask: int) -> list[str]:
    """High cards first."""
    return [card_text(card) for card in reversed(cards_of(mask))]
