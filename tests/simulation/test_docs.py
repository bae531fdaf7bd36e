"""The examples of docs/simulation.md run."""

import re
from pathlib import Path
from random import Random

import pytest

from pitch import Bot, Hand, Policy, legal_actions
from pitch.rules import VARIANTS, Phase, start_hand
from pitch.simulation import play_out
from pitch.testing import play_game
from strategies import shuffled

TEXT = Path(__file__).parents[2].joinpath("docs", "simulation.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)


def run_block(number: int, **names: object) -> dict[str, object]:
    space = {"__name__": "docs", **names}
    exec(compile(BLOCKS[number], "docs/simulation.md", "exec"), space)
    return space


@pytest.mark.parametrize("name", ["pitch-ac", "ten-point"])
def test_the_monte_carlo_bot_plays_a_hand_without_a_fault(name: str) -> None:
    bot = run_block(0)["MonteCarloBot"]
    assert isinstance(bot, type)
    assert issubclass(bot, Bot)
    game = play_game([bot, bot], variant=name, seed=1)
    assert len(game.hands) == 1
    assert game.faults == ()


def test_the_policy_plays_a_hand_out() -> None:
    lowest = run_block(1, legal_actions=legal_actions)["lowest"]
    assert callable(lowest)
    policy: Policy = lowest
    hand: Hand = start_hand(VARIANTS["pitch-ac"], 0, shuffled(VARIANTS["pitch-ac"], Random(1)))
    assert play_out(hand, policy, Random(1)).phase is Phase.OVER
