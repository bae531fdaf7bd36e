"""`pitch status`: of a running server, of one that is gone, of what the journal has."""

import json
import os
import re
import socket
from pathlib import Path

import pytest

from cli.running import command, pitch
from cli.serving import TOKEN, serving
from cli.tournaments import GAMES, going_on
from cli.watching import watch_in_terminal, watch_lines
from pitch_server.endpoint import Endpoint, endpoint_path, write_endpoint
from pitch_server.live import EntrantChanged, GameFinished, Presence, TournamentEnded
from pitch_server.service import operator_client
from service.live import STATUS, QuietLive

GAME = GameFinished(17, 4, ("ann", "bob"), (11, -3), 0, (), void=False)
EVENTS = (GAME, EntrantChanged("bob", Presence.PRESENT), TournamentEnded("it was closed"))


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A tournament of which five games are played."""
    return going_on(tmp_path / "a.db")


def test_a_running_server_is_asked(begun: Path) -> None:
    with serving(QuietLive(), begun):
        result = pitch("status", str(begun))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{STATUS.tournament}: playing, 7 of 1,000,000,000,000 games")
    assert "missing: bob, cid\n" in result.stdout


def test_for_programs_it_is_one_document(begun: Path) -> None:
    with serving(QuietLive(), begun):
        told = json.loads(pitch("status", str(begun), "--json").stdout)
    assert told["tournament"] == STATUS.tournament
    assert (told["number"], told["state"]) == (1, "running")
    assert told["games"] == {"planned": STATUS.planned, "played": STATUS.played}
    assert told["server"]["stage"] == "playing"


def test_a_server_elsewhere_needs_no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITCH_ADMIN_TOKEN", TOKEN)
    with serving(QuietLive()) as running:
        where = ("status", "--server", running.server.address)
        assert "missing: bob, cid\n" in pitch(*where).stdout
        told = json.loads(pitch(*where, "--json").stdout)
    assert (told["tournament"], told["number"]) == (STATUS.tournament, None)
    gone = pitch(*where)
    assert (gone.exit_code, gone.stdout) == (2, "")
    assert "nothing listens at" in gone.stderr


def test_without_a_server_the_journal_tells_how_to_go_on(begun: Path) -> None:
    result = pitch("status", str(begun))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        f"test: 5 of {GAMES} games played; running\n"
        f"no server is known to play it; go on with: pitch serve CONFIG.toml\n"
    )
    told = json.loads(pitch("status", str(begun), "--json").stdout)
    assert told == {
        "tournament": "test",
        "number": 1,
        "state": "running",
        "games": {"planned": GAMES, "played": 5},
        "server": None,
    }


def test_what_is_over_is_told_with_where_its_table_is(played: Path) -> None:
    result = pitch("status", str(played), "--tournament", "1", "--watch")
    assert result.exit_code == 0
    assert result.stdout == (
        f"test: {GAMES} of {GAMES} games played; finished\n"
        f"its table is shown by: pitch standings {played} --tournament 1\n"
    )


def test_a_server_that_left_its_file_behind_is_not_believed(begun: Path) -> None:
    path = endpoint_path(begun)
    assert path is not None
    write_endpoint(path, Endpoint(address="127.0.0.1:1", token="a", pid=os.getpid(), tournament=1))
    result = pitch("status", str(begun))
    assert result.exit_code == 0
    assert "no server is known to play it" in result.stdout
    assert result.stderr == "nothing listens at 127.0.0.1:1: is the server running?\n"


def test_a_server_that_does_not_answer_is_not_taken_for_gone(
    begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operator_client, "_PATIENCE", 0.3)
    path = endpoint_path(begun)
    assert path is not None
    with socket.create_server(("127.0.0.1", 0)) as listening:  # as one that was stopped
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        write_endpoint(path, Endpoint(address=address, token="a", pid=os.getpid(), tournament=1))
        for option in ("--watch", "--json"):
            result = pitch("status", str(begun), option)
            assert result.exit_code == 1
            assert result.stderr == f"the server at {address} does not answer\n"
    assert json.loads(result.stdout)["server"] is None


def test_a_server_of_another_tournament_is_not_asked(begun: Path) -> None:
    with serving(QuietLive(), begun, tournament=2):
        assert "no server is known to play it" in pitch("status", str(begun)).stdout


def test_a_document_has_an_end_and_watching_has_none(begun: Path) -> None:
    result = pitch("status", str(begun), "--json", "--watch")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "give one of them" in result.stderr


def test_watched_in_a_pipe_events_are_lines_until_the_end(begun: Path) -> None:
    live = QuietLive()
    with serving(live, begun) as running:
        status, lines, errors = watch_lines(
            command("status", str(begun), "--watch"), lambda: running.tell(*EVENTS)
        )
    assert (status, errors) == (0, "")
    assert lines[-3:] == [
        "game 17, board 4: ann 11, bob -3; ann wins",
        "bob is present",
        "the tournament has ended: it was closed",
    ]


def test_watched_on_a_terminal_it_is_drawn_over_and_over(begun: Path) -> None:
    live = QuietLive()
    with serving(live, begun) as running:
        status, shown = watch_in_terminal(
            command("status", str(begun), "--watch"), lambda: running.tell(*EVENTS)
        )
    assert status == 0
    assert shown.count("missing: bob, cid") > 1
    assert re.search(r"bob is present\s", shown)
    assert "the tournament has ended" in shown


def test_a_server_that_goes_while_it_is_watched_is_told(begun: Path) -> None:
    with serving(QuietLive(), begun) as running:
        status, lines, errors = watch_lines(command("status", str(begun), "--watch"), running.stop)
    assert status == 1
    assert lines[0].startswith(STATUS.tournament)
    assert errors.startswith("no server answers at 127.0.0.1:")
    assert errors.count("\n") == 1


def test_a_wrong_token_is_refused(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITCH_ADMIN_TOKEN", "wrong")
    with serving(QuietLive()) as running:
        result = pitch("status", "--server", running.server.address)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "refused the admin token" in result.stderr
