"""The kinds of rare decisions: what they are called, which variants have them, how one is known.

Here belongs telling that a decision is of a kind. Getting a hand there is `search`'s.
"""

from collections.abc import Callable
from typing import NamedTuple

from pitch.rules import (
    JOKERS,
    SMUDGE,
    TRUMP_TABLES,
    Discards,
    Exchange,
    Follow,
    Hand,
    Kind,
    Legal,
    OpeningLead,
    Phase,
    Rounds,
    Trump,
    Variant,
    off_jack_of,
)

__all__ = ["KINDS", "DecisionKind"]

_MANY = 100  # ways to discard; a bot that writes them all out is slow here


class DecisionKind(NamedTuple):
    """A kind of decision: `exists` in a variant, `fits` a hand whose seat may do `legal`."""

    name: str
    exists: Callable[[Variant], bool]
    fits: Callable[[Hand, Legal], bool]


# --- the auction ------------------------------------------------------------------------------


def _steal(hand: Hand, legal: Legal) -> bool:
    return _dealer_bids(hand) and any(
        action.kind == Kind.BID and action.value == hand.bid for action in legal
    )


def _dealer_bids(hand: Hand) -> bool:
    return hand.phase is Phase.AUCTION and hand.to_act == hand.dealer


def _stuck(hand: Hand, _legal: Legal) -> bool:
    return _dealer_bids(hand) and hand.bid == 0


def _pitchable(hand: Hand, legal: Legal) -> bool:
    return not _taken_over(hand, legal) and any(action.kind == Kind.PITCH for action in legal)


def _taken_over(hand: Hand, _legal: Legal) -> bool:
    return _dealer_bids(hand) and bool(hand.auction) and hand.auction[-1][1].kind == Kind.PITCH


def _top_only(hand: Hand, legal: Legal) -> bool:
    bids = [action.value for action in legal if action.kind == Kind.BID]
    return hand.phase is Phase.AUCTION and bool(bids) and min(bids) >= SMUDGE


def _bids_again(hand: Hand, _legal: Legal) -> bool:
    return hand.phase is Phase.AUCTION and any(seat == hand.to_act for seat, _ in hand.auction)


# --- trump and exchange -----------------------------------------------------------------------


def _lacks_a_suit(hand: Hand, legal: Legal) -> bool:
    return hand.phase is Phase.TRUMP and len(legal) < 4


def _excess_trumps(hand: Hand, legal: Legal) -> bool:
    """Some trumps must go, and the seat chooses which."""
    if hand.phase is not Phase.EXCHANGE or not isinstance(legal, Discards):
        return False
    trumps = TRUMP_TABLES[hand.variant.off_jack][hand.trump].trumps
    return bool(legal.optional) and legal.optional & ~trumps == 0


def _may_discard_none(hand: Hand, legal: Legal) -> bool:
    return isinstance(legal, Discards) and legal.minimum == 0 and hand.phase is Phase.EXCHANGE


def _many_discards(hand: Hand, legal: Legal) -> bool:
    return hand.phase is Phase.EXCHANGE and len(legal) > _MANY


def _leftovers(_hand: Hand, legal: Legal) -> bool:
    return legal[0].kind == Kind.TAKE


def _with_leftovers(hand: Hand, _legal: Legal) -> bool:
    return hand.phase is Phase.EXCHANGE and hand.exchanged.leftovers is not None


# --- the play ---------------------------------------------------------------------------------


def _sets_trump(hand: Hand, _legal: Legal) -> bool:
    return hand.phase is Phase.PLAY and hand.trump < 0


def _free_first_lead(hand: Hand, _legal: Legal) -> bool:
    return hand.phase is Phase.PLAY and not hand.played and hand.trump >= 0


def _first_trick_without_trump(hand: Hand, _legal: Legal) -> bool:
    return _follows(hand) and not hand.trick_sizes and hand.led != hand.trump


def _follows(hand: Hand) -> bool:
    return hand.phase is Phase.PLAY and hand.led >= 0


def _follow_or_trump(hand: Hand, _legal: Legal) -> bool:
    """The seat has the suit led, and may trump all the same, but not throw off."""
    if not _follows(hand) or hand.led == hand.trump:
        return False
    suits = TRUMP_TABLES[hand.variant.off_jack][hand.trump].suits
    return all(hand.playable & suits[suit] for suit in (hand.led, hand.trump)) and (
        hand.playable != hand.hands[hand.to_act]
    )


def _void_with_trumps(hand: Hand, _legal: Legal) -> bool:
    if not _follows(hand) or hand.led == hand.trump:
        return False
    suits = TRUMP_TABLES[hand.variant.off_jack][hand.trump].suits
    held = hand.hands[hand.to_act]
    return not held & suits[hand.led] and bool(held & suits[hand.trump])


def _off_jack_follows(hand: Hand, _legal: Legal) -> bool:
    if not _follows(hand) or hand.led != hand.trump:
        return False
    return bool(hand.playable >> off_jack_of(hand.trump) & 1)


def _joker_to_play(hand: Hand, _legal: Legal) -> bool:
    return hand.phase is Phase.PLAY and bool(hand.playable & JOKERS)


def _last_choice(hand: Hand, _legal: Legal) -> bool:
    return hand.phase is Phase.PLAY and hand.hands[hand.to_act].bit_count() == 2


def _always(_variant: Variant) -> bool:
    return True


def _refills(variant: Variant) -> bool:
    return variant.exchange is Exchange.TRUMP_REFILL


def _pairs(variant: Variant) -> bool:
    return variant.players == 2 * variant.sides


def _excess_exists(variant: Variant) -> bool:
    """Whether there are cards enough for a hand of more trumps than it may keep."""
    if variant.exchange in (Exchange.NONE, Exchange.DRAW):
        return False
    return variant.keep_trumps or _refills(variant)


def _may_lead_any(variant: Variant) -> bool:
    return variant.opening_lead in (OpeningLead.ANY, OpeningLead.SIDE_FREE)


def _plays_all_suits(variant: Variant) -> bool:
    return variant.follow is not Follow.TRUMP_ONLY


KINDS: tuple[DecisionKind, ...] = (
    DecisionKind("the dealer may steal the bid", lambda v: v.steal, _steal),
    DecisionKind("the dealer is stuck", _always, _stuck),
    DecisionKind("a card may be pitched", lambda v: v.pitching, _pitchable),
    DecisionKind("a pitch may be taken over", lambda v: v.pitching, _taken_over),
    DecisionKind("only smudge or moon is left to bid", lambda v: v.smudge or v.moon, _top_only),
    DecisionKind(
        "the bidding comes round again", lambda v: v.rounds is Rounds.UNTIL_PASSED, _bids_again
    ),
    DecisionKind(
        "not every suit may be trump",
        lambda v: v.trump is Trump.NAMED and v.opening_lead is OpeningLead.TRUMP,
        _lacks_a_suit,
    ),
    DecisionKind(
        "nothing need be discarded",
        lambda v: v.exchange in (Exchange.DRAW, Exchange.PITCHER_DRAW),
        _may_discard_none,
    ),
    DecisionKind(
        "there are hundreds of discards", lambda v: v.exchange is Exchange.WIDOW, _many_discards
    ),
    DecisionKind("trumps must be discarded", _excess_exists, _excess_trumps),
    DecisionKind(
        "the leftovers are taken or given", lambda v: _refills(v) and _pairs(v), _leftovers
    ),
    DecisionKind("the leftovers are discarded from", _refills, _with_leftovers),
    DecisionKind("the first lead makes trump", lambda v: v.trump is Trump.LEAD, _sets_trump),
    DecisionKind("any card may be led first", _may_lead_any, _free_first_lead),
    DecisionKind(
        "the first trick is no trump trick",
        lambda v: v.opening_lead is OpeningLead.SIDE_FREE,
        _first_trick_without_trump,
    ),
    DecisionKind(
        "follow suit or trump, nothing else",
        lambda v: v.follow in (Follow.FOLLOW_OR_TRUMP, Follow.MUST_FOLLOW_OR_TRUMP),
        _follow_or_trump,
    ),
    DecisionKind("void in the suit led", _plays_all_suits, _void_with_trumps),
    DecisionKind("the off-jack follows trump", lambda v: v.off_jack, _off_jack_follows),
    DecisionKind("a joker may be played", lambda v: v.deck == 54, _joker_to_play),
    DecisionKind("two cards are left", _always, _last_choice),
)
"""Every kind, in the order in which a hand meets them."""
