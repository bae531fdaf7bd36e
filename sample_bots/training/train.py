"""Teaches a small policy to play by playing against itself: a minute on one processor.

    python sample_bots/training/train.py
    pitch try sample_bots/training/learned_bot.py --against random

All seats of a hand choose by the policy's chances; when it is over, what each of them chose
becomes likelier if its side did better than guessed. The weights go to policy.npz beside this
file, where learned_bot.py finds them.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from learned_bot import playing
from network import Policy

from pitch import Action, Bot, View
from pitch.envs import pitch_v0
from pitch.envs.encoding import Vector
from pitch.rules import VARIANTS
from pitch.testing import play_board

PLACE = Path(__file__).with_name("policy.npz")
HANDS = 64  # of a batch


def main() -> None:
    """Trains, shows how it does against random every few seconds, and saves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", default="pitch-ac")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--boards", type=int, default=200, help="of a trial against random")
    parser.add_argument("--output", type=Path, default=PLACE)
    options = parser.parse_args()
    start = told = time.monotonic()
    for number, policy in enumerate(train(options.variant, options.seed)):
        now = time.monotonic()
        if now - told > 10 or now - start > options.seconds:
            told = now
            mean, error = margin_over_random(policy, options.variant, options.boards)
            print(
                f"{now - start:4.0f} s, {number * HANDS:6} hands: "
                f"{mean:+.2f} ± {1.96 * error:.2f} points a board over random"
            )
        if now - start > options.seconds:
            policy.save(options.output)
            return


def train(variant: str, seed: int) -> Iterator[Policy]:
    """The policy, better after each batch of hands; one object that changes."""
    env = pitch_v0.raw_env(variant)
    env.reset(seed=seed)
    chance = np.random.default_rng(seed)
    policy = Policy.new(env.encoding.high, 64, chance)
    while True:
        yield policy
        batch = [decision for _ in range(HANDS) for decision in play_hand(env, policy, chance)]
        observations, masks, choices, rewards = map(np.array, zip(*batch, strict=True))
        policy.learn(observations, masks, choices, rewards.astype(np.float32) / 4, 0.01)


class RandomBot(Bot):
    """Any legal action."""

    def choose(self, view: View) -> Action:
        """Draws from the question's own chance."""
        return view.random.choice(view.legal)


def play_hand(
    env: pitch_v0.PitchEnv, policy: Policy, chance: np.random.Generator
) -> Iterator[tuple[Vector, Vector, int, float]]:
    """The decisions of a hand: observation, mask, choice, and what the hand brought that seat."""
    env.reset()
    decisions = []
    while not env.terminations[agent := env.agent_selection]:
        shown = env.observe(agent)
        observation, mask = shown["observation"], shown["action_mask"]
        chances = policy.chances(observation, mask).cumsum()
        choice = int(chances.searchsorted(chance.random() * chances[-1], side="right"))
        decisions.append((agent, observation, mask, choice))
        env.step(choice)
    for agent, observation, mask, choice in decisions:
        yield observation, mask, choice, env.rewards[agent]


def margin_over_random(policy: Policy, variant: str, boards: int) -> tuple[float, float]:
    """Points a board over random at the same cards in both seatings, and the standard error."""
    sides = VARIANTS[variant].sides
    bots = [playing(policy), *[RandomBot] * (sides - 1)]
    margins = [
        play_board(bots, variant=variant, seed=f"trial {board}", first_dealer=board % sides)[0]
        for board in range(boards)
    ]
    return float(np.mean(margins)), float(np.std(margins) / boards**0.5)


if __name__ == "__main__":
    main()
