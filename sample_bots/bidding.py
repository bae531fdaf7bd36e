"""What a hand is worth to its pitcher, and what to call with it.

The weights were fitted to some thousand hands of each variant that the rule bot played. The
calls are a little bold: who does not pitch helps the others to do it.
"""

from collections.abc import Sequence
from functools import lru_cache

from pitch import (
    MOON,
    PASS,
    SMUDGE,
    TRUMP_TABLES,
    Action,
    Kind,
    Variant,
    cards_of,
    off_jack_of,
    rank_of,
)

# By deck: how much less than its points the lowest bid needs, and how much more each step above
# it; found by playing against the rule bot.
BOLDNESS = {52: (0.2, 0.8), 54: (-0.2, 1.0)}
ACES = sum(1 << suit * 13 + 12 for suit in range(4))


def strength(variant: Variant, hand: int, suit: int) -> float:
    """The points that a side wins on average if it pitches with this hand and this trump."""
    trumps = TRUMP_TABLES[variant.off_jack][suit].trumps
    if not hand & trumps:
        return 0.0
    return trump_strength(variant, hand & trumps, suit) + 0.2 * (hand & ~trumps & ACES).bit_count()


@lru_cache(maxsize=1 << 16)
def trump_strength(variant: Variant, trumps: int, suit: int) -> float:
    """The part of it that the trumps in the hand bring, at least one."""
    worths = [worth_of_holding(variant, suit, card) for card in cards_of(trumps)]
    return share_of_points(variant) + sum(worths)


def share_of_points(variant: Variant) -> float:
    """What comes to a pitcher with any hand."""
    share = 0.37 if variant.sides == 2 else 0.05
    if variant.exchange == "widow":
        share += 0.5
    return share * (variant.total_points - 0.5)


@lru_cache(maxsize=1 << 12)
def worth_of_holding(variant: Variant, suit: int, card: int) -> float:
    """What a trump adds to that: the high ones, those that score, and each by its length."""
    order = [c for c in TRUMP_TABLES[variant.off_jack][suit].high_to_low if c < variant.deck]
    worth = 0.28 if variant.sides > 2 and variant.exchange != "widow" else 0.13
    if card in order[:3]:
        worth += (1.05, 0.35, 0.2)[order.index(card)]
    if scores(variant, suit, card):
        worth += 0.5
    if variant.trey and card == suit * 13 + 1:
        worth += 0.6
    if card == order[-1]:
        worth += 0.55 if variant.low == "held" else 0.1
    return worth


def power_under(variant: Variant, trump: int) -> Sequence[int]:
    """How high the cards are if a trump is led, by card: other suits are 0."""
    return TRUMP_TABLES[variant.off_jack][trump].power[trump]


def scores(variant: Variant, trump: int, card: int) -> bool:
    """Whether a card is a jack or a joker that scores."""
    jack = card == trump * 13 + 9
    return jack or rank_of(card) == 0 or (variant.off_jack and card == off_jack_of(trump))


@lru_cache(maxsize=1 << 14)
def best_suit(variant: Variant, hand: int) -> int:
    """The suit that the hand is worth most in."""
    return max(range(4), key=lambda suit: strength(variant, hand, suit))


def call(variant: Variant, legal: Sequence[Action], suit: int, points: float) -> Action:
    """The lowest bid that wins for now, if the hand is worth so many points; else a pass."""
    if points >= needed(variant, 4):
        power = power_under(variant, suit)
        own = [each for each in legal if each.kind is Kind.PITCH and each.value // 13 == suit]
        if own:
            return max(own, key=lambda action: power[action.value])
    bids = [action for action in legal if action.kind is Kind.BID]
    if bids and points >= needed(variant, bids[0].value):
        return bids[0]
    return PASS if PASS in legal else bids[0]


def needed(variant: Variant, bid: int) -> float:
    """The strength that a bid asks for."""
    if bid == SMUDGE:
        return 4.7
    if bid == MOON:
        return 0.95 * variant.total_points
    spared, step = BOLDNESS[variant.deck]
    if variant.sides > 2:  # a bid that fails helps each of the others less
        spared += 0.2
    return variant.min_bid - spared + step * (bid - variant.min_bid)
