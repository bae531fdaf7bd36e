"""Teaches a small policy to play as a bot did, from the decisions of a tournament.

    pitch export sample_bots/demo.db --npz games.npz
    python sample_bots/training/imitate.py games.npz rule
    pitch try sample_bots/training/learned_bot.py

The file is read in batches, again and again, so it may be larger than memory. The weights go to
policy.npz beside this file, where learned_bot.py finds them.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from network import Policy
from trial import add_options, follow

from pitch.envs.dataset import read_batches
from pitch.envs.encoding import Encoding
from pitch.rules import Variant, parse_variant

ROWS = 512  # of a batch


def main() -> None:
    """Learns, shows how it does against random every few seconds, and saves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="made by pitch export --npz")
    parser.add_argument("bot", help="the name of the bot to be like")
    add_options(parser)
    options = parser.parse_args()
    names, variant = about(options.file)
    if options.bot not in names:
        parser.error(f"{options.file} has no bot {options.bot!r}, it has {', '.join(names)}")
    follow(imitate(options.file, names.index(options.bot), variant), variant, options)


def about(file: Path) -> tuple[list[str], Variant]:
    """The names of the bots of a file, and what they played."""
    with np.load(file) as arrays:
        variant = parse_variant(json.loads(str(arrays["variant"])))
        return [str(name) for name in arrays["names"]], variant


def imitate(file: Path, entrant: int, variant: Variant) -> Iterator[Policy]:
    """The policy, more like the bot after each batch; one object that changes."""
    policy = Policy.new(Encoding(variant).high, 64, np.random.default_rng(1))
    while True:
        for batch in read_batches(file, ROWS):
            own = batch["entrants"] == entrant
            if own.any():
                observations, masks, choices, outcomes = (
                    batch[name][own] for name in ("observations", "masks", "actions", "outcomes")
                )
                policy.learn(observations, masks, choices, outcomes / 4, 0.0, imitate=True)
                yield policy


if __name__ == "__main__":
    main()
