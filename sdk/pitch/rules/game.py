"""A game: hands until a side has won (rules.md 7 and 10).

Here belong the score of a game and who wins it. What a hand is worth belongs to scoring.py.
"""

from enum import StrEnum
from typing import NamedTuple

from pitch.rules.actions import MOON
from pitch.rules.scoring import points_won, score_changes
from pitch.rules.state import Hand, Phase
from pitch.rules.variant import Variant, Win

__all__ = ["Ended", "Game", "HandResult", "finish_hand", "start_game"]


class Ended(StrEnum):
    """Why a game is over; the words of records.md."""

    TARGET = "target"
    MOON = "moon"
    HAND_LIMIT = "hand_limit"


class Game(NamedTuple):
    """A game between hands. `winner` is a side, or None while undecided and for a draw."""

    variant: Variant
    first_dealer: int
    max_hands: int | None  # None: no limit
    hands_played: int
    scores: tuple[int, ...]  # by side
    winner: int | None = None
    ended: Ended | None = None

    @property
    def dealer(self) -> int:
        """The dealer of the next hand (rules.md 2)."""
        return (self.first_dealer + self.hands_played) % self.variant.players

    @property
    def over(self) -> bool:
        """Whether no further hand is played."""
        return self.ended is not None


class HandResult(NamedTuple):
    """What a finished hand came to; tuples are by side."""

    pitcher: int
    bid: int  # a number, SMUDGE or MOON
    trump: int
    made: bool
    won: tuple[tuple[str, int | None], ...]  # each point of the variant: its name, its side
    points: tuple[int, ...]
    delta: tuple[int, ...]
    scores: tuple[int, ...]  # after the hand


def start_game(variant: Variant, *, first_dealer: int = 0, max_hands: int | None = 100) -> Game:
    """A game before its first hand."""
    if not 0 <= first_dealer < variant.players:
        raise ValueError(f"first_dealer must be a seat below {variant.players}, got {first_dealer}")
    if max_hands is not None and max_hands < 1:
        raise ValueError(f"max_hands must be 1 or more, or None, got {max_hands}")
    return Game(variant, first_dealer, max_hands, 0, (0,) * variant.sides)


def finish_hand(game: Game, hand: Hand) -> tuple[Game, HandResult]:
    """The game after `hand`, which must be over, and what the hand came to."""
    if game.over:
        raise ValueError(f"the game ended ({game.ended}) before this hand")
    if hand.phase is not Phase.OVER:
        raise ValueError(f"the hand is not over: seat {hand.to_act} is to act")
    won = points_won(hand)
    made, points, delta = score_changes(hand, won, game.scores)
    scores = tuple(score + change for score, change in zip(game.scores, delta, strict=True))
    result = HandResult(hand.pitcher, hand.bid, hand.trump, made, won, points, delta, scores)
    winner, ended = _decide(game, result)
    played = game.hands_played + 1
    return Game(game.variant, game.first_dealer, game.max_hands, played, scores, winner, ended), (
        result
    )


def _decide(game: Game, result: HandResult) -> tuple[int | None, Ended | None]:
    """Who has won after a hand, and by what (rules.md 6, 7 and 10)."""
    side = game.variant.side_of(result.pitcher)
    if result.bid == MOON:
        # rules.md 6: moon comes first; made from a negative score it wins nothing at once
        if not result.made:
            return 1 - side, Ended.MOON
        if game.scores[side] >= 0:
            return side, Ended.MOON
    winner = _winner_at_target(game.variant, result, side)
    if winner is not None:
        return winner, Ended.TARGET
    if game.hands_played + 1 == game.max_hands:  # rules.md 10
        return _alone_at_top(result.scores), Ended.HAND_LIMIT
    return None, None


def _winner_at_target(variant: Variant, result: HandResult, bidding: int) -> int | None:
    """The side that has won by its score, if one has (rules.md 7)."""
    scores = result.scores
    if max(scores) < variant.target:
        return None
    made_it = result.made and scores[bidding] >= variant.target
    if variant.win is Win.BIDDER_ONLY:
        return bidding if made_it else None
    if variant.win is Win.BIDDER_FIRST and made_it:
        return bidding
    winner = _alone_at_top(scores)
    if winner is None and variant.win is Win.HIGHEST and scores[bidding] == max(scores):
        return bidding
    return winner


def _alone_at_top(scores: tuple[int, ...]) -> int | None:
    """The side with the highest score, None in a tie."""
    top = max(scores)
    return scores.index(top) if scores.count(top) == 1 else None
