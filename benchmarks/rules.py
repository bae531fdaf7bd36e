"""Speed of the rules: hands a second and microseconds an action, for every named variant.

    python benchmarks/rules.py [SECONDS]

Plays rounds of hands with uniformly random legal actions for SECONDS (default 1) a variant, in
this process, and prints the quickest round: what the machine does without its other work.
Dealing, choosing and scoring count; shuffling does not.
"""

import random
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

from pitch.rules import (
    VARIANTS,
    Variant,
    apply_action,
    finish_hand,
    legal_actions,
    start_game,
    start_hand,
)

ROUND = 50  # hands


class Speed(NamedTuple):
    """Of one round; the quickest has the most actions a second."""

    actions: float  # a second
    hands: float  # a second


def play(variant: Variant, deck: Sequence[int], chance: random.Random) -> int:
    """Play one hand, and give the number of its actions."""
    game = start_game(variant)
    hand = start_hand(variant, game.dealer, deck)
    choice = chance.choice
    actions = 0
    while legal := legal_actions(hand):
        hand = apply_action(hand, choice(legal))
        actions += 1
    finish_hand(game, hand)
    return actions


def play_round(variant: Variant, chance: random.Random) -> Speed:
    cards = range(variant.deck)
    decks = [chance.sample(cards, variant.deck) for _ in range(ROUND)]
    start = time.perf_counter()
    actions = sum(play(variant, deck, chance) for deck in decks)
    elapsed = time.perf_counter() - start
    return Speed(actions / elapsed, ROUND / elapsed)


def quickest(variant: Variant, seconds: float) -> Speed:
    chance = random.Random(1)
    end = time.perf_counter() + seconds
    best = play_round(variant, chance)
    while time.perf_counter() < end:
        best = max(best, play_round(variant, chance))
    return best


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    print(f"{'variant':<22}{'hands/s':>10}{'actions/s':>12}{'µs/action':>12}")
    for name, variant in VARIANTS.items():
        actions, hands = quickest(variant, seconds)
        print(f"{name:<22}{hands:>10,.0f}{actions:>12,.0f}{1e6 / actions:>12.2f}")


if __name__ == "__main__":
    main()
