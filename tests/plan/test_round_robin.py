from itertools import combinations

import pytest

from pitch_server.plan.round_robin import RoundRobin


@pytest.mark.parametrize("entrants", range(2, 12))
def test_everybody_meets_everybody_once(entrants: int) -> None:
    pairings = RoundRobin(entrants, 2)
    assert len(pairings) == entrants * (entrants - 1) // 2
    assert sorted(pairings) == list(combinations(range(entrants), 2))


@pytest.mark.parametrize("entrants", range(2, 12))
def test_two_sides_meet_in_rounds_of_disjoint_pairings(entrants: int) -> None:
    pairings, size = RoundRobin(entrants, 2), entrants // 2
    for start in range(0, len(pairings), size):
        busy = [entrant for pairing in pairings[start : start + size] for entrant in pairing]
        assert len(set(busy)) == len(busy)
        # an odd number of entrants has one bye a round
        assert len(busy) == entrants - entrants % 2


@pytest.mark.parametrize(("entrants", "sides"), [(3, 3), (5, 3), (6, 4), (8, 8), (9, 6)])
def test_more_sides_are_all_combinations_in_order(entrants: int, sides: int) -> None:
    assert list(RoundRobin(entrants, sides)) == list(combinations(range(entrants), sides))


def test_a_pairing_out_of_range_is_an_error() -> None:
    with pytest.raises(IndexError, match="pairing 3 of 3"):
        RoundRobin(3, 2)[3]
    assert RoundRobin(3, 2)[-1] == RoundRobin(3, 2)[2]
