"""Sides of several entrants: everyone's own rating, against plain least squares and by hand."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitch_server.plan.mixed import mixed
from pitch_server.rating.field import Field
from pitch_server.rating.least_squares import Ratings, least_squares
from pitch_server.rating.ranks import ranks_by_resampling
from rating.fields import Margins, field_of, played

FOUR = ((0, 2, 1, 3), (0, 1, 2, 3), (0, 1, 3, 2))
"""01 against 23, 02 against 13, 03 against 12: place p is of side p mod 2."""


def rated(
    entrants: int, lineups: Sequence[tuple[int, ...]], margins: Margins, sides: int
) -> Ratings:
    return least_squares(field_of(entrants, lineups, margins, sides=sides).sums())


def solved(
    entrants: int, lineups: Sequence[tuple[int, ...]], margins: Margins, sides: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Plain least squares over every side's margin: own strengths less the others' mean."""
    rows, values = [], []
    for (_, lineup), of_board in margins.items():
        for side in range(sides):
            row = np.zeros(entrants)
            for place, entrant in enumerate(lineups[lineup]):
                row[entrant] = 1 if place % sides == side else -1 / (sides - 1)
            rows.append(row)
            values.append(of_board[side] / (sides - 1))
    found = np.linalg.lstsq(np.array(rows), np.array(values), rcond=None)[0]
    return np.asarray(found - found.mean())


def test_four_entrants_by_hand() -> None:
    """0 + 1 - 2 - 3 = 6, 0 + 2 - 1 - 3 = 2 and 0 + 3 - 1 - 2 = 0 make 2, 1, -1 and -2."""
    field = Field(4, FOUR, 1, sides=2)
    for board in range(3):
        for lineup, margin in enumerate((6, 2, 0)):
            field.add(board, lineup, (margin, -margin))
    found = least_squares(field.sums())
    assert found.ratings == pytest.approx((2, 1, -1, -2))
    assert (found.groups, found.boards) == ((0, 0, 0, 0), (3,))
    assert found.standard_errors == (None,) * 4  # no board differs from another


def test_the_error_of_four_entrants_by_hand() -> None:
    """With all lineups on every board a board has ratings of its own; the errors are theirs."""
    margins: Margins = {
        (board, lineup): (margin, -margin)
        for board, of_board in enumerate(((6, 2, 0), (4, 0, 2), (1, 3, -2), (5, -1, 0)))
        for lineup, margin in enumerate(of_board)
    }
    found = rated(4, FOUR, margins, 2)
    # 4 r0 is the sum of a board's three margins: 8, 6, 2 and 4
    own = np.array([8, 6, 2, 4]) / 4
    assert found.ratings[0] == pytest.approx(own.mean())
    assert found.standard_errors[0] == pytest.approx(own.std(ddof=1) / 2)
    difference = found.difference(0, 1)
    assert difference is not None
    # r0 - r1 is half of what 02 and 03 win without 1: 1, 1, 0.5, -0.5
    apart = np.array([1, 1, 0.5, -0.5])
    assert difference.mean == pytest.approx(apart.mean())
    assert difference.standard_error == pytest.approx(apart.std(ddof=1) / 2)


@pytest.mark.parametrize(
    ("entrants", "players", "sides"),
    [
        pytest.param(5, 4, 2, id="two against two"),
        pytest.param(8, 4, 2, id="eight"),
        pytest.param(6, 6, 2, id="three against three"),
        pytest.param(6, 6, 3, id="three twos"),
    ],
)
@pytest.mark.parametrize(
    "misses",
    [
        pytest.param(lambda board, lineup: False, id="complete"),
        pytest.param(lambda board, lineup: (board * 7 + lineup * 3) % 5 == 0, id="with gaps"),
    ],
)
def test_it_is_least_squares_and_the_jackknife_over_boards(
    entrants: int, players: int, sides: int, misses: Callable[[int, int], bool]
) -> None:
    lineups = list(mixed(entrants, players, sides))
    strengths = [2.0, 1, 0, 0, -1, -2, 1, 0][:entrants]
    margins = played(lineups, 12, strengths, sides=sides, misses=misses)
    found = rated(entrants, lineups, margins, sides)
    whole = solved(entrants, lineups, margins, sides)
    assert found.ratings == pytest.approx(whole)
    moved = np.zeros((entrants, entrants))
    for board in range(12):
        rest = {key: value for key, value in margins.items() if key[0] != board}
        change = whole - solved(entrants, lineups, rest, sides)
        moved += np.outer(change, change)
    assert found.covariance == pytest.approx(moved * 11 / 12)
    assert found.standard_errors == pytest.approx(np.sqrt(np.diag(moved * 11 / 12)))


def test_two_who_always_sit_together_are_not_told_apart() -> None:
    margins: Margins = {(board, 0): (board, -board) for board in range(9)}
    found = rated(4, [(0, 2, 1, 3)], margins, 2)
    assert found.ratings == (None,) * 4
    assert found.groups == (None,) * 4
    assert found.difference(0, 1) is None
    assert (
        ranks_by_resampling(
            field_of(4, [(0, 2, 1, 3)], margins, sides=2, resamples=20).sums()
        ).chances
        == (None,) * 4
    )
    # with 0 and 1 apart as well they are, from one another; 2 and 3 from nobody
    for board in range(9):
        margins[board, 1] = (2 * board + board % 2, -2 * board - board % 2)
    found = rated(6, [(0, 2, 1, 3), (0, 1, 4, 5)], margins, 2)
    assert found.groups[2] is found.groups[3] is None


def test_what_rests_on_a_single_board_has_no_error() -> None:
    margins: Margins = {
        (board, lineup): (board % 3 + lineup, -(board % 3) - lineup)
        for board in range(6)
        for lineup in (0, 1)
    }
    margins[6, 2] = (3, -3)
    found = rated(4, FOUR, margins, 2)
    assert found.groups == (0, 0, 0, 0)
    # 0 - 3 follows from the first two lineups alone; 0 - 1 takes the third, which met once
    sure, unsure = found.difference(0, 3), found.difference(0, 1)
    assert sure is not None
    assert sure.standard_error is not None
    assert unsure is not None
    assert (unsure.standard_error, unsure.better) == (None, None)
    assert found.standard_errors == (None,) * 4


def test_chances_of_ranks_are_those_of_the_ratings() -> None:
    lineups = list(mixed(5, 4, 2))
    margins = played(lineups, 40, (2, 0.5, 0, 0, -2), sides=2)
    field = field_of(5, lineups, margins, sides=2, resamples=1000, seed=3)
    chances = np.array(ranks_by_resampling(field.sums()).chances)
    assert chances.sum(axis=0) == pytest.approx([1] * 5)
    assert chances.sum(axis=1) == pytest.approx([1] * 5)
    gaps = field_of(
        5,
        lineups,
        {k: v for k, v in margins.items() if sum(k) % 3},
        sides=2,
        resamples=1000,
        seed=3,
    )
    assert np.array(ranks_by_resampling(gaps.sums()).chances) == pytest.approx(chances, abs=0.25)


@settings(max_examples=40)
@given(st.data())
def test_whatever_was_played_all_is_finite_or_not_there(data: st.DataObject) -> None:
    entrants = data.draw(st.integers(4, 6))
    lineups = list(mixed(entrants, 4, 2))
    keys = st.tuples(st.integers(0, 5), st.integers(0, len(lineups) - 1))
    margins: Margins = {}
    for key in data.draw(st.lists(keys, unique=True, max_size=25)):
        margin = data.draw(st.integers(-20, 20))
        margins[key] = (margin, -margin)
    sums = field_of(entrants, lineups, margins, sides=2, resamples=10).sums()
    found = least_squares(sums)
    for entrant in range(entrants):
        for number in (found.ratings[entrant], found.standard_errors[entrant]):
            assert number is None or math.isfinite(number)
        for other in range(entrants):
            difference = found.difference(entrant, other)
            if difference is not None and difference.better is not None:
                assert math.isfinite(difference.mean)
                assert 0 <= difference.better <= 1
    assert np.isfinite(found.covariance).all()
    for row in ranks_by_resampling(sums).chances:
        assert row is None or all(0 <= chance <= 1 + 1e-9 for chance in row)
