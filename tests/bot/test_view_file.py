"""Saved views: what is written is read again, and a file that holds none says why."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.example_hand import ACTIONS, example_view
from bot.views import views_of
from pitch import Action, Bot, View, action_text
from pitch.bot.view_file import parse_saved_view, read_saved_view, saved_view_json, saved_view_text
from pitch.records import ViewError
from strategies import Playout, playouts, seeds

Json = dict[str, Any]

FEW = settings(max_examples=25)  # each is a whole hand, seen by every seat at every step


class Highest(Bot):
    def choose(self, view: View) -> Action:
        return view.play(max(view.legal_cards, key=view.strength))


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "lost.json"
    example_view(len(ACTIONS)).save(path)
    return path


def test_a_bot_is_asked_about_a_saved_view(saved: Path) -> None:
    assert action_text(Highest().choose(View.load(saved))) == "play HJ"


def test_a_loaded_view_is_the_one_that_was_saved(saved: Path) -> None:
    view, again = example_view(len(ACTIONS)), View.load(str(saved))
    assert (again.known, again.table) == (view.known, view.table)
    assert (again.time_limit, again.time_bank) == (view.time_limit, view.time_bank)
    assert again.random.random() == view.random.random()


@FEW
@given(playouts(), seeds)
def test_whatever_is_written_is_read_again(played: Playout, chance: int) -> None:
    for _, view in views_of(played):
        written = saved_view_text(view.known, view.table, chance, 1.5, 0.25)
        assert read_saved_view(written.encode()) == (view.known, view.table, chance, 1.5, 0.25)


def _changed(*path: str | int, to: object) -> Callable[[Json], None]:
    def change(value: Any) -> None:
        for key in path[:-1]:
            value = value[key]
        value[path[-1]] = to

    return change


def _without(key: str) -> Callable[[Json], None]:
    return lambda value: value.pop(key)


BAD = [
    pytest.param(_without("seen"), 'the view: expected a key "seen"', id="no seen"),
    pytest.param(
        _changed("format", to="pitch-record/1"),
        'format: expected "pitch-view/1", got "pitch-record/1"',
        id="a record",
    ),
    pytest.param(
        _changed("seen", "hand", 1, to="1D"),
        "seen.hand[1]: expected a card such as TS, HJ or LJ, got '1D'",
        id="no card",
    ),
    pytest.param(
        _changed("seen", "hand", 1, to="AD"),
        "seen.tricks and trick: expected every card in one place, got AD once more",
        id="a card twice",
    ),
    pytest.param(
        _changed("seen", "tricks", 0, "cards", 0, to="7 AD"),
        'seen.tricks[0].cards[0]: expected a seat, 0 to 3, got "7"',
        id="no seat",
    ),
    pytest.param(_changed("seen", "bid", to=99), "seen.bid: expected a whole number", id="a bid"),
    pytest.param(_changed("seen", "phase", to="tea"), "seen.phase: expected one of", id="a phase"),
    pytest.param(
        _changed("seen", "legal", to=["play 2C"]),
        "seen.legal: expected cards of the hand, got 2C",
        id="a foreign card",
    ),
    pytest.param(
        _changed("seen", "legal", to=[]), "seen.legal: expected actions for the seat", id="no legal"
    ),
    pytest.param(
        _changed("seen", "trump", to=None), "seen.trump: expected a suit, since", id="no trump"
    ),
    pytest.param(
        _changed("seen", "colour", to=1), "seen.colour: unknown key; known are", id="a key"
    ),
    pytest.param(
        _changed("variant", to={"name": "ten-pont"}), "variant: ", id="a misspelt variant"
    ),
    pytest.param(_changed("chance", to="xyz"), "chance: expected 64 bits", id="a chance"),
    pytest.param(
        _changed("names", to=["a", "b"]), "names: expected a name for each of 4 seats", id="names"
    ),
    pytest.param(_changed("unit", to="set"), 'unit: expected "hand" or "game"', id="a unit"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_a_file_with_a_fault_says_where(
    saved: Path, change: Callable[[Json], None], message: str
) -> None:
    value = json.loads(saved.read_text(encoding="utf-8"))
    change(value)
    saved.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(ViewError) as raised:
        View.load(saved)
    assert str(raised.value).startswith(f"{saved}: {message}")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"", "expected one view, got 0 objects", id="empty"),
        pytest.param(b"{}\n{}\n", "expected one view, got 2 objects", id="two"),
        pytest.param(b"[1]", "line 1: expected a JSON object, got a list", id="a list"),
        pytest.param(b'{"format": ', "line 1: ends in the middle of a JSON object", id="cut off"),
        pytest.param(b"\xff\xfe{", "line 1: not UTF-8", id="bytes"),
    ],
)
def test_a_file_that_is_no_object_says_so(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "lost.json"
    path.write_bytes(data)
    with pytest.raises(ViewError, match=message):
        View.load(path)


@FEW
@given(playouts(), seeds, st.from_type(type(None)) | st.booleans() | st.integers() | st.text())
def test_whatever_one_value_becomes_is_a_view_or_an_error_of_ours(
    played: Playout, seed: int, value: object
) -> None:
    random = Random(seed)
    _, view = random.choice(list(views_of(played)))
    saved: Any = json.loads(json.dumps(saved_view_json(view.known, view.table, 1, 0.0, None)))
    spot = saved
    while True:
        key = random.choice(list(spot) if isinstance(spot, dict) else range(len(spot)))
        if not isinstance(spot[key], dict | list) or not spot[key] or random.random() < 0.2:
            break
        spot = spot[key]
    spot[key] = value
    with suppress(ViewError):
        assert View(*parse_saved_view(saved)).seat >= 0


def test_the_example_in_the_docs_passes(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(__file__).parents[2].joinpath("docs", "records.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    space: dict[str, Any] = {"__name__": "docs"}
    exec(compile(block, "docs/records.md", "exec"), space)
    monkeypatch.chdir(saved.parent)
    space["test_it_keeps_its_joker"]()
