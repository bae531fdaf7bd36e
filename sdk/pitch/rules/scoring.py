"""The points of a hand and what they do to the score (rules.md 5 and 6).

Here belongs what a finished hand is worth. Who has won the game belongs to game.py.
"""

from pitch.rules.actions import MOON, SMUDGE, Kind
from pitch.rules.cards import HIGH_JOKER, LOW_JOKER, mask_of
from pitch.rules.state import Hand
from pitch.rules.trumps import JACK, TEN, THREE, TRUMP_TABLES, off_jack_of
from pitch.rules.variant import GamePoint, Low, Variant

__all__ = ["points_of_sides", "points_won", "score_changes"]

_Point = tuple[str, int | None]
Won = tuple[_Point, ...]

# What a card of each rank is worth for Game (rules.md 1), with the mask of the rank.
_GAME_VALUES = tuple(
    (value, mask_of(range(place, 52, 13)))
    for place, value in ((8, 10), (9, 1), (10, 2), (11, 3), (12, 4))
)


def points_won(hand: Hand) -> Won:
    """Each point of the variant with the side that scores it, None if nobody does."""
    variant, trump = hand.variant, hand.trump
    taken = _cards_taken(hand)
    first = trump * 13
    won = [
        *_high_and_low(hand, taken),
        ("jack", _taker(taken, first + JACK)),
    ]
    if variant.off_jack:
        won.append(("off_jack", _taker(taken, off_jack_of(trump))))
    if variant.deck == 54:
        won.append(("high_joker", _taker(taken, HIGH_JOKER)))
        won.append(("low_joker", _taker(taken, LOW_JOKER)))
    if variant.trey:
        won.append(("trey", _taker(taken, first + THREE)))
    by_ten = variant.game is GamePoint.TEN
    won.append(("game", _taker(taken, first + TEN) if by_ten else _most_game(taken)))
    return tuple(won)


def _cards_taken(hand: Hand) -> list[int]:
    """The mask of the cards that each side took."""
    sides, played = hand.variant.sides, hand.played
    taken = [0] * sides
    start = 0
    for size, winner in zip(hand.trick_sizes, hand.trick_winners, strict=True):
        trick = 0
        for _, card in played[start : start + size]:
            trick |= 1 << card
        taken[winner % sides] |= trick
        start += size
    return taken


def _taker(taken: list[int], card: int) -> int | None:
    """The side that took `card`, None if it was not in play."""
    for side, mask in enumerate(taken):
        if mask >> card & 1:
            return side
    return None


def _high_and_low(hand: Hand, taken: list[int]) -> tuple[_Point, _Point]:
    """Who scores High and Low: nobody where no trump is in play (rules.md 5)."""
    in_play = sum(taken)
    trumps = TRUMP_TABLES[hand.variant.off_jack][hand.trump].high_to_low
    trumps = tuple([card for card in trumps if in_play >> card & 1])
    if not trumps:
        return ("high", None), ("low", None)
    low = _taker(taken, trumps[-1])
    if hand.variant.low is Low.HELD:
        low = next(seat for seat, card in hand.played if card == trumps[-1]) % hand.variant.sides
    return ("high", _taker(taken, trumps[0])), ("low", low)


def _most_game(taken: list[int]) -> int | None:
    """The side whose tricks alone hold the most game value."""
    totals = [
        sum([value * (mask & rank).bit_count() for value, rank in _GAME_VALUES]) for mask in taken
    ]
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
