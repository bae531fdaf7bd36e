"""Several tournaments rated together: a running ladder of entrants by name.

Here belong the skills that go on from one tournament to the next, and the order-free ratings over
all of their boards. Reading tournaments is not done here.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from pitch_server.analysis.following import in_order
from pitch_server.analysis.rounding import rounded
from pitch_server.comparing.measures import Measure, margin_measure
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Settings
from pitch_server.rating.field import Field
from pitch_server.rating.least_squares import Ratings, least_squares
from pitch_server.rating.trueskill_rating import (
    MU,
    SIGMA,
    Skill,
    TrueSkillTable,
    default_draw_probability,
)
from pitch_server.scores.boards import BoardResult, board_results
from pitch_server.scores.results import GameResult, ranks

__all__ = ["Together"]


class Together:
    """The ratings of tournaments, taken in one after the other in the order of time.

    TrueSkill goes by that order, each tournament with its own draw probability and tau, over its
    finished prefix. Least squares takes all whole boards of all of them alike.
    """

    def __init__(self, tournaments: Sequence[Settings]) -> None:
        self._settings = tuple(tournaments)
        self.names = tuple(dict.fromkeys(name for each in tournaments for name in each.names))
        self._skills = {name: Skill(mu=MU, sigma=SIGMA) for name in self.names}
        self._boards = dict.fromkeys(self.names, 0)
        self._entered = dict.fromkeys(self.names, 0)
        self._first = 0  # the number of the next tournament's first board in the field
        self._pairings: list[tuple[int, ...]] = []
        self._known: dict[tuple[int, ...], int] = {}
        self._place = {name: at for at, name in enumerate(self.names)}
        self.note = _apart(tournaments)
        plans = [(each, Plan(each)) for each in tournaments]
        self._scale = math.lcm(*(plan.scale for _, plan in plans))
        self._field = Field(
            len(self.names),
            self._pairings,
            self._scale,
            in_order=all(not plan.duplicate or in_order(each, plan) for each, plan in plans),
        )

    def add(self, at: int, results: Iterable[GameResult]) -> None:
        """Take in the tournament at that place, by its results in plan order."""
        settings = self._settings[at]
        plan = Plan(settings)
        table = TrueSkillTable(
            len(settings.names),
            settings.rating,
            default_draw_probability(settings.variant, settings.format),
        )
        for index, name in enumerate(settings.names):
            table.take(index, self._skills[name])
            self._entered[name] += 1
        last = -1
        for board in board_results(plan, settings.variant, settings.format.unit, results):
            if board.margins is not None:
                self._add_board(settings, plan, board)
                last = max(last, self._number(plan, board))
            if board.complete and board.first == plan.due:
                if board.margins is not None:
                    table.update_teams(plan.teams(board.pairing), ranks(board.margins))
                plan.note(board.first, board.margins)
        self._first += last + 1
        for index, name in enumerate(settings.names):
            self._skills[name] = table.skill(index)

    def _number(self, plan: Plan, board: BoardResult) -> int:
        return board.board if plan.duplicate else board.first // plan.seatings

    def _add_board(self, settings: Settings, plan: Plan, board: BoardResult) -> None:
        assert board.margins is not None  # noqa: S101 - its caller sees to it
        for entrant in plan.pairings[board.pairing]:
            self._boards[settings.names[entrant]] += 1
        if self.note is not None:
            return
        teams = plan.teams(board.pairing)
        pairing = tuple(self._place[settings.names[team[0]]] for team in teams)
        times = self._scale // plan.scale
        self._field.add(
            self._first + self._number(plan, board),
            self._pairing(pairing),
            [margin * times for margin in board.margins],
        )

    def _pairing(self, entrants: tuple[int, ...]) -> int:
        found = self._known.setdefault(entrants, len(self._pairings))
        if found == len(self._pairings):
            self._pairings.append(entrants)
        return found

    def document(self) -> dict[str, Any]:
        """The ladder as JSON, ranked as standings are."""
        rated = None if self.note is not None else least_squares(self._field.sums())
        order = sorted(
            range(len(self.names)),
            key=lambda at: (-self._skills[self.names[at]].conservative, self.names[at]),
        )
        return {
            "entrants": [self._row(rank, at, rated) for rank, at in enumerate(order, 1)],
            "measure": None if rated is None else str(self.measure),
            "better": None if rated is None else rounded(_better(rated, order)),
            "note": self.note,
        }

    @property
    def measure(self) -> Measure:
        """In what the order-free ratings are counted."""
        return margin_measure(self._settings[0].format.unit)

    def _row(self, rank: int, at: int, rated: Ratings | None) -> dict[str, Any]:
        name = self.names[at]
        skill = self._skills[name]
        return {
            "rank": rank,
            "name": name,
            "tournaments": self._entered[name],
            "boards": self._boards[name],
            "trueskill": {
                "mu": skill.mu,
                "sigma": skill.sigma,
                "conservative": skill.conservative,
            },
            "rating": None if rated is None else rounded(rated.ratings[at]),
            "standard_error": None if rated is None else rounded(rated.standard_errors[at]),
            "group": None if rated is None else rated.groups[at],
        }


def _apart(tournaments: Sequence[Settings]) -> str | None:
    """Why margins of these tournaments can't be set beside one another; None if they can."""
    if any(each.format.partners for each in tournaments):
        return "no order-free rating: in a tournament sides have several entrants"
    kinds = {
        (each.format.unit, each.variant.sides, each.variant.total_points) for each in tournaments
    }
    if len(kinds) > 1:
        return (
            "no order-free rating: the tournaments count margins in different units (by the hand "
            "and by the game, or variants of different sides or points)"
        )
    return None


def _better(rated: Ratings, order: Sequence[int]) -> list[list[float | None]]:
    """The chance that the row's entrant is better than the column's."""
    table: list[list[float | None]] = []
    for one in order:
        differences = [None if one == other else rated.difference(one, other) for other in order]
        table.append([None if each is None else each.better for each in differences])
    return table
