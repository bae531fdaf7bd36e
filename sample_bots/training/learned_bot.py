"""A bot that plays by what train.py has learned: the likeliest choice of its policy.

python sample_bots/training/train.py
pitch try sample_bots/training/learned_bot.py --against random
"""

from functools import cache
from pathlib import Path

import numpy as np
from network import Policy

from pitch import Action, Bot, View, run
from pitch.envs.encoding import Encoding, Vector

PLACE = Path(__file__).with_name("policy.npz")


class LearnedBot(Bot):
    """Draws no chance, so that its games can be repeated exactly."""

    @classmethod
    def policy(cls) -> Policy:
        """The policy that all seats share."""
        return trained()

    def choose(self, view: View) -> Action:
        """The likeliest choice; of a discard, card by card."""
        encoding, policy = Encoding(view.variant, view.unit), self.policy()
        if encoding.size != len(policy.high):
            raise ValueError(
                f"the policy was trained at another number of seats: it takes {len(policy.high)} "
                f"numbers, and {view.variant.name} has {encoding.size}; train it with --variant"
            )

        def likeliest(observation: Vector, mask: Vector) -> int:
            return int(np.argmax(policy.chances(observation, mask)))

        return encoding.choose(view.known, likeliest)


def playing(policy: Policy) -> type[LearnedBot]:
    """A bot that plays by this policy."""
    return type("Playing", (LearnedBot,), {"policy": classmethod(lambda _: policy)})


@cache
def trained() -> Policy:
    """The policy of the file, read once."""
    if not PLACE.exists():
        raise FileNotFoundError(f"{PLACE.name} is not there; train.py makes it: python train.py")
    return Policy.load(PLACE)


if __name__ == "__main__":
    run(LearnedBot)
