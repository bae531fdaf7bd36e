"""A hand played on to its end, and what it came to.

Here belong policies: functions that choose for every seat while a hand is played on.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from pitch.rules.actions import Action
from pitch.rules.hand import apply_action, legal_actions
from pitch.rules.scoring import points_won, score_changes
from pitch.rules.state import Hand, Phase

__all__ = ["Policy", "play_out", "random_policy", "score_hand"]

Policy: TypeAlias = Callable[[Hand, Random], Action]
"""Chooses a legal action for `hand.to_act`. It is handed all cards: what it looks at is its own
affair, and `view_of` tells what the seat would know."""


def random_policy(hand: Hand, random: Random) -> Action:
    """Any of the legal actions, each as likely as the others."""
    legal = legal_actions(hand)
    return legal[int(random.random() * len(legal))]


def play_out(hand: Hand, policies: Policy | Sequence[Policy], random: Random) -> Hand:
    """The finished hand that `policies`, one for all or one for each seat, make of `hand`.

    `hand` itself stays as it is; a finished one is given back. Raises IllegalAction if a
    policy chooses what is not legal.
    """
    if callable(policies):
        policies = (policies,) * hand.variant.players
    elif len(policies) != hand.variant.players:
        raise ValueError(
            f"expected a policy for each of {hand.variant.players} seats, got {len(policies)}"
        )
    while hand.phase is not Phase.OVER:
        hand = apply_action(hand, policies[hand.to_act](hand, random))
    return hand


def score_hand(hand: Hand, scores: Sequence[int] | None = None) -> tuple[int, ...]:
    """What the finished `hand` adds to each side's score (rules.md 6).

    `scores` are those before the hand, zeros if not given: only a moon depends on them.
    """
    if hand.phase is not Phase.OVER:
        raise ValueError(f"the hand is not over: seat {hand.to_act} is to act")
    before = (0,) * hand.variant.sides if scores is None else tuple(scores)
    _, _, delta = score_changes(hand, points_won(hand), before)
    return delta
