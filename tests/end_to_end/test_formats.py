"""Tournaments of good bots in every variant and format: each game is as it must be."""

from pathlib import Path
from typing import Any

import pytest

from end_to_end.expected import expected_records
from end_to_end.running import FIRST, LAST, RANDOM, Arena, faults_of
from pitch.rules import VARIANTS

BOTS = {"random": RANDOM, "first": FIRST, "last": LAST, "ännchen 2": RANDOM, "first 2": FIRST}

# entrants, games planned, variant, format
FORMATS: list[tuple[int, int, dict[str, Any], dict[str, Any]]] = [
    (2, 6, {"name": "pitch-ac"}, {"boards": 3}),
    (3, 12, {"name": "pitch-ac", "players": 6}, {"boards": 2, "isolation": "none"}),
    (5, 20, {"name": "pitch-ac"}, {"boards": 2, "deals": "independent", "isolation": "none"}),
    (2, 4, {"name": "gameweave"}, {"boards": 4, "deals": "independent", "unit": "game"}),
    (3, 6, {"name": "gameweave"}, {"boards": 1, "isolation": "none", "opponents": "shown"}),
    (2, 2, {"name": "partnership"}, {"boards": 1, "unit": "game", "isolation": "boards"}),
    (3, 6, {"name": "cutthroat", "players": 2}, {"boards": 1, "isolation": "boards"}),
    (2, 4, {"name": "partnership-draw"}, {"boards": 2, "isolation": "none"}),
    (2, 4, {"name": "partnership-pitching"}, {"boards": 2, "isolation": "none"}),
    (3, 6, {"name": "partnership-six"}, {"boards": 2, "isolation": "seats"}),
    (2, 4, {"name": "no-trump-first"}, {"boards": 2, "isolation": "none"}),
    (4, 4, {"name": "cutthroat"}, {"boards": 1, "isolation": "none"}),
    (2, 4, {"name": "ten-point"}, {"boards": 2, "isolation": "none"}),
    (3, 3, {"name": "ten-point-six"}, {"boards": 1, "isolation": "boards"}),
    (2, 2, {"name": "seven-point"}, {"boards": 1, "unit": "game", "max_hands": 8}),
    (2, 4, {"name": "six-point"}, {"boards": 2, "isolation": "none"}),
    (2, 2, {"name": "trump-only"}, {"boards": 1, "unit": "game", "max_hands": 6}),
]


def label(value: object) -> str | None:
    """`pitch-ac-6` or `boards=2-isolation=none`, for the name of the test."""
    if not isinstance(value, dict):
        return None
    if "name" in value:
        return "-".join(map(str, value.values()))
    return "-".join(f"{key}={each}" for key, each in value.items())


@pytest.mark.parametrize(("entrants", "games", "variant", "form"), FORMATS, ids=label)
def test_every_planned_game_is_played_as_the_rules_have_it(
    tmp_path: Path, entrants: int, games: int, variant: dict[str, Any], form: dict[str, Any]
) -> None:
    bots = dict(list(BOTS.items())[:entrants])
    played = Arena(tmp_path, bots, variant=variant, format=form)
    ended = played.run()
    assert ended.status == 0, ended.err
    standings = played.standings()
    assert standings["complete"]
    assert standings["games"] == {
        "planned": games,
        "played": games,
        "rated": games,
        "forfeited": 0,
        "void": 0,
    }
    assert not any(faults_of(standings, name) for name in bots), ended.err
    assert played.records() == expected_records(played.config)
    assert played.verified() == ""


def test_every_variant_has_its_turn() -> None:
    assert {variant["name"] for _, _, variant, _ in FORMATS} == set(VARIANTS)
