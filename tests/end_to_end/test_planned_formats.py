"""Every format with real processes: its games are those of the same plan played in this process.

So they are the same whatever the number of tables, and however often the run was killed.
"""

import random
import time
from pathlib import Path
from typing import Any

import pytest

from end_to_end.expected import expected_records
from end_to_end.running import FIRST, LAST, RANDOM, Arena, faults_of, zoo

BOTS = {
    "random": RANDOM,
    "first": FIRST,
    "last": LAST,
    "ännchen 2": RANDOM,
    "first 2": FIRST,
    "last 2": LAST,
}
AC, SIX = {"name": "pitch-ac"}, {"name": "partnership-six"}

# entrants, variant, format
FORMATS: list[Any] = [
    pytest.param(
        4,
        AC,
        {"kind": "gauntlet", "challengers": ["random"], "boards": 2, "isolation": "none"},
        id="gauntlet",
    ),
    pytest.param(5, AC, {"kind": "swiss", "rounds": 2, "boards": 2}, id="swiss"),
    pytest.param(
        6,
        {"name": "partnership"},
        {
            "kind": "swiss",
            "rounds": 3,
            "boards": 1,
            "unit": "game",
            "deals": "independent",
            "isolation": "none",
        },
        id="swiss by the game, independent",
    ),
    pytest.param(
        3,
        AC,
        {"kind": "ladder", "boards": 10, "batch": 4, "isolation": "none"},
        id="ladder",
    ),
    pytest.param(
        4,
        SIX,
        {"kind": "ladder", "boards": 4, "batch": 2, "isolation": "none"},
        id="ladder of three sides",
    ),
    pytest.param(5, AC, {"kind": "mixed", "boards": 2}, id="mixed"),
    pytest.param(
        6, SIX, {"kind": "mixed", "boards": 1, "deals": "independent"}, id="mixed, three sides"
    ),
    pytest.param(
        3,
        AC,
        {"boards": "until-separated", "max_boards": 6, "batch": 4, "isolation": "none"},
        id="until separated",
    ),
    pytest.param(3, SIX, {"boards": 1, "seatings": "all", "isolation": "none"}, id="all seatings"),
    pytest.param(
        2, AC, {"kind": "ladder", "boards": 3, "batch": 2, "isolation": "boards"}, id="by pairing"
    ),
]


@pytest.mark.parametrize(("entrants", "variant", "form"), FORMATS)
def test_a_format_is_played_as_it_is_planned(
    tmp_path: Path, entrants: int, variant: dict[str, Any], form: dict[str, Any]
) -> None:
    bots = dict(list(BOTS.items())[:entrants])
    arena = Arena(tmp_path, bots, variant=variant, format=form, tables=5)
    ended = arena.run()
    assert ended.status == 0, ended.err
    standings, records = arena.standings(), arena.records()
    assert records == expected_records(arena.config)
    assert standings["complete"]
    assert standings["games"] == {
        "planned": len(records),
        "played": len(records),
        "rated": len(records),
        "forfeited": 0,
        "void": 0,
    }
    assert not any(faults_of(standings, name) for name in bots), ended.err
    assert arena.verified() == ""
    assert f"{len(records):,}/{len(records):,} games" in ended.err


@pytest.mark.parametrize(
    "form",
    [
        pytest.param({"kind": "mixed", "boards": 2}, id="mixed"),
        pytest.param({"kind": "swiss", "rounds": 2, "boards": 2, "isolation": "none"}, id="swiss"),
    ],
)
def test_who_is_not_there_forfeits_alone_and_the_plan_goes_on(
    tmp_path: Path, form: dict[str, Any]
) -> None:
    bots = {"random": RANDOM, "gone": zoo("crashing", 3, "exit"), "last": LAST, "first": FIRST}
    arena = Arena(tmp_path, bots, format=form, restarts=0)
    ended = arena.run()
    assert ended.status in (0, 1), ended.err
    standings = arena.standings()
    assert standings["complete"]
    assert standings["games"]["void"] == 0
    assert standings["games"]["forfeited"] > 0
    assert faults_of(standings, "gone")
    assert not any(faults_of(standings, name) for name in bots if name != "gone"), ended.err
    assert arena.verified() == ""


@pytest.mark.parametrize("seed", [1, 2])
def test_however_often_it_is_killed_and_with_whatever_tables_the_plan_is_the_same(
    tmp_path: Path, seed: int
) -> None:
    form = {"kind": "swiss", "rounds": 3, "boards": 20, "isolation": "none"}
    arena, chance = Arena(tmp_path, BOTS, format=form), random.Random(seed)
    total = 3 * 3 * 20 * 2
    for _ in range(3):
        process = arena.start("--tables", str(chance.choice([1, 3, 16])))
        wanted = arena.games_played() + chance.randint(1, total // 3)
        while arena.games_played() < wanted and process.poll() is None:
            time.sleep(0.01)
        arena.kill(process)
    ended = arena.run("--tables", "6")
    assert ended.status == 0, ended.err
    assert arena.records() == expected_records(arena.config)
    assert arena.standings()["games"]["played"] == total
    assert arena.verified() == ""
