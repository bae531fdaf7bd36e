import math
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitch_server.rating.cycles import Transitivity, transitivity
from pitch_server.rating.field import Field
from pitch_server.rating.least_squares import least_squares
from pitch_server.scores.statistics import Moments


def of_means(entrants: int, means: dict[tuple[int, int], float], boards: int = 100) -> Transitivity:
    """Of pairings with these means (tenths of points), with a deviation of 2 around each."""
    pairings = list(combinations(range(entrants), 2))
    field, margins = Field(entrants, pairings, 10), []
    for place, pairing in enumerate(pairings):
        moments = Moments(10)
        if pairing in means:
            for board in range(boards):
                # each pairing on boards of its own: twice as many as there are, never shared
                margin = round(10 * (means[pairing] + (2 if board % 2 else -2)))
                moments.add(margin)
                field.add(place * boards + board, place, (margin, -margin))
        margins.append(moments)
    return transitivity(pairings, margins, least_squares(field.sums()).ratings)


def test_differences_of_ratings_are_no_cycle() -> None:
    found = of_means(4, {(a, b): b - a for a, b in combinations(range(4), 2)})
    assert found.cyclic_share == pytest.approx(0, abs=1e-12)
    assert found.excess == pytest.approx(0, abs=1e-12)
    assert found.cycle is None


def test_a_cycle_is_found_and_named_from_its_lowest_entrant() -> None:
    found = of_means(4, {(0, 1): 1, (1, 3): 1, (0, 3): -1, (2, 3): 2})
    assert found.cycle == (0, 1, 3)
    assert found.cyclic_share == pytest.approx(3 / 7, abs=1e-9)
    assert found.excess is not None
    assert found.excess > 10


def test_a_pure_cycle_is_beyond_every_rating() -> None:
    found = of_means(3, {(0, 1): -1, (1, 2): -1, (0, 2): 1})
    assert found.cyclic_share == pytest.approx(1)
    assert found.cycle == (0, 2, 1)


def test_a_link_that_is_not_significant_closes_no_cycle() -> None:
    found = of_means(3, {(0, 1): 1, (1, 2): 1, (0, 2): -0.3})
    assert found.cycle is None
    assert found.cyclic_share is not None
    assert found.cyclic_share > 0.5


def test_of_triangles_the_one_with_the_clearest_weakest_link_is_named() -> None:
    found = of_means(4, {(0, 1): 1, (1, 2): 1, (0, 2): -1, (1, 3): 2, (0, 3): -2})
    assert found.cycle == (0, 1, 2)  # both are as clear: the first
    clearer = of_means(4, {(0, 1): 3, (1, 2): 1, (0, 2): -1, (1, 3): 2, (0, 3): -2})
    assert clearer.cycle == (0, 1, 3)


def test_a_longer_cycle_is_found_where_there_is_no_triangle() -> None:
    found = of_means(5, {(0, 1): 1, (1, 2): 1, (2, 3): 1, (0, 3): -1, (3, 4): 1})
    assert found.cycle == (0, 1, 2, 3)


def test_chance_alone_has_an_excess_of_about_one() -> None:
    pairings, chance, excesses = list(combinations(range(5), 2)), Random(3), []
    for _ in range(150):
        field, margins = Field(5, pairings), []
        for place in range(len(pairings)):
            moments = Moments()
            for board in range(20):
                margin = round(chance.gauss(0, 5))
                moments.add(margin)
                field.add(place * 20 + board, place, (margin, -margin))
            margins.append(moments)
        excess = transitivity(pairings, margins, least_squares(field.sums()).ratings).excess
        assert excess is not None
        excesses.append(excess)
    assert sum(excesses) / 150 == pytest.approx(1, abs=0.12)


@pytest.mark.parametrize("boards", [0, 1])
def test_of_few_boards_nothing_is_said_of_chance(boards: int) -> None:
    found = of_means(3, {(0, 1): 1, (1, 2): 1, (0, 2): -1}, boards)
    assert (found.excess, found.cycle) == (None, None)
    assert (found.cyclic_share is None) == (boards == 0)


def test_equal_margins_say_nothing() -> None:
    pairings, margins = list(combinations(range(3), 2)), []
    for _ in pairings:
        moments = Moments()
        for _ in range(9):
            moments.add(0)
        margins.append(moments)
    found = transitivity(pairings, margins, (0.0, 0.0, 0.0))
    assert found == Transitivity(cyclic_share=None, excess=None, cycle=None)


@given(st.integers(3, 7), st.data())
def test_a_named_cycle_is_one(entrants: int, data: st.DataObject) -> None:
    means: dict[tuple[int, int], float] = {
        pairing: data.draw(st.sampled_from([-2, 0, 2]))
        for pairing in combinations(range(entrants), 2)
    }
    found = of_means(entrants, means, 40)
    if found.cycle is None:
        beats = {
            a: {b for b in range(entrants) if means.get((a, b), -means.get((b, a), 0)) > 0}
            for a in range(entrants)
        }
        reach = {a: set(b) for a, b in beats.items()}
        for _ in range(entrants):
            reach = {a: b.union(*(reach[c] for c in b)) for a, b in reach.items()}
        assert all(a not in reach[a] for a in reach)
        return
    for one, other in zip(found.cycle, [*found.cycle[1:], found.cycle[0]], strict=True):
        assert means.get((one, other), -means.get((other, one), 0)) > 0
    assert found.cyclic_share is not None
    assert 0 < found.cyclic_share <= 1
    assert found.excess is None or math.isfinite(found.excess)
