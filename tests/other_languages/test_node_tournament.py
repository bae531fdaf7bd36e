"""The Node bot in whole tournaments beside Python's, as real processes."""

from pathlib import Path

import pytest

from end_to_end.running import RANDOM, TESTS, Arena
from other_languages.node import BOT, NODE, NOT_HERE

if NODE is None:
    pytest.skip(NOT_HERE, allow_module_level=True)

RULE = ("{python}", str(TESTS.parent / "sample_bots" / "rule_bot.py"))


@pytest.mark.parametrize("variant", ["pitch-ac", "partnership-pitching", "ten-point", "trump-only"])
def test_it_plays_a_tournament_without_a_fault_and_beats_random(
    variant: str, tmp_path: Path
) -> None:
    arena = Arena(
        tmp_path,
        {"node": (str(NODE), str(BOT)), "rule": RULE, "random": RANDOM},
        variant={"name": variant},
        format={"boards": 30},
    )
    ended = arena.run()
    assert ended.status == 0, ended.err
    standings = arena.standings()
    assert standings["games"]["played"] == standings["games"]["planned"] == 180
    assert not any(sum(row["faults"].values()) for row in standings["entrants"])
    assert not arena.verified()
    rank = {row["name"]: row["rank"] for row in standings["entrants"]}
    assert rank["node"] < rank["random"]
