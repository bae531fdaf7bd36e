"""What one seat does not know: the cards it can't place, and the places that they can be in.

Here belongs the reading of a view into places with their limits. What is drawn from them
belongs to deals.py.
"""

from math import isclose
from typing import NamedTuple

from pitch.rules.actions import Kind
from pitch.rules.state import Phase
from pitch.rules.trumps import TRUMP_TABLES
from pitch.rules.variant import Follow, Variant
from pitch.rules.view import View
from pitch.simulation.courses import Course, courses_of
from pitch.simulation.origins import Weights, weights_of
from pitch.simulation.voids import possible_cards

__all__ = ["Place", "Unseen", "unseen_from"]


class Place(NamedTuple):
    """The cards of one other seat that the view does not show. Cards are masks."""

    seat: int
    size: int  # how many unknown cards are in the hand
    discards: int  # how many it has discarded in rounds that are over
    known: int  # a pitched card that went back to the hand
    played: int
    possible: int  # what the unknown cards of the hand may be
    weights: Weights | None  # by trumps among these, then in the discards; None if all are equal


class Unseen(NamedTuple):
    """What a view leaves open. Cards are masks."""

    cards: int  # that the seat can't place
    suits: tuple[int, ...]  # all cards by suit, the trumps first; one of all if there is no trump
    courses: tuple[Course, ...]  # by seat, the own one too
    places: tuple[Place, ...]  # of the other seats, ascending


def unseen_from(variant: Variant, view: View) -> Unseen:
    """What `view` leaves open in a game of `variant`."""
    deck = (1 << variant.deck) - 1
    suits = _suits(variant, view, deck)
    played = [0] * variant.players
    for seat, card in view.played:
        played[seat] |= 1 << card
    cards = deck & ~(sum(played) | view.hand | view.discarded)
    courses = courses_of(variant, view)
    known = [pitched & cards for pitched in _pitched(variant, view)]
    cards &= ~sum(known)
    possible = possible_cards(variant, view)
    places = []
    for seat, course in enumerate(courses):
        if seat != view.seat:
            shown = played[seat] | known[seat]
            size = course.held - shown.bit_count()
            weights = _weights(variant, view, seat, course, shown, cards, suits)
            places.append(
                Place(
                    seat, size, course.discarded, known[seat], played[seat], possible[seat], weights
                )
            )
    return Unseen(cards, suits, tuple(courses), tuple(places))


def _suits(variant: Variant, view: View, deck: int) -> tuple[int, ...]:
    if view.trump < 0:
        return (deck,)
    table = TRUMP_TABLES[variant.off_jack][view.trump]
    plain = [suit & deck for suit in table.suits if suit != table.trumps]
    return (table.trumps & deck, *plain)


def _pitched(variant: Variant, view: View) -> list[int]:
    """By seat, the cards that it pitched (rules.md 9: known from the pitch on)."""
    pitched = [0] * variant.players
    for seat, action in view.auction:
        if action.kind == Kind.PITCH:
            pitched[seat] |= 1 << action.value
    return pitched


def _weights(
    variant: Variant,
    view: View,
    seat: int,
    course: Course,
    shown: int,
    cards: int,
    suits: tuple[int, ...],
) -> Weights | None:
    """What the numbers of trumps weigh that `seat` may have among `cards`."""
    # rules.md 4.4, trump_only: the seat to act has a trump
    must_hold = (
        variant.follow is Follow.TRUMP_ONLY and view.phase is Phase.PLAY and seat == view.to_act
    )
    if not course.stages and not course.named and not must_hold:
        return None
    trumps = suits[0]
    known = (shown & trumps).bit_count()
    unknown = min((cards & trumps).bit_count(), course.held - shown.bit_count())
    rows = weights_of(variant, course, trumps.bit_count())[known : known + unknown + 1]
    if must_hold:
        rows = ((0.0,) * len(rows[0]), *rows[1:])
    return None if _alike(rows, (cards & trumps).bit_count()) else rows


def _alike(rows: Weights, trumps: int) -> bool:
    """Whether it makes no difference where `trumps` trumps are."""
    first = rows[0][0]
    return first > 0 and all(
        isclose(weight, first, rel_tol=1e-9)
        for own, row in enumerate(rows)
        for weight in row[: trumps - own + 1]
    )
