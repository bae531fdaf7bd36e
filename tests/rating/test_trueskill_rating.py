import math
from random import Random

import pytest
import trueskill

from pitch.rules.catalog import VARIANTS
from pitch.rules.variant import Variant
from pitch_server.plan.settings import Deals, FormatSettings, RatingSettings, Unit
from pitch_server.rating.trueskill_rating import TrueSkillTable, default_draw_probability


@pytest.mark.parametrize("tau", [0.0, 0.1])
@pytest.mark.parametrize(
    "teams",
    [
        pytest.param(((0,), (1,)), id="two"),
        pytest.param(((0, 2), (1, 3)), id="partners"),
        pytest.param(((0,), (1,), (2,)), id="three"),
    ],
)
def test_updates_are_those_of_the_package(teams: tuple[tuple[int, ...], ...], tau: float) -> None:
    table = TrueSkillTable(4, RatingSettings(draw_probability=0.2, tau=tau), 0.9)
    env = trueskill.TrueSkill(tau=tau, draw_probability=0.2)
    ratings = [env.create_rating() for _ in range(4)]
    chance = Random(5)
    for _ in range(200):
        ranks = [chance.choice((0, 0, 1)) for _ in teams]
        table.update_teams(teams, ranks)
        moved = env.rate([tuple(ratings[each] for each in team) for team in teams], ranks=ranks)
        for team, new in zip(teams, moved, strict=True):
            for entrant, rating in zip(team, new, strict=True):
                ratings[entrant] = rating
    for entrant, rating in enumerate(ratings):
        skill = table.skill(entrant)
        assert (skill.mu, skill.sigma) == pytest.approx((rating.mu, rating.sigma), rel=1e-9)


def test_skills_go_on_from_elsewhere() -> None:
    one, other = (TrueSkillTable(2, RatingSettings(), 0.1) for _ in range(2))
    one.update((0, 1), (0, 1))
    for entrant in range(2):
        other.take(entrant, one.skill(entrant))
    one.update((0, 1), (0, 1))
    other.update((0, 1), (0, 1))
    assert one.skill(0) == other.skill(0)


def test_nobody_moves_by_what_is_not_his() -> None:
    table = TrueSkillTable(4, RatingSettings(), 0.1)
    table.update((1, 3, 0), (2, 0, 1))
    skills = [table.skill(entrant).mu for entrant in range(4)]
    assert skills[2] == 25
    assert skills[3] > skills[0] > skills[1]


def test_a_new_entrant_has_a_conservative_skill_of_zero() -> None:
    assert TrueSkillTable(1, RatingSettings(), 0.1).skill(0).conservative == 0


def test_without_tau_certainty_only_grows_and_with_it_there_is_a_floor() -> None:
    closed, opened = (
        TrueSkillTable(2, RatingSettings(), 0.1),
        TrueSkillTable(2, RatingSettings(tau=0.5), 0.1),
    )
    for turn in range(300):
        closed.update((0, 1), (turn % 2, (turn + 1) % 2))
        opened.update((0, 1), (turn % 2, (turn + 1) % 2))
    assert closed.skill(0).sigma < opened.skill(0).sigma


def test_a_hopeless_opponent_breaks_nothing() -> None:
    table = TrueSkillTable(2, RatingSettings(tau=20, draw_probability=0.001), 0.1)
    for _ in range(3000):
        table.update((0, 1), (0, 1))
    for _ in range(20):
        table.update((0, 1), (1, 0))
        table.update((0, 1), (0, 0))
    for entrant in range(2):
        assert math.isfinite(table.skill(entrant).mu)
        assert table.skill(entrant).sigma > 0


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("unit", Unit)
@pytest.mark.parametrize("deals", Deals)
def test_the_draw_probability_is_never_nought(variant: Variant, unit: Unit, deals: Deals) -> None:
    form = FormatSettings(unit=unit, deals=deals)
    assert 0.001 < default_draw_probability(variant, form) <= 0.5
