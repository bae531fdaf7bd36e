"""The document: the published values come through it, and whatever the results, only numbers."""

import io
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from rich.console import Console

from comparing.making import BOARDS
from pitch_server.analysis.document import analyse, standings_part
from pitch_server.analysis.errors import Strange
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.settings import Deals, EntrantSettings, FormatKind, Settings, Unit
from pitch_server.report import write_report
from pitch_server.scores.results import GameResult
from pitch_server.scores.standings import standings
from plan.making import make_settings
from plan.test_formats import EVENTS
from scores.making import result, results_of, strength
from verify.making import play

COMMITMENT = "c" * 64


def document(
    settings: Settings, results: Sequence[GameResult] | Iterator[GameResult], **others: Any
) -> dict[str, Any]:
    return analyse(settings, Plan(settings), results, commitment=COMMITMENT, seed=None, **others)


def with_margins(margins: Sequence[int]) -> Callable[[PlannedGame], tuple[int, ...]]:
    """Scores that give entrant 0 this margin at every table of the board."""

    def scores(game: PlannedGame) -> tuple[int, ...]:
        margin = margins[game.board]
        return (margin, 0) if game.seats[0] == 0 else (0, margin)

    return scores


def compared(margins: Sequence[int], **others: Any) -> dict[str, Any]:
    settings = make_settings(2, boards=len(margins), **others)
    return document(settings, results_of(Plan(settings), with_margins(margins)))


def assert_plain(value: Any) -> None:
    """JSON without NaN, of nine decimals in the analysis."""
    json.dumps(value, allow_nan=False)


def test_the_published_values_stand_in_the_document() -> None:
    found = compared(BOARDS)
    (row,) = found["analysis"]["pairings"]
    assert row["point_of_view"] == "a"
    assert (row["boards"], row["running_boards"], row["void"], row["faulted"]) == (20, 20, 0, 0)
    assert row["mean"] == 0.7
    assert row["sd"] == pytest.approx(2.10513, abs=5e-6)
    assert row["standard_error"] == pytest.approx(0.47072, abs=5e-6)
    assert row["ci95"] == pytest.approx([-0.2852, 1.6852], abs=5e-5)
    assert row["running"] == pytest.approx([0.7 - 2.33988, 0.7 + 2.33988], abs=5e-6)
    assert row["effect"] == pytest.approx(0.7 / 2.10513, abs=1e-5)
    assert not row["holm"]["significant"]
    spread = row["histogram"]
    assert sum(spread["counts"]) == 20
    total = sum(
        (spread["from"] + at * spread["step"]) * count for at, count in enumerate(spread["counts"])
    )
    assert total == pytest.approx(14)


def test_the_standings_in_it_are_the_standings() -> None:
    settings = make_settings(4, boards=6)
    plan = Plan(settings)
    table = standings(settings, plan, results_of(plan), commitment=COMMITMENT, seed=None)
    assert standings_part(document(settings, results_of(plan))) == table


def test_everything_is_in_the_order_of_the_standings() -> None:
    found = document(make_settings(4, boards=6), results_of(Plan(make_settings(4, boards=6))))
    names = [row["name"] for row in found["entrants"]]
    said = found["analysis"]
    for rows in (said["ratings"], said["trueskill_curve"], said["ranks"]["chances"]):
        assert [row["name"] for row in rows] == names
    best, worst = names[0], names[-1]
    assert said["ratings"][0]["rating"] > said["ratings"][-1]["rating"]
    assert said["better"][0][-1] > 0.9 > 0.1 > said["better"][-1][0]
    assert (best, worst) == ("a", "d")
    assert sum(said["ranks"]["chances"][0]["chances"]) == pytest.approx(1)


def test_the_curve_ends_in_the_skill_of_the_standings_and_stays_short() -> None:
    settings = make_settings(2, boards=1001)
    found = document(settings, results_of(Plan(settings)))
    for row, curve in zip(found["entrants"], found["analysis"]["trueskill_curve"], strict=True):
        assert curve["points"][0][:2] == [0, 25.0]
        assert len(curve["points"]) <= 201
        boards, mu, sigma = curve["points"][-1]
        assert boards == 1001
        skill = row["trueskill"]
        assert (mu, sigma) == (round(skill["mu"], 9), round(skill["sigma"], 9))


def test_boards_after_a_gap_are_not_in_the_running_interval() -> None:
    settings = make_settings(3, boards=10)
    plan = Plan(settings)
    results = list(results_of(plan))
    gap = plan.number(1, 4)
    found = document(settings, [each for each in results if each.number != gap])
    counts = [(row["boards"], row["running_boards"]) for row in found["analysis"]["pairings"]]
    assert counts == [(10, 10), (9, 4), (10, 10)]
    board = range(gap, gap + 2)
    found = document(settings, [each for each in results if each.number not in board])
    counts = [(row["boards"], row["running_boards"]) for row in found["analysis"]["pairings"]]
    assert counts == [(10, 10), (9, 4), (10, 10)]


def test_void_boards_leave_the_prefix_whole_and_faulted_ones_are_counted() -> None:
    settings = make_settings(2, boards=5)
    results = list(results_of(Plan(settings)))
    results[2] = results[2]._replace(void=True)
    results[9] = results[9]._replace(faults=((0, "timeout", 1),))
    (row,) = document(settings, results)["analysis"]["pairings"]
    assert (row["boards"], row["running_boards"], row["void"], row["faulted"]) == (4, 4, 1, 1)


def test_luck_is_what_the_tables_of_a_board_share() -> None:
    settings = make_settings(2, boards=40)

    def all_deals(game: PlannedGame) -> tuple[int, ...]:
        """Side 0 has the cards; the bots hardly differ."""
        return ((game.board * 7) % 11 + (game.board % 2) * (game.seating == 1), 0)

    (row,) = document(settings, results_of(Plan(settings), all_deals))["analysis"]["pairings"]
    assert row["luck_removed"] > 0.95
    assert row["deals_worth"] > 20
    alone = make_settings(2, boards=40, deals=Deals.INDEPENDENT)
    (row,) = document(alone, results_of(Plan(alone)))["analysis"]["pairings"]
    assert row["luck_removed"] is None


def test_a_cycle_is_warned_of() -> None:
    settings = make_settings(3, boards=60)

    def rock_paper_scissors(game: PlannedGame) -> tuple[int, ...]:
        one, other = game.seats[:2]
        ahead = 2 if (other - one) % 3 == 1 else -2
        return (3 + ahead + game.board % 2 * game.seating, 3)

    cycles = document(settings, results_of(Plan(settings), rock_paper_scissors))["analysis"][
        "cycles"
    ]
    assert set(cycles["cycle"]) == {"a", "b", "c"}
    assert "Read the pairings" in cycles["warning"]
    plain = document(settings, results_of(Plan(settings)))["analysis"]["cycles"]
    assert (plain["warning"], plain["cycle"]) == (None, None)


@pytest.mark.parametrize("distinct", [1, 20_000])
def test_bids_and_points_are_counted_as_the_records_have_them(
    distinct: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitch_server.analysis.habits._DISTINCT", distinct)
    settings = make_settings(2, boards=10)
    plan = Plan(settings)
    entries = [play(settings, game, faulty=0) for game in plan]
    records = [json.loads(entry.record) for entry in entries]
    plays = [(entry.result.number, entry.play or "") for entry in entries]
    said = document(settings, results_of(plan), plays=iter(plays))["analysis"]["play"]
    hands = [hand["result"] for record in records for hand in record["hands"]]
    assert [row["hands"] for row in said] == [20, 20]
    assert sum(row["hands_pitched"] for row in said) == len(hands) == 20
    assert sum(row["set"] for row in said) == sum(not hand["made"] for hand in hands)
    assert sum(row["points"]["high"] for row in said) == 20
    assert all(sum(row["bids"].values()) == row["hands_pitched"] for row in said)
    a = next(row for row in said if row["name"] == "a")
    mine = sum(
        record["seats"][side] == "a"
        for record in records
        for hand in record["hands"]
        if (side := hand["result"]["won"]["low"]) is not None
    )
    assert a["points"]["low"] == mine


ODD: list[tuple[str, Callable[[PlannedGame], tuple[int, ...]], int]] = [
    ("won by one always", lambda game: (4, 0) if game.seats[0] == 0 else (0, 4), 12),
    ("lost by one always", lambda game: (0, 4) if game.seats[0] == 0 else (4, 0), 12),
    ("all margins equal", lambda game: (2, 2), 12),
    ("one board", strength, 1),
]


@pytest.mark.parametrize(
    ("scores", "boards"), [pytest.param(scores, boards, id=name) for name, scores, boards in ODD]
)
@pytest.mark.parametrize("unit", list(Unit))
@pytest.mark.parametrize("deals", list(Deals))
def test_odd_results_give_numbers_or_null(
    scores: Callable[[PlannedGame], tuple[int, ...]], boards: int, unit: Unit, deals: Deals
) -> None:
    settings = make_settings(2, boards=boards, unit=unit, deals=deals)
    found = document(settings, results_of(Plan(settings), scores))
    assert_plain(found)
    (row,) = found["analysis"]["pairings"]
    if row["sd"] in (None, 0.0):
        assert row["p_value"] is row["effect"] is row["running"] is None
        assert not row["holm"]["significant"]


def test_nothing_played_is_nulls() -> None:
    found = document(make_settings(3), [])
    assert_plain(found)
    assert all(row["mean"] is row["histogram"] is None for row in found["analysis"]["pairings"])
    assert all(row["rating"] is None for row in found["analysis"]["ratings"])
    assert found["byes"][0] == {"round": 1, "byes": ["a"]}


def test_an_entrant_without_games_has_no_rating() -> None:
    settings = make_settings(3, boards=6)
    plan = Plan(settings)
    results = [each for each in results_of(plan) if 2 not in plan[each.number].seats]
    found = document(settings, results)
    assert_plain(found)
    (row,) = (row for row in found["analysis"]["ratings"] if row["name"] == "c")
    assert row["rating"] is row["group"] is None


def test_boards_that_all_are_void_or_forfeited() -> None:
    settings = make_settings(2, boards=4)
    void = [each._replace(void=True) for each in results_of(Plan(settings))]
    assert_plain(document(settings, void))
    forfeited = [
        each._replace(forfeits=((0, "absent"),), faults=((0, "absent", 1),))
        for each in results_of(Plan(settings))
    ]
    found = document(settings, forfeited)
    assert_plain(found)
    assert found["analysis"]["pairings"][0]["faulted"] == 4


@pytest.mark.parametrize(
    ("variant", "rows"), [("pitch-3p", 3), ("pitch-ac", 1)], ids=["three sides", "two sides"]
)
def test_of_more_sides_there_is_a_row_for_each(variant: str, rows: int) -> None:
    from pitch.rules.catalog import VARIANTS

    if variant not in VARIANTS:
        variant = next(name for name, one in VARIANTS.items() if one.sides == 3)
    settings = make_settings(3 if rows == 3 else 2, variant={"name": variant}, boards=8)
    found = document(settings, results_of(Plan(settings)))
    assert_plain(found)
    assert len(found["analysis"]["pairings"]) == rows


def test_partners_are_rated_each_by_himself() -> None:
    settings = make_settings(4, boards=6)
    settings = Settings(
        name="t",
        variant=settings.variant,
        format=type(settings.format)(kind=FormatKind.MIXED, boards=6),
        entrants=tuple(EntrantSettings(name=name) for name in "wxyz"),
    )
    plan, worth = Plan(settings), (3, 1, 0, -4)
    found = document(
        settings,
        (
            result(
                game.number,
                tuple(
                    sum(worth[entrant] for entrant in game.seats[side::2]) + game.board % 2
                    for side in (0, 1)
                ),
            )
            for game in Plan(settings)
        ),
    )
    assert_plain(found)
    assert len(found["analysis"]["pairings"]) == len(plan.pairings)
    assert isinstance(found["analysis"]["pairings"][0]["point_of_view"], list)
    rated = {row["name"]: row["rating"] for row in found["analysis"]["ratings"]}
    assert rated == {"w": 3, "x": 1, "y": 0, "z": -4}
    assert found["analysis"]["cycles"] is None  # which is of entrants against entrants


def test_numbers_are_of_nine_decimals() -> None:
    def check(value: Any) -> None:
        if isinstance(value, float):
            assert value == round(value, 9)
            assert math.copysign(1, value) > 0 or value
        for inner in value.values() if isinstance(value, dict) else ():
            check(inner)
        for inner in value if isinstance(value, list) else ():
            check(inner)

    check(compared(BOARDS)["analysis"])


@pytest.mark.parametrize("settings", EVENTS)
def test_every_format_gives_a_document_that_can_be_drawn(settings: Settings) -> None:
    plan = Plan(settings)

    def results() -> Iterator[GameResult]:
        number = 0
        while number < len(plan):  # which grows by what has come
            game = plan[number]
            chance = Random(f"{game.pairing} {game.board} {game.seating}")
            yield result(number, tuple(chance.randint(-4, 4) for _ in range(plan.sides)))
            number += 1

    found = analyse(settings, plan, results(), commitment=COMMITMENT, seed=None, resamples=50)
    assert_plain(found)
    assert found["complete"]
    rows = found["analysis"]["pairings"]
    views = 1 if plan.sides == 2 else plan.sides
    assert len(rows) == views * len(found["pairings"])
    assert all(row["running_boards"] == row["boards"] for row in rows)
    adaptive = settings.format.until_separated or settings.format.kind is FormatKind.LADDER
    assert all(row["anytime"] == (adaptive and plan.sides == 2) for row in rows)
    for row, table in zip(rows, found["pairings"], strict=False):
        if "separation" in table:  # its own error rate, and the same decisions
            assert row["holm"]["significant"] == (table["separation"]["better"] is not None)
    drawn = io.StringIO()
    write_report(found, Console(file=drawn))
    assert "luck removed" in drawn.getvalue()


def test_a_large_field_of_independent_deals_is_rated_without_chances_of_ranks() -> None:
    few = make_settings(2, boards=1, deals=Deals.INDEPENDENT)
    many = replace(few, entrants=tuple(EntrantSettings(name=f"e{at}") for at in range(150)))
    found = document(many, results_of(Plan(many)))
    assert_plain(found)
    said = found["analysis"]
    assert said["ranks"] is None
    assert len(said["pairings"]) == 150 * 149 // 2
    assert all(row["rating"] is not None and row["standard_error"] for row in said["ratings"])


def test_a_field_too_large_to_be_rated_is_told_without_ratings() -> None:
    few = make_settings(2, boards=1, form={"kind": FormatKind.LADDER, "batch": 1})
    many = replace(few, entrants=tuple(EntrantSettings(name=f"e{at}") for at in range(150)))
    found = document(many, results_of(Plan(many), lambda _: (1, 0)))
    assert_plain(found)
    said = found["analysis"]
    assert said["better"] is said["ranks"] is said["cycles"] is None
    assert {row["rating"] for row in said["ratings"]} == {None}


def test_a_margin_that_no_board_can_have_is_told() -> None:
    settings = make_settings(2, form={"kind": FormatKind.LADDER, "batch": 2}, boards=2)
    results = list(results_of(Plan(settings), lambda _: (900, -900)))
    results[1] = results[1]._replace(scores=(-900, 900))
    with pytest.raises(Strange, match="a board can't end so"):
        document(settings, results)
