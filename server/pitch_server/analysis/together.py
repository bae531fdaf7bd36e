"""Several tournaments rated together: a running ladder of entrants by name.

Here belong the skills that go on from one tournament to the next, and the order-free ratings over
all of their boards. Reading tournaments is not done here.
"""

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from pitch_server.analysis.following import MOST_WORK, in_order
from pitch_server.analysis.rounding import rounded
from pitch_server.comparing.measures import Measure, margin_measure
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Settings, Unit
from pitch_server.rating.field import Field
from pitch_server.rating.least_squares import Ratings, least_squares, work
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


class _Unit(NamedTuple):
    """In what margins are counted: only those of one unit can be set beside one another."""

    unit: Unit
    sides: int
    points: int
    members: int
    """Entrants of a side."""

    def __str__(self) -> str:
        of = f"{margin_measure(self.unit)} of {self.sides} sides"
        many = f", each of {self.members} entrants" if self.members > 1 else ""
        return f"{of} and {self.points} points{many}" if self.unit is Unit.HAND else f"{of}{many}"


class Together:
    """The ratings of tournaments, taken in one after the other in the order of time.

    TrueSkill goes by that order, each tournament with its own draw probability and tau, over its
    finished prefix. Least squares takes all whole boards of all of them alike that count margins
    in one unit: that of most of them, of as many the one that comes first.
    """

    def __init__(self, tournaments: Sequence[Settings], labels: Sequence[str]) -> None:
        """`labels` are what a reader knows the tournaments by."""
        self._settings = tuple(tournaments)
        self._keys = [tuple(map(_key, each.names)) for each in tournaments]
        told = {
            key: name
            for each, keys in zip(reversed(tournaments), reversed(self._keys), strict=True)
            for key, name in zip(keys, each.names, strict=True)
        }
        self._known_as = {key: told[key] for keys in self._keys for key in keys}
        self._skills = {key: Skill(mu=MU, sigma=SIGMA) for key in self._known_as}
        self._boards = dict.fromkeys(self._known_as, 0)
        self._entered = dict.fromkeys(self._known_as, 0)
        self._first = 0  # the number of the next tournament's first board in the field
        self._pairings: list[tuple[int, ...]] = []
        self._known: dict[tuple[int, ...], int] = {}
        self._place = {key: at for at, key in enumerate(self._known_as)}
        plans = [Plan(each) for each in tournaments]
        units = [_unit(each, plan) for each, plan in zip(tournaments, plans, strict=True)]
        self._unit = Counter(units).most_common(1)[0][0]
        self.counted = tuple(unit == self._unit for unit in units)
        self.left_out = tuple(
            f"{label} counts {unit}"
            for label, unit, counted in zip(labels, units, self.counted, strict=True)
            if not counted
        )
        self._scale = math.lcm(*(plan.scale for plan in plans))
        self._field = Field(
            len(self._known_as),
            self._pairings,
            self._scale,
            sides=self._unit.sides,
            in_order=all(
                not plan.duplicate or in_order(each, plan)
                for each, plan in zip(tournaments, plans, strict=True)
            ),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Every entrant of all of them, by the name that it had first."""
        return tuple(self._known_as.values())

    def add(self, at: int, results: Iterable[GameResult]) -> None:
        """Take in the tournament at that place, by its results in plan order."""
        settings, keys = self._settings[at], self._keys[at]
        plan = Plan(settings)
        table = TrueSkillTable(
            len(settings.names),
            settings.rating,
            default_draw_probability(settings.variant, settings.format),
        )
        for index, key in enumerate(keys):
            table.take(index, self._skills[key])
            self._entered[key] += 1
        last = -1
        for board in board_results(plan, settings.variant, settings.format.unit, results):
            if board.margins is not None:
                self._add_board(at, plan, board)
                last = max(last, self._number(plan, board))
            if board.complete and board.first == plan.due:
                if board.margins is not None:
                    table.update_teams(plan.teams(board.pairing), ranks(board.margins))
                plan.note(board.first, board.margins)
        self._first += last + 1
        for index, key in enumerate(keys):
            self._skills[key] = table.skill(index)

    def _number(self, plan: Plan, board: BoardResult) -> int:
        return board.board if plan.duplicate else board.first // plan.seatings

    def _add_board(self, at: int, plan: Plan, board: BoardResult) -> None:
        assert board.margins is not None  # noqa: S101 - its caller sees to it
        keys = [self._keys[at][entrant] for entrant in plan.pairings[board.pairing]]
        for key in keys:
            self._boards[key] += 1
        if not self.counted[at]:
            return
        times = self._scale // plan.scale
        self._field.add(
            self._first + self._number(plan, board),
            self._pairing(tuple(self._place[key] for key in keys)),
            [margin * times for margin in board.margins],
        )

    def _pairing(self, entrants: tuple[int, ...]) -> int:
        found = self._known.setdefault(entrants, len(self._pairings))
        if found == len(self._pairings):
            self._pairings.append(entrants)
        return found

    def document(self) -> dict[str, Any]:
        """The ladder as JSON, ranked as standings are."""
        sums = self._field.sums()
        rated = None if work(sums) > MOST_WORK else least_squares(sums)
        keys = list(self._known_as)
        order = sorted(
            range(len(keys)),
            key=lambda at: (-self._skills[keys[at]].conservative, self._known_as[keys[at]]),
        )
        return {
            "entrants": [self._row(rank, at, rated) for rank, at in enumerate(order, 1)],
            "measure": None if rated is None else str(self.measure),
            "better": None if rated is None else rounded(_better(rated, order)),
            "note": self._note(rated),
        }

    def _note(self, rated: Ratings | None) -> str | None:
        """What the order-free ratings are not made of."""
        if rated is None:
            return "no order-free rating: there are so many entrants that it would take hours"
        if not self.left_out:
            return None
        return (
            f"order-free ratings count {self._unit}; left out of them: {'; '.join(self.left_out)}"
        )

    @property
    def measure(self) -> Measure:
        """In what the order-free ratings are counted."""
        return margin_measure(self._unit.unit)

    def _row(self, rank: int, at: int, rated: Ratings | None) -> dict[str, Any]:
        key = list(self._known_as)[at]
        skill = self._skills[key]
        return {
            "rank": rank,
            "name": self._known_as[key],
            "tournaments": self._entered[key],
            "boards": self._boards[key],
            "trueskill": {
                "mu": skill.mu,
                "sigma": skill.sigma,
                "conservative": skill.conservative,
            },
            "rating": None if rated is None else rounded(rated.ratings[at]),
            "standard_error": None if rated is None else rounded(rated.standard_errors[at]),
            "group": None if rated is None else rated.groups[at],
        }


def _key(name: str) -> str:
    """What two spellings of one name have in common."""
    return unicodedata.normalize("NFC", name)


def _unit(settings: Settings, plan: Plan) -> _Unit:
    members = plan.players // plan.sides if settings.format.partners else 1
    return _Unit(settings.format.unit, plan.sides, settings.variant.total_points, members)


def _better(rated: Ratings, order: Sequence[int]) -> list[list[float | None]]:
    """The chance that the row's entrant is better than the column's."""
    table: list[list[float | None]] = []
    for one in order:
        differences = [None if one == other else rated.difference(one, other) for other in order]
        table.append([None if each is None else each.better for each in differences])
    return table
