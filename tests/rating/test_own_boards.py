"""A field of independent deals has the ratings and errors that a field of boards has."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from pitch_server.plan.mixed import mixed
from pitch_server.rating.field import Field
from pitch_server.rating.least_squares import Ratings, least_squares
from pitch_server.rating.own_boards import OwnBoards
from rating.fields import pairings_of, played

# comparison.md, "Test values"
BOARDS = (3, -1, 0, 2, -2, 4, 1, 0, -1, 2, 3, -3, 1, 0, 2, 1, -1, 0, 5, -2)


def both(
    entrants: int, pairings: Sequence[tuple[int, ...]], sides: int, boards: Sequence[int]
) -> tuple[Ratings, Ratings]:
    """Rated by either way, each pairing with so many boards of its own."""
    strengths = [1.5, 1, 0.5, 0, 0, -1, -2][:entrants]
    margins = played(pairings, max(boards), strengths, sides=sides)
    one = OwnBoards(entrants, pairings, sides, sides - 1)
    other = Field(entrants, pairings, sides - 1, sides=sides, in_order=False)
    for (board, pairing), of_board in margins.items():
        if board < boards[pairing % len(boards)]:
            one.add(pairing, of_board)
            other.add(board * len(pairings) + pairing, pairing, of_board)
    return one.ratings(), least_squares(other.sums())


@pytest.mark.parametrize(
    ("entrants", "players", "sides"),
    [
        pytest.param(5, 2, 2, id="two sides"),
        pytest.param(5, 3, 3, id="three sides"),
        pytest.param(5, 4, 2, id="partners"),
    ],
)
@pytest.mark.parametrize(
    "boards",
    [
        pytest.param((4,), id="alike"),
        pytest.param((1,), id="one each"),
        pytest.param((3, 0, 1, 7), id="as it comes"),
    ],
)
def test_it_is_what_a_field_makes_of_games(
    entrants: int, players: int, sides: int, boards: Sequence[int]
) -> None:
    lineups = list(mixed(entrants, players, sides)) if players > sides else None
    found, expected = both(entrants, lineups or pairings_of(entrants, sides), sides, boards)
    assert found.ratings == pytest.approx(expected.ratings)
    assert found.standard_errors == pytest.approx(expected.standard_errors)
    assert (found.groups, found.boards) == (expected.groups, expected.boards)
    for one in range(entrants):
        for other in range(entrants):
            left, right = found.difference(one, other), expected.difference(one, other)
            assert (left is None) == (right is None)
            assert left is None or left == pytest.approx(right)


def test_two_entrants_have_the_published_values() -> None:
    field = OwnBoards(2, [(0, 1)], 2)
    for margin in BOARDS:
        field.add(0, (margin, -margin))
    difference = field.ratings().difference(0, 1)
    assert difference is not None
    assert difference.mean == pytest.approx(0.7)
    assert difference.standard_error == pytest.approx(0.47072, abs=5e-6)


def test_the_errors_are_those_of_leaving_out_each_game() -> None:
    """By plain least squares, without each game in turn."""
    pairings = pairings_of(4)
    games = [
        (pairing, margin[0]) for (_, pairing), margin in played(pairings, 3, (1, 0, 0, -1)).items()
    ]
    field = OwnBoards(4, pairings, 2)
    for pairing, margin in games:
        field.add(pairing, (margin, -margin))

    def solved(games: Sequence[tuple[int, int]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        rows = np.zeros((len(games), 4))
        for row, (pairing, _) in enumerate(games):
            rows[row, pairings[pairing][0]], rows[row, pairings[pairing][1]] = 1, -1
        found = np.linalg.lstsq(rows, np.array([margin for _, margin in games]), rcond=None)[0]
        return np.asarray(found - found.mean())

    whole, moved = solved(games), np.zeros((4, 4))
    for at in range(len(games)):
        change = whole - solved(games[:at] + games[at + 1 :])
        moved += np.outer(change, change)
    found = field.ratings()
    assert found.ratings == pytest.approx(whole)
    assert found.covariance == pytest.approx(moved * (len(games) - 1) / len(games))


@pytest.mark.parametrize("margin", [0, 3])
def test_without_spread_or_boards_nothing_is_sure(margin: int) -> None:
    field = OwnBoards(3, pairings_of(3), 2)
    assert field.ratings().ratings == (None, None, None)
    for _ in range(5):
        field.add(0, (margin, -margin))
    found = field.ratings()
    assert found.ratings == (margin / 2, -margin / 2, None)
    assert found.difference(0, 1) == (margin, None, None)
    assert all(math.isfinite(each) for each in found.covariance.flat)
