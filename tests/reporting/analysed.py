"""Documents with all their parts, of real numbers from a small tournament's journal.

Here belongs what a report needs of an analysis, for pairings of two entrants, put together from
the rooms that reckon it.
"""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pitch_server.comparing.confidence import running_interval
from pitch_server.comparing.fixed_size import Luck, fixed_size
from pitch_server.comparing.many_pairings import holm
from pitch_server.comparing.measures import margin_measure
from pitch_server.plan.games import Plan
from pitch_server.published import published_standings
from pitch_server.rating.field import Field
from pitch_server.rating.least_squares import Ratings, least_squares
from pitch_server.rating.ranks import ranks_by_resampling
from pitch_server.rating.trueskill_rating import TrueSkillTable, default_draw_probability
from pitch_server.scores.boards import BoardResult, board_results
from pitch_server.scores.results import ranks, side_scores
from pitch_server.scores.statistics import Moments
from pitch_server.store.journal import Journal

Json = dict[str, Any]


def analysed(journal: Journal) -> Json:
    """The standings with their analysis."""
    return {**published_standings(journal), "analysis": analysis(journal)}


def analysis(journal: Journal) -> Json:
    settings, plan = journal.settings, Plan(journal.settings)
    unit = settings.format.unit
    boards = list(board_results(plan, settings.variant, unit, journal.results()))
    counted = [board for board in boards if board.margins is not None]
    field = Field(len(settings.names), plan.pairings, plan.scale, resamples=300, seed=1)
    for board in sorted(counted, key=lambda each: each.board):
        field.add(board.board, board.pairing, board.margins or ())
    rated, names = least_squares(field.sums()), settings.names
    chances = ranks_by_resampling(field.sums())
    size = range(len(names))
    return {
        "measure": str(margin_measure(unit)),
        "alpha": 0.05,
        "pairings": _pairings(journal, plan, boards),
        "ratings": [
            {
                "name": names[one],
                "rating": rated.ratings[one],
                "standard_error": rated.standard_errors[one],
                "group": rated.groups[one],
            }
            for one in size
        ],
        "better": [[_better(rated, one, other) for other in size] for one in size],
        "ranks": {
            "resamples": chances.resamples,
            "chances": [
                {"name": names[one], "chances": chances.chances[one] or [None] * len(names)}
                for one in size
            ],
        },
        "cycles": {"warning": None, "cycle": None, "share": None, "excess": None},
        "trueskill_curve": _curves(journal, plan, counted),
        "play": _play(journal, plan),
    }


def _better(rated: Ratings, one: int, other: int) -> float | None:
    found = None if one == other else rated.difference(one, other)
    return None if found is None else found.better


def _pairings(journal: Journal, plan: Plan, boards: Sequence[BoardResult]) -> list[Json]:
    names, measure = journal.settings.names, margin_measure(journal.settings.format.unit)
    found: list[Json] = []
    for pairing, team in enumerate(plan.pairings):
        mine = [board for board in boards if board.pairing == pairing]
        moments, luck = Moments(plan.scale), _luck(journal, plan, mine)
        margins = [board.margins[0] for board in mine if board.margins is not None]
        for margin in margins:
            moments.add(margin)
        fixed = fixed_size(moments, names[team[0]], measure)
        running = running_interval(moments, names[team[0]], measure)
        found.append(
            {
                "entrants": [names[entrant] for entrant in team],
                "boards": len(margins),
                "void": sum(board.void for board in mine),
                "faulted": sum(any(game.faults for game in board.results) for board in mine),
                "point_of_view": names[team[0]],
                "mean": fixed.mean,
                "sd": fixed.sd,
                "standard_error": fixed.standard_error,
                "ci95": fixed.interval and list(fixed.interval),
                "effect": fixed.effect,
                "p_value": fixed.p_value,
                "running": running.interval and list(running.interval),
                "luck_removed": luck.removed,
                "deals_worth": luck.deals_worth,
                "histogram": _histogram([margin / plan.scale for margin in margins]),
            }
        )
    for row, mark in zip(found, holm([each["p_value"] for each in found]), strict=True):
        row["holm"] = {"adjusted": mark.adjusted, "significant": mark.significant}
    return found


def _luck(journal: Journal, plan: Plan, boards: Sequence[BoardResult]) -> Luck:
    """Of the first of a pairing, by what it scored at each table."""
    luck = Luck(plan.seatings)
    for board in boards:
        if board.margins is None:
            continue
        tables = []
        for game in board.results:
            scores = side_scores(game, journal.settings.variant)
            side = [plan.team(plan[game.number].seating, each) for each in (0, 1)].index(0)
            tables.append(scores[side] - scores[1 - side])
        luck.add(tables)
    return luck


def _play(journal: Journal, plan: Plan) -> list[Json]:
    """What the records say of each entrant."""
    names = journal.settings.names
    pitched = [Counter[str]() for _ in names]
    points = [Counter[str]() for _ in names]
    sets = [0] * len(names)
    for stored in journal.records():
        seats = plan[stored.number].seats
        for hand in json.loads(stored.record)["hands"]:
            if (result := hand.get("result")) is None:
                continue
            pitcher = seats[result["pitcher"]]
            pitched[pitcher][str(result["bid"])] += 1
            sets[pitcher] += not result["made"]
            for kind, side in result["won"].items():
                if side is not None:
                    points[seats[side]][kind] += 1
    return [
        {
            "name": name,
            "hands_pitched": (hands := pitched[entrant].total()),
            "set": sets[entrant],
            "set_rate": sets[entrant] / hands if hands else None,
            "bids": dict(sorted(pitched[entrant].items())),
            "points": dict(sorted(points[entrant].items())),
        }
        for entrant, name in enumerate(names)
    ]


def _histogram(margins: Sequence[float]) -> Json | None:
    if not margins:
        return None
    counts = Counter(round(margin) for margin in margins)
    first, last = min(counts), max(counts)
    return {
        "from": first - 0.5,
        "step": 1.0,
        "counts": [counts[value] for value in range(first, last + 1)],
    }


def _curves(journal: Journal, plan: Plan, counted: Sequence[BoardResult]) -> list[Json]:
    settings = journal.settings
    draw = default_draw_probability(settings.variant, settings.format)
    table = TrueSkillTable(len(settings.names), settings.rating, draw)
    points: list[list[list[float]]] = [[] for _ in settings.names]
    step = max(1, len(counted) // 60)
    for number, board in enumerate(counted, 1):
        table.update_teams(plan.teams(board.pairing), ranks(board.margins or ()))
        if number % step == 0 or number == len(counted):
            for entrant, row in enumerate(points):
                skill = table.skill(entrant)
                row.append([number, skill.mu, skill.sigma])
    return [{"name": name, "points": row} for name, row in zip(settings.names, points, strict=True)]
