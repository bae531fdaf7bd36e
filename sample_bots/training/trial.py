"""A policy tried against random, and shown while it learns.

Here belongs what train.py and imitate.py have in common but the network.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from learned_bot import playing
from network import Policy

from pitch import Action, Bot, Variant, View
from pitch.testing import play_board

PLACE = Path(__file__).with_name("policy.npz")
_SHOWN_EVERY = 10.0  # seconds


class RandomBot(Bot):
    """Any legal action."""

    def choose(self, view: View) -> Action:
        """Draws from the question's own chance."""
        return view.random.choice(view.legal)


def margin_over_random(policy: Policy, variant: Variant, boards: int) -> tuple[float, float]:
    """Points a board over random at the same cards in every seating, and the standard error."""
    bots = [playing(policy), *[RandomBot] * (variant.sides - 1)]
    margins = [
        play_board(
            bots, variant=variant, seed=f"trial {board}", first_dealer=board % variant.players
        )[0]
        for board in range(boards)
    ]
    return float(np.mean(margins)), float(np.std(margins) / boards**0.5)


def add_options(parser: argparse.ArgumentParser) -> None:
    """How long to learn, how well to try it, where to keep it."""
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--boards", type=int, default=200, help="of a trial against random")
    parser.add_argument("--output", type=Path, default=PLACE)


def follow(policies: Iterator[Policy], variant: Variant, options: argparse.Namespace) -> None:
    """Lets a policy learn for the time given, shows now and then how it does, and saves it."""
    start = told = time.monotonic()
    for number, policy in enumerate(policies):
        now = time.monotonic()
        over = now - start > options.seconds
        if over or now - told > _SHOWN_EVERY:
            told = now
            mean, error = margin_over_random(policy, variant, options.boards)
            print(
                f"{now - start:4.0f} s, {number:5} batches: "
                f"{mean:+.2f} ± {1.96 * error:.2f} points a board over random"
            )
        if over:
            policy.save(options.output)
            return
