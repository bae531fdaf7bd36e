import pytest

from pitch.rules.catalog import VARIANTS
from pitch.rules.variant import Variant
from pitch_server.plan.settings import Unit
from pitch_server.scores.results import Scoring, outcomes, ranks, side_outcomes, side_scores
from scores.making import result

PITCH_AC = VARIANTS["pitch-ac"]
BASIC = VARIANTS["partnership"]
TEN_POINT = VARIANTS["ten-point"]
SIX = VARIANTS["partnership-six"]


@pytest.mark.parametrize(
    ("variant", "forfeits", "scores"),
    [
        pytest.param(PITCH_AC, (), (3, 1), id="none"),
        pytest.param(PITCH_AC, ((0, "timeout"),), (-4, 4), id="highest bid 4"),
        pytest.param(BASIC, ((1, "absent"),), (4, -5), id="a smudge as 5"),
        pytest.param(TEN_POINT, ((0, "illegal"),), (-10, 10), id="ten points"),
        pytest.param(SIX, ((2, "absent"),), (4, 4, -5), id="one of three sides"),
        pytest.param(SIX, ((0, "absent"), (2, "error")), (-5, 4, -5), id="two of three sides"),
    ],
)
def test_a_forfeited_hand_has_its_price(
    variant: Variant, forfeits: tuple[tuple[int, str], ...], scores: tuple[int, ...]
) -> None:
    played = (3, 1) if variant.sides == 2 else (3, 1, 0)
    assert side_scores(result(0, played, forfeits=forfeits), variant) == scores


@pytest.mark.parametrize(
    ("scores", "winner", "forfeits", "expected"),
    [
        pytest.param((12, 3, 0), 0, (), (1, -1, -1), id="a winner"),
        pytest.param((12, 14, 0), 0, (), (1, -1, -1), id="a winner with less than the highest"),
        pytest.param((7, 7, 0), None, (), (0, 0, -1), id="shared at the limit"),
        pytest.param((12, 3, 0), 0, ((0, "timeout"),), (-1, 1, -1), id="the winner forfeited"),
        pytest.param((12, 3, 3), 0, ((0, "timeout"),), (-1, 0, 0), id="the rest share it"),
        pytest.param((12, 3, 0), 0, ((2, "timeout"),), (1, -1, -1), id="the last forfeited"),
        pytest.param((9, 3, 0), None, ((0, "x"), (1, "x")), (-1, -1, 1), id="one is left"),
        pytest.param((9, 3, 0), None, ((0, "x"), (1, "x"), (2, "x")), (0, 0, 0), id="nobody"),
    ],
)
def test_a_game_of_three_sides(
    scores: tuple[int, ...],
    winner: int | None,
    forfeits: tuple[tuple[int, str], ...],
    expected: tuple[int, ...],
) -> None:
    game = result(0, scores, winner=winner, forfeits=forfeits)
    assert side_outcomes(game, SIX, Unit.GAME) == expected


@pytest.mark.parametrize(
    ("scores", "winner", "forfeits", "expected"),
    [
        pytest.param((11, 5), 0, (), (1, -1), id="won"),
        pytest.param((8, 8), None, (), (0, 0), id="drawn at the limit"),
        pytest.param((8, 2), None, ((0, "timeout"),), (-1, 1), id="forfeited while ahead"),
    ],
)
def test_a_game_of_two_sides(
    scores: tuple[int, int],
    winner: int | None,
    forfeits: tuple[tuple[int, str], ...],
    expected: tuple[int, int],
) -> None:
    game = result(0, scores, winner=winner, forfeits=forfeits)
    assert side_outcomes(game, PITCH_AC, Unit.GAME) == expected


@pytest.mark.parametrize(
    ("scores", "forfeits", "expected"),
    [
        pytest.param((3, 1), (), (1, -1), id="won"),
        pytest.param((2, 2), (), (0, 0), id="drawn"),
        pytest.param((3, 1), ((0, "timeout"),), (-1, 1), id="forfeited"),
    ],
)
def test_a_hand_is_won_by_the_highest_score_alone(
    scores: tuple[int, int], forfeits: tuple[tuple[int, str], ...], expected: tuple[int, int]
) -> None:
    assert side_outcomes(result(0, scores, forfeits=forfeits), PITCH_AC, Unit.HAND) == expected


def test_outcomes_and_ranks_share_places() -> None:
    assert outcomes((4, 1, 4, 0)) == (0, -1, 0, -1)
    assert ranks((4, 1, 4, 0)) == (0, 2, 0, 3)


@pytest.mark.parametrize("unit", [Unit.HAND, Unit.GAME])
def test_what_results_are_worth_does_not_depend_on_those_before(
    unit: Unit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitch_server.scores.results._REMEMBERED", 3)
    games = [
        result(number, (number % 4, number % 3, 1), forfeits=forfeits, winner=number % 3)
        for number in range(40)
        for forfeits in ((), ((number % 3, "timeout"),))
    ]
    scoring = Scoring(SIX, unit)
    for game in games:
        worth = scoring.worth(game)
        assert worth == Scoring(SIX, unit).worth(game)
        assert worth.outcomes == side_outcomes(game, SIX, unit)
        assert unit is Unit.GAME or sum(worth.margins) == 0
