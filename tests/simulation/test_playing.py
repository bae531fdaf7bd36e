from random import Random

import pytest

from pitch.rules import (
    VARIANTS,
    Action,
    Hand,
    IllegalAction,
    Kind,
    Phase,
    default_action,
    finish_hand,
    start_game,
    start_hand,
)
from pitch.rules.actions import MOON
from pitch.simulation import play_out, random_policy, score_hand
from strategies import shuffled


def first(hand: Hand, random: Random) -> Action:
    return default_action(hand)


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_a_hand_played_out_is_over_and_scores_as_the_game_says(name: str) -> None:
    of = VARIANTS[name]
    chance = Random(1)
    start = start_hand(of, 0, shuffled(of, chance))
    end = play_out(start, random_policy, chance)
    _, result = finish_hand(start_game(of), end)
    assert end.phase is Phase.OVER
    assert score_hand(end) == result.delta


def test_the_same_chance_plays_the_same_hand() -> None:
    of = VARIANTS["ten-point"]
    start = start_hand(of, 0, shuffled(of, Random(2)))
    ends = [play_out(start, random_policy, Random(seed)) for seed in (3, 3, 4)]
    assert ends[0] == ends[1] != ends[2]


def test_each_seat_has_the_policy_of_its_number() -> None:
    of = VARIANTS["pitch-ac"]
    asked: list[int] = []

    def noting(hand: Hand, random: Random) -> Action:
        asked.append(hand.to_act)
        return default_action(hand)

    start = start_hand(of, 0, shuffled(of, Random(2)))
    end = play_out(start, [first, noting, first, noting], Random(1))
    assert set(asked) == {1, 3}
    assert end == play_out(start, first, Random(1))


def test_policies_of_another_number_than_the_seats_are_refused() -> None:
    of = VARIANTS["pitch-ac"]
    start = start_hand(of, 0, shuffled(of, Random(2)))
    with pytest.raises(ValueError, match="a policy for each of 4 seats, got 3"):
        play_out(start, [first] * 3, Random(1))


def test_an_illegal_choice_is_an_error() -> None:
    of = VARIANTS["pitch-ac"]
    start = start_hand(of, 0, shuffled(of, Random(2)))
    with pytest.raises(IllegalAction):
        play_out(start, lambda hand, random: Action(Kind.TAKE), Random(1))


def test_a_finished_hand_is_given_back_and_an_unfinished_one_has_no_score() -> None:
    of = VARIANTS["pitch-ac"]
    start = start_hand(of, 0, shuffled(of, Random(2)))
    end = play_out(start, first, Random(1))
    assert play_out(end, first, Random(1)) is end
    with pytest.raises(ValueError, match="seat 1 is to act"):
        score_hand(start)


def test_a_moon_that_is_made_depends_on_the_scores_before() -> None:
    of = VARIANTS["trump-only"]
    start = start_hand(of, 0, shuffled(of, Random(2)))
    end = play_out(start, random_policy, Random(1))._replace(bid=MOON)
    side = end.pitcher % 2
    game = start_game(of)._replace(scores=(20, -7))
    _, result = finish_hand(game, end)
    assert score_hand(end, (20, -7)) == result.delta
    assert score_hand(end)[side] == -52
