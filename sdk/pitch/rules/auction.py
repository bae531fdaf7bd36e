"""The auction (rules.md 4.1).

Here belong bids, passes and pitches in place of a bid, and when the auction ends. The
functions take actions that are legal; hand.py checks.
"""

from pitch.rules.actions import BIDS, MOON, PASS, PITCHES, SMUDGE, Action, Kind
from pitch.rules.cards import cards_of
from pitch.rules.naming import begin_naming
from pitch.rules.play import begin_play, play_card
from pitch.rules.state import Auction, Hand, Phase, hand_before_play
from pitch.rules.variant import Rounds, Stuck, Trump, Variant

__all__ = ["apply_bid", "legal_bids"]

_PITCH_BID = 4  # what a pitch counts as
_PASS_CALL = (PASS,)
_SMUDGE_CALL = (BIDS[SMUDGE],)
_MOON_CALL = (BIDS[MOON],)

# Names for what is compared at every call: a look into an enum costs more than the rest.
_PASSING = Kind.PASS
_PITCHING = Kind.PITCH
_ONE = Rounds.ONE
_MUST_BID = Stuck.MUST_BID
_NAMED = Trump.NAMED
_AUCTION = Phase.AUCTION


def legal_bids(hand: Hand) -> tuple[Action, ...]:
    """What the seat to act may call."""
    variant, bid = hand.variant, hand.bid
    dealer_acts = hand.to_act == hand.dealer
    if variant.pitching and (pitched := _pitch_before(hand)):
        return _legal_after_pitch(hand, pitched)
    # rules.md 4.1, steal: the dealer may equal the highest bid
    lowest = bid if bid and dealer_acts and variant.steal else bid + 1
    calls = BIDS[max(lowest, variant.min_bid) : variant.max_bid + 1]
    if variant.smudge and lowest <= SMUDGE:
        calls += _SMUDGE_CALL
    if variant.moon and lowest <= MOON:
        calls += _MOON_CALL
    if variant.pitching and lowest <= _PITCH_BID:
        calls += tuple([PITCHES[card] for card in cards_of(hand.hands[hand.to_act])])
    if dealer_acts and not bid and variant.stuck is _MUST_BID:
        return calls
    return _PASS_CALL + calls


def apply_bid(hand: Hand, action: Action) -> Hand:
    """The hand after the seat to act has called; at its next phase if that ends the auction."""
    variant, seat, bid, pitcher = hand.variant, hand.to_act, hand.bid, hand.pitcher
    ends = seat == hand.dealer and variant.rounds is _ONE
    if action.kind != _PASSING:
        bid = _PITCH_BID if action.kind == _PITCHING else action.value
        pitcher = seat
        # A pitch never ends it: the dealer has a choice still.
        ends = ends or (variant.top_bid_ends and action.kind != _PITCHING and _is_top(variant, bid))
    elif bid == 0 and seat == hand.dealer:
        # rules.md 4.1, pass_is_min: a stuck dealer's pass is a bid, and such a bid is the last
        bid, pitcher, ends = variant.min_bid, seat, True
    auction = (*hand.auction, (seat, action))
    following = -1 if ends else _next_seat(hand, auction, pitcher)
    hand = hand_before_play(
        variant, hand.dealer, _AUCTION, following, hand.hands, -1, pitcher, bid, auction,
        hand.exchanged,
    )  # fmt: skip
    return _end_auction(hand) if following < 0 else hand


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


def _is_top(variant: Variant, bid: int) -> bool:
    """Whether `bid` is the highest that the variant has."""
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
    if hand.variant.trump is _NAMED:
        return begin_naming(hand)
    hand = begin_play(hand)
    standing = [action for _, action in hand.auction if action.kind != _PASSING]
    if standing and standing[-1].kind == _PITCHING:
        return play_card(hand, standing[-1].value)  # rules.md 4.1: led to the first trick at once
    return hand
