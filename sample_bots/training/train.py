"""Teaches a small policy to play by playing against itself: a minute on one processor.

    python sample_bots/training/train.py
    pitch try sample_bots/training/learned_bot.py --against random

All seats of a hand choose by the policy's chances; when it is over, what each of them chose
becomes likelier if its side did better than guessed. The weights go to policy.npz beside this
file, where learned_bot.py finds them.
"""

import argparse
from collections.abc import Iterator

import numpy as np
from network import Policy
from trial import add_options, follow

from pitch.envs import pitch_v0
from pitch.envs.encoding import Vector
from pitch.rules import VARIANTS

HANDS = 64  # of a batch


def main() -> None:
    """Trains, shows how it does against random every few seconds, and saves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", default="pitch-ac", choices=VARIANTS)
    parser.add_argument("--seed", type=int, default=1)
    add_options(parser)
    options = parser.parse_args()
    follow(train(options.variant, options.seed), VARIANTS[options.variant], options)


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


if __name__ == "__main__":
    main()
