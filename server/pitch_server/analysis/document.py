"""The document of a tournament: standings, settings, byes, and what its statistics say.

Here belong the keys (docs/analysis.md) and which statistic stands under which. The statistics are
those of `comparing`, `rating` and `scores`; drawing them is not done here.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pitch_server.analysis.following import Following, PairingStudy, depends_on_results, follow
from pitch_server.analysis.habits import Habits
from pitch_server.analysis.meetings import meetings
from pitch_server.analysis.ranking import ranking
from pitch_server.analysis.rounding import rounded
from pitch_server.comparing.confidence import asymptotic_interval
from pitch_server.comparing.fixed_size import fixed_size
from pitch_server.comparing.many_pairings import holm
from pitch_server.comparing.measures import Measure, margin_measure
from pitch_server.comparing.resampling import resampling_seed
from pitch_server.comparing.verdicts import Ending, fixed_json, inquiry_json
from pitch_server.plan.games import Plan
from pitch_server.plan.round_robin import RoundRobin
from pitch_server.plan.settings import Settings, settings_json
from pitch_server.scores.results import GameResult
from pitch_server.scores.standings import standings_of
from pitch_server.scores.statistics import Moments

__all__ = [
    "ALPHA",
    "MEASURED",
    "RESAMPLES",
    "analyse",
    "document_of",
    "following_of",
    "standings_part",
]

ALPHA = 0.05
MEASURED = "measured"
"""The key of what was measured: no recomputation gives it, and no two runs have the same."""
RESAMPLES = 1000
_MOST_BINS = 60
_BESIDE = ("format", "byes", "analysis", MEASURED)


def analyse(
    settings: Settings,
    plan: Plan,
    results: Iterable[GameResult],
    *,
    commitment: str,
    seed: str | None,
    plays: Iterable[tuple[int, str]] | None = None,
    resamples: int = RESAMPLES,
    stopped: bool = False,
) -> dict[str, Any]:
    """The document, from results in plan order; the plan takes them in.

    `plays` are (number, line) of games (`scores.hands`), for what entrants bid and took: None
    leaves that out. They are read once the results are. `seed` is that of a tournament whose seed
    is revealed. Fewer `resamples` are quicker, none leaves the chances of ranks out.
    `stopped`: by hand, and not gone on with.
    """
    following = follow(
        settings, plan, results, resamples=resamples, seed=resampling_seed(commitment)
    )
    habits = None
    if plays is not None:
        habits = Habits(len(settings.entrants), settings.variant)
        for number, play in plays:
            habits.add(plan[number].seats, play)
    return document_of(following, habits, commitment=commitment, seed=seed, stopped=stopped)


def standings_part(document: Mapping[str, Any]) -> dict[str, Any]:
    """The standings in it: those of cli.md, whose digest is kept at the end."""
    return {key: value for key, value in document.items() if key not in _BESIDE}


def following_of(
    settings: Settings, plan: Plan, commitment: str, resamples: int = RESAMPLES
) -> Following:
    """What boards can be fed into one by one, for `document_of` at any time."""
    return Following(settings, plan, resamples=resamples, seed=resampling_seed(commitment))


def document_of(
    following: Following,
    played: Habits | None,
    *,
    commitment: str,
    seed: str | None,
    stopped: bool = False,
) -> dict[str, Any]:
    """The document of what has been followed. The standings in it are not rounded."""
    table = standings_of(following.tally, commitment=commitment, seed=seed)
    names = [row["name"] for row in table["entrants"]]
    order = [following.settings.names.index(name) for name in names]
    frozen = settings_json(following.settings)
    form = {key: frozen[key] for key in ("clock", "faults", "rating")}
    alpha = following.settings.format.error_rate or ALPHA  # until separated it is said
    said: dict[str, Any] = {
        "measure": str(margin_measure(following.settings.format.unit)),
        "alpha": alpha,
        "pairings": _pairings(following, table["pairings"], alpha),
        "meetings": meetings(table["pairings"], names, following.settings.format.unit),
        **ranking(following, names, alpha),
        "trueskill_curve": _curves(following, names),
        "play": None if played is None else played.rows(names, order),
    }
    if following.inquiry is not None:
        ending = Ending.BY_HAND if stopped else Ending.OPEN
        if seed is not None:
            ending = Ending.MOST_BOARDS if table["complete"] else Ending.CLOSED
        said["comparison"] = inquiry_json(following.inquiry.state(), ending)
    elif table["complete"] and (fixed := _fixed(following)) is not None:
        said["comparison"] = fixed
    return {
        **table,
        "format": {**frozen["format"], **form},
        **_byes(following),
        "analysis": rounded(said),
    }


# --- pairings ---------------------------------------------------------------------------------


def _pairings(
    following: Following, tables: Sequence[Mapping[str, Any]], alpha: float
) -> list[dict[str, Any]]:
    """A row for each pairing of two; of more sides one for each side, all of one family."""
    measure = margin_measure(following.settings.format.unit)
    rows = []
    for index, table in enumerate(tables):
        study, tallied = following.study(index), following.tally.pairings[index]
        for view in range(len(study.prefix)):
            moments = tallied.teams[view].margins
            row = _pairing(table, study, view, moments, measure)
            row["running"] = asymptotic_interval(study.prefix[view], alpha=alpha)
            row["histogram"] = _histogram(study.spread[view], following.plan.scale)
            rows.append(row)
    marks = holm([row["p_value"] for row in rows], alpha)
    for row, mark in zip(rows, marks, strict=True):
        row["holm"] = mark._asdict()
    return rows


def _pairing(
    table: Mapping[str, Any],
    study: PairingStudy,
    view: int,
    moments: Moments,
    measure: Measure,
) -> dict[str, Any]:
    name = table["entrants"][view]
    fixed = fixed_size(moments, name, measure)
    luck = study.luck[view] if study.luck else None
    anytime = study.evidence
    return {
        "entrants": table["entrants"],
        "boards": fixed.boards,
        "void": table["void"],
        "faulted": study.faulted,
        "point_of_view": name,
        "mean": fixed.mean,
        "sd": fixed.sd,
        "standard_error": fixed.standard_error,
        "ci95": fixed.interval,
        "effect": fixed.effect,
        "p_value": fixed.p_value if anytime is None else anytime.p_value,
        "anytime": anytime is not None,
        "running_boards": study.prefix[view].count,
        "luck_removed": None if luck is None else luck.removed,
        "deals_worth": None if luck is None else luck.deals_worth,
    }


def _fixed(following: Following) -> dict[str, Any] | None:
    """What the boards of two entrants say, if their number was fixed beforehand."""
    form, names = following.settings.format, following.settings.names
    if (len(names), following.plan.sides) != (2, 2) or depends_on_results(form):
        return None
    moments = following.tally.pairings[0].teams[0].margins
    return fixed_json(
        fixed_size(moments, names[0], margin_measure(form.unit)), names[1], form.boards
    )


def _histogram(spread: Mapping[int, int], scale: int) -> dict[str, Any] | None:
    """How many boards have a margin from `from` + i steps up to, but not with, one step more."""
    if not spread:
        return None
    low, high = min(spread), max(spread)
    width = math.ceil((high - low + 1) / _MOST_BINS)
    low = low // width * width
    counts = [0] * ((high - low) // width + 1)
    for margin, boards in spread.items():
        counts[(margin - low) // width] += boards
    return {"from": low / scale, "step": width / scale, "counts": counts}


# --- the rest ---------------------------------------------------------------------------------


def _curves(following: Following, names: Sequence[str]) -> list[dict[str, Any]]:
    rows = []
    for name in names:
        entrant = following.settings.names.index(name)
        now = following.tally.skills.skill(entrant)
        points = following.curves[entrant].points(now.mu, now.sigma)
        rows.append({"name": name, "points": [list(point) for point in points]})
    return rows


def _byes(following: Following) -> dict[str, Any]:
    """Who has a bye in which round of the circle; a swiss tells its own in the standings."""
    pairings, names = following.plan.pairings, following.settings.names
    if not (isinstance(pairings, RoundRobin) and pairings.entrants % 2 and pairings.rounds):
        return {}
    return {
        "byes": [
            {"round": turn + 1, "byes": [names[each] for each in pairings.byes(turn)]}
            for turn in range(pairings.rounds)
        ]
    }
