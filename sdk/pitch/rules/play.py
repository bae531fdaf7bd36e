"""The play of the cards (rules.md 4.4).

Here belong the tricks: what may be led, what may follow, who takes a trick and who is next.
This is the path that most actions go, so it works on masks and builds its states by position.
The functions take actions that are legal; hand.py checks.
"""

from collections.abc import Sequence

from pitch.rules.actions import PLAYS, Action
from pitch.rules.state import Hand, Phase
from pitch.rules.trumps import TRUMP_TABLES, TrumpTable
from pitch.rules.variant import Follow, OpeningLead, Variant

__all__ = ["begin_play", "legal_plays", "may_follow", "play_card"]

_FOLLOW_OR_TRUMP = Follow.FOLLOW_OR_TRUMP
_STRICT = Follow.STRICT
_MUST_FOLLOW_OR_TRUMP = Follow.MUST_FOLLOW_OR_TRUMP
_TRUMP_ONLY = Follow.TRUMP_ONLY
_SIDE_FREE = OpeningLead.SIDE_FREE
_LEAD_TRUMP = OpeningLead.TRUMP
_PLAY = Phase.PLAY
_OVER = Phase.OVER
# Without the keyword handling of the class, since every play comes by here.
_new = tuple.__new__
_ONLY_PLAY = {1 << play.value: (play,) for play in PLAYS}
_PLAY_OF_BIT = {1 << play.value: play for play in PLAYS}


def legal_plays(hand: Hand) -> tuple[Action, ...]:
    """The plays of the seat to act, by card index."""
    mask = hand.playable
    only = _ONLY_PLAY.get(mask)
    if only:
        return only
    plays = []
    while mask:
        bit = mask & -mask
        plays.append(_PLAY_OF_BIT[bit])
        mask ^= bit
    return tuple(plays)


def begin_play(hand: Hand) -> Hand:
    """The hand with its first trick about to be led by the pitcher."""
    leader = hand.pitcher
    playable = hand.hands[leader]
    if hand.variant.opening_lead is _LEAD_TRUMP:
        trumps = TRUMP_TABLES[hand.variant.off_jack][hand.trump].trumps
        if hand.variant.follow is _TRUMP_ONLY:
            leader = _next_with_trump(hand.hands, trumps, leader)
            playable = hand.hands[leader] & trumps
        else:
            # A pitcher who could discard every trump leads any card (rules.md 4.3).
            playable = playable & trumps or playable
    # fmt: off
    return _new(Hand, (
        hand.variant, hand.dealer, _PLAY, leader, hand.hands, hand.trump, hand.pitcher, hand.bid,
        hand.auction, hand.exchanged, playable, leader, -1, -1, -1, (), (), (),
    ))
    # fmt: on


def play_card(hand: Hand, card: int) -> Hand:
    """The hand after the seat to act has played `card`."""
    # fmt: off
    (variant, dealer, phase, seat, hands, trump, pitcher, bid, auction, exchanged,
     _, leader, led, best, winning, played, sizes, winners) = hand
    # fmt: on
    if trump < 0:
        trump = card // 13  # rules.md 4.4, sets_trump
    table = TRUMP_TABLES[variant.off_jack][trump]
    held = list(hands)
    held[seat] ^= 1 << card
    played += ((seat, card),)
    if led < 0:
        led, best, winning = table.suit_of[card], card, seat
    else:
        power = table.power[led]
        if power[card] > power[best]:
            best, winning = card, seat
    seat = seat + 1 if seat + 1 < len(held) else 0
    if variant.follow is _TRUMP_ONLY:
        while seat != leader and not held[seat] & table.trumps:
            seat = (seat + 1) % len(held)  # rules.md 4.4: who has no trump is skipped
    if seat != leader:
        playable = may_follow(variant, held[seat], table, led, not winners)
    else:
        sizes += (len(played) - sum(sizes),)
        winners += (winning,)
        seat, playable = _next_leader(variant, held, table, winning)
        if not playable:
            phase, seat = _OVER, -1
        leader, led, best, winning = seat, -1, -1, -1
    # fmt: off
    return _new(Hand, (
        variant, dealer, phase, seat, tuple(held), trump, pitcher, bid, auction, exchanged,
        playable, leader, led, best, winning, played, sizes, winners,
    ))
    # fmt: on


def may_follow(variant: Variant, held: int, table: TrumpTable, led: int, first_trick: bool) -> int:
    """What a seat that holds `held` may play to a trick that was led in suit `led`."""
    suit = held & table.suits[led]
    follow = variant.follow
    if first_trick and variant.opening_lead is _SIDE_FREE and not _is_trump(table, led):
        # rules.md 4.4: stronger than `follow`, a trump only from a hand of nothing else
        return suit or held & ~table.trumps or held
    if suit:
        if follow is _FOLLOW_OR_TRUMP or follow is _MUST_FOLLOW_OR_TRUMP:
            return suit | held & table.trumps
        return suit
    if follow is _FOLLOW_OR_TRUMP or follow is _STRICT:
        return held
    return held & table.trumps or held


def _next_leader(
    variant: Variant, hands: Sequence[int], table: TrumpTable, winner: int
) -> tuple[int, int]:
    """Who leads after a trick that `winner` took, and what: nothing where the play is over."""
    if variant.follow is not _TRUMP_ONLY:
        return winner, hands[winner]  # rules.md 4.4: later leads are free
    seat = _next_with_trump(hands, table.trumps, winner)
    return seat, hands[seat] & table.trumps


def _is_trump(table: TrumpTable, suit: int) -> bool:
    return table.suits[suit] == table.trumps


def _next_with_trump(hands: Sequence[int], trumps: int, seat: int) -> int:
    """The first seat from `seat` clockwise that holds a trump, else `seat` (rules.md 4.4)."""
    count = len(hands)
    for step in range(count):
        if hands[(seat + step) % count] & trumps:
            return (seat + step) % count
    return seat
