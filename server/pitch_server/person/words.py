"""The words of a table: who sits where, cards, what was done, and what a hand came to.

Here belong texts for people. Where they stand on the screen is `drawing`'s.
"""

from collections.abc import Iterator

from pitch.bot.view import View
from pitch.rules import (
    MOON,
    SMUDGE,
    Action,
    HandResult,
    Kind,
    bid_text,
    card_text,
    cards_of,
    rank_of,
)
from pitch_server.person.seated import Moment

__all__ = [
    "SUIT_NAMES",
    "SYMBOLS",
    "card_label",
    "choice_label",
    "done",
    "result_lines",
    "seat_name",
]

SYMBOLS = "♣♦♥♠"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
_AROUND = {
    1: ("North",),
    2: ("West", "East"),
    3: ("West", "North", "East"),
    4: ("West", "NW", "NE", "East"),
    5: ("West", "NW", "North", "NE", "East"),
}
POINT_NAMES = {
    "high": "High",
    "low": "Low",
    "jack": "Jack",
    "off_jack": "Off-jack",
    "high_joker": "High joker",
    "low_joker": "Low joker",
    "trey": "Three",
    "game": "Game",
}


def seat_name(view: View, seat: int) -> str:
    """Where a seat is, seen from the person's: you, and around the table from the left."""
    place = (seat - view.seat) % view.variant.players
    if place == 0:
        return "You"
    around = _AROUND.get(view.variant.players - 1)
    return around[place - 1] if around else f"Seat {seat}"


def side_name(view: View, side: int) -> str:
    """A side, seen from the person's."""
    if side == view.side:
        return "you" if len(view.variant.seats_of(side)) == 1 else "we"
    if view.variant.sides == 2:
        return "they"
    return "+".join(seat_name(view, seat) for seat in view.variant.seats_of(side))


def card_label(card: int) -> str:
    """A card with its suit's symbol: "10♥"; jokers are "Hi★" and "Lo★"."""
    if rank_of(card) == 0:
        return {"HJ": "Hi★", "LJ": "Lo★"}[card_text(card)]
    rank = card_text(card)[0]
    return f"{'10' if rank == 'T' else rank}{SYMBOLS[card // 13]}"


def bid_label(bid: int) -> str:
    """A bid: a number, smudge or moon."""
    return bid_text(bid) if bid in (SMUDGE, MOON) else str(bid)


def choice_label(action: Action) -> str:
    """An action as one of several to choose from."""
    kind, value = action
    if kind in (Kind.PLAY, Kind.PITCH):
        return card_label(value)
    if kind is Kind.BID:
        return bid_label(value)
    if kind is Kind.TRUMP:
        return f"{SYMBOLS[value]} {SUIT_NAMES[value]}"
    if kind is Kind.DISCARD:
        return f"discard {' '.join(map(card_label, cards_of(value))) or 'nothing'}"
    return kind.name.lower()


def done(moment: Moment) -> str:
    """What happened, in a line; empty for a deal that the table shows itself."""
    view, seat, action = moment.view, moment.seat, moment.action
    if seat is None or action is None:
        return f"— {_verb(view, view.dealer, 'deal')} hand {view.hand_number + 1} —"
    return _verb(view, seat, *_DONE[action.kind]) + _object(action, hidden=seat != view.seat)


_DONE = {
    Kind.PASS: ("pass", "passes"),
    Kind.BID: ("bid", "bids"),
    Kind.PITCH: ("pitch", "pitches"),
    Kind.TRUMP: ("name", "names"),
    Kind.DISCARD: ("discard", "discards"),
    Kind.TAKE: ("take", "takes"),
    Kind.GIVE: ("give", "gives"),
    Kind.PLAY: ("play", "plays"),
}


def _verb(view: View, seat: int, verb: str, of_others: str = "") -> str:
    name = seat_name(view, seat)
    return f"{name} {verb if seat == view.seat else of_others or f'{verb}s'}"


def _object(action: Action, *, hidden: bool) -> str:
    kind, value = action
    if kind is Kind.DISCARD:
        count = value.bit_count()
        cards = f"{count} card{'' if count == 1 else 's'}"
        return f" {cards}" if hidden else f" {' '.join(map(card_label, cards_of(value))) or cards}"
    if kind in (Kind.PASS, Kind.TAKE, Kind.GIVE):
        return ""
    return f" {choice_label(action)}"


# --- the end of a hand ------------------------------------------------------------------------


def result_lines(view: View, result: HandResult) -> Iterator[str]:
    """What a hand came to: the bid, each point and who has it, and the scores."""
    pitcher = seat_name(view, result.pitcher)
    bid = f"{pitcher} bid {bid_label(result.bid)} in {SUIT_NAMES[result.trump]}"
    side = view.side_of(result.pitcher)
    yield f"{bid} and {'made it' if result.made else 'was set' if pitcher != 'You' else 'were set'}"
    yield ""
    worths = {point.name: point for point in view.points}
    for name, winner in result.won:
        point = worths[name]
        card = f" {card_label(point.card)}" if point.card is not None else ""
        worth = f" ({point.worth} points)" if point.worth != 1 else ""
        counted = (
            f", {_game_counts(view)}" if name == "game" and view.variant.game == "count" else ""
        )
        who = "nobody" if winner is None else side_name(view, winner)
        yield f"{POINT_NAMES[name]:<11}{who}{card}{worth}{counted}"
    yield ""
    for each in range(view.variant.sides):
        change = f"{result.delta[each]:+d}"
        why = "" if each != side or result.made else ", set by the bid"
        yield (
            f"{side_name(view, each):<11}{result.points[each]} points{why}: {change}, "
            f"{result.scores[each]} in all"
        )


def _game_counts(view: View) -> str:
    return " to ".join(
        f"{side_name(view, side)} {value}" for side, value in enumerate(view.game_values)
    )
