"""`pitch rerun`: the very game again by real processes, and what is refused."""

import json
from pathlib import Path

import pytest

from cli.running import pitch, pitch_process
from cli.tournaments import BOT, config
from pitch_server.store.journal import Journal
from plan.making import make_settings

SETTINGS = make_settings(2, boards=2)

FIRST = BOT.replace("view.random.choice(view.legal)", "view.legal[0]")


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a tournament that real bots played; their files beside it."""
    directory = tmp_path_factory.mktemp("rerun")
    file = config(directory, SETTINGS)
    ended = pitch_process("run", file)
    assert ended.returncode == 0, ended.stderr
    (directory / "first.py").write_text(FIRST)
    return directory / "a.db"


def test_the_same_bots_play_the_same_game(tournament: Path) -> None:
    before = tournament.read_bytes()
    ended = pitch_process("rerun", str(tournament), "3", "--json")
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert found["first_difference"] is None
    assert found["again"] == found["before"]
    assert found["faults"] == []
    assert tournament.read_bytes() == before


def test_another_bot_gets_the_same_deal_and_its_game_is_set_beside(tournament: Path) -> None:
    arguments = ("rerun", str(tournament), "1", "--with", "a={python} first.py")
    found = json.loads(pitch_process(*arguments, "--json").stdout)
    assert found["with"] == {"a": ["{python}", "first.py"]}
    for key in ("seats", "first_dealer", "x_board", "x_game", "variant"):
        assert found["before"][key] == found["again"][key]
    assert [h["deck"] for h in found["before"]["hands"]] == [
        h["deck"] for h in found["again"]["hands"]
    ]
    at = found["first_difference"]
    assert at is not None
    one, other = (found[each]["hands"][at["hand"]]["actions"] for each in ("before", "again"))
    assert one[: at["action"]] == other[: at["action"]]
    assert one[at["action"]] != other[at["action"]]
    shown = pitch_process(*arguments).stdout.decode()
    assert f"They part at action {at['action']} of hand {at['hand']}." in shown
    assert "before" in shown


def test_a_bot_that_fails_is_told_with_its_words(tournament: Path) -> None:
    (tournament.parent / "broken.py").write_text(
        FIRST.replace("return view.legal[0]", 'raise ValueError("no idea")')
    )
    ended = pitch_process("rerun", str(tournament), "0", "--with", "a={python} broken.py")
    assert ended.returncode == 1
    assert "was at fault: error" in ended.stdout.decode()
    assert "no idea" in ended.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("4",), "game 4 is not in", id="no such game"),
        pytest.param(("x",), "'x' is not a valid integer", id="no number"),
        pytest.param(("0", "--with", "aa={python} bot.py"), "no entrant is named 'aa'", id="name"),
        pytest.param(("0", "--with", "a="), "--with: expected", id="no command"),
        pytest.param(("0", "--with", "a={python} no.py"), "is not a file", id="no script"),
        pytest.param(("0", "--with", "a='"), "is no command", id="a quote"),
    ],
)
def test_bad_input_is_told_and_nothing_started(
    tournament: Path, arguments: tuple[str, ...], said: str
) -> None:
    result = pitch("rerun", str(tournament), *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_an_entrant_who_is_not_at_the_game_is_told_who_is(tmp_path: Path) -> None:
    from cli.tournaments import finished

    file = finished(tmp_path / "a.db", make_settings(3, boards=2))
    result = pitch("rerun", str(file), "0", "--with", "a={python} bot.py")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--with: a does not play in game 0; expected one of those who do: b, c" in result.stderr


def test_before_the_end_and_without_a_command_it_is_refused(tmp_path: Path) -> None:
    from cli.tournaments import finished, going_on

    result = pitch("rerun", str(going_on(tmp_path / "a.db")), "0")
    assert result.exit_code == 2
    assert "say --reveal to play them" in result.stderr
    file = finished(tmp_path / "b.db", SETTINGS)
    result = pitch("rerun", str(file), "0")
    assert result.exit_code == 2
    assert "connected by itself" in result.stderr
    with Journal.open(file) as journal:
        assert len(journal.played()) == 4
