import math
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparing.making import LARGEST, boards
from pitch_server.comparing.betting import Evidence
from pitch_server.comparing.separation import Separation


def test_capitals_multiply_by_what_was_staked() -> None:
    evidence = Evidence(10)
    evidence.add(1)  # nothing is known before the first board: no bet
    assert (evidence.log_peak, evidence.p_value, evidence.side) == (0, 1, 0)
    mean = 0.1 / 2
    spread = (0.25 + (0.1 - mean) ** 2) / 2
    evidence.add(5)
    assert evidence.log_peak == pytest.approx(math.log(1 + mean / (spread + mean**2) * 0.5))
    assert evidence.side == 1


@given(st.lists(st.integers(-18, 18), max_size=200))
def test_a_p_value_never_rises_and_the_sides_mirror(values: list[int]) -> None:
    evidence, mirrored = Evidence(9), Evidence(9)
    last = 1.0
    for value in values:
        evidence.add(value / 2)
        mirrored.add(-value / 2)
        assert 0 <= evidence.p_value <= last
        last = evidence.p_value
    assert (evidence.p_value, evidence.side) == (mirrored.p_value, -mirrored.side)


@pytest.mark.parametrize("margin", [9, -9])
def test_whoever_always_wins_is_found_out_soon(margin: float) -> None:
    evidence = Evidence(9)
    for _ in range(15):
        evidence.add(margin)
    assert evidence.p_value < 0.001
    for _ in range(100_000):
        evidence.add(margin)
    assert (evidence.p_value, evidence.side) == (0, math.copysign(1, margin))


def test_draws_say_nothing() -> None:
    evidence = Evidence(1)
    for _ in range(100):
        evidence.add(0)
    assert (evidence.p_value, evidence.side) == (1, 0)


@pytest.mark.parametrize("margin", [9.5, math.nan, -math.inf])
def test_a_margin_beyond_the_largest_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match="expected at most 9"):
        Evidence(9).add(margin)
    with pytest.raises(ValueError, match="largest margin must be"):
        Evidence(margin * 0)


def test_boards_go_to_the_undecided_until_all_are_separated() -> None:
    strengths = (0.0, 0.06, 0.9)
    pairings = list(combinations(range(3), 2))
    separation, chance = Separation(3, LARGEST), Random(2)
    played = [0] * 3
    while (due := separation.undecided()) and max(played) < 20_000:
        for pairing in due:
            one, other = pairings[pairing]
            played[pairing] += 50
            for margin in boards(chance, strengths[one] - strengths[other], 50):
                separation.add(pairing, margin / 2)
    assert [result.better for result in separation.results()] == [-1, -1, -1]
    assert [result.boards for result in separation.results()] == played
    assert played[0] > 5 * max(played[1:])
    assert all(result.p_value <= result.adjusted <= 0.05 for result in separation.results())


def test_a_field_without_boards_is_undecided() -> None:
    separation = Separation(2, 1)
    assert separation.undecided() == (0, 1)
    assert separation.results()[0] == (0, 0, 1, 1)
    assert separation.evidence_left(0) == pytest.approx(math.log(80))
    assert Separation(0, 1).undecided() == ()


def test_with_no_evidence_left_a_comparison_is_decided() -> None:
    separation = Separation(3, LARGEST)
    for margin in boards(Random(1), 0.5, 400):
        left = separation.evidence_left(1)
        assert left > 0 or separation.results()[1].better == 1
        separation.add(1, margin / 2)
    assert separation.evidence_left(1) == 0


@pytest.mark.parametrize("alpha", [0, 1, math.nan])
def test_an_error_rate_that_is_none_is_refused(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha must be"):
        Separation(1, 1, alpha)
