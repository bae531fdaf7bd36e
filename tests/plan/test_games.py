import tracemalloc
from collections import Counter
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Deals, Isolation, Settings
from plan.making import make_settings


@st.composite
def any_settings(draw: st.DrawFn) -> Settings:
    variant: dict[str, Any] = draw(
        st.sampled_from(
            [
                {"name": "pitch-ac"},
                {"name": "partnership-six"},
                {"name": "cutthroat", "players": 2},
                {"name": "cutthroat", "players": 5},
            ]
        )
    )
    return make_settings(
        draw(st.integers(5, 7)),
        variant=variant,
        boards=draw(st.integers(1, 9)),
        deals=draw(st.sampled_from(Deals)),
        isolation=draw(st.sampled_from(Isolation)),
    )


@given(any_settings())
def test_a_game_is_found_by_its_number_and_by_its_place(settings: Settings) -> None:
    plan = Plan(settings)
    games = list(plan)
    assert [game.number for game in games] == list(range(len(plan)))
    for game in games:
        seating = game.seating if plan.duplicate else 0
        assert plan.number(game.pairing, game.board, seating) == game.number


@given(any_settings())
def test_games_of_a_board_stand_together(settings: Settings) -> None:
    plan = Plan(settings)
    for first in range(0, len(plan), plan.seatings):
        games = [plan[first + offset] for offset in range(plan.seatings)]
        assert len({(game.pairing, game.board, game.first_dealer) for game in games}) == 1


@given(any_settings())
def test_every_entrant_of_a_pairing_has_its_side_of_every_game(settings: Settings) -> None:
    plan = Plan(settings)
    for game in plan:
        by_side = [
            {game.seats[seat] for seat in settings.variant.seats_of(side)}
            for side in range(plan.sides)
        ]
        assert all(len(entrants) == 1 for entrants in by_side)
        assert set().union(*by_side) == set(plan.pairings[game.pairing])


def test_duplicate_boards_are_played_in_every_seating_by_every_pairing() -> None:
    plan = Plan(make_settings(4, variant={"name": "partnership-six"}, boards=10))
    assert len(plan) == 4 * 10 * 3
    played = {(game.pairing, game.board, game.seats[:3]) for game in plan}
    for pairing in range(4):
        a, b, c = plan.pairings[pairing]
        for board in range(10):
            for seats in ((a, b, c), (b, c, a), (c, a, b)):
                assert (pairing, board, seats) in played
    assert all(game.first_dealer == game.board % 6 for game in plan)


def test_independent_games_have_a_table_a_board_and_share_seats_and_deal_alike() -> None:
    plan = Plan(make_settings(2, boards=16, deals=Deals.INDEPENDENT))
    assert len(plan) == 16
    # every seating with every dealer, as often as the other
    assert set(Counter((game.seating, game.first_dealer) for game in plan).values()) == {2}
    assert plan[0].seats == (0, 1, 0, 1)
    assert plan[1].seats == (1, 0, 1, 0)
    assert [game.first_dealer for game in islice(plan, 6)] == [0, 0, 1, 1, 2, 2]


def test_pairings_advance_alike_unless_instances_start_afresh_for_each() -> None:
    alike = Plan(make_settings(3, boards=2))
    assert [(game.board, game.pairing) for game in alike][::2] == [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 0),
        (1, 1),
        (1, 2),
    ]
    apart = Plan(make_settings(3, boards=2, isolation=Isolation.BOARDS))
    assert [(game.board, game.pairing) for game in apart][::2] == [
        (0, 0),
        (1, 0),
        (0, 1),
        (1, 1),
        (0, 2),
        (1, 2),
    ]


def test_ten_million_boards_cost_no_memory() -> None:
    tracemalloc.start()
    try:
        plan = Plan(make_settings(20, boards=10_000_000))
        assert len(plan) == 190 * 10_000_000 * 2
        assert plan[len(plan) - 1].board == 9_999_999
        assert next(plan.games(123_456_789)).number == 123_456_789
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100_000


def test_a_game_out_of_range_is_an_error() -> None:
    plan = Plan(make_settings(2, boards=1))
    with pytest.raises(IndexError, match="game 2 of 2"):
        plan[2]
    with pytest.raises(IndexError, match="game -1 of 2"):
        plan[-1]
