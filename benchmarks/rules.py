"""Speed of the rules: hands a second and microseconds an action, for every named variant.

    python benchmarks/rules.py [SECONDS]

Plays hands with uniformly random legal actions for SECONDS (default 1) a variant, in this
process. Dealing and scoring count, shuffling does not and so does
choosing among the legal actions.
"""

import random
import sys
import time
from collections.abc import Sequence

from pitch.rules import (
    VARIANTS,
    Variant,
    apply_action,
    finish_hand,
    legal_actions,
    start_game,
    start_hand,
)

DECKS = 200


def shuffled_decks(variant: Variant, chance: random.Random) -> list[list[int]]:
    cards = range(variant.deck)
    return [chance.sample(cards, variant.deck) for _ in range(DECKS)]


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


def measure(variant: Variant, seconds: float) -> tuple[float, float]:
    """Hands a second and actions a second."""
    chance = random.Random(1)
    decks = shuffled_decks(variant, chance)
    hands = actions = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        for deck in decks:
            actions += play(variant, deck, chance)
        hands += len(decks)
    return hands / elapsed, actions / elapsed


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    print(f"{'variant':<22}{'hands/s':>10}{'actions/s':>12}{'µs/action':>12}")
    for name, variant in VARIANTS.items():
        hands, actions = measure(variant, seconds)
        print(f"{name:<22}{hands:>10,.0f}{actions:>12,.0f}{1e6 / actions:>12.2f}")


if __name__ == "__main__":
    main()
