"""The schedule: each game once, no deck twice at a time, nobody waited for, no plan too long."""

import random
from collections import Counter
from itertools import combinations

import pytest

from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.played import Played
from pitch_server.plan.settings import Deals, Isolation, Settings
from pitch_server.schedule import Schedule
from plan.making import make_settings


def schedule_of(settings: Settings, played: Played | None = None) -> Schedule:
    plan = Plan(settings)
    return Schedule(settings, plan, Played() if played is None else played, 0, len(plan))


def anyone(_game: PlannedGame) -> bool:
    return True


def play(schedule: Schedule, tables: int, absent: int = -1) -> list[PlannedGame]:
    """Every game in the order in which it was begun; games end by chance.

    Those of who is absent are begun when nothing else is left.
    """
    chance = random.Random(1)
    begun: list[PlannedGame] = []
    running: list[PlannedGame] = []
    away = {absent}
    while True:
        while len(running) < tables:
            game = schedule.next(lambda game: away.isdisjoint(game.seats))
            if game is None:
                break
            begun.append(game)
            running.append(game)
        if not running and not schedule.unread:
            if not schedule.missing:
                return begun
            away.clear()
            schedule.look_again()
        elif running:
            schedule.done(running.pop(chance.randrange(len(running))))


@pytest.mark.parametrize("tables", [1, 3, 50])
@pytest.mark.parametrize("isolation", Isolation)
@pytest.mark.parametrize("deals", Deals)
def test_every_game_that_is_missing_is_handed_out_once(
    tables: int, isolation: Isolation, deals: Deals
) -> None:
    settings = make_settings(4, boards=5, deals=deals, isolation=isolation)
    there = Played([0, 1, 2, 7, 29])
    games = play(schedule_of(settings, there), tables)
    numbers = set(range(len(Plan(settings)))) - {0, 1, 2, 7, 29}
    assert Counter(game.number for game in games) == Counter(numbers)
    assert len(there) == len(Plan(settings))


def test_one_table_plays_in_the_order_of_the_plan() -> None:
    settings = make_settings(4, boards=3)
    assert [game.number for game in play(schedule_of(settings), 1)] == list(
        range(len(Plan(settings)))
    )


@pytest.mark.parametrize("isolation", [Isolation.SEATS, Isolation.BOARDS])
def test_no_instance_has_two_tables_of_one_deck(isolation: Isolation) -> None:
    schedule = schedule_of(make_settings(5, boards=3, isolation=isolation))
    together: list[PlannedGame] = []
    while (game := schedule.next(anyone)) is not None:
        together.append(game)
    assert len(together) > 1
    for one, other in combinations(together, 2):
        same_deck = one.board == other.board
        if isolation is Isolation.BOARDS:  # other seatings are played by other instances
            same_deck &= one.seating == other.seating
        assert not (same_deck and set(one.seats) & set(other.seats))


def test_without_isolation_nothing_waits() -> None:
    schedule = schedule_of(make_settings(3, boards=2, isolation=Isolation.NONE))
    assert all(schedule.next(anyone) is not None for _ in range(12))
    assert schedule.next(anyone) is None
    assert not schedule.waiting


@pytest.mark.parametrize("tables", [1, 8])
def test_games_of_one_that_is_not_there_come_last(tables: int) -> None:
    settings = make_settings(4, boards=4)
    games = play(schedule_of(settings), tables, absent=2)
    assert len(games) == len(Plan(settings))
    assert [2 in game.seats for game in games] == [False] * 24 + [True] * 24


def test_a_game_that_is_played_again_comes_first() -> None:
    schedule = schedule_of(make_settings(3, boards=4))
    first = schedule.next(anyone)
    assert first is not None
    schedule.next(anyone)
    schedule.again(first)
    assert schedule.next(anyone) == first


def test_passing_over_a_long_plan_gives_way_in_between() -> None:
    """So that a bot that is late does not keep everything else from being seen to."""
    settings = make_settings(2, boards=1_000_000, isolation=Isolation.NONE)
    schedule = schedule_of(settings)
    looked_at = []

    def nobody(game: PlannedGame) -> bool:
        looked_at.append(game.number)
        return False

    assert schedule.next(nobody) is None
    assert schedule.unread
    assert 0 < len(looked_at) < 10_000
    game = schedule.next(anyone)
    assert game is not None
    assert not schedule.unread
    assert game.number == len(looked_at)


def test_at_the_end_there_is_nothing_unread() -> None:
    schedule = schedule_of(make_settings(2, boards=1, isolation=Isolation.NONE))
    assert schedule.next(lambda _game: False) is None
    assert not schedule.unread


@pytest.mark.parametrize("isolation", Isolation)
def test_who_comes_late_is_looked_for_again_and_no_game_is_handed_out_twice(
    isolation: Isolation,
) -> None:
    settings = make_settings(4, boards=3, isolation=isolation)
    schedule = schedule_of(settings)
    begun: list[PlannedGame] = []
    there = {0, 1}
    for newcomer in (2, 3):
        while (game := schedule.next(lambda game: set(game.seats) <= there)) is not None:
            begun.append(game)
        there.add(newcomer)
        schedule.look_again()  # in the midst of games that run and games that wait for a board
        for game in begun[-2:]:
            schedule.done(game)
    while schedule.missing or schedule.running:
        for game in [each for each in begun if each.number in schedule._running]:
            schedule.done(game)
        schedule.look_again()
        while (game := schedule.next(anyone)) is not None:
            begun.append(game)
    assert Counter(game.number for game in begun) == Counter(range(len(Plan(settings))))
