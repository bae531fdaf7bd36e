"""The standings of each format: its games counted for whoever played them, its own keys."""

import json
from typing import Any

import pytest

from pitch_server.plan.errors import NotPlanned
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.settings import FormatKind, SeatOrders, Settings
from pitch_server.scores.boards import note_results
from pitch_server.scores.results import GameResult
from pitch_server.scores.standings import standings
from plan.making import make_settings
from scores.making import result

SWISS = {"kind": FormatKind.SWISS, "rounds": 2}
SEPARATED = {"until_separated": True, "batch": 5}


def scores_of(game: PlannedGame, sides: int) -> tuple[int, ...]:
    """The lower the index the better, with some luck of the first side."""
    luck = (game.board + game.pairing) % 3
    strength = [sum(game.seats[side::sides]) for side in range(sides)]
    return tuple(8 - own + luck * (side == 0) for side, own in enumerate(strength))


def played(settings: Settings, games: int = -1) -> list[GameResult]:
    """Results in plan order: those of the whole tournament, or so many."""
    plan, results = Plan(settings), list[GameResult]()
    while len(results) < len(plan) and len(results) != games:
        game = plan[len(results)]
        results.append(result(game.number, scores_of(game, plan.sides)))
        if len(results) % plan.seatings == 0:
            board = results[plan.due :]
            note_results(plan, settings.variant, settings.format.unit, board)
    return results


def table_of(settings: Settings, results: list[GameResult]) -> dict[str, Any]:
    table = standings(settings, Plan(settings), results, commitment="c", seed=None)
    assert json.loads(json.dumps(table, allow_nan=False)) == table
    return table


def test_a_swiss_has_a_row_for_those_that_met_and_an_order_of_its_own() -> None:
    settings = make_settings(5, boards=2, form=SWISS)
    table = table_of(settings, played(settings))
    assert table["complete"]
    assert [row["entrants"] for row in table["pairings"]] == [
        pairing for each in table["rounds"] for pairing in each["pairings"]
    ]
    assert [each["byes"] for each in table["rounds"]] == [["e"], ["d"]]
    assert [(row["place"], row["name"], row["points"], row["byes"]) for row in table["swiss"]] == [
        (1, "a", 2.0, 0),
        (2, "b", 1.0, 0),
        (3, "c", 1.0, 0),
        (4, "d", 1.0, 1),
        (5, "e", 1.0, 1),
    ]
    # a bye is no game
    assert [row["games"] for row in sorted(table["entrants"], key=lambda row: row["name"])] == [
        8,
        8,
        8,
        4,
        4,
    ]


def test_a_swiss_counts_rounds_that_are_over() -> None:
    settings = make_settings(4, boards=2, form=SWISS)
    table = table_of(settings, played(settings, games=11))
    assert [each["complete"] for each in table["rounds"]] == [True, False]
    assert sum(row["points"] for row in table["swiss"]) == 2.0
    assert table["games"]["planned"] == 16
    assert not table["complete"]


def test_a_round_that_is_not_over_is_not_followed_by_another() -> None:
    settings = make_settings(4, boards=2, form=SWISS)
    results = played(settings)
    with pytest.raises(NotPlanned, match="game 8 of 8"):
        table_of(settings, [*results[:7], results[8]])


def test_partners_share_a_result_and_are_ranked_by_themselves() -> None:
    settings = make_settings(5, boards=3, form={"kind": FormatKind.MIXED})
    results = played(settings)
    table = table_of(settings, results)
    assert len(table["pairings"]) == 5
    for pairing in table["pairings"]:
        sides = pairing["entrants"]
        assert [len(side) for side in sides] == [2, 2]
        assert [margin["name"] for margin in pairing["margins"]] == sides
        assert pairing["margins"][0]["mean"] == -pairing["margins"][1]["mean"]
    # each has a bye in one lineup of five; the best by itself is first
    assert [row["games"] for row in table["entrants"]] == [24] * 5
    assert [row["name"] for row in table["entrants"]] == list("abcde")
    assert sum(row["points_per_board"] for row in table["entrants"]) == pytest.approx(0)


def test_a_fault_is_its_own_partners_alone() -> None:
    settings = make_settings(4, boards=1, form={"kind": FormatKind.MIXED})
    results = played(settings)
    results[0] = results[0]._replace(faults=((2, "timeout", 3),))
    whose = settings.names[Plan(settings)[0].seats[2]]
    for row in table_of(settings, results)["entrants"]:
        assert row["faults"]["timeout"] == (3 if row["name"] == whose else 0)


def test_all_seatings_are_one_board() -> None:
    settings = make_settings(
        3, boards=2, variant={"name": "partnership-six"}, form={"seatings": SeatOrders.ALL}
    )
    results = played(settings)
    assert len(results) == 12
    (pairing,) = table_of(settings, results)["pairings"]
    assert pairing["boards"] == 2
    # who sits where, and so the luck of side 0, is the same for all of them
    assert [margin["mean"] for margin in pairing["margins"]] == [3.0, 0.0, -3.0]


def test_until_separated_tells_who_is_better_and_when_it_is_known_how_much_is_left() -> None:
    settings = make_settings(3, boards=400, form=SEPARATED)
    results = played(settings)
    table = table_of(settings, results)
    assert table["complete"]
    assert "at_most" not in table["games"]
    assert [row["separation"]["better"] for row in table["pairings"]] == ["b", "a", "a"]
    assert all(row["separation"]["p_value"] <= 0.05 for row in table["pairings"])
    early = table_of(settings, results[:20])
    assert early["games"]["at_most"] is True
    assert early["games"]["planned"] == 2400
    assert {row["separation"]["better"] for row in early["pairings"]} == {None}
