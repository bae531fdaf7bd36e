"""Speed of simulated deals: every named variant, by what the seat to act is asked for.

    python benchmarks/simulation.py [SECONDS]

Views come from hands played by chance. Of each view DEALS hands are sampled at once, as a bot
would that weighs its actions; `first` is what the first of them costs, with the reading of the
view, `more` what each further one costs, both in microseconds on an average view. SECONDS
(default 0.3) are spent on each line. The last column is for scale: one hand played on to its
end from there by chance.
"""

import random
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from pitch.rules import (
    VARIANTS,
    Hand,
    Phase,
    Variant,
    View,
    apply_action,
    legal_actions,
    start_game,
    start_hand,
    view_of,
)
from pitch.simulation import Deals, play_out, random_policy

DEALS = 20
GAMES = 40
CHANCE = random.Random(1)
PLACES = ("auction", "trump", "exchange", "play, early", "play, late")


class Cost(NamedTuple):
    """Seconds, on average."""

    first: float
    more: float
    played_out: float


def views_by_place(variant: Variant) -> dict[str, list[View]]:
    """Views of the seat to act, where it has a choice."""
    views: dict[str, list[View]] = defaultdict(list)
    for number in range(GAMES):
        game = start_game(variant, first_dealer=number % variant.players)
        hand = start_hand(variant, game.dealer, CHANCE.sample(range(variant.deck), variant.deck))
        while legal := legal_actions(hand):
            if len(legal) > 1:
                views[place_of(hand)].append(view_of(game, hand, hand.to_act))
            hand = apply_action(hand, random_policy(hand, CHANCE))
    return views


def place_of(hand: Hand) -> str:
    if hand.phase is not Phase.PLAY:
        return hand.phase.name.lower()
    return "play, early" if len(hand.trick_sizes) < 2 else "play, late"


def measure(variant: Variant, views: Sequence[View], seconds: float) -> Cost:
    first = more = played_out = 0.0
    count = 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        view = views[count % len(views)]
        count += 1
        start = time.perf_counter()
        deals = Deals(view, variant)
        hand = deals.draw(CHANCE)
        began = time.perf_counter()
        for _ in range(DEALS - 1):
            hand = deals.draw(CHANCE)
        sampled = time.perf_counter()
        play_out(hand, random_policy, CHANCE)
        played_out += time.perf_counter() - sampled
        first += began - start
        more += sampled - began
    return Cost(first / count, more / count / (DEALS - 1), played_out / count)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.3
    print(
        f"{'':<22}{'':<13}{'first µs':>9}{'more µs':>9}{'µs of ' + str(DEALS):>10}{'play out':>10}"
    )
    for name, variant in VARIANTS.items():
        views = views_by_place(variant)
        for place in PLACES:
            if views[place]:
                cost = measure(variant, views[place], seconds)
                each = (cost.first + cost.more * (DEALS - 1)) / DEALS
                columns = (cost.first, cost.more, each, cost.played_out)
                first, more, mean, end = (f"{column * 1e6:.0f}" for column in columns)
                print(f"{name:<22}{place:<13}{first:>9}{more:>9}{mean:>10}{end:>10}")


if __name__ == "__main__":
    main()
