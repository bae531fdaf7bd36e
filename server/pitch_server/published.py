"""The standings as they may be told now: with the seed only once the tournament is over.

Here belongs reading a journal for its standings; what they are is `scores`' business.
"""

from collections.abc import Mapping

from pitch_server.plan.games import Plan
from pitch_server.planned import within_plan
from pitch_server.scores.standings import standings
from pitch_server.store.journal import Journal

__all__ = ["DONE", "LOOK_AT_IT", "exit_status", "published_standings"]

DONE = 0
LOOK_AT_IT = 1


def published_standings(journal: Journal, *, revealed: bool = False) -> dict[str, object]:
    """The standings by what is on disk; `revealed`: those of the end, which tell the seed."""
    with within_plan(journal):
        return standings(
            journal.settings,
            Plan(journal.settings),
            journal.results(),
            commitment=journal.commitment,
            seed=journal.seed if revealed else journal.published_seed(),
        )


def exit_status(final: Mapping[str, object]) -> int:
    """0, or 1 where games are void or were forfeited by absence."""
    games, entrants = final["games"], final["entrants"]
    assert isinstance(games, dict)  # noqa: S101 - our own document
    assert isinstance(entrants, list)  # noqa: S101 - our own document
    absent = any(row["faults"]["absent"] for row in entrants)
    return LOOK_AT_IT if games["void"] or absent else DONE
