import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitch_server.rating.field import Field
from pitch_server.rating.least_squares import Ratings, least_squares
from rating.fields import Margins, field_of, pairings_of, played

# comparison.md, "Test values"
BOARDS = (3, -1, 0, 2, -2, 4, 1, 0, -1, 2, 3, -3, 1, 0, 2, 1, -1, 0, 5, -2)


def ratings_of(entrants: int, margins: Margins, sides: int = 2) -> Ratings:
    return least_squares(field_of(entrants, pairings_of(entrants, sides), margins).sums())


def solved(
    entrants: int, pairings: list[tuple[int, ...]], margins: Margins
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Ratings by plain least squares over every margin, of one group, with a mean of 0."""
    rows, values = [], []
    for (_, pairing), of_board in margins.items():
        met = pairings[pairing]
        for entrant, margin in zip(met, of_board, strict=True):
            row = np.zeros(entrants)
            row[list(met)] = -1 / (len(met) - 1)
            row[entrant] = 1
            rows.append(row)
            values.append(margin / (len(met) - 1))
    found = np.linalg.lstsq(np.array(rows), np.array(values), rcond=None)[0]
    return np.asarray(found - found.mean())


@pytest.mark.parametrize("scale", [1, 2, 6])
def test_two_entrants_have_the_published_values(scale: int) -> None:
    field = Field(2, [(0, 1)], scale)
    for board, margin in enumerate(BOARDS):
        field.add(board, 0, (margin * scale, -margin * scale))
    found = least_squares(field.sums())
    assert found.ratings == pytest.approx((0.35, -0.35))
    difference = found.difference(0, 1)
    assert difference is not None
    assert difference.mean == pytest.approx(0.7)
    assert difference.standard_error == pytest.approx(0.47072, abs=5e-6)
    assert difference.better == pytest.approx(1 - 0.1534 / 2, abs=5e-5)
    assert found.boards == (20,)
    mirrored = found.difference(1, 0)
    assert mirrored is not None
    assert mirrored.better == pytest.approx(0.1534 / 2, abs=5e-5)


@pytest.mark.parametrize("sides", [2, 3, 4])
@pytest.mark.parametrize("missing", [False, True], ids=["complete", "with gaps"])
def test_it_is_least_squares_and_the_jackknife_over_boards(sides: int, missing: bool) -> None:
    pairings = pairings_of(5, sides)
    margins = played(
        pairings,
        12,
        (2, 1, 0, 0, -2),
        misses=lambda board, pairing: missing and (board * 7 + pairing * 3) % 5 == 0,
    )
    found = ratings_of(5, margins, sides)
    assert found.ratings == pytest.approx(solved(5, pairings, margins))
    moved = np.zeros((5, 5))
    for board in range(12):
        rest = {key: value for key, value in margins.items() if key[0] != board}
        change = solved(5, pairings, margins) - solved(5, pairings, rest)
        moved += np.outer(change, change)
    assert found.covariance == pytest.approx(moved * 11 / 12)
    assert found.certain.all()
    assert found.standard_errors == pytest.approx(np.sqrt(np.diag(moved * 11 / 12)))


def test_the_errors_are_those_of_many_fields() -> None:
    """What pairings share on a board is allowed for: errors are neither too large nor small."""
    pairings, strengths = pairings_of(4), (1.0, 0.5, 0.0, -1.5)
    off, told = [], []
    for seed in range(300):
        difference = ratings_of(4, played(pairings, 30, strengths, seed)).difference(0, 1)
        assert difference is not None
        assert difference.standard_error is not None
        off.append(difference.mean - 0.5)
        told.append(difference.standard_error**2)
    really = sum(error * error for error in off) / len(off)
    assert math.sqrt(sum(told) / len(told)) == pytest.approx(math.sqrt(really), rel=0.08)
    # the board's luck is common to all of an entrant's tables, so more tables take none of it off
    assert math.sqrt(really) > math.sqrt(2 * 9 / 30) * 0.9


def test_the_order_of_results_changes_nothing() -> None:
    pairings = pairings_of(4)
    margins = played(pairings, 40, (1, 0, 0, -1))
    shuffled = list(margins.items())
    Random(1).shuffle(shuffled)
    one, other = ratings_of(4, margins), ratings_of(4, dict(shuffled))
    assert one.ratings == pytest.approx(other.ratings, abs=1e-12)
    assert one.covariance == pytest.approx(other.covariance, abs=1e-12)


def test_who_is_not_linked_is_not_compared() -> None:
    pairings = [(0, 1), (2, 4)]
    margins: Margins = {}
    for board in range(10):
        margins[board, 0] = (board, -board)
        if board % 2:
            margins[board, 1] = (-3 - board, 3 + board)
    found = least_squares(field_of(6, pairings, margins).sums())
    assert found.groups == (0, 0, 1, None, 1, None)
    assert found.boards == (10, 5)
    assert found.ratings[3] is None
    assert found.ratings == pytest.approx((2.25, -2.25, -4, None, 4, None))
    assert found.difference(0, 2) is None
    assert found.difference(0, 3) is None
    assert found.difference(3, 5) is None
    difference = found.difference(4, 2)
    assert difference is not None
    assert difference.standard_error == pytest.approx(
        math.sqrt(sum((n - 8) ** 2 for n in (4, 6, 8, 10, 12)) / 4 / 5)
    )


def test_what_rests_on_a_single_board_has_no_error() -> None:
    pairings = [(0, 1), (1, 2), (2, 3)]
    margins: Margins = {}
    for board in range(8):
        margins[board, 0] = (board % 3, -(board % 3))
        margins[board, 2] = (1 - board % 2, board % 2 - 1)
    margins[3, 1] = (2, -2)
    found = least_squares(field_of(4, pairings, margins).sums())
    assert found.groups == (0, 0, 0, 0)
    within, across = found.difference(0, 1), found.difference(0, 3)
    assert within is not None
    assert within.standard_error is not None
    assert across is not None
    assert across.mean == pytest.approx(7 / 8 + 2 + 1 / 2)
    assert (across.standard_error, across.better) == (None, None)
    assert found.standard_errors == (None,) * 4


@pytest.mark.parametrize("boards", [0, 1])
def test_without_boards_or_with_one_there_is_no_error(boards: int) -> None:
    margins: Margins = {(board, 0): (3, -3) for board in range(boards)}
    found = least_squares(field_of(2, [(0, 1)], margins).sums())
    assert found.ratings == ((1.5, -1.5) if boards else (None, None))
    assert found.standard_errors == (None, None)
    difference = found.difference(0, 1)
    assert difference == ((3, None, None) if boards else None)


@pytest.mark.parametrize("margin", [0, 1, 9])
def test_equal_margins_have_no_error(margin: int) -> None:
    pairings = pairings_of(3)
    margins: Margins = {
        (board, pairing): ((other - one) * margin, (one - other) * margin)
        for board in range(7)
        for pairing, (one, other) in enumerate(pairings)
    }
    found = ratings_of(3, margins)
    assert found.ratings == pytest.approx((margin, 0, -margin))
    assert found.standard_errors == (None,) * 3
    difference = found.difference(0, 1)
    assert difference is not None
    assert (difference.standard_error, difference.better) == (None, None)


def test_an_entrant_is_not_compared_with_itself() -> None:
    difference = ratings_of(3, played(pairings_of(3), 9, (1, 0, 0))).difference(1, 1)
    assert difference == (0, None, None)


def test_a_field_of_nobody() -> None:
    found = least_squares(Field(0, []).sums())
    assert (found.ratings, found.groups, found.boards) == ((), (), ())


@settings(max_examples=60)
@given(st.data())
def test_whatever_was_played_all_is_finite_or_not_there(data: st.DataObject) -> None:
    entrants = data.draw(st.integers(2, 5))
    sides = data.draw(st.integers(2, entrants))
    pairings = pairings_of(entrants, sides)
    keys = st.tuples(st.integers(0, 5), st.integers(0, len(pairings) - 1))
    margins: Margins = {}
    for key in data.draw(st.lists(keys, unique=True, max_size=25)):
        scores = data.draw(st.lists(st.integers(-20, 20), min_size=sides, max_size=sides))
        margins[key] = tuple(sides * score - sum(scores) for score in scores)
    found = ratings_of(entrants, margins, sides)
    met = {entrant for _, pairing in margins for entrant in pairings[pairing]}
    for entrant in range(entrants):
        assert (found.ratings[entrant] is None) == (entrant not in met)
        assert (found.groups[entrant] is None) == (entrant not in met)
        for number in (found.ratings[entrant], found.standard_errors[entrant]):
            assert number is None or math.isfinite(number)
        for other in range(entrants):
            difference = found.difference(entrant, other)
            if difference is not None and difference.better is not None:
                assert difference.standard_error is not None
                assert math.isfinite(difference.mean)
                assert difference.standard_error > 0
                assert 0 <= difference.better <= 1
    assert np.isfinite(found.covariance).all()
