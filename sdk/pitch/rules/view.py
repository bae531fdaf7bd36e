"""What a seat may know of a game (rules.md 9).

Here belongs the only making of views. Nothing of another seat's hand, of another's discards
or of the stock may enter a view, neither during a hand nor after it.
"""

from typing import NamedTuple

from pitch.rules.actions import Action, Legal
from pitch.rules.game import Game
from pitch.rules.hand import legal_actions
from pitch.rules.scoring import points_of_sides, points_won
from pitch.rules.state import Auction, Counts, Hand, Phase

__all__ = ["View", "view_of"]


class View(NamedTuple):
    """All that the rules let one seat know; cards, suits and seats not known yet are -1."""

    seat: int
    dealer: int
    hand_number: int  # hands played before this one
    scores: tuple[int, ...]  # by side, before this hand
    phase: Phase
    to_act: int  # -1 when the hand is over
    hand: int  # the mask of the own cards
    discarded: int  # the mask of the own discards
    auction: Auction  # pitches with their card
    pitcher: int  # the highest bidder so far; the pitcher once the auction is over
    bid: int  # the highest so far: 0 for none, a number, SMUDGE or MOON
    trump: int
    discard_counts: tuple[Counts, ...]  # of finished rounds
    leftovers: Action | None  # TAKE or GIVE, once the pitcher has said it
    received: int  # the mask of the widow or the leftovers that this seat received
    played: tuple[tuple[int, int], ...]  # (seat, card) in order, over the whole hand
    trick_sizes: tuple[int, ...]  # of finished tricks; what is left of `played` goes on
    trick_winners: tuple[int, ...]  # seats, of finished tricks
    points: tuple[int, ...] | None  # by side, when the hand is over
    legal: Legal  # what this seat may do; empty unless it is to act


def view_of(game: Game, hand: Hand, seat: int) -> View:
    """What `seat` may know of `hand`, in `game` as it stood when the hand was dealt."""
    if not 0 <= seat < game.variant.players:
        raise ValueError(f"seat must be below {game.variant.players}, got {seat}")
    exchanged = hand.exchanged
    points = None
    if hand.phase is Phase.OVER:
        points = points_of_sides(hand.variant, points_won(hand))
    legal = legal_actions(hand) if seat == hand.to_act else ()
    received = exchanged.received if seat == exchanged.receiver else 0
    # fmt: off
    return View(
        seat, hand.dealer, game.hands_played, game.scores, hand.phase, hand.to_act,
        hand.hands[seat], exchanged.discarded[seat], hand.auction, hand.pitcher, hand.bid,
        hand.trump, exchanged.rounds, exchanged.leftovers, received,
        hand.played, hand.trick_sizes, hand.trick_winners, points, legal,
    )
    # fmt: on
