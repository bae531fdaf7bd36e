import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparing.making import BOARDS, moments_of
from pitch.rules import VARIANTS, Phase, Variant, apply_action, legal_actions, start_hand
from pitch.rules.scoring import points_won, score_changes
from pitch_server.comparing.measures import (
    Measure,
    largest_margin,
    margin_measure,
    standard_deviation,
    variance,
)
from pitch_server.plan.settings import Unit
from pitch_server.scores.results import side_scores
from scores.making import result
from strategies import named_variants, seeds, shuffled, variants


def margins(scores: tuple[int, ...]) -> list[float]:
    """Each side's score less the mean of the others'."""
    total = sum(scores)
    return [score - (total - score) / (len(scores) - 1) for score in scores]


@pytest.mark.parametrize(
    ("name", "largest"),
    [
        pytest.param("partnership", 9, id="a smudge set, and all four points"),
        pytest.param("pitch-ac", 8, id="a bid of four set, and all four points"),
        pytest.param("ten-point", 20, id="a bid of ten set, and all ten points"),
        pytest.param("trump-only", 62, id="a moon lost, and all ten points"),
        pytest.param("cutthroat", 9, id="one forfeits"),
    ],
)
def test_the_largest_margin_by_hand(name: str, largest: float) -> None:
    assert largest_margin(VARIANTS[name], Unit.HAND) == largest
    assert largest_margin(VARIANTS[name], Unit.GAME) == 1


@given(st.one_of(variants(), named_variants), seeds)
def test_no_hand_and_no_forfeit_goes_beyond_the_largest_margin(variant: Variant, seed: int) -> None:
    largest = largest_margin(variant, Unit.HAND)
    chance = Random(seed)
    hand = start_hand(variant, chance.randrange(variant.players), shuffled(variant, chance))
    while legal := legal_actions(hand):
        # high bids, as those move the score the most
        bold = hand.phase is Phase.AUCTION and chance.random() < 0.8
        hand = apply_action(hand, legal[-1] if bold else chance.choice(legal))
    _, _, delta = score_changes(hand, points_won(hand), (0,) * variant.sides)
    assert max(map(abs, margins(delta))) <= largest
    forfeiting = chance.sample(range(variant.sides), chance.randrange(1, variant.sides))
    forfeited = result(0, delta, forfeits=tuple((side, "fault") for side in forfeiting))
    assert max(map(abs, margins(side_scores(forfeited, variant)))) <= largest


def test_measures_are_named_for_people() -> None:
    assert margin_measure(Unit.HAND) == "points per board"
    assert margin_measure(Unit.GAME) is Measure.WINS


def test_the_variance_is_that_over_n() -> None:
    assert standard_deviation(moments_of(BOARDS, 2)) == pytest.approx(2.10513 * math.sqrt(19 / 20))
    assert variance(moments_of([])) is None
    assert variance(moments_of([7])) == 0
