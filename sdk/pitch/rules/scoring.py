"""The points of a hand and what they do to the score (rules.md 5 and 6).

Here belongs what a finished hand is worth. Who has won the game belongs to game.py.
"""

from collections.abc import Iterator

from pitch.rules.actions import MOON, SMUDGE, Kind
from pitch.rules.cards import HIGH_JOKER, LOW_JOKER
from pitch.rules.state import Hand
from pitch.rules.trumps import JACK, TEN, THREE, TRUMP_TABLES, off_jack_of
from pitch.rules.variant import GamePoint, Low, Variant

__all__ = ["points_of_sides", "points_won", "score_changes"]

Won = tuple[tuple[str, int | None], ...]

# By place in the suit, 2 to A (rules.md 1); jokers are worth nothing.
_GAME_VALUES = ((0,) * 8 + (10, 1, 2, 3, 4)) * 4 + (0, 0)


def points_won(hand: Hand) -> Won:
    """Each point of the variant with the side that scores it, None if nobody does."""
    variant, trump = hand.variant, hand.trump
    taker = dict(_takers(hand))
    first = trump * 13

    def taken(card: int) -> int | None:
        return taker.get(card)

    high, low = _high_and_low(hand, taker)
    won: dict[str, int | None] = {
        "high": high,
        "low": low,
        "jack": taken(first + JACK),
        "off_jack": taken(off_jack_of(trump)),
        "high_joker": taken(HIGH_JOKER),
        "low_joker": taken(LOW_JOKER),
        "trey": taken(first + THREE),
        "game": (
            taken(first + TEN) if variant.game is GamePoint.TEN else _most_game(variant, taker)
        ),
    }
    return tuple((name, won[name]) for name in variant.points)


def _takers(hand: Hand) -> Iterator[tuple[int, int]]:
    """Each card in play with the side that took it."""
    sides = hand.variant.sides
    start = 0
    for size, winner in zip(hand.trick_sizes, hand.trick_winners, strict=True):
        for _, card in hand.played[start : start + size]:
            yield card, winner % sides
        start += size


def _high_and_low(hand: Hand, taker: dict[int, int]) -> tuple[int | None, int | None]:
    """The sides that score High and Low; None where no trump is in play (rules.md 5)."""
    order = TRUMP_TABLES[hand.variant.off_jack][hand.trump].order
    trumps = [(order[card], card, seat) for seat, card in hand.played if order[card]]
    if not trumps:
        return None, None
    _, _, high_seat = max(trumps)
    _, low_card, low_seat = min(trumps)
    side_of = hand.variant.side_of
    low = side_of(low_seat) if hand.variant.low is Low.HELD else taker[low_card]
    return side_of(high_seat), low


def _most_game(variant: Variant, taker: dict[int, int]) -> int | None:
    """The side whose tricks alone hold the most game value."""
    totals = [0] * variant.sides
    for card, side in taker.items():
        totals[side] += _GAME_VALUES[card]
    top = max(totals)
    return totals.index(top) if totals.count(top) == 1 else None


def points_of_sides(variant: Variant, won: Won) -> tuple[int, ...]:
    """How many points each side has won."""
    points = [0] * variant.sides
    for name, side in won:
        if side is not None:
            points[side] += 3 if name == "trey" else 1
    return tuple(points)


def score_changes(
    hand: Hand, won: Won, scores: tuple[int, ...]
) -> tuple[bool, tuple[int, ...], tuple[int, ...]]:
    """Whether the bid was made, the points of each side, and what the hand adds to each score."""
    points = points_of_sides(hand.variant, won)
    side = hand.variant.side_of(hand.pitcher)
    made = _is_made(hand, points[side])
    # rules.md 6: every other side always scores the points that it won
    delta = list(points)
    delta[side] = _bidders_change(hand, made, points[side], scores[side])
    return made, points, tuple(delta)


def _is_made(hand: Hand, points: int) -> bool:
    variant = hand.variant
    if hand.bid == MOON:
        return points == variant.total_points
    if hand.bid == SMUDGE:
        side = variant.side_of(hand.pitcher)
        return points == 4 and all(variant.side_of(seat) == side for seat in hand.trick_winners)
    return points >= hand.bid


def _bidders_change(hand: Hand, made: bool, points: int, score: int) -> int:
    """What the bidding side's score changes by (rules.md 6)."""
    target = hand.variant.target
    if hand.bid == MOON:
        if not made:
            return -target
        return max(target - score, 0) if score >= 0 else -score
    if hand.bid == SMUDGE:
        bid, gain = 5, 5
    else:
        bid, gain = hand.bid, points
    if made:
        return gain
    return -2 * bid if hand.variant.takeover_doubles and _took_over(hand) else -bid


def _took_over(hand: Hand) -> bool:
    """Whether the dealer took over another seat's pitch (rules.md 4.1)."""
    return hand.pitcher == hand.dealer and any(
        action.kind == Kind.PITCH and seat != hand.dealer for seat, action in hand.auction
    )
