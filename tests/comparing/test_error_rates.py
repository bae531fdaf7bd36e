"""How often the statistics err, by simulated boards: seeded, so that nothing here is up to luck."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations
from random import Random

import pytest

from comparing.making import LARGEST, SD, as_completed, boards
from pitch_server.comparing.confidence import EmpiricalBernstein, asymptotic_interval
from pitch_server.comparing.inquiry import Inquiry
from pitch_server.comparing.measures import MIN_BOARDS, Measure
from pitch_server.comparing.prefix import FinishedPrefix
from pitch_server.comparing.separation import Separation
from pitch_server.comparing.sequential import Hypotheses, SequentialTest, Verdict
from pitch_server.plan.question import Asked, make_question
from pitch_server.plan.settings import Unit
from pitch_server.scores.statistics import Moments

EFFECT = 0.3
BY_EFFECT = Hypotheses(point_of_view="A", measure=Measure.DEVIATIONS, h0=0, h1=EFFECT)
BY_MEAN = Hypotheses(point_of_view="A", measure=Measure.POINTS, h0=0, h1=EFFECT * SD)


def decide(margins: Iterable[int], hypotheses: Hypotheses) -> SequentialTest:
    test = SequentialTest(hypotheses, 2)
    for margin in margins:
        if test.add(margin) is not Verdict.UNDECIDED:
            break
    return test


@pytest.mark.parametrize("hypotheses", [BY_EFFECT, BY_MEAN], ids=["effect", "mean"])
@pytest.mark.parametrize(
    ("effect", "wrong"),
    [pytest.param(0, Verdict.H1, id="H0 holds"), pytest.param(EFFECT, Verdict.H0, id="H1 holds")],
)
def test_the_sequential_test_keeps_its_error_rates(
    hypotheses: Hypotheses, effect: float, wrong: Verdict
) -> None:
    chance, runs = Random(11), 2000
    tests = [decide(boards(chance, effect, 5000), hypotheses) for _ in range(runs)]
    assert all(test.over for test in tests)
    # 0.05, and twice its standard error of 0.005
    assert sum(test.verdict is wrong for test in tests) / runs < 0.06
    assert sum(test.boards.count for test in tests) / runs < 110


def test_a_sequence_holds_at_all_boards_at_once() -> None:
    chance, runs = Random(12), 300
    truth, missed, exactly_missed = 0.1 * SD, 0, 0
    for _ in range(runs):
        moments, exact, off = Moments(2), EmpiricalBernstein(LARGEST), False
        for margin in boards(chance, 0.1, 1000):
            moments.add(margin)
            exact.add(margin / 2)
            interval = asymptotic_interval(moments)
            if moments.count >= MIN_BOARDS and interval is not None:
                off = off or not interval[0] <= truth <= interval[1]
        missed += off
        lower, upper = exact.interval  # it is the cut of all before
        exactly_missed += not lower <= truth <= upper
    assert missed / runs <= 0.05
    assert exactly_missed / runs <= 0.05


def rarely_apart(chance: Random) -> int:
    """Twice D of two bots that play nearly alike: nine boards of ten are shared."""
    return 0 if chance.random() < 0.9 else round(2 * chance.gauss(0, 2 * SD))


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(lambda chance: next(boards(chance, 0, 1)), id="as boards are"),
        pytest.param(rarely_apart, id="rarely apart"),
    ],
)
def test_which_is_better_is_rarely_said_of_equals_and_mostly_that_they_are_alike(
    draw: Callable[[Random], int],
) -> None:
    chance, runs, found = Random(17), 60, Counter[Verdict]()
    for _ in range(runs):
        inquiry = Inquiry(make_question(Asked.BETTER, Unit.HAND), ("A", "B"), Unit.HAND, 2, LARGEST)
        for _ in range(8000):
            inquiry.add(draw(chance))
            if inquiry.answered:
                break
        found[inquiry.state().verdict] += 1
    assert found[Verdict.BETTER] + found[Verdict.WORSE] <= 0.05 * runs
    assert found[Verdict.ALIKE] >= 0.9 * runs


@pytest.mark.parametrize(
    ("largest", "least", "most"),
    [pytest.param(8.0, 0.0, 0.05, id="guarded"), pytest.param(None, 0.2, 0.5, id="not guarded")],
)
def test_rare_and_great_losses_mislead_only_a_sequence_without_its_guard(
    largest: float | None, least: float, most: float
) -> None:
    """A bot that is as good as its opponent: a little better, and in 2 % of boards it forfeits."""
    chance, runs, wrong = Random(18), 200, 0
    question = make_question(Asked.BETTER, Unit.HAND)
    for _ in range(runs):
        inquiry = Inquiry(question, ("A", "B"), Unit.HAND, 2, largest)
        for margin in chance.choices((-16, 0, 2), (0.02, 0.82, 0.16), k=500):
            inquiry.add(margin)
            if inquiry.answered:
                break
        wrong += inquiry.answered
    assert least <= wrong / runs <= most


def test_looking_at_a_fixed_interval_until_it_pleases_errs_half_of_the_time() -> None:
    """The contrast: what the test and the sequences are there for (comparison.md: 51 %)."""
    chance, runs, fooled = Random(13), 700, 0
    for _ in range(runs):
        count = total = squares = 0
        for margin in boards(chance, 0, 2000):
            count, total, squares = count + 1, total + margin, squares + margin * margin
            spread = count * squares - total * total
            # |mean| above 1.96 standard errors
            if count >= MIN_BOARDS and total * total * (count - 1) > 1.96**2 * spread > 0:
                fooled += 1
                break
    assert 0.44 < fooled / runs < 0.56


def test_in_plan_order_the_error_stays_and_in_completion_order_it_grows() -> None:
    chance, runs = Random(14), 1000
    by_plan = by_completion = 0
    for _ in range(runs):
        early, prefix = SequentialTest(BY_EFFECT, 2), FinishedPrefix[int]()
        planned = SequentialTest(BY_EFFECT, 2)
        for number, margin in as_completed(chance, boards(chance, 0, 2000), tables=16):
            early.add(margin)
            for ready in prefix.add(number, margin):
                planned.add(ready)
            if early.over and planned.over:
                break
        by_completion += early.verdict is Verdict.H1
        by_plan += planned.verdict is Verdict.H1
    assert by_plan / runs < 0.064
    assert by_completion / runs > 0.09
    assert by_completion > 2 * by_plan


def test_a_field_of_equals_is_rarely_called_different() -> None:
    chance, runs, wrong = Random(15), 200, 0
    pairings = list(combinations(range(4), 2))
    for _ in range(runs):
        separation = Separation(len(pairings), LARGEST)
        for _ in range(250):
            # the pairings share the board: each entrant has its own luck on it
            luck = [chance.gauss(0, SD / math.sqrt(2)) for _ in range(4)]
            for place, (one, other) in enumerate(pairings):
                margin = round(2 * (luck[one] - luck[other])) / 2
                separation.add(place, max(-LARGEST, min(LARGEST, margin)))
        wrong += len(separation.undecided()) < len(pairings)
    assert wrong / runs <= 0.05


def test_evidence_needs_about_the_boards_of_a_sequence_to_find_a_difference() -> None:
    chance, runs, taken = Random(16), 100, 0
    for _ in range(runs):
        separation = Separation(1, LARGEST)
        while separation.undecided():
            for margin in boards(chance, 0.15, 10):
                separation.add(0, margin / 2)
        assert separation.results()[0].better == 1
        taken += separation.results()[0].boards
    assert 250 < taken / runs < 520
