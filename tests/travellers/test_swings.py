import pytest

from pitch_server.scores.boards import BoardResult
from pitch_server.scores.results import GameResult
from pitch_server.travellers.swings import Swings


def board(number: int, margin: int, *, pairing: int = 0, forfeited: bool = False) -> BoardResult:
    forfeits = ((0, "timeout"),) if forfeited else ()
    game = GameResult(number, "", (0, 0), None, None, forfeits=forfeits)
    return BoardResult(pairing, number, number, (game,), True, (margin, -margin))


def test_the_greatest_come_first_and_of_equal_ones_the_earliest() -> None:
    boards = [board(number, margin) for number, margin in enumerate([1, -5, 3, 5, 0, 2])]
    chosen = Swings(3).add_all(boards).chosen()
    assert [(each.board.board, each.size) for each in chosen] == [(1, 10), (3, 10), (2, 6)]


def test_every_pairing_is_told_before_any_is_told_twice() -> None:
    strong = [board(number, 9 - number) for number in range(5)]
    chosen = Swings(3).add_all([*strong, board(9, 1, pairing=1)]).chosen()
    assert [(each.board.pairing, each.board.board) for each in chosen] == [(0, 0), (1, 9), (0, 1)]


@pytest.mark.parametrize(
    "passed_over",
    [
        pytest.param(board(0, 9, forfeited=True), id="forfeited"),
        pytest.param(board(0, 9)._replace(margins=None), id="void or not complete"),
        pytest.param(board(0, 0), id="without any difference"),
    ],
)
def test_boards_that_tell_nothing_are_passed_over(passed_over: BoardResult) -> None:
    assert Swings(3).add_all([passed_over]).chosen() == []
