import ast
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from pitch import Unit, Variant
from pitch.rules import VARIANTS
from pitch.testing import find_bot, play_board, play_game
from pitch_server.config import read_config
from strategies import seeds, variants

HERE = Path(__file__).resolve().parents[2] / "sample_bots"


def bot_class(name: str) -> Any:
    """The class of a sample; that of some takes arguments, as a Bot need not."""
    found = find_bot(name).bot_class
    assert found is not None
    return found


RandomBot, RuleBot, CountingBot, SearchBot = map(
    bot_class, ("random", "rule", "counting", "search")
)
NEIGHBOURS = {path.stem for path in HERE.glob("*.py")}


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


@pytest.mark.parametrize("unit", Unit)
@pytest.mark.parametrize("name", VARIANTS)
def test_thinking_bots_play_every_named_variant_without_a_fault(name: str, unit: Unit) -> None:
    bots = [partial(SearchBot, 24), CountingBot, *[RuleBot] * (VARIANTS[name].sides - 2)]
    assert play_game(bots, variant=name, unit=unit, max_hands=2).faults == ()


@settings(max_examples=20)
@given(variant=variants(), seed=seeds)
def test_thinking_bots_play_any_variant_without_a_fault_and_the_same_each_time(
    variant: Variant, seed: int
) -> None:
    bots = [partial(SearchBot, 12), *[CountingBot] * (variant.sides - 1)]
    first, again = (play_game(bots, variant=variant, seed=seed) for _ in range(2))
    assert first.faults == ()
    assert first == again


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
def test_a_sample_bot_imports_public_names_neighbours_and_the_standard_library(
    script: Path,
) -> None:
    allowed = {"pitch", "collections.abc", *NEIGHBOURS, *sys.stdlib_module_names}
    if script.name == "batch_bot.py":
        allowed |= {"numpy", "numpy.typing"}
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert all(alias.name in allowed for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module in allowed
