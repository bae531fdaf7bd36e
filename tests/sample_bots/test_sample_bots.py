import ast
import runpy
import sys
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings

from pitch import Bot, Unit, Variant
from pitch.rules import VARIANTS
from pitch.testing import play_board, play_game
from pitch_server.config import read_config
from strategies import seeds, variants

HERE = Path(__file__).resolve().parents[2] / "sample_bots"


def bot_class(script: str, name: str) -> type[Bot]:
    return cast("type[Bot]", runpy.run_path(str(HERE / script))[name])


RuleBot = bot_class("rule_bot.py", "RuleBot")
RandomBot = bot_class("random_bot.py", "RandomBot")


@pytest.mark.parametrize("name", ["pitch-ac", "partnership", "gameweave", "ten-point"])
def test_rule_bot_beats_random_bot_by_far(name: str) -> None:
    margins = [
        play_board([RuleBot, RandomBot], variant=name, seed=board, first_dealer=board % 4)[0]
        for board in range(100)
    ]
    assert sum(margins) / len(margins) > VARIANTS[name].total_points / 2


@pytest.mark.parametrize("name", VARIANTS)
def test_sample_bots_play_a_game_of_every_named_variant_without_a_fault(name: str) -> None:
    bots = [RuleBot, *[RandomBot] * (VARIANTS[name].sides - 1)]
    assert play_game(bots, variant=name, unit=Unit.GAME, max_hands=10).faults == ()


@settings(max_examples=50)
@given(variant=variants(), seed=seeds)
def test_rule_bot_plays_any_variant_without_a_fault_and_the_same_each_time(
    variant: Variant, seed: int
) -> None:
    bots = [RuleBot] * variant.sides
    first, again = (play_game(bots, variant=variant, seed=seed) for _ in range(2))
    assert first.faults == ()
    assert first == again


def test_the_demo_tournament_is_read_and_its_bots_are_there() -> None:
    config = read_config(HERE / "demo.toml")
    scripts = [HERE / command[1] for each in config.settings.entrants if (command := each.command)]
    assert len(scripts) == len(config.settings.entrants)
    assert all(script.is_file() for script in scripts)


@pytest.mark.parametrize("script", sorted(HERE.glob("*.py")), ids=lambda path: path.name)
def test_a_sample_bot_imports_the_public_names_and_the_standard_library_only(script: Path) -> None:
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert all(alias.name in sys.stdlib_module_names for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module == "pitch" or node.module in sys.stdlib_module_names | {
                "collections.abc"
            }
