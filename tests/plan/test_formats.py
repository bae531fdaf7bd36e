"""What every format promises, and each of them by itself; results are made by rules."""

import random
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from pitch_server.plan.errors import NotPlanned, SettingsError
from pitch_server.plan.games import Plan
from pitch_server.plan.ladder import choose
from pitch_server.plan.mixed import EveryLineup, mixed
from pitch_server.plan.settings import (
    Deals,
    FormatKind,
    Isolation,
    SeatOrders,
    Settings,
    parse_settings_json,
    settings_json,
)
from pitch_server.plan.swiss import most_rounds
from plan.making import make_settings

SWISS = {"kind": FormatKind.SWISS, "rounds": 3}
LADDER = {"kind": FormatKind.LADDER, "batch": 6}
SEPARATED = {"until_separated": True, "batch": 5}
GAUNTLET = {"kind": FormatKind.GAUNTLET, "challengers": ("b", "e")}
MIXED = {"kind": FormatKind.MIXED}
SIX = {"name": "partnership-six"}

EVENTS = [
    pytest.param(make_settings(5), id="round-robin"),
    pytest.param(make_settings(6, form=GAUNTLET), id="gauntlet"),
    pytest.param(make_settings(5, variant=SIX, form=GAUNTLET), id="gauntlet of three sides"),
    pytest.param(make_settings(7, boards=3, form=SWISS), id="swiss"),
    pytest.param(
        make_settings(6, boards=3, form=SWISS, deals=Deals.INDEPENDENT), id="swiss, independent"
    ),
    pytest.param(
        make_settings(6, boards=3, form=SWISS, isolation=Isolation.BOARDS), id="swiss by pairing"
    ),
    pytest.param(make_settings(5, boards=40, form=LADDER), id="ladder"),
    pytest.param(make_settings(5, variant=SIX, boards=40, form=LADDER), id="ladder of three"),
    pytest.param(
        make_settings(4, boards=20, form=LADDER, isolation=Isolation.BOARDS), id="ladder by pairing"
    ),
    pytest.param(make_settings(4, boards=200, form=SEPARATED), id="until separated"),
    pytest.param(make_settings(5, boards=2, form=MIXED), id="mixed"),
    pytest.param(make_settings(7, boards=2, variant=SIX, form=MIXED), id="mixed of three sides"),
    pytest.param(
        make_settings(4, boards=2, variant=SIX, form={"seatings": SeatOrders.ALL}),
        id="all seatings",
    ),
]


def margins(plan: Plan, first: int, luck: int = 3) -> tuple[int, ...] | None:
    """What comes of a board: the lower index is better, give or take; some are void."""
    game = plan[first]
    chance = random.Random(f"{game.pairing} {game.board}")
    if chance.random() < 0.05:
        return None
    teams = plan.teams(game.pairing)
    raw = [chance.randint(-luck, luck) - sum(team) for team in teams]
    total = sum(raw)
    return tuple(max(-4 * plan.scale, min(4 * plan.scale, len(raw) * each - total)) for each in raw)


def played(settings: Settings) -> Plan:
    """The plan of a tournament that is over."""
    plan = Plan(settings)
    while plan.due < len(plan):
        plan.note(plan.due, margins(plan, plan.due))
    return plan


def matches(plan: Plan) -> Iterator[tuple[int, int]]:
    return ((game.pairing, game.board) for game in plan if game.number % plan.seatings == 0)


@pytest.mark.parametrize("settings", EVENTS)
def test_a_plan_comes_to_an_end_that_it_told_beforehand(settings: Settings) -> None:
    before, plan = Plan(settings), played(settings)
    assert plan.settled
    assert plan.total == len(plan) <= before.total
    if not settings.format.until_separated:
        assert plan.total == before.total


@pytest.mark.parametrize("settings", EVENTS)
def test_the_same_results_give_the_same_plan_in_whatever_steps_they_come(
    settings: Settings,
) -> None:
    whole, chance = played(settings), random.Random(7)
    plan = Plan(settings)
    while plan.due < len(plan):
        known = list(plan)
        assert known == list(whole)[: len(known)]
        # what is not due, or known already, changes nothing
        for first in (0, plan.due + plan.seatings, len(plan) - plan.seatings):
            if first != plan.due:
                plan.note(first, tuple(range(plan.sides)))
        assert list(plan) == known
        for _ in range(chance.randint(1, 9)):
            plan.note(plan.due, margins(plan, plan.due) if plan.due < len(plan) else None)
    assert list(plan) == list(whole)


@pytest.mark.parametrize("settings", EVENTS)
def test_no_pairing_has_a_board_twice_and_all_its_seatings_stand_together(
    settings: Settings,
) -> None:
    plan = played(settings)
    found = list(matches(plan))
    assert len(set(found)) == len(found)
    for first in range(0, len(plan), plan.seatings):
        games = [plan[first + at] for at in range(plan.seatings)]
        assert len({(game.pairing, game.board, game.first_dealer) for game in games}) == 1
        if plan.duplicate:
            assert [game.seating for game in games] == list(range(plan.seatings))
            assert len({game.seats for game in games}) == plan.seatings
            assert plan.number(games[0].pairing, games[0].board) == first


@pytest.mark.parametrize("settings", EVENTS)
def test_every_side_is_one_team_and_all_of_it(settings: Settings) -> None:
    plan = played(settings)
    for game in plan:
        teams = plan.teams(game.pairing)
        assert len({entrant for team in teams for entrant in team}) == sum(map(len, teams))
        for side in range(plan.sides):
            team = set(teams[plan.team(game.seating, side)])
            assert {game.seats[seat] for seat in settings.variant.seats_of(side)} == team


@pytest.mark.parametrize("settings", EVENTS)
def test_parts_of_one_pairing_make_up_the_plan_where_pairings_come_one_by_one(
    settings: Settings,
) -> None:
    plan = played(settings)
    if not plan.by_pairing:
        return
    at = 0
    for number in range(len(plan.rounds)):
        assert plan.span(number)[0] == at
        for start, stop, entrants in plan.parts(number):
            assert start == at
            assert all(set(plan[each].seats) == set(entrants) for each in range(start, stop))
            at = stop
        assert plan.span(number)[1] == at
    assert at == len(plan)


@pytest.mark.parametrize("settings", EVENTS)
def test_settings_are_kept_with_their_format(settings: Settings) -> None:
    assert parse_settings_json(settings_json(settings)) == settings


def test_settings_of_before_there_were_other_formats_are_read_as_they_were_played() -> None:
    document = settings_json(make_settings(5))
    later = {"seatings", "challengers", "rounds", "batch", "until_separated", "error_rate"}
    document["format"] = {k: v for k, v in document["format"].items() if k not in later}
    assert parse_settings_json(document) == make_settings(5)


def test_a_game_of_a_round_that_is_to_come_is_not_planned() -> None:
    plan = Plan(make_settings(6, boards=2, form=SWISS))
    assert len(plan) == 12
    assert plan.total == 36
    with pytest.raises(NotPlanned, match="game 12 of 12"):
        plan[12]


# --- gauntlet -------------------------------------------------------------------------------------


@pytest.mark.parametrize("challengers", ["a", "be", "abcd", "f", "abcde"])
def test_challengers_meet_the_field_and_nobody_else_meets(challengers: str) -> None:
    settings = make_settings(
        6, form={"kind": FormatKind.GAUNTLET, "challengers": tuple(challengers)}
    )
    new = {settings.names.index(name) for name in challengers}
    plan = Plan(settings)
    assert all(len(new & set(pairing)) == 1 for pairing in plan.pairings)
    assert len(set(plan.pairings)) == len(plan.pairings) == len(new) * (6 - len(new))
    size = min(len(new), 6 - len(new))
    for start in range(0, len(plan.pairings), size):
        busy = [entrant for pairing in plan.pairings[start : start + size] for entrant in pairing]
        assert len(set(busy)) == len(busy)


def test_of_three_sides_one_is_a_challengers() -> None:
    plan = Plan(make_settings(5, variant=SIX, form=GAUNTLET))
    assert sorted(plan.pairings) == sorted(
        tuple(sorted((new, *others))) for new in (1, 4) for others in combinations((0, 2, 3), 2)
    )


# --- swiss ----------------------------------------------------------------------------------------


@given(st.integers(2, 24), st.randoms(use_true_random=False))
@hypothesis_settings(max_examples=60, deadline=None)
def test_nobody_meets_anybody_twice_and_byes_are_shared(entrants: int, chance: Any) -> None:
    rounds = most_rounds(entrants)
    plan = Plan(
        make_settings(entrants, boards=1, form={"kind": FormatKind.SWISS, "rounds": rounds})
    )
    while plan.due < len(plan):
        value = chance.randint(-3, 3)
        plan.note(plan.due, None if chance.random() < 0.1 else (value, -value))
    assert len(plan.rounds) == rounds
    assert len(set(plan.pairings)) == len(plan.pairings) == rounds * (entrants // 2)
    byes = Counter(entrant for each in plan.rounds for entrant in each.byes)
    assert sum(byes.values()) == rounds * (entrants % 2)
    assert max(byes.values(), default=0) <= 1
    for each in plan.rounds:
        busy = [entrant for pairing in each.pairings for entrant in plan.pairings[pairing]]
        assert sorted([*busy, *each.byes]) == list(range(entrants))


def test_those_that_did_equally_well_meet_next() -> None:
    plan = Plan(make_settings(8, boards=1, form=SWISS))
    assert plan.pairings == [(0, 1), (2, 3), (4, 5), (6, 7)]
    for margin in (4, 2, 2, -6):
        plan.note(plan.due, (margin, -margin))
    # winners 7 0 2 4 by their margins, losers 3 5 1 6
    assert plan.pairings[4:] == [(0, 7), (2, 4), (3, 5), (1, 6)]


def test_a_void_match_counts_for_nobody_and_is_not_played_again() -> None:
    plan = Plan(make_settings(4, boards=1, form={"kind": FormatKind.SWISS, "rounds": 2}))
    plan.note(plan.due, None)
    plan.note(plan.due, (1, -1))
    assert plan.pairings[2:] == [(0, 2), (1, 3)]


def test_each_round_has_boards_of_its_own_but_independent_games_are_counted_by_pairing() -> None:
    duplicate, independent = (
        played(make_settings(6, boards=2, form=SWISS, deals=deals)) for deals in Deals
    )
    assert [list(each.boards) for each in duplicate.rounds] == [[0, 1], [2, 3], [4, 5]]  # type: ignore[attr-defined]
    assert {game.board for game in independent} == {0, 1}


# --- ladder ---------------------------------------------------------------------------------------


def test_boards_go_first_to_whom_least_is_known_of_and_to_equals() -> None:
    members = np.array(list(combinations(range(4), 2)))
    # 3 is new, and of the others nearest to 1
    chosen = choose(members, [30.0, 25.0, 20.0, 25.0], [1.0, 1.0, 1.0, 8.0], 1)
    assert tuple(members[chosen[0]]) == (1, 3)
    # all alike: the first, then who did not play yet
    chosen = choose(members, [25.0] * 4, [8.0] * 4, 2)
    assert [tuple(members[each]) for each in chosen] == [(0, 1), (2, 3)]


def test_a_ladder_spends_its_budget_to_the_board() -> None:
    plan = played(make_settings(5, boards=40, form=LADDER))
    assert [each.matches for each in plan.rounds] == [6, 6, 6, 6, 6, 6, 4]
    counts = Counter(pairing for pairing, _ in matches(plan))
    for pairing, count in counts.items():
        assert {board for other, board in matches(plan) if other == pairing} == set(range(count))
    met = Counter(entrant for pairing, _ in matches(plan) for entrant in plan.pairings[pairing])
    assert min(met.values()) >= 8


# --- until separated ------------------------------------------------------------------------------


def test_only_undecided_pairings_play_on_in_step_up_to_the_most_boards() -> None:
    plan = Plan(make_settings(3, boards=60, form=SEPARATED))
    while plan.due < len(plan):
        # a is better than the others beyond doubt, b and c are equal
        lead = 8 if 0 in plan.pairings[plan[plan.due].pairing] else 0
        plan.note(plan.due, (lead, -lead))
    boards = Counter(pairing for pairing, _ in matches(plan))
    equal = plan.pairings.index((1, 2))
    assert boards[equal] == 60
    others = {boards[each] for each in range(3) if each != equal}
    assert len(others) == 1
    assert max(others) < 30
    assert max(others) % 5 == 0
    assert plan.total == len(plan) < Plan(make_settings(3, boards=60, form=SEPARATED)).total


def test_when_all_are_separated_it_is_over() -> None:
    plan = Plan(make_settings(2, boards=10_000, form=SEPARATED))
    while plan.due < len(plan):
        plan.note(plan.due, (-8, 8))
    assert plan.settled
    assert len(plan) < 100


def test_equals_are_hardly_ever_called_different_however_long_they_play() -> None:
    settings, chance = make_settings(3, boards=60, form=SEPARATED), random.Random(5)
    wrong = 0
    for _ in range(100):
        plan = Plan(settings)
        while plan.due < len(plan):
            margin = chance.randint(-4, 4) * plan.scale
            plan.note(plan.due, (margin, -margin))
        wrong += len(plan) < plan.seatings * 3 * 60
    assert wrong <= 5


# --- mixed ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("entrants", range(4, 22))
def test_everybody_is_everybodys_partner_and_opponent_alike(entrants: int) -> None:
    partners, opponents = Counter[frozenset[int]](), Counter[frozenset[int]]()
    for a, b, c, d in mixed(entrants, 4, 2):
        assert len({a, b, c, d}) == 4
        partners.update(map(frozenset, ((a, c), (b, d))))
        opponents.update(map(frozenset, ((a, b), (a, d), (c, b), (c, d))))
    pairs = set(map(frozenset, combinations(range(entrants), 2)))
    assert partners.keys() == opponents.keys() == pairs
    assert len(set(partners.values())) == len(set(opponents.values())) == 1


@pytest.mark.parametrize("entrants", [4, 5, 8, 12, 13, 16, 17])
def test_a_whist_tournament_has_all_playing_in_every_round(entrants: int) -> None:
    schedule, tables = mixed(entrants, 4, 2), entrants // 4
    for start in range(0, len(schedule), tables):
        busy = [entrant for lineup in schedule[start : start + tables] for entrant in lineup]
        assert len(set(busy)) == len(busy) == 4 * tables


@pytest.mark.parametrize(
    ("players", "sides", "ways"), [(4, 2, 3), (6, 3, 15), (6, 2, 10), (8, 4, 105)]
)
def test_every_lineup_is_every_way_to_make_sides(players: int, sides: int, ways: int) -> None:
    schedule = EveryLineup(players + 1, players, sides)
    assert len(schedule) == (players + 1) * ways
    made = {
        (frozenset(frozenset(lineup[team::sides]) for team in range(sides))) for lineup in schedule
    }
    assert len(made) == len(schedule)


# --- seatings -------------------------------------------------------------------------------------


def test_all_seatings_are_all_orders_of_the_sides_and_begin_with_the_rotations() -> None:
    plan = Plan(make_settings(3, boards=1, variant=SIX, form={"seatings": SeatOrders.ALL}))
    seats = [game.seats[:3] for game in plan]
    assert seats[:3] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert sorted(seats) == sorted(permutations(range(3)))


def test_independent_games_take_all_seatings_in_turn() -> None:
    plan = Plan(
        make_settings(
            3,
            boards=72,
            variant=SIX,
            deals=Deals.INDEPENDENT,
            form={"seatings": SeatOrders.ALL},
        )
    )
    assert set(Counter((game.seats, game.first_dealer) for game in plan).values()) == {2}


# --- refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entrants", "variant", "form", "message"),
    [
        pytest.param(
            6, "pitch-ac", {"kind": FormatKind.SWISS}, "format.rounds: missing", id="no rounds"
        ),
        pytest.param(
            6, "pitch-ac", {**SWISS, "rounds": 4}, "format.rounds: 4 .* 1 to 3", id="many rounds"
        ),
        pytest.param(6, "partnership-six", SWISS, "format.kind: .*three|3 sides", id="three sides"),
        pytest.param(
            4, "pitch-ac", {"rounds": 2}, "format.rounds: 2 is of no use", id="of a swiss"
        ),
        pytest.param(
            4,
            "pitch-ac",
            {"kind": FormatKind.GAUNTLET},
            "format.challengers: missing",
            id="no challengers",
        ),
        pytest.param(
            4,
            "pitch-ac",
            {"kind": FormatKind.GAUNTLET, "challengers": ("a", "z")},
            "format.challengers: no entrant is named 'z'",
            id="unknown challenger",
        ),
        pytest.param(
            4,
            "pitch-ac",
            {"kind": FormatKind.GAUNTLET, "challengers": ("a", "a")},
            "format.challengers: 'a' .* once",
            id="twice a challenger",
        ),
        pytest.param(
            3,
            "pitch-ac",
            {"kind": FormatKind.GAUNTLET, "challengers": ("a", "b", "c")},
            "format.challengers: .*at most 2 of the 3",
            id="no field",
        ),
        pytest.param(
            4, "pitch-ac", {"challengers": ("a",)}, "format.challengers: .* a gauntlet", id="of it"
        ),
        pytest.param(3, "pitch-ac", MIXED, "entrants: .*at least 4", id="too few to mix"),
        pytest.param(5, "cutthroat", MIXED, "format.kind: .*no partners", id="no partners"),
        pytest.param(47, "pitch-ac", MIXED, "entrants: .*535,095 pairings", id="too many to mix"),
        pytest.param(4, "pitch-ac", {"batch": 3}, "format.batch: 3 is of no use", id="batch"),
        pytest.param(
            4,
            "pitch-ac",
            {**LADDER, "batch": 1, "boards": 100_001},
            "format.batch: 1 is not possible; expected 2 or more",
            id="batches without end",
        ),
        pytest.param(
            4, "pitch-ac", {"error_rate": 0.1}, "format.error_rate: 0.1 is of no use", id="rate"
        ),
        pytest.param(
            4, "pitch-ac", {**SEPARATED, "error_rate": 1.5}, "format.error_rate: 1.5", id="a rate"
        ),
        pytest.param(
            4, "partnership-six", SEPARATED, "format.boards: .*3 sides", id="three to separate"
        ),
        pytest.param(
            4, "pitch-ac", {**LADDER, **SEPARATED}, "format.boards: .*gauntlet", id="ladder until"
        ),
    ],
)
def test_what_can_not_be_is_refused(
    entrants: int, variant: str, form: dict[str, Any], message: str
) -> None:
    rest = {key: value for key, value in form.items() if key != "boards"}
    boards = form.get("boards", 4)
    with pytest.raises(SettingsError, match=message):
        make_settings(entrants, variant={"name": variant}, boards=boards, form=rest)


def test_eight_sides_have_too_many_orders() -> None:
    with pytest.raises(SettingsError, match="40,320 orders"):
        make_settings(
            8, variant={"name": "cutthroat", "players": 8}, form={"seatings": SeatOrders.ALL}
        )


# --- size -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    [
        pytest.param({"kind": FormatKind.GAUNTLET, "challengers": ("a", "b")}, id="gauntlet"),
        pytest.param({"kind": FormatKind.SWISS, "rounds": 5}, id="swiss"),
        pytest.param({"kind": FormatKind.LADDER}, id="ladder"),
        pytest.param({"kind": FormatKind.MIXED}, id="mixed"),
        pytest.param({"until_separated": True}, id="until separated"),
    ],
)
def test_ten_million_boards_begin_in_little_memory(form: dict[str, Any]) -> None:
    settings = make_settings(12, boards=10_000_000, form=form)
    Plan(settings)  # what is imported with it is not counted
    tracemalloc.start()
    try:
        plan = Plan(settings)
        assert plan.total >= 20_000_000
        assert plan[len(plan) - 1].number == len(plan) - 1
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 300_000


def test_a_result_costs_a_plan_no_memory_beyond_its_rounds() -> None:
    settings = make_settings(6, boards=3_000, form={"kind": FormatKind.SWISS, "rounds": 2})
    plan, sizes = Plan(settings), []
    tracemalloc.start()
    try:
        while plan.due < len(plan):
            plan.note(plan.due, (1, -1))
            if plan.due % 6_000 == 0:
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert max(sizes) - min(sizes) < 5_000
