"""What a seat can't hold any more, as its plays have shown (rules.md 4.4).

Here belongs what follows from the rules alone: a seat does not hold a card that would have
barred what it played. What a sensible player would have done proves nothing.
"""

from collections.abc import Iterator
from functools import lru_cache

from pitch.rules.cards import CARD_COUNT
from pitch.rules.play import may_follow
from pitch.rules.state import Phase
from pitch.rules.trumps import TRUMP_TABLES, TrumpTable
from pitch.rules.variant import Follow, OpeningLead, Variant
from pitch.rules.view import View

__all__ = ["possible_cards", "tricks_of"]

_EVERY_CARD = (1 << CARD_COUNT) - 1
_Voids = tuple[tuple[tuple[int, ...], ...], ...]
_Trick = tuple[tuple[int, int], ...]


def possible_cards(variant: Variant, view: View) -> list[int]:
    """By seat, the mask of the cards that its hand may hold as far as its own plays tell."""
    possible = [_EVERY_CARD] * variant.players
    if view.phase < Phase.PLAY or view.trump < 0:
        return possible
    table = TRUMP_TABLES[variant.off_jack][view.trump]
    voids = _void_table(variant, view.trump)
    suit_of = table.suit_of
    for number, trick in enumerate(tricks_of(view)):
        if not trick:
            break
        leader, card = trick[0]
        by_suit = voids[number == 0][suit_of[card]]
        if (
            number == 0
            and variant.opening_lead is OpeningLead.TRUMP
            and suit_of[card] != view.trump
        ):
            possible[leader] &= ~table.trumps  # it had to lead a trump if it had one
        for seat, card in trick[1:]:
            possible[seat] &= ~by_suit[suit_of[card]]
    if variant.follow is Follow.TRUMP_ONLY:
        for seat in _passed_over(variant, view):
            possible[seat] &= ~table.trumps
    return possible


def tricks_of(view: View) -> list[_Trick]:
    """The tricks as (seat, card) in order; the last is the one that goes on, perhaps empty."""
    tricks, start = [], 0
    for size in view.trick_sizes:
        tricks.append(view.played[start : start + size])
        start += size
    return [*tricks, view.played[start:]]


@lru_cache(maxsize=256)
def _void_table(variant: Variant, trump: int) -> _Voids:
    """What a play shows: by whether the trick is the first, suit led and suit played, a mask."""
    table = TRUMP_TABLES[variant.off_jack][trump]
    suits = range(4)
    return tuple(
        tuple(tuple(_not_held(variant, table, led, suit, first) for suit in suits) for led in suits)
        for first in (False, True)
    )


def _not_held(variant: Variant, table: TrumpTable, led: int, suit: int, first: bool) -> int:
    """The mask of every suit of which one card would have barred a card of `suit`."""
    card = table.suits[suit] & -table.suits[suit]
    gone = 0
    for other in table.suits:
        barring = other & -other
        if not may_follow(variant, card | barring, table, led, first) & card:
            gone |= other
    return gone


def _passed_over(variant: Variant, view: View) -> Iterator[int]:
    """The seats that were skipped for want of a trump (rules.md 4.4, trump_only)."""
    if view.phase is Phase.OVER:
        yield from range(variant.players)
        return
    due = view.pitcher
    for trick, winner in zip(tricks_of(view), (*view.trick_winners, -1), strict=True):
        acted = [seat for seat, _ in trick]
        # A finished trick has come round to its leader, the other has come to the seat to act.
        for seat in (*acted, acted[0] if winner >= 0 else view.to_act):
            while due != seat:
                yield due
                due = (due + 1) % variant.players
            due = (due + 1) % variant.players
        due = winner
