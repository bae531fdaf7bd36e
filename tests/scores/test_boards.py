from fractions import Fraction

import pytest

from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Deals, Settings, Unit
from pitch_server.scores.boards import BoardResult, board_results
from pitch_server.scores.results import GameResult
from plan.making import make_settings
from scores.making import result


def boards_of(settings: Settings, results: list[GameResult]) -> list[BoardResult]:
    plan = Plan(settings)
    return list(board_results(plan, settings.variant, settings.format.unit, results))


def margins_of(settings: Settings, results: list[GameResult]) -> list[Fraction]:
    board, scale = (
        boards_of(settings, results)[0],
        Plan(settings).scale,
    )
    assert board.margins is not None
    return [Fraction(margin, scale) for margin in board.margins]


def test_d_is_half_the_sum_of_the_two_tables_margins() -> None:
    settings = make_settings(2)
    # a wins its seats by 3 and loses the others by 2
    assert margins_of(settings, [result(0, (4, 1)), result(1, (2, 0))]) == [
        Fraction(1, 2),
        Fraction(-1, 2),
    ]


def test_a_board_of_three_sides_has_the_mean_margin_of_its_rotations() -> None:
    settings = make_settings(3, variant={"name": "partnership-six"})
    results = [result(0, (4, 0, 0)), result(1, (1, 1, 2)), result(2, (0, 3, 1))]
    # a sits at sides 0, 2, 1: own score less the mean of the other two
    a = (Fraction(4) + (Fraction(2) - 1) + (Fraction(3) - Fraction(1, 2))) / 3
    margins = margins_of(settings, results)
    assert margins[0] == a
    assert sum(margins) == 0


def test_by_the_game_a_board_counts_wins() -> None:
    settings = make_settings(2, unit=Unit.GAME)
    won_both = [result(0, (11, 3), winner=0), result(1, (5, 12), winner=1)]
    assert margins_of(settings, won_both) == [1, -1]
    one_each = [result(0, (11, 3), winner=0), result(1, (11, 9), winner=0)]
    assert margins_of(settings, one_each) == [0, 0]


def test_an_independent_game_is_a_board_of_one_table() -> None:
    settings = make_settings(2, deals=Deals.INDEPENDENT)
    boards = boards_of(settings, [result(0, (4, 1)), result(1, (4, 1))])
    # the second game is seated the other way round
    assert [board.margins for board in boards] == [(3, -3), (-3, 3)]


@pytest.mark.parametrize("side", [0, 1])
def test_a_forfeit_counts_like_any_other_result(side: int) -> None:
    settings = make_settings(2)
    forfeits = ((side, "timeout"),)
    margins = margins_of(settings, [result(0, (0, 0), forfeits=forfeits), result(1, (0, 0))])
    assert margins[side] == -4
    assert margins[1 - side] == 4


def test_a_board_counts_when_it_is_whole_and_not_void() -> None:
    settings = make_settings(2, boards=4)
    results = [
        result(0, (1, 0)),
        result(1, (1, 0)),
        result(3, (1, 0)),
        result(4, (1, 0)),
        result(5, (0, 0), void=True),
    ]
    boards = boards_of(settings, results)
    assert [(b.board, b.complete, b.void, b.margins is not None) for b in boards] == [
        (0, True, False, True),
        (1, False, False, False),
        (2, True, True, False),
    ]
