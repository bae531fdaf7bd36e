"""The example of learning: it learns, what it learned plays as a bot, steps go the right way."""

import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from imitate import about, imitate
from learned_bot import playing
from network import Policy
from train import train
from trial import margin_over_random

from pitch.envs import pitch_v0
from pitch.envs.dataset import Row, write_rows
from pitch.rules import VARIANTS
from pitch.testing import find_bot, play_game

TRAINING = Path(__file__).resolve().parents[2] / "sample_bots" / "training"


def test_after_seven_batches_of_hands_it_beats_random_by_far() -> None:
    """About +2.9 points a board with an error of 0.3, from 448 hands."""
    (*_, policy) = islice(train("pitch-ac", seed=3), 8)
    mean, error = margin_over_random(policy, VARIANTS["pitch-ac"], boards=100)
    assert mean - 4 * error > 0


def test_before_the_first_batch_it_has_learned_nothing() -> None:
    """The trial is fair: a policy of even chances is not better than random."""
    policy = next(train("pitch-ac", seed=3))
    mask = np.array([1, 0, 1, 1] + [0] * 178, np.int8)
    chances = policy.chances(np.zeros(len(policy.high), np.int8), mask)
    assert chances[:4] == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3], abs=0.05)
    mean, error = margin_over_random(policy, VARIANTS["pitch-ac"], boards=100)
    assert abs(mean) < 4 * error


@pytest.mark.parametrize("reward", [1.0, -1.0])
def test_a_choice_becomes_likelier_by_reward_and_rarer_without(reward: float) -> None:
    chance = np.random.default_rng(1)
    policy = Policy.new(np.ones(20, np.int8), 8, chance)
    observations = chance.integers(0, 2, (1, 20)).astype(np.int8)
    masks = np.zeros((1, 182), np.int8)
    masks[0, [3, 5, 9]] = 1
    before = policy.chances(observations[0], masks[0])
    policy.learn(observations, masks, np.array([5]), np.array([reward]), curiosity=0.0)
    after = policy.chances(observations[0], masks[0])
    assert np.sign(after[5] - before[5]) == np.sign(reward)
    assert after[masks[0] == 0].sum() == 0
    assert after.sum() == pytest.approx(1)


def test_curiosity_evens_the_chances_out() -> None:
    policy = Policy.new(np.ones(20, np.int8), 8, np.random.default_rng(1))
    policy.weights["scores_bias"][3] = 2.0
    observations, masks = np.ones((1, 20), np.int8), np.zeros((1, 182), np.int8)
    masks[0, [3, 5]] = 1
    before = policy.chances(observations[0], masks[0])[3]
    for _ in range(20):
        policy.learn(observations, masks, np.array([3]), np.zeros(1), curiosity=1.0)
    assert 0.5 < policy.chances(observations[0], masks[0])[3] < before


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as somebody's own, trained for a moment."""
    folder = tmp_path_factory.mktemp("own") / "training"
    ignored = shutil.ignore_patterns("policy.npz", "__pycache__")
    shutil.copytree(TRAINING, folder, ignore=ignored)
    return folder


def test_the_script_trains_and_the_bot_plays_by_its_file(copy: Path) -> None:
    bot = find_bot(str(copy / "learned_bot.py")).bot_class
    assert bot is not None
    (fault,) = play_game([bot, bot], seed=1, max_hands=1).faults[:1]
    assert "policy.npz is not there; train.py makes it: python train.py" in fault.came
    done = subprocess.run(
        [sys.executable, "-W", "error", str(copy / "train.py"), "--seconds", "0", "--boards", "2"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "points a board over random" in done.stdout
    assert play_game([bot, bot], seed=1).faults == ()


def test_a_policy_of_another_table_says_so(tmp_path: Path) -> None:
    policy = next(train("pitch-ac", seed=1))
    game = play_game([playing(policy)] * 3, variant="partnership-six", seed=1)
    assert "the policy was trained at another number of seats" in game.faults[0].came


def test_a_file_brings_back_the_same_policy(tmp_path: Path) -> None:
    policy = next(train("pitch-ac", seed=1))
    policy.save(tmp_path / "policy.npz")
    again = Policy.load(tmp_path / "policy.npz")
    observation = np.ones(len(policy.high), np.int8)
    mask = np.ones(182, np.int8)
    assert np.array_equal(policy.chances(observation, mask), again.chances(observation, mask))


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty hands of a bot that takes the last choice, beside one that takes the first."""
    env = pitch_v0.raw_env("pitch-ac")
    env.reset(seed=1)
    rows = []
    for _ in range(60):
        while not env.terminations[agent := env.agent_selection]:
            seat, shown = env.possible_agents.index(agent), env.observe(agent)
            mask = shown["action_mask"]
            choice = int(np.flatnonzero(mask)[-1 if seat % 2 else 0])
            rows.append(Row(shown["observation"], mask, choice, 0.0, 0.0, seat, seat % 2, 0, 0, 0))
            env.step(choice)
        env.reset()
    file = tmp_path_factory.mktemp("games") / "games.npz"
    with file.open("wb") as target:
        write_rows(target, env.encoding, ["first", "last"], rows)
    return file


def agreement(policy: Policy, file: Path, entrant: int) -> float:
    """How often the policy's likeliest choice is that of a bot of the file."""
    with np.load(file) as arrays:
        own = arrays["entrants"] == entrant
        chances = policy.chances(arrays["observations"][own], arrays["masks"][own])
        return float((chances.argmax(axis=1) == arrays["actions"][own]).mean())


@pytest.mark.parametrize("entrant", [0, 1])
def test_an_imitator_comes_to_choose_as_the_bot_did(games: Path, entrant: int) -> None:
    names, variant = about(games)
    assert (names, variant) == (["first", "last"], VARIANTS["pitch-ac"])
    policies = imitate(games, entrant, variant)
    before = agreement(next(policies), games, entrant)
    (*_, policy) = islice(policies, 70)
    after = agreement(policy, games, entrant)
    assert before < 0.85
    assert after > 0.9


def test_the_script_imitates_a_bot_of_a_file_and_knows_whom_it_can(games: Path, copy: Path) -> None:
    script = [sys.executable, "-W", "error", str(copy / "imitate.py"), str(games)]
    more = ["--seconds", "0", "--boards", "2"]
    done = subprocess.run([*script, "last", *more], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "points a board over random" in done.stdout
    wrong = subprocess.run([*script, "rule"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "has no bot 'rule', it has first, last" in wrong.stderr
