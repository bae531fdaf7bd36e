"""The state of one hand: an immutable value of integers, masks and tuples.

Here belong the shape of the state and the exceptions of the rules. How a state comes about
belongs to the sections: deal.py, auction.py, exchange.py, play.py, scoring.py. A state knows
every card; what a seat may know of it is made by view.py alone.
"""

from enum import IntEnum
from typing import NamedTuple, TypeAlias

from pitch.rules.actions import Action
from pitch.rules.variant import Variant

__all__ = [
    "Auction",
    "BadDeck",
    "Counts",
    "Exchanged",
    "Hand",
    "IllegalAction",
    "Phase",
    "Step",
    "hand_before_play",
    "with_cards",
]


class BadDeck(ValueError):
    """A deck that does not hold every card of the variant exactly once."""


class IllegalAction(ValueError):
    """An action that is not legal where it was tried; says what would have been."""


class Phase(IntEnum):
    """What the seat to act is asked for."""

    AUCTION = 0
    TRUMP = 1
    EXCHANGE = 2
    PLAY = 3
    OVER = 4


class Step(IntEnum):
    """The part of the exchange that is going on (rules.md 4.3)."""

    PITCHER_DISCARDS = 0
    ALL_DISCARD = 1
    LEFTOVERS = 2
    RECEIVER_DISCARDS = 3
    DONE = 4


Auction: TypeAlias = tuple[tuple[int, Action], ...]
"""(seat, action) in order, every one of them."""

Counts: TypeAlias = tuple[tuple[int, int], ...]
"""(seat, count) of a round of discards, in order."""


class Exchanged(NamedTuple):
    """Where the cards are that no hand holds and no trick took, and what led there."""

    stock: tuple[int, ...]  # not dealt out, the top first; under `draw` in piles of 6 at first
    discarded: tuple[int, ...]  # a mask for each seat
    step: Step = Step.DONE
    rounds: tuple[Counts, ...] = ()  # finished ones
    running: Counts = ()  # the round that goes on
    leftovers: Action | None = None  # TAKE or GIVE
    receiver: int = -1  # the seat that received the widow or the leftovers
    received: int = 0  # the mask of them


class Hand(NamedTuple):
    """One hand of a game. Seats, suits and cards that do not exist yet are -1."""

    variant: Variant
    dealer: int
    phase: Phase
    to_act: int  # -1 when the hand is over
    hands: tuple[int, ...]  # a mask for each seat
    trump: int
    pitcher: int  # the highest bidder so far; the pitcher once the auction is over
    bid: int  # the highest bid so far: 0 for none, a number, SMUDGE or MOON
    auction: Auction
    exchanged: Exchanged
    playable: int  # the mask of what the seat to act may play; 0 outside the play
    leader: int  # the seat that led, or is to lead, the trick that goes on
    led: int  # the suit led to that trick, as it counts under this trump
    best: int  # the card that takes that trick so far
    winning: int  # the seat that played it
    played: tuple[tuple[int, int], ...]  # (seat, card) in order, over the whole hand
    trick_sizes: tuple[int, ...]  # of finished tricks
    trick_winners: tuple[int, ...]  # seats, of finished tricks


_NOTHING_PLAYED = (0, -1, -1, -1, -1, (), (), ())  # `playable` and all after it
# Without the keyword handling of the class, since every action before the play comes by here.
_new = tuple.__new__


def hand_before_play(
    variant: Variant,
    dealer: int,
    phase: Phase,
    to_act: int,
    hands: tuple[int, ...],
    trump: int,
    pitcher: int,
    bid: int,
    auction: Auction,
    exchanged: Exchanged,
) -> Hand:
    """The hand with these values, in which no card has been played."""
    before = (variant, dealer, phase, to_act, hands, trump, pitcher, bid, auction, exchanged)
    # A sum of tuples: a star in the display would make a list first.
    return _new(Hand, before + _NOTHING_PLAYED)


def with_cards(
    hand: Hand, phase: Phase, to_act: int, hands: tuple[int, ...], trump: int, exchanged: Exchanged
) -> Hand:
    """The hand before its play with another seat to act, other cards or a trump."""
    return hand_before_play(
        hand.variant, hand.dealer, phase, to_act, hands, trump, hand.pitcher, hand.bid,
        hand.auction, exchanged,
    )  # fmt: skip
