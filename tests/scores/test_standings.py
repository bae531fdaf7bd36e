import json
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Deals, Settings, Unit
from pitch_server.scores.results import GameResult
from pitch_server.scores.standings import standings
from plan.making import make_settings
from scores.making import result, results_of


def table_of(settings: Settings, results: list[GameResult] | None = None) -> dict[str, Any]:
    plan = Plan(settings)
    given_results = list(results_of(plan)) if results is None else results
    return standings(settings, plan, given_results, commitment="c0ffee", seed=None)


def test_the_keys_are_those_of_the_contract() -> None:
    table = table_of(make_settings(3, boards=5))
    assert list(table) == [
        "tournament",
        "variant",
        "seed",
        "commitment",
        "digest",
        "complete",
        "isolation",
        "games",
        "entrants",
        "pairings",
    ]
    assert table["variant"] == {"name": "pitch-ac"}
    assert table["games"] == {"planned": 30, "played": 30, "rated": 30, "forfeited": 0, "void": 0}
    assert table["complete"] is True
    first = table["entrants"][0]
    assert list(first) == [
        "rank",
        "name",
        "games",
        "wins",
        "draws",
        "losses",
        "points_per_board",
        "trueskill",
        "faults",
    ]
    assert list(first["trueskill"]) == ["mu", "sigma", "conservative"]
    assert set(first["faults"]) == {
        "timeout",
        "illegal",
        "malformed",
        "disconnect",
        "absent",
        "error",
    }
    pairing = table["pairings"][0]
    assert list(pairing) == ["entrants", "boards", "void", "margins"]
    assert list(pairing["margins"][0]) == [
        "name",
        "mean",
        "sd",
        "standard_error",
        "ci95",
        "wins",
        "draws",
        "losses",
    ]
    assert json.loads(json.dumps(table, allow_nan=False)) == table


def test_the_better_one_is_first_and_numbers_add_up() -> None:
    table = table_of(make_settings(3, boards=20))
    assert [(row["rank"], row["name"]) for row in table["entrants"]] == [
        (1, "a"),
        (2, "b"),
        (3, "c"),
    ]
    for row in table["entrants"]:
        assert row["games"] == row["wins"] + row["draws"] + row["losses"] == 80
        skill = row["trueskill"]
        assert skill["conservative"] == skill["mu"] - 3 * skill["sigma"]
    for pairing in table["pairings"]:
        one, other = pairing["margins"]
        assert one["mean"] == -other["mean"]
        assert (one["wins"], one["draws"], one["losses"]) == (
            other["losses"],
            other["draws"],
            other["wins"],
        )
        assert one["wins"] + one["draws"] + one["losses"] == pairing["boards"] == 20
    assert sum(row["points_per_board"] for row in table["entrants"]) == pytest.approx(0)


def test_margins_are_the_published_test_values() -> None:
    values = (3, -1, 0, 2, -2, 4, 1, 0, -1, 2, 3, -3, 1, 0, 2, 1, -1, 0, 5, -2)
    settings = make_settings(2, boards=20)
    results = []
    for board, value in enumerate(values):
        results += [result(2 * board, (value, 0)), result(2 * board + 1, (0, value))]
    margin = table_of(settings, results)["pairings"][0]["margins"][0]
    assert margin["mean"] == 0.7
    assert margin["standard_error"] == pytest.approx(0.47072, abs=5e-6)
    assert margin["ci95"] == pytest.approx([-0.2852, 1.6852], abs=5e-5)
    assert (margin["wins"], margin["draws"], margin["losses"]) == (10, 4, 6)


def test_nothing_played_is_a_table_too() -> None:
    table = table_of(make_settings(2), [])
    assert table["games"]["played"] == 0
    assert [row["name"] for row in table["entrants"]] == ["a", "b"]
    assert table["entrants"][0]["points_per_board"] is None
    assert table["pairings"][0]["margins"][0]["ci95"] is None


def test_ties_are_ranked_by_name() -> None:
    settings = make_settings(3, boards=1)
    results = [result(game.number, (2, 2)) for game in Plan(settings)]
    assert [row["name"] for row in table_of(settings, results)["entrants"]] == ["a", "b", "c"]


def test_only_the_finished_prefix_is_rated_but_every_whole_board_counts() -> None:
    settings = make_settings(2, boards=6)
    whole = list(results_of(Plan(settings)))
    hole = [game for game in whole if game.number != 5]
    prefix, table = table_of(settings, whole[:4]), table_of(settings, hole)
    assert table["games"] | {"played": 4} == prefix["games"]
    assert table["games"]["rated"] == 4
    assert [row["trueskill"] for row in table["entrants"]] == [
        row["trueskill"] for row in prefix["entrants"]
    ]
    assert table["pairings"][0]["boards"] == 5
    assert table["complete"] is False


def test_a_void_game_takes_its_board_out_and_is_listed() -> None:
    settings = make_settings(2, boards=3)
    results = list(results_of(Plan(settings)))
    results[2] = results[2]._replace(void=True, faults=((0, "absent", 1), (1, "absent", 1)))
    table = table_of(settings, results)
    assert table["complete"] is True
    assert table["games"] == {"planned": 6, "played": 5, "rated": 4, "forfeited": 0, "void": 1}
    assert (table["pairings"][0]["boards"], table["pairings"][0]["void"]) == (2, 1)
    assert [row["faults"]["absent"] for row in table["entrants"]] == [1, 1]
    assert all(row["games"] == 5 for row in table["entrants"])


def test_faults_are_counted_for_whoever_sat_there() -> None:
    settings = make_settings(2, boards=1)
    results = [
        result(0, (2, 0), faults=((0, "timeout", 2), (3, "illegal", 1))),
        result(1, (2, 0), faults=((0, "timeout", 1), (2, "error", 4))),
    ]
    rows = {row["name"]: row["faults"] for row in table_of(settings, results)["entrants"]}
    # game 1 is seated the other way round
    assert (rows["a"]["timeout"], rows["b"]["timeout"]) == (2, 1)
    assert (rows["a"]["illegal"], rows["b"]["illegal"]) == (0, 1)
    assert (rows["a"]["error"], rows["b"]["error"]) == (0, 4)


def test_three_sides_have_a_margin_each() -> None:
    settings = make_settings(4, variant={"name": "partnership-six"}, boards=6, unit=Unit.GAME)
    table = table_of(settings)
    assert len(table["pairings"]) == 4
    for pairing in table["pairings"]:
        assert [margin["name"] for margin in pairing["margins"]] == pairing["entrants"]
        assert len(pairing["margins"]) == 3


@given(
    st.sampled_from(Deals),
    st.sampled_from(Unit),
    st.sampled_from([{"name": "pitch-ac"}, {"name": "partnership-six"}]),
    st.integers(0, 90),
)
def test_planned_is_played_and_void_at_the_end(
    deals: Deals, unit: Unit, variant: dict[str, Any], played: int
) -> None:
    settings = make_settings(4, deals=deals, unit=unit, variant=variant, boards=5)
    plan = Plan(settings)
    results = [
        game._replace(void=game.number % 7 == 3) for game in islice(results_of(plan), played)
    ]
    games = table_of(settings, results)["games"]
    assert games["played"] + games["void"] == len(results)
    assert games["rated"] <= games["played"]
