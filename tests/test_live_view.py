"""A running tournament as people and programs see it."""

import io
import json

import pytest
from rich.console import Console

from pitch_server.live import (
    EntrantChanged,
    Event,
    FaultCharged,
    GameFinished,
    Presence,
    TournamentEnded,
)
from pitch_server.live_view import RECENT, LiveView, event_line, status_json, write_status
from service.live import STATUS

PLAIN = """\
Größe, по-русски: playing, 7 of 1,000,000,000,000 games played (0%)
2 games at 8 tables, 1 on their way to the disk; since it runs 5,000,000,000 decisions, 3 faults
up 12 s; lag 0.0 ms at most half of the time, 2.0 ms 99 % of it, worst 250.0 ms
missing: bob, cid

entrant       presence   instances  tables  faults
ann           present       2 of 2       4       0
bob           absent        0 of 2       0       3
cid           starting      1 of 2       0       0
dan           withdrawn     0 of 2       0       0
"""


def test_in_a_file_the_status_is_plain_lines() -> None:
    file = io.StringIO()
    write_status(STATUS, Console(file=file))
    assert file.getvalue() == PLAIN


def test_nobody_is_missing_where_all_are_there() -> None:
    file = io.StringIO()
    write_status(STATUS._replace(entrants=STATUS.entrants[:1]), Console(file=file))
    assert "missing" not in file.getvalue()


def test_a_plan_without_games_is_done() -> None:
    file = io.StringIO()
    write_status(STATUS._replace(planned=0, played=0), Console(file=file))
    assert "0 of 0 games played (100%)" in file.getvalue()


@pytest.mark.parametrize(
    ("uptime", "shown"),
    [(0.9, "up 0 s"), (59.9, "up 59 s"), (3599, "up 59 min 59 s"), (93_784, "up 26 h 03 min")],
)
def test_how_long_it_is_up(uptime: float, shown: str) -> None:
    file = io.StringIO()
    write_status(STATUS._replace(uptime=uptime), Console(file=file))
    assert f"{shown};" in file.getvalue()


@pytest.mark.parametrize("width", [30, 80, 200])
def test_on_a_terminal_the_last_events_stand_below(width: int) -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=width, height=50, _environ={})
    view = LiveView()
    console.print(view)
    view.update(STATUS)
    for number in range(RECENT + 1):
        view.add(GameFinished(number, 0, ("ann", "bob"), (1, 2), 1, (), void=False))
    view.add(FaultCharged(99, 0, "[bold]ann", "illegal", "\x1b[2J" + "x" * 300))
    console.print(view)
    shown = file.getvalue()
    assert "game 2," in shown
    assert "game 1," not in shown
    assert "\x1b[2J" not in shown
    assert "x" * width not in shown.replace("\n", "")


GAME = GameFinished(17, 4, ("ann", "bob", "ann", "bob"), (11, -3), 0, (), void=False)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (GAME, "game 17, board 4: ann 11, bob -3; ann wins"),
        (GAME._replace(winner=None), "game 17, board 4: ann 11, bob -3; a draw"),
        (
            GAME._replace(forfeits=((1, "timeout"),)),
            "game 17, board 4: ann 11, bob -3; ann wins; bob forfeited: timeout",
        ),
        (
            GAME._replace(winner=None, void=True, forfeits=((0, "absent"), (1, "absent"))),
            "game 17, board 4: ann 11, bob -3; void; ann forfeited: absent; bob forfeited: absent",
        ),
        (
            FaultCharged(17, 2, "ann", "malformed", "not\na \x1b[31mmessage\u202e"),
            "game 17, seat 2, ann: malformed: not\ufffda \ufffd[31mmessage\ufffd",
        ),
        (EntrantChanged("ann", Presence.ABSENT), "ann is absent"),
        (TournamentEnded("it was closed"), "the tournament has ended: it was closed"),
    ],
)
def test_an_event_is_one_line_whatever_a_bot_put_into_it(event: Event, line: str) -> None:
    assert event_line(event) == line


def test_for_programs_the_status_is_whole_and_unrounded() -> None:
    told = json.loads(json.dumps(status_json(STATUS)))
    assert told["lag"] == {"p50": 0.000_01, "p99": 0.002, "worst": 0.25}
    assert told["entrants"][1] == {
        "name": "bob",
        "presence": "absent",
        "connected": 0,
        "needed": 2,
        "tables": 0,
        "faults": 3,
    }
    assert (told["stage"], told["uptime"], told["planned"]) == ("playing", 12.5, 10**12)
