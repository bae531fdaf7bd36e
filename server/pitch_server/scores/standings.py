"""Standings: the published table of a tournament, from plan and results alone.

Here belongs the JSON that `pitch standings --json` prints; its keys are a contract. Counting is
`tally`, drawing a table for people is not here. No time, path or number of tables gets in.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from pitch.rules.catalog import variant_fields
from pitch.table.faults import Fault
from pitch_server.plan.games import Plan
from pitch_server.plan.separated import UntilSeparated
from pitch_server.plan.settings import Settings
from pitch_server.scores.results import GameResult
from pitch_server.scores.swiss_table import swiss_json
from pitch_server.scores.tally import MarginTally, PairingTally, Tally, tally

__all__ = ["standings", "standings_of"]

FAULTS = (
    Fault.TIMEOUT,
    Fault.ILLEGAL,
    Fault.MALFORMED,
    Fault.DISCONNECT,
    Fault.ABSENT,
    Fault.ERROR,
)


def standings(
    settings: Settings,
    plan: Plan,
    results: Iterable[GameResult],
    *,
    commitment: str,
    seed: str | None,
) -> dict[str, Any]:
    """The standings as JSON, from results in plan order.

    `seed` is that of a tournament whose seed is revealed, else None.
    """
    return standings_of(tally(settings, plan, results), commitment=commitment, seed=seed)


def standings_of(counted: Tally, *, commitment: str, seed: str | None) -> dict[str, Any]:
    """The standings as JSON, from what has been counted."""
    settings, plan = counted.settings, counted.plan
    return {
        "tournament": settings.name,
        "variant": variant_fields(settings.variant),
        "seed": seed,
        "commitment": commitment,
        "digest": counted.digest.hex(),
        "complete": plan.settled and counted.played + counted.void == len(plan),
        "isolation": str(settings.format.isolation),
        "games": {
            "planned": plan.total,
            "played": counted.played,
            "rated": counted.rated,
            "forfeited": counted.forfeited,
            "void": counted.void,
            **({} if plan.total_is_final else {"at_most": True}),
        },
        "entrants": _entrants(counted),
        "pairings": _pairings(counted),
        **swiss_json(plan, settings.names),
    }


def _entrants(counted: Tally) -> list[dict[str, Any]]:
    """Ranked by conservative rating, then points a board, then name."""
    rows = [_entrant(counted, index) for index in range(len(counted.entrants))]
    rows.sort(key=_standing)
    return [{"rank": rank, **row} for rank, row in enumerate(rows, 1)]


def _standing(row: dict[str, Any]) -> tuple[float, float, str]:
    points = row["points_per_board"]
    lowest = float("inf")
    return (
        -row["trueskill"]["conservative"],
        lowest if points is None else -points,
        row["name"],
    )


def _entrant(counted: Tally, index: int) -> dict[str, Any]:
    entrant, skill = counted.entrants[index], counted.skills.skill(index)
    return {
        "name": counted.settings.entrants[index].name,
        "games": entrant.games.total,
        "wins": entrant.games.wins,
        "draws": entrant.games.draws,
        "losses": entrant.games.losses,
        "points_per_board": entrant.margins.mean,
        "trueskill": {
            "mu": skill.mu,
            "sigma": skill.sigma,
            "conservative": skill.conservative,
        },
        "faults": {str(kind): entrant.faults[kind] for kind in FAULTS},
    }


def _pairings(counted: Tally) -> list[dict[str, Any]]:
    rows = [_pairing(counted, index) for index in range(len(counted.pairings))]
    if isinstance(counted.plan.format, UntilSeparated):
        for row, one in zip(rows, counted.plan.format.results(), strict=True):
            better = None if not one.better else row["entrants"][0 if one.better > 0 else 1]
            row["separation"] = {"better": better, "p_value": one.adjusted}
    return rows


def _pairing(counted: Tally, index: int) -> dict[str, Any]:
    pairing: PairingTally = counted.pairings[index]
    sides = [_side(counted, team) for team in counted.plan.teams(index)]
    return {
        "entrants": sides,
        "boards": pairing.boards,
        "void": pairing.void,
        "margins": [
            _margin(side, margin) for side, margin in zip(sides, pairing.teams, strict=True)
        ],
    }


def _side(counted: Tally, team: Sequence[int]) -> str | list[str]:
    """The entrant that plays a side, or the names of those who are partners."""
    names = [counted.settings.entrants[entrant].name for entrant in team]
    return names if counted.settings.format.partners else names[0]


def _margin(name: str | list[str], margin: MarginTally) -> dict[str, Any]:
    summary = margin.margins.summary()
    return {
        "name": name,
        "mean": summary.mean,
        "sd": summary.sd,
        "standard_error": summary.standard_error,
        "ci95": None if summary.interval is None else list(summary.interval),
        "wins": margin.boards.wins,
        "draws": margin.boards.draws,
        "losses": margin.boards.losses,
    }
