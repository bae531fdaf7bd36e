from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from scipy import stats

from pitch.rules import TRUMP_TABLES, Phase, Variant, cards_of, discard, legal_actions, mask_of
from pitch.rules.state import Exchanged, Step, hand_before_play
from pitch.simulation.courses import Course, Stage
from pitch.simulation.origins import draw_gained, weights_of
from rules.playing import variant

ALL, FIRST, AGAIN = Step.ALL_DISCARD, Step.PITCHER_DISCARDS, Step.RECEIVER_DISCARDS

REFILL = variant("trump-only", players=2)
COURSES = [
    pytest.param(variant("partnership-draw"), Course(6, False, (Stage(ALL, 2, 2),)), id="draw"),
    pytest.param(
        variant("partnership-draw"), Course(6, True, (Stage(ALL, 3, 3),)), id="draw-named"
    ),
    pytest.param(variant("partnership-six"), Course(8, False, (Stage(ALL, 2, 0),)), id="discard"),
    pytest.param(
        variant("partnership-six"), Course(8, True, (Stage(ALL, 2, 0),)), id="discard-named"
    ),
    pytest.param(
        variant("ten-point"),
        Course(9, True, (Stage(FIRST, 2, 2), Stage(ALL, 3, 0))),
        id="pitcher-draw",
    ),
    pytest.param(
        variant("ten-point", keep_trumps=False),
        Course(9, True, (Stage(FIRST, 2, 2), Stage(ALL, 3, 0))),
        id="pitcher-draw-any",
    ),
    pytest.param(REFILL, Course(9, False, (Stage(ALL, 5, 2),)), id="refill"),
    pytest.param(REFILL, Course(9, True, (Stage(ALL, 3, 0),)), id="refill-enough"),
    pytest.param(
        REFILL, Course(9, True, (Stage(ALL, 5, 5), Stage(AGAIN, 4, 0))), id="leftovers-few"
    ),
    pytest.param(
        REFILL, Course(8, True, (Stage(ALL, 3, 4), Stage(AGAIN, 3, 0))), id="leftovers-many"
    ),
]


def origins(of: Variant, course: Course, held: int, gone: int) -> Iterator[tuple[int, float]]:
    """Every way to have come to these cards: what the first round gained, and the chance."""
    if not course.stages:
        if not course.named or held & TRUMP_TABLES[of.off_jack][2].trumps:
            yield 0, 1.0
        return
    *before, stage = course.stages
    for gained in map(mask_of, combinations(cards_of(held), stage.gained)):
        for thrown in map(mask_of, combinations(cards_of(gone), stage.discarded)):
            then = held & ~gained | thrown
            chance = chance_of(of, stage.step, then, thrown)
            if chance:
                earlier = course._replace(stages=tuple(before))
                for first, weight in origins(of, earlier, then, gone & ~thrown):
                    yield first if before else gained, weight * chance


def chance_of(of: Variant, step: Step, held: int, thrown: int) -> float:
    exchanged = Exchanged((), (0,) * of.players, step)
    hands = (held, *(0,) * (of.players - 1))
    legal = legal_actions(hand_before_play(of, 0, Phase.EXCHANGE, 0, hands, 2, 0, 4, (), exchanged))
    return (discard(thrown) in legal) / len(legal)


def holding(course: Course, own: int, thrown: int) -> tuple[int, int]:
    """A hand and discards with as many hearts, which are trump, and other cards of any suit."""
    hearts, others = list(range(38, 25, -1)), [*range(13), *range(39, 52)]
    held = [*hearts[:own], *others[: course.held - own]]
    gone = [*hearts[own : own + thrown], *others[-(course.discarded - thrown) or len(others) :]]
    return mask_of(held), mask_of(gone)


@pytest.mark.parametrize(("of", "course"), COURSES)
def test_weights_are_the_sum_over_every_way_to_have_come_to_the_cards(
    of: Variant, course: Course
) -> None:
    weights = weights_of(of, course, 13)
    for own in range(course.held + 1):
        for thrown in range(min(course.discarded, 13 - own) + 1):
            held, gone = holding(course, own, thrown)
            tried = sum(weight for _, weight in origins(of, course, held, gone))
            assert weights[own][thrown] == pytest.approx(tried)


@pytest.mark.parametrize(("of", "course"), COURSES[-4:])
def test_what_was_gained_is_drawn_by_its_chance(of: Variant, course: Course) -> None:
    held, gone = holding(course, course.held, 1 if course.discarded < 5 else 0)
    trumps = TRUMP_TABLES[of.off_jack][2].trumps
    expected: dict[int, float] = defaultdict(float)
    for gained, weight in origins(of, course, held, gone):
        expected[gained] += weight
    chance = Random(4)
    seen = Counter(draw_gained(of, course, held, gone, trumps, chance) for _ in range(3000))
    assert set(seen) <= set(expected)
    assert chi_square(seen, expected) > 0.001


def chi_square(seen: Counter[int], expected: dict[int, float]) -> float:
    scale = seen.total() / sum(expected.values())
    keys = sorted(expected)
    if len(keys) == 1:
        return 1.0
    observed = [seen[key] for key in keys]
    return float(stats.chisquare(observed, [expected[key] * scale for key in keys]).pvalue)
