"""TrueSkill over board results in plan order.

Here belong the update of one result and the choice of the draw probability. Which boards count,
and in which order, is decided in `pitch_server.scores`: the finished prefix of the plan only.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import trueskill

from pitch.rules.variant import Variant
from pitch_server.plan.settings import Deals, FormatSettings, RatingSettings, Unit

__all__ = ["Skill", "TrueSkillTable", "default_draw_probability"]

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """What TrueSkill believes of an entrant."""

    mu: float
    sigma: float

    @property
    def conservative(self) -> float:
        """The skill that the entrant very likely has at least."""
        return self.mu - 3 * self.sigma


def default_draw_probability(variant: Variant, form: FormatSettings) -> float:
    """How often a board between equals is drawn, roughly: never 0 (comparison.md).

    By the game, a duplicate board is drawn when its tables go to different entrants, as half of
    them do between equals; a single game only at the limit on hands. By the hand a margin of 0
    is the rarer the more points there are to score: of four, about 6 % of single hands and 20 %
    of duplicate boards between sensible bots.
    """
    duplicate = form.deals is Deals.DUPLICATE
    if form.unit is Unit.GAME:
        return 0.5 if duplicate else 0.01
    return (0.8 if duplicate else 0.25) / variant.total_points


class TrueSkillTable:
    """The skills of a tournament's entrants, moved by one result after the other."""

    def __init__(self, entrants: int, rating: RatingSettings, default_draw: float) -> None:
        chance = rating.draw_probability
        self._env = trueskill.TrueSkill(
            mu=MU,
            sigma=SIGMA,
            beta=BETA,
            tau=rating.tau,
            draw_probability=default_draw if chance is None else chance,
        )
        self.entrants = entrants
        self._mu = [MU] * entrants
        self._sigma = [SIGMA] * entrants
        self._draw_margins: dict[int, float] = {}

    def update(self, entrants: Sequence[int], ranks: Sequence[int]) -> None:
        """Take in that these entrants came in with these ranks, 0 the best, equal for a draw."""
        self.update_teams([(entrant,) for entrant in entrants], ranks)

    def update_teams(self, teams: Sequence[Sequence[int]], ranks: Sequence[int]) -> None:
        """The same of teams, of which each entrant has the skill of its own.

        A result so far from what is believed that the update can't be computed leaves all as
        it is.
        """
        try:
            if len(teams) == 2:
                self._update_two(teams, ranks)
            else:
                self._update_many(teams, ranks)
        except (FloatingPointError, ValueError):  # beyond what numbers can say
            return

    def _update_two(self, teams: Sequence[Sequence[int]], ranks: Sequence[int]) -> None:
        """Of two teams the package's factor graph has this closed form, at a tenth of the time."""
        env = self._env
        best, other = teams if ranks[0] <= ranks[1] else reversed(teams)
        members = (*best, *other)
        variances = [self._sigma[each] ** 2 + env.tau**2 for each in members]
        spread = math.sqrt(sum(variances) + len(members) * BETA**2)
        ahead = sum(self._mu[each] for each in best) - sum(self._mu[each] for each in other)
        drawn = ranks[0] == ranks[1]
        at, margin = ahead / spread, self._draw_margin(len(members)) / spread
        v = (env.v_draw if drawn else env.v_win)(at, margin)
        w = (env.w_draw if drawn else env.w_win)(at, margin)
        for place, (each, variance) in enumerate(zip(members, variances, strict=True)):
            move = variance / spread * v
            self._mu[each] += move if place < len(best) else -move
            self._sigma[each] = math.sqrt(variance * (1 - variance / spread**2 * w))

    def _draw_margin(self, members: int) -> float:
        found = self._draw_margins.get(members)
        if found is None:
            chance = self._env.draw_probability
            found = trueskill.calc_draw_margin(chance, members, self._env)
            self._draw_margins[members] = found
        return found

    def _update_many(self, teams: Sequence[Sequence[int]], ranks: Sequence[int]) -> None:
        create = self._env.create_rating
        groups = [tuple(create(self._mu[each], self._sigma[each]) for each in t) for t in teams]
        moved = self._env.rate(groups, ranks=list(ranks))
        for team, ratings in zip(teams, moved, strict=True):
            for entrant, rating in zip(team, ratings, strict=True):
                self._mu[entrant], self._sigma[entrant] = float(rating.mu), float(rating.sigma)

    def take(self, entrant: int, skill: Skill) -> None:
        """Have an entrant begin, or go on, with a skill from elsewhere."""
        self._mu[entrant], self._sigma[entrant] = skill.mu, skill.sigma

    def skill(self, entrant: int) -> Skill:
        """What is believed of an entrant now."""
        return Skill(mu=self._mu[entrant], sigma=self._sigma[entrant])
