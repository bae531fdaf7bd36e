"""Checkpoints: what was counted of a finished prefix of the plan, as JSON and back.

Here belongs the form of a tally that can be kept. Keeping it, and whether it may be used, does not.
A tally taken up from its checkpoint goes on exactly as the one that it was made of.
"""

from collections.abc import Mapping
from typing import Any

from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Settings
from pitch_server.rating.trueskill_rating import Skill
from pitch_server.scores.statistics import Moments
from pitch_server.scores.tally import Outcomes, PairingTally, Tally

__all__ = ["FORMAT", "checkpoint_json", "resumed"]

FORMAT = "pitch-checkpoint/1"
"""To be raised whenever something else is counted, or ratings move otherwise."""


def checkpoint_json(tally: Tally) -> dict[str, Any]:
    """What a tally has counted, if the games of its finished prefix are all that it has.

    Its digest is not in it: that follows from the games.
    """
    return {
        "format": FORMAT,
        "games": tally.due,
        "played": tally.played,
        "forfeited": tally.forfeited,
        "void": tally.void,
        "rated": tally.rated,
        "entrants": [
            {
                "games": _outcomes(entrant.games),
                "faults": dict(entrant.faults),
                "margins": _moments(entrant.margins),
                "skill": [tally.skills.skill(index).mu, tally.skills.skill(index).sigma],
            }
            for index, entrant in enumerate(tally.entrants)
        ],
        "pairings": [
            [index, *_pairing(pairing)]
            for index, pairing in enumerate(tally.pairings)
            if pairing.boards or pairing.void
        ],
    }


def resumed(settings: Settings, plan: Plan, state: Mapping[str, Any]) -> Tally:
    """The tally that a checkpoint was made of, but for its digest, which is that of no game.

    `plan` knows what follows from the games before. Raises KeyError, IndexError, TypeError or
    ValueError where there can be no such checkpoint.
    """
    tally = Tally(settings, plan)
    tally.due = _count(state["games"])
    tally.played, tally.forfeited, tally.void, tally.rated = (
        _count(state[key]) for key in ("played", "forfeited", "void", "rated")
    )
    for index, (entrant, row) in enumerate(zip(tally.entrants, state["entrants"], strict=True)):
        _take_outcomes(entrant.games, row["games"])
        entrant.faults.update({str(kind): _count(many) for kind, many in row["faults"].items()})
        _take_moments(entrant.margins, row["margins"])
        mu, sigma = row["skill"]
        tally.skills.take(index, Skill(mu=float(mu), sigma=float(sigma)))
    for index, boards, void, teams in state["pairings"]:
        pairing = tally.pairings[index]
        pairing.boards, pairing.void = _count(boards), _count(void)
        for team, (outcomes, moments) in zip(pairing.teams, teams, strict=True):
            _take_outcomes(team.boards, outcomes)
            _take_moments(team.margins, moments)
    return tally


def _pairing(pairing: PairingTally) -> list[Any]:
    teams = [[_outcomes(team.boards), _moments(team.margins)] for team in pairing.teams]
    return [pairing.boards, pairing.void, teams]


def _outcomes(outcomes: Outcomes) -> list[int]:
    return [outcomes.wins, outcomes.draws, outcomes.losses]


def _moments(moments: Moments) -> list[int]:
    return [moments.count, moments.total, moments.squares]


def _take_outcomes(outcomes: Outcomes, row: Any) -> None:
    outcomes.wins, outcomes.draws, outcomes.losses = map(_count, row)


def _take_moments(moments: Moments, row: Any) -> None:
    moments.count, moments.total, moments.squares = map(int, row)


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"expected a number of something, got {value!r:.40}")
    return value
