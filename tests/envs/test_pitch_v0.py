"""The environment: PettingZoo's own tests, and that it plays by the referee."""

import copy
import pickle
import re
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from pitch.envs import pitch_v0
from pitch.envs.encoding import Vector
from pitch.envs.pitch_v0 import PitchEnv
from pitch.rules import VARIANTS

# Two are said of every observation that holds a mask; the test gives an option of its own.
MASKED = (
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:options. 'options' is unknown:UserWarning",
)


@pytest.mark.filterwarnings(*MASKED)
@pytest.mark.parametrize("unit", ["hand", "game"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_pettingzoo_tests_of_api_and_seed_pass(variant: str, unit: str) -> None:
    api_test(pitch_v0.env(variant, unit=unit), num_cycles=60)
    seed_test(lambda: pitch_v0.env(variant, unit=unit), num_cycles=60)


def play(env: PitchEnv, pick: Callable[[Any], int]) -> dict[str, float]:
    """The rewards of the game that goes on, each index picked from the mask."""
    while not env.terminations[env.agent_selection]:
        env.step(pick(env.observe(env.agent_selection)["action_mask"]))
    return dict(env.rewards)


def first(mask: Any) -> int:
    return int(np.flatnonzero(mask)[0])


def by_chance(seed: int) -> Callable[[Any], int]:
    chance = Random(seed)
    return lambda mask: int(chance.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("variant", VARIANTS)
def test_by_the_hand_the_margins_of_the_scores_are_the_rewards(variant: str) -> None:
    env = pitch_v0.raw_env(variant)
    env.reset(seed=1)
    rewards = play(env, by_chance(2))
    (scores,) = {info["scores"] for info in env.infos.values()}
    sides = len(scores)
    for seat, agent in enumerate(env.possible_agents):
        own = scores[seat % sides]
        assert rewards[agent] == pytest.approx(own - (sum(scores) - own) / (sides - 1))


def test_by_the_game_hands_go_on_until_a_side_wins() -> None:
    env = pitch_v0.raw_env("pitch-ac", unit="game")
    env.reset(seed=5)
    rewards = play(env, first)  # who passes, and is stuck at times, comes to an end
    (winner,) = {info["winner"] for info in env.infos.values()}
    (scores,) = {info["scores"] for info in env.infos.values()}
    assert max(scores) >= 11
    assert [rewards[f"seat_{seat}"] for seat in (winner, winner + 2)] == [1.0, 1.0]
    assert sum(rewards.values()) == 0


def test_a_deal_and_a_dealer_can_be_given_and_nothing_else_changes_the_cards() -> None:
    hands: list[Vector] = []
    for seed in (1, 2):
        env = pitch_v0.raw_env()
        env.reset(seed=seed, options={"deal": 7, "first_dealer": 3})
        assert env.agent_selection == "seat_0"
        hands.append(env.observe("seat_0")["observation"])
    assert np.array_equal(hands[0], hands[1])


def test_games_of_a_row_differ_and_a_seed_begins_it_again() -> None:
    env = pitch_v0.raw_env()
    rows = []
    for _ in range(2):
        env.reset(seed=3)
        row = []
        for _ in range(3):
            row.append(env.observe("seat_0")["observation"].tobytes())
            env.reset()
        rows.append(row)
    assert rows[0] == rows[1]
    assert len(set(rows[0])) == 3


def test_only_the_seat_to_act_may_choose() -> None:
    env = pitch_v0.raw_env("ten-point")
    env.reset(seed=1)
    for agent in env.agents:
        assert env.observe(agent)["action_mask"].any() == (agent == env.agent_selection)


def test_cards_put_away_are_seen_by_their_seat_alone() -> None:
    env = pitch_v0.raw_env("partnership-six")
    env.reset(seed=1)
    while not env.observe(env.agent_selection)["action_mask"][127:181].any():
        env.step(first(env.observe(env.agent_selection)["action_mask"]))
    agent, putting = env.agent_selection, env.encoding.layout["putting"]
    before = {each: env.observe(each)["observation"] for each in env.agents}
    index = first(env.observe(agent)["action_mask"])
    env.step(index)
    assert env.agent_selection == agent
    assert env.observe(agent)["observation"][putting][index - 127] == 1
    for each in env.agents:
        same = np.array_equal(env.observe(each)["observation"], before[each])
        assert same == (each != agent)


def test_an_illegal_action_raises_in_the_raw_environment_and_changes_nothing() -> None:
    env = pitch_v0.raw_env()
    env.reset(seed=1)
    agent, before = env.agent_selection, env.observe(env.agent_selection)["observation"]
    with pytest.raises(ValueError, match=rf"{agent}: expected one of 0 \(pass\), .*, got 12$"):
        env.step(12)
    assert np.array_equal(env.observe(agent)["observation"], before)
    with pytest.raises(ValueError, match="expected the index of an action, got None"):
        env.step(None)


def test_an_illegal_action_ends_the_wrapped_game() -> None:
    env = pitch_v0.env()
    env.reset(seed=1)
    agent = env.agent_selection
    env.last()
    env.step(12)
    assert env.rewards[agent] == -1
    assert all(env.terminations.values())


def test_render_draws_the_table_with_its_cards() -> None:
    env = pitch_v0.raw_env(render_mode="ansi")
    env.reset(options={"deal": 1, "first_dealer": 3})
    text = str(env.render())
    assert text.splitlines()[0] == "pitch-ac, hand 1, scores 0 0"
    assert text.count(" seat ") == 4
    assert "> seat 0: " in text
    play(env, first)
    assert " has won" in str(env.render())
    assert pitch_v0.raw_env().render() is None


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_the_middle_of_a_game_goes_on_by_itself(
    copied: Callable[[PitchEnv], PitchEnv],
) -> None:
    env = pitch_v0.raw_env("ten-point", unit="game")
    env.reset(seed=1)
    pick = by_chance(1)
    for _ in range(20):
        env.step(pick(env.observe(env.agent_selection)["action_mask"]))
    other, before = copied(env), env.observe("seat_0")["observation"]
    assert play(other, by_chance(2))
    assert np.array_equal(env.observe("seat_0")["observation"], before)
    assert play(env, by_chance(2)) == other.rewards


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param({"variant": "pich-ac"}, "unknown variant 'pich-ac', known are", id="variant"),
        pytest.param({"unit": "match"}, "'match' is not a valid Unit", id="unit"),
        pytest.param({"render_mode": "human"}, "render_mode must be 'ansi' or None", id="render"),
    ],
)
def test_what_there_is_not_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pitch_v0.env(**given)


def test_without_its_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "pitch.envs.pitch_v0")
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'pitch-arena\[envs\]'"):
        __import__("pitch.envs.pitch_v0")


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        pytest.param({"seed": "x"}, TypeError, "seed: expected a whole number, got 'x'", id="seed"),
        pytest.param({"seed": 0.5}, TypeError, "got 0.5", id="half a seed"),
        pytest.param({"seed": True}, TypeError, "got True", id="seed of truth"),
        pytest.param({"options": {"dael": 1}}, UserWarning, "'dael' is unknown", id="option"),
        pytest.param({"options": {"deal": 1.5}}, TypeError, "options: deal: ", id="deal"),
        pytest.param({"options": {"first_dealer": 4}}, ValueError, "from 0 to 3", id="dealer"),
        pytest.param({"options": {"first_dealer": "0"}}, TypeError, "first_dealer", id="text"),
    ],
)
def test_what_no_game_can_begin_with_is_refused_and_the_row_of_games_goes_on(
    given: dict[str, Any], error: type[Exception], said: str
) -> None:
    game, other = pitch_v0.raw_env(), pitch_v0.raw_env()
    game.reset(seed=7)
    other.reset(seed=7)
    with pytest.raises(error, match=re.escape(said)):
        game.reset(**given)
    game.reset()
    other.reset()
    agent = game.agent_selection
    assert (game.observe(agent)["observation"] == other.observe(agent)["observation"]).all()


@pytest.mark.parametrize("action", [0.5, True, "0", [0]])
def test_an_action_that_is_no_whole_number_is_refused(action: Any) -> None:
    game = pitch_v0.raw_env()
    game.reset(seed=1)
    with pytest.raises(TypeError, match="action: expected a whole number, got "):
        game.step(action)


def test_numbers_of_numpy_are_whole_numbers() -> None:
    game = pitch_v0.raw_env()
    game.reset(seed=np.int64(3))  # type: ignore[arg-type]
    mask = game.observe(game.agent_selection)["action_mask"]
    game.step(np.flatnonzero(mask)[0])


def test_before_a_game_begins_it_says_to_reset() -> None:
    game = pitch_v0.raw_env(render_mode="ansi")
    for call in (lambda: game.step(0), lambda: game.observe("seat_0"), game.render):
        with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
            call()
    game.reset()
    with pytest.raises(ValueError, match="no agent 'seat_9'; there are seat_0, seat_1"):
        game.observe("seat_9")
