from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import skellam

from pitch_server.rating.least_squares import least_squares
from pitch_server.rating.ranks import RankChances, ranks_by_resampling
from rating.fields import Margins, field_of, pairings_of, played


def ranks_of(
    entrants: int, pairings: Sequence[tuple[int, ...]], margins: Margins, resamples: int = 400
) -> RankChances:
    return ranks_by_resampling(
        field_of(entrants, pairings, margins, resamples=resamples, seed=7).sums()
    )


def test_two_entrants_have_the_chance_that_the_rating_tells() -> None:
    margins = played([(0, 1)], 60, (0.5, 0))
    found = ranks_of(2, [(0, 1)], margins, 4000)
    difference = least_squares(field_of(2, [(0, 1)], margins).sums()).difference(0, 1)
    assert difference is not None
    assert found.resamples == 4000
    assert found.first(0) == pytest.approx(difference.better, abs=0.03)
    assert found.chances[1] == pytest.approx(tuple(reversed(found.chances[0] or ())))


@pytest.mark.parametrize("missing", [False, True], ids=["complete", "with gaps"])
def test_chances_are_those_of_fields_drawn_by_hand(missing: bool) -> None:
    pairings, chance = pairings_of(4), np.random.default_rng(3)
    margins = played(
        pairings,
        40,
        (0.6, 0.4, 0, 0),
        misses=lambda board, pairing: missing and (board + pairing) % 4 == 0,
    )
    found = ranks_of(4, pairings, margins, 4000)
    by_hand = np.zeros((4, 4))
    for _ in range(300):
        drawn: Margins = {}
        for place, board in enumerate(chance.integers(0, 40, 40)):
            for pairing in range(len(pairings)):
                if (board, pairing) in margins:
                    drawn[place, pairing] = margins[board, pairing]
        ratings = least_squares(field_of(4, pairings, drawn).sums()).ratings
        order = np.argsort([-(rating or 0) for rating in ratings])
        by_hand[order, np.arange(4)] += 1 / 300
    assert np.array(found.chances) == pytest.approx(by_hand, abs=0.09)


def test_each_rank_is_taken_once() -> None:
    found = ranks_of(5, pairings_of(5), played(pairings_of(5), 30, (0, 0, 0, 1, 2)))
    assert np.array(found.chances).sum(axis=0) == pytest.approx([1] * 5)
    assert np.array(found.chances).sum(axis=1) == pytest.approx([1] * 5)


def test_the_same_boards_give_the_same_chances() -> None:
    margins = played(pairings_of(3), 20, (0, 0, 0))
    assert ranks_of(3, pairings_of(3), margins) == ranks_of(3, pairings_of(3), margins)


def test_the_chances_are_the_same_on_every_machine() -> None:
    margins = played(pairings_of(3), 20, (0, 0, 0))
    assert ranks_of(3, pairings_of(3), margins).chances == (
        (0.02125, 0.13875, 0.84),
        (0.645, 0.32375, 0.03125),
        (0.33375, 0.5375, 0.12875),
    )


def test_equal_ones_share_their_ranks() -> None:
    margins: Margins = {(board, pairing): (0, 0) for board in range(5) for pairing in range(3)}
    found = ranks_of(3, pairings_of(3), margins)
    assert np.array(found.chances) == pytest.approx(np.full((3, 3), 1 / 3))


def test_ties_of_resamples_are_shared_also_where_boards_have_different_pairings() -> None:
    """0 leads 1 by 6 boards to 5: the sum of a resample is the difference of two Poissons."""
    margins: Margins = {(board, 0): (40, -40) if board < 6 else (-40, 40) for board in range(11)}
    margins |= {(board, 1): (1, -1) for board in range(11, 22)}
    found = ranks_of(3, [(0, 1), (1, 2)], margins, 4000)
    expected = skellam.sf(0, 6, 5) + skellam.pmf(0, 6, 5) / 2
    assert found.first(0) == pytest.approx(expected, abs=0.02)


def test_ranks_are_told_within_what_is_linked() -> None:
    pairings = [(0, 1), (2, 3), (4, 5)]
    margins: Margins = {(board, 0): (3, -3) for board in range(9)}
    margins |= {(board, 1): (-1, 1) for board in range(0, 9, 2)}
    margins[0, 2] = (1, -1)
    found = ranks_of(7, pairings, margins)
    assert found.chances == ((1, 0), (0, 1), (0, 1), (1, 0), None, None, None)
    assert (found.first(3), found.first(4)) == (1, None)


def test_a_link_by_one_board_holds_in_every_resample() -> None:
    pairings = [(0, 1), (1, 2)]
    margins: Margins = {(board, 0): (2, -2) for board in range(30)}
    margins[4, 1] = (5, -5)
    assert ranks_of(3, pairings, margins).chances == ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@settings(max_examples=40)
@given(st.data())
def test_chances_are_chances(data: st.DataObject) -> None:
    entrants = data.draw(st.integers(2, 5))
    sides = data.draw(st.integers(2, entrants))
    pairings = pairings_of(entrants, sides)
    keys = st.tuples(st.integers(0, 5), st.integers(0, len(pairings) - 1))
    margins: Margins = {}
    for key in data.draw(st.lists(keys, unique=True, max_size=15)):
        scores = data.draw(st.lists(st.integers(-20, 20), min_size=sides, max_size=sides))
        margins[key] = tuple(sides * score - sum(scores) for score in scores)
    for chances in ranks_of(entrants, pairings, margins, 50).chances:
        assert chances is None or sum(chances) == pytest.approx(1)
