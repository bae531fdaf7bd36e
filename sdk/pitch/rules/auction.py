"""The auction (rules.md 4.1).

Here belong bids, passes and pitches in place of a bid, and when the auction ends. The
functions take actions that are legal; hand.py checks.
"""

from pitch.rules.actions import BIDS, MOON, PASS, PITCHES, SMUDGE, Action, Kind
from pitch.rules.cards import cards_of
from pitch.rules.naming import begin_naming
from pitch.rules.play import begin_play, play_card
from pitch.rules.state import Auction, Hand
from pitch.rules.variant import Rounds, Stuck, Trump, Variant

__all__ = ["apply_bid", "legal_bids"]

_PITCH_BID = 4  # what a pitch counts as

# Names for what is compared at every call: a look into an enum costs more than the rest.
_PASSING = Kind.PASS
_PITCHING = Kind.PITCH
_ONE = Rounds.ONE
_MUST_BID = Stuck.MUST_BID


def legal_bids(hand: Hand) -> tuple[Action, ...]:
    """What the seat to act may call."""
    pitched = _pitch_before(hand)
    if pitched is not None:
        return _legal_after_pitch(hand, pitched)
    variant = hand.variant
    lowest = hand.bid + 1
    if variant.steal and hand.to_act == hand.dealer:
        lowest = max(hand.bid, 1)
    calls = list(BIDS[max(lowest, variant.min_bid) : variant.max_bid + 1])
    if variant.smudge and lowest <= SMUDGE:
        calls.append(BIDS[SMUDGE])
    if variant.moon and lowest <= MOON:
        calls.append(BIDS[MOON])
    if variant.pitching and lowest <= _PITCH_BID:
        calls.extend(PITCHES[card] for card in cards_of(hand.hands[hand.to_act]))
    if _is_stuck(hand) and variant.stuck is _MUST_BID:
        return tuple(calls)
    return (PASS, *calls)


def apply_bid(hand: Hand, action: Action) -> Hand:
    """The hand after the seat to act has called; at its next phase if that ends the auction."""
    seat, bid, pitcher = hand.to_act, hand.bid, hand.pitcher
    ends = hand.variant.rounds is _ONE and seat == hand.dealer
    if action.kind != _PASSING:
        bid = _PITCH_BID if action.kind == _PITCHING else action.value
        pitcher = seat
        # A pitch never ends it: the dealer has a choice still.
        ends = ends or (action.kind != _PITCHING and _ends_at_top(hand.variant, bid))
    elif _is_stuck(hand):
        # rules.md 4.1, pass_is_min: this pass is a bid, and a stuck dealer's bid is the last
        bid, pitcher, ends = hand.variant.min_bid, seat, True
    auction = (*hand.auction, (seat, action))
    following = -1 if ends else _next_seat(hand, auction, pitcher)
    hand = hand._replace(to_act=following, pitcher=pitcher, bid=bid, auction=auction)
    return _end_auction(hand) if following < 0 else hand


def _is_stuck(hand: Hand) -> bool:
    """Whether the dealer is to act, everyone else having passed without a bid."""
    return hand.bid == 0 and hand.to_act == hand.dealer


def _pitch_before(hand: Hand) -> Action | None:
    """The pitch of another seat that the dealer, now to act, may take over."""
    last = hand.auction[-1][1] if hand.auction else PASS
    return last if last.kind == _PITCHING else None


def _legal_after_pitch(hand: Hand, pitched: Action) -> tuple[Action, ...]:
    """What the dealer may do about another's pitch: pass, smudge, pitch another suit."""
    smudge = (BIDS[SMUDGE],) if hand.variant.smudge else ()
    own = cards_of(hand.hands[hand.dealer])
    # rules.md 4.1: another suit means the printed one
    others = (PITCHES[card] for card in own if card // 13 != pitched.value // 13)
    return (PASS, *smudge, *others)


def _ends_at_top(variant: Variant, bid: int) -> bool:
    """Whether `bid` is the highest that the variant has, and ends the auction."""
    if not variant.top_bid_ends:
        return False
    return bid == (MOON if variant.moon else SMUDGE if variant.smudge else variant.max_bid)


def _next_seat(hand: Hand, auction: Auction, pitcher: int) -> int:
    """Who acts after the last call of `auction`; -1 when it is over."""
    players = hand.variant.players
    last_seat, last = auction[-1]
    if last.kind == _PITCHING:
        return hand.dealer  # rules.md 4.1: the seats up to the dealer do not act
    if hand.variant.rounds is _ONE:
        return (last_seat + 1) % players
    out = {seat for seat, action in auction if action.kind == _PASSING}
    out.add(pitcher)  # not asked while it holds the highest bid
    for step in range(1, players):
        seat = (last_seat + step) % players
        if seat not in out:
            return seat
    return -1


def _end_auction(hand: Hand) -> Hand:
    """The hand after its auction: at the naming of trump, or at the play."""
    if hand.variant.trump is Trump.NAMED:
        return begin_naming(hand)
    hand = begin_play(hand)
    standing = [action for _, action in hand.auction if action.kind != _PASSING]
    if standing and standing[-1].kind == _PITCHING:
        return play_card(hand, standing[-1].value)  # rules.md 4.1: led to the first trick at once
    return hand
