"""Games as arrays: the rows are what the environment shows, and pieces make no difference."""

import io
import json
import weakref
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from pitch.envs import pitch_v0
from pitch.envs.actions import PUT_AWAY
from pitch.envs.dataset import Row, read_batches, write_rows
from pitch.envs.decisions import rows_of
from pitch.envs.encoding import Encoding, Vector
from pitch.envs.pitch_v0 import PitchEnv
from pitch.records import GameRecord, HandRecord, record_json
from pitch.records.record import SeatAction
from pitch.rules import VARIANTS

NAMES = {"north": 0, "other": 1}


class Shown(NamedTuple):
    """What the environment showed, and what was chosen."""

    seat: int
    observation: Vector
    mask: Vector
    choice: int


def play(env: PitchEnv, chance: Random) -> Iterator[Shown]:
    """A game of chance, with discards of the lowest cards, put away in their order."""
    env.reset(seed=chance.getrandbits(32))
    while not env.terminations[env.agent_selection]:
        shown = env.observe(env.agent_selection)
        legal = np.flatnonzero(shown["action_mask"])
        index = int(legal[0] if legal[0] >= PUT_AWAY else chance.choice(legal))
        seat = env.possible_agents.index(env.agent_selection)
        yield Shown(seat, shown["observation"], shown["action_mask"], index)
        env.step(index)


def record_of(env: PitchEnv, **notes: object) -> GameRecord:
    """The record of the game that the environment has played."""
    referee = env._referee
    return GameRecord(
        variant=env.variant,
        seats=("north", *["other"] * (env.variant.players - 1)),
        first_dealer=referee.game.first_dealer,
        max_hands=referee.game.max_hands,
        hands=tuple(
            HandRecord(deck=hand.deck, actions=tuple(SeatAction(*each) for each in hand.actions))
            for hand in referee.played
        ),
        extra=notes,
    )


def line(record: GameRecord) -> str:
    return json.dumps(record_json(record))


@pytest.mark.parametrize("unit", ["hand", "game"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rows_of_a_record_are_what_the_environment_showed(variant: str, unit: str) -> None:
    env = pitch_v0.raw_env(variant, unit=unit, max_hands=3)
    shown = list(play(env, Random(variant)))
    rows = list(rows_of([line(record_of(env, x_game=4, x_board=2))], env.encoding, NAMES))
    assert [(row.seats, row.actions) for row in rows] == [
        (each.seat, each.choice) for each in shown
    ]
    for row, each in zip(rows, shown, strict=True):
        assert np.array_equal(row.observations, each.observation)
        assert np.array_equal(row.masks, each.mask)
        assert row.outcomes == env.rewards[f"seat_{row.seats}"]
        assert (row.games, row.boards, row.entrants) == (4, 2, min(row.seats, 1))


def test_margins_are_those_of_the_hand() -> None:
    env = pitch_v0.raw_env(unit="game", max_hands=4)
    list(play(env, Random(1)))
    rows = list(rows_of([line(record_of(env))], env.encoding, NAMES))
    for number, hand in enumerate(env._referee.played):
        assert hand.result is not None
        ours, theirs = hand.result.delta
        margins = {(row.seats % 2, row.margins) for row in rows if row.hands == number}
        assert margins == {(0, ours - theirs), (1, theirs - ours)}


def test_actions_that_the_referee_substituted_are_left_out() -> None:
    env = pitch_v0.raw_env()
    list(play(env, Random(3)))
    record = record_of(env)
    value = record_json(record)
    every = list(rows_of([json.dumps(value)], env.encoding, NAMES))
    value["hands"][0]["x_substituted"] = [0, 2]  # type: ignore[index]
    left = list(rows_of([json.dumps(value)], env.encoding, NAMES))
    assert [row.actions for row in left] == [every[1].actions, *[r.actions for r in every[3:]]]


@pytest.mark.parametrize("note", ["x_forfeit", "x_void"])
def test_games_that_were_not_played_to_their_end_are_left_out(note: str) -> None:
    env = pitch_v0.raw_env()
    list(play(env, Random(3)))
    assert list(rows_of([line(record_of(env, **{note: True}))], env.encoding, NAMES)) == []


class Held(np.ndarray[tuple[int], np.dtype[np.int8]]):
    """A vector that a set can know the life of."""

    __hash__ = object.__hash__  # type: ignore[assignment]


def some_rows(count: int, encoding: Encoding) -> list[Row]:
    env = pitch_v0.raw_env(encoding.variant)
    chance = Random(1)
    rows: list[Row] = []
    while len(rows) < count:
        list(play(env, chance))
        rows += rows_of([line(record_of(env, x_game=len(rows)))], encoding, NAMES)
    return rows[:count]


@pytest.mark.parametrize("piece", [1, 7, 100])
def test_the_file_is_the_same_in_pieces_of_any_size(
    piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoding = Encoding(VARIANTS["ten-point"])
    rows = some_rows(50, encoding)
    monkeypatch.setattr("pitch.envs.dataset._PIECE", piece)
    target = io.BytesIO()
    assert write_rows(target, encoding, ["north", "other"], iter(rows)) == 50
    arrays = np.load(io.BytesIO(target.getvalue()))
    for at, name in enumerate(Row._fields):
        assert np.array_equal(arrays[name], np.array([row[at] for row in rows]))
    assert list(arrays["names"]) == ["north", "other"]
    assert json.loads(str(arrays["variant"])) == {"name": "ten-point"}
    assert str(arrays["unit"]) == "hand"
    layout = dict(zip(arrays["layout_names"], arrays["layout_starts"], strict=True))
    assert layout == {name: place.start for name, place in encoding.layout.items()}


def test_no_more_than_a_piece_of_the_rows_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitch.envs.dataset._PIECE", 10)
    encoding = Encoding(VARIANTS["pitch-ac"])
    (row,) = some_rows(1, encoding)
    alive, most = weakref.WeakSet[Held](), 0

    def rows() -> Iterator[Row]:
        nonlocal most
        for _ in range(200):
            held = row.observations.copy().view(Held)
            alive.add(held)
            most = max(most, len(alive))
            yield row._replace(observations=held)

    assert write_rows(io.BytesIO(), encoding, ["north", "other"], rows()) == 200
    assert most <= 12


@pytest.mark.parametrize(("size", "sizes"), [(20, [20, 20, 10]), (50, [50]), (99, [50])])
def test_batches_are_the_rows_in_order(size: int, sizes: list[int], tmp_path: Path) -> None:
    encoding = Encoding(VARIANTS["pitch-ac"])
    file = tmp_path / "some.npz"
    with file.open("wb") as target:
        write_rows(target, encoding, ["north", "other"], some_rows(50, encoding))
    batches = list(read_batches(file, size))
    assert [len(batch["actions"]) for batch in batches] == sizes
    whole = np.load(file)
    for name in Row._fields:
        assert np.array_equal(np.concatenate([batch[name] for batch in batches]), whole[name])


def test_a_file_of_no_rows_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "none.npz"
    with file.open("wb") as target:
        write_rows(target, Encoding(VARIANTS["pitch-ac"]), [], [])
    assert np.load(file)["observations"].shape == (0, 929)
    assert list(read_batches(file, 10)) == []
