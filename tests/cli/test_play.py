"""`pitch play`: what is refused before the screen is there, and what is said after."""

import sys
from pathlib import Path

import pytest

from cli.running import pitch, pitch_process
from pitch_server.cli import play
from pitch_server.person.app import PlayApp

BOT = "from pitch import Bot\nclass Mine(Bot):\n    def choose(self, view): return view.legal[0]\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("mine.py").write_text(BOT)


@pytest.fixture
def deals(monkeypatch: pytest.MonkeyPatch) -> list[PlayApp]:
    """The apps that were run, each over at once."""
    apps: list[PlayApp] = []

    def run(self: PlayApp) -> None:
        apps.append(self)

    monkeypatch.setattr(PlayApp, "run", run)
    monkeypatch.setattr(play, "_on_a_terminal", lambda: True)
    return apps


def test_it_seats_the_bots_and_tells_the_seed_at_the_end(deals: list[PlayApp]) -> None:
    result = pitch("play", "rule", "mine.py", "random", "--seat", "2", "--seed", "x")
    assert result.exit_code == 0, result.output
    assert result.stdout == "0 of 0 won; the same deals again: --seed x\n"
    (app,) = deals
    seated = app._deal(0)
    bots = [type(each._new_bot()).__name__ for each in seated._table._sessions]
    assert bots == ["Mine", "RandomBot", "_Person", "RuleBot"]
    assert app._deal(1)._table.referee.hand is not None


def test_another_deal_has_other_cards_and_the_seed_gives_them_again(deals: list[PlayApp]) -> None:
    for _ in range(2):
        assert pitch("play", "--seed", "x").exit_code == 0
    first, again = ([app._deal(n).advance()[0].view.hand for n in (0, 1)] for app in deals)
    assert first == again
    assert first[0] != first[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("min.py",), "did you mean mine.py?", id="file"),
        pytest.param(("{python} mine.py",), "is a command; expected a file", id="command"),
        pytest.param(
            ("rule", "rule"), "got 2 bots; expected one, or one for each of the 3", id="two"
        ),
        pytest.param(("--seat", "4"), "has seats 0 to 3", id="seat"),
        pytest.param(("--variant", "pitch-ca"), "did you mean pitch-ac?", id="variant"),
        pytest.param(("--hint", "rul"), "did you mean rule?", id="hint"),
    ],
)
def test_bad_input_is_refused(arguments: tuple[str, ...], said: str, deals: list[PlayApp]) -> None:
    result = pitch("play", *arguments)
    assert (result.exit_code, result.stdout, deals) == (2, "", [])
    assert said in result.stderr


def test_it_needs_a_terminal() -> None:
    result = pitch("play")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "expected a terminal" in result.stderr


def test_without_its_extra_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "blocked").mkdir()
    (tmp_path / "blocked" / "textual.py").write_text("raise ModuleNotFoundError(name='textual')")
    done = pitch_process("play", PYTHONPATH=str(tmp_path / "blocked"))
    assert done.returncode == 2
    assert b"a part of the play extra; get it with: " in done.stderr
