"""The Node bot in whole tournaments beside Python's, as real processes."""

import os
import subprocess
from pathlib import Path

import pytest

from certificates import Authority
from cli.running import pitch
from end_to_end.running import LIMIT, RANDOM, TESTS, Arena, faults_of
from end_to_end.serving import Served
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


def test_it_connects_by_itself_over_tls_with_its_token(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("127.0.0.1")
    arena = Served(
        tmp_path,
        ["node"],
        launched={"random": RANDOM},
        format={"boards": 10},
        server={"certificate": str(pair.certificate), "key": str(pair.key)},
    )
    token = pitch("token", str(arena.config), "node").stdout.strip()
    with arena.serve() as server:
        bot = subprocess.Popen(
            [str(NODE), str(BOT), "--instances", "2", "--ca", str(authority.file)],
            env={
                **os.environ,
                "PITCH_SERVER": server.address,
                "PITCH_NAME": "node",
                "PITCH_TOKEN": token,
            },
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            ended = server.end()
            _, said = bot.communicate(timeout=LIMIT)
        finally:
            bot.kill()
    assert ended.status == 0, ended.err
    assert (bot.returncode, said.count("the games are over")) == (0, 2), said
    assert faults_of(arena.standings(), "node") == {}
    assert arena.games_played() == 20
