"""Until answered: batches that follow from the finished prefix alone, and a plan that ends."""

import json
from collections.abc import Callable
from random import Random

import pytest

from pitch_server.plan.errors import SettingsError
from pitch_server.plan.games import Plan
from pitch_server.plan.question import Asked, Question
from pitch_server.plan.settings import (
    EntrantSettings,
    FormatKind,
    FormatSettings,
    Settings,
    parse_settings_json,
    settings_json,
)
from plan.making import make_settings

EFFECT = Question(asked=Asked.EFFECT, h0=0, h1=0.3)


def comparing(
    boards: int = 400, batch: int | None = 30, question: Question = EFFECT, entrants: int = 2
) -> Settings:
    return Settings(
        name="a against b",
        variant=make_settings(2).variant,
        format=FormatSettings(boards=boards, batch=batch, question=question),
        entrants=tuple(EntrantSettings(name=name) for name in "abcd"[:entrants]),
    )


def played(settings: Settings, margin: Callable[[int], int]) -> Plan:
    """The plan when it has taken in a margin for each board, as far as it goes."""
    plan = Plan(settings)
    while plan.due < len(plan):
        mine = margin(plan[plan.due].board)
        plan.note(plan.due, (mine, -mine))
    return plan


def gauss(mean: float) -> Callable[[int], int]:
    return lambda board: round(2 * Random(board).gauss(mean, 1.5))


def test_it_plays_whole_batches_until_there_is_an_answer() -> None:
    plan = played(comparing(), gauss(1.5))
    assert plan.settled
    boards = len(plan) // 2
    assert boards % 30 == 0
    assert 30 <= boards < 200
    assert [each.board for each in plan][::2] == list(range(boards))


def test_it_ends_at_the_most_boards_in_a_batch_cut_short() -> None:
    hard = Question(asked=Asked.EFFECT, h0=0, h1=0.3, alpha=1e-6, beta=1e-6)
    plan = played(comparing(100, question=hard), gauss(0.2))
    assert (plan.settled, len(plan)) == (True, 200)
    assert [round_.matches for round_ in plan.rounds] == [30, 30, 30, 10]


def test_equal_boards_and_void_ones_go_on_to_the_most_boards() -> None:
    assert len(played(comparing(60), lambda _: 3)) == 120
    plan = Plan(comparing(60))
    while plan.due < len(plan):
        plan.note(plan.due, None)
    assert (plan.settled, len(plan)) == (True, 120)


def test_results_that_end_early_change_nothing_before_their_turn() -> None:
    plan = Plan(comparing())
    for board in reversed(range(1, 30)):
        plan.note(2 * board, (9, -9))
    assert (plan.due, len(plan)) == (0, 60)


def test_the_settings_are_read_as_they_were_written() -> None:
    settings = comparing()
    document = json.loads(json.dumps(settings_json(settings)))
    assert parse_settings_json(document) == settings
    del document["format"]["question"]
    document["format"]["batch"] = None
    assert parse_settings_json(document).format.question is None


@pytest.mark.parametrize(
    ("form", "entrants"),
    [
        pytest.param({}, 3, id="three entrants"),
        pytest.param({"kind": FormatKind.LADDER}, 2, id="a ladder"),
        pytest.param({"until_separated": True}, 2, id="until separated"),
    ],
)
def test_only_two_are_compared(form: dict[str, object], entrants: int) -> None:
    with pytest.raises(SettingsError):
        Settings(
            name="t",
            variant=make_settings(2).variant,
            format=FormatSettings(question=EFFECT, **form),  # type: ignore[arg-type]
            entrants=tuple(EntrantSettings(name=name) for name in "abcd"[:entrants]),
        )


def test_a_batch_has_20_boards_unless_it_is_said_otherwise_and_the_total_may_shrink() -> None:
    plan = Plan(comparing(batch=None))
    assert len(plan) == 40
    assert (plan.total, plan.total_is_final) == (800, False)
    assert played(comparing(batch=None), gauss(1.5)).total_is_final
