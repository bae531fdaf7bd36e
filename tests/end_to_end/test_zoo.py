"""Tournaments with one bot that misbehaves and two that don't: they end, and the table is just."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

from end_to_end.running import FIRST, RANDOM, Arena, Section, faults_of, games_among, zoo
from pitch_server.launch import LOG_LIMIT

GOOD = {"random": RANDOM, "first": FIRST}
BOARDS = 2
GAMES = 8  # of the bad one: two opponents, two boards, two seatings

# At the second fault a game is lost, so a bot that always fails has two in each.
POLICY = {"max_faults": 2}
ALWAYS = 2 * GAMES
QUICK = {"move_timeout": "0.4s", "start_timeout": "60s"}
SOON = {"move_timeout": "30s", "start_timeout": "6s"}


@dataclass(frozen=True, kw_only=True)
class Case:
    """A bad bot and the faults that it must be charged with; none: it plays like `first`."""

    command: tuple[str, ...]
    faults: Mapping[str, int] = field(default_factory=dict)
    said: str = ""
    clock: Section | None = None
    tables: int = 8
    isolation: str = "none"


def case(name: str, *arguments: object, label: str = "", **more: Any) -> ParameterSet:
    words = "-".join([name, *map(str, arguments)])
    return pytest.param(Case(command=zoo(name, *arguments), **more), id=label or words)


CASES = [
    # its code
    case("illegal", faults={"illegal": ALWAYS}, isolation="seats", said="not legal"),
    case("raising", faults={"error": ALWAYS}, said="LookupError: no idea"),
    # its clock
    case("slow", 1.5, label="slow", faults={"timeout": ALWAYS}, clock=QUICK),
    case("slow", 0.5, 6, label="slow-within-the-limit", clock={"move_timeout": "1s"}),
    case("silent", faults={"timeout": ALWAYS}, clock=QUICK, isolation="seats", said="no answer"),
    case("dripping", "frames", faults={"timeout": ALWAYS}, clock=QUICK),
    case("flooding", "ever", faults={"timeout": ALWAYS}, clock=QUICK),
    # its process
    case("crashing", 0, "exit", faults={"absent": GAMES}, said="exit status 7"),
    case("crashing", 3, "exit", faults={"disconnect": 1, "absent": GAMES - 1}, tables=1),
    case("crashing", 3, "signal", faults={"disconnect": 1, "absent": GAMES - 1}, tables=1),
    case("printing"),
    case("stubborn"),
    # its frames
    case("garbage", faults={"malformed": ALWAYS}, said="could not be read"),
    case("answering_twice"),
    case("flooding", "once"),
    # its connection
    case("flooding", "first", faults={"absent": GAMES}, said="refused (bad_hello)"),
    case("stranger", "wrong_token", faults={"absent": GAMES}, said="refused (credentials)"),
    case("stranger", "protocol", faults={"absent": GAMES}, said="speaks protocol 1"),
    case("stranger", "nothing", faults={"absent": GAMES}, clock=SOON),
    case("dripping", "bytes", faults={"absent": GAMES}, clock=SOON),
    case("leaving", 3, "back"),
    case("leaving", 9, "back", isolation="seats"),
    case(
        "leaving",
        3,
        "away",
        faults={"disconnect": 1, "absent": GAMES - 1},
        tables=1,
        clock={"move_timeout": "30s", "start_timeout": "500s", "reconnect_grace": "0.5s"},
    ),
]


def arena(directory: Path, bad: Case) -> Arena:
    more = {} if bad.clock is None else {"clock": bad.clock}
    return Arena(
        directory,
        {**GOOD, "bad": bad.command},
        tables=bad.tables,
        format={"boards": BOARDS, "isolation": bad.isolation},
        faults=POLICY,
        **more,
    )


@pytest.fixture(scope="module")
def well_played(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The records of the same tournament with `first` in the place of the bad one."""
    good = arena(tmp_path_factory.mktemp("good"), Case(command=FIRST))
    assert good.run().status == 0
    return good.records()


@pytest.mark.parametrize("bad", CASES)
def test_one_bad_bot_harms_nobody_but_itself(
    tmp_path: Path, well_played: list[str], bad: Case
) -> None:
    played = arena(tmp_path, bad)
    ended = played.run()
    standings = played.standings()
    assert ended.status == (1 if "absent" in bad.faults else 0), ended.err
    assert standings["complete"]
    assert standings["games"]["void"] == 0
    assert {name: faults_of(standings, name) for name in (*GOOD, "bad")} == {
        "random": {},
        "first": {},
        "bad": dict(bad.faults),
    }, ended.err
    unharmed = {*GOOD} if bad.faults else {*GOOD, "bad"}
    assert games_among(played.records(), unharmed) == games_among(well_played, unharmed)
    assert played.verified() == ""
    told(played, bad, ended.err)


def told(played: Arena, bad: Case, err: str) -> None:
    """The author is told where to look, and what is there is bounded."""
    logs = sorted(played.logs.glob("03-bad-*.log"))
    assert logs
    assert all(log.stat().st_size <= LOG_LIMIT for log in played.logs.iterdir())
    if bad.faults:
        assert all(str(log) in err for log in logs)
        assert bad.said in err + "".join(log.read_text() for log in logs)
    else:
        assert "bad:" not in err
