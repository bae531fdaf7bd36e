"""The standings as they may be told now: with the seed only once the tournament is over.

Here belongs reading a journal for its standings; what they are is `scores`' business.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pitch_server.plan.games import Plan
from pitch_server.planned import within_plan
from pitch_server.scores.standings import standings
from pitch_server.store.errors import Damaged
from pitch_server.store.journal import Journal

__all__ = [
    "DONE",
    "LOOK_AT_IT",
    "exit_status",
    "parsed_record",
    "published_analysis",
    "published_standings",
    "shown_standings",
]

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


def published_analysis(
    journal: Journal, *, revealed: bool = False, records: bool = True, resamples: int | None = None
) -> dict[str, Any]:
    """The whole document by what is on disk (docs/analysis.md), standings and all.

    Without `records` what entrants bid and took is left out, which takes longest to read.
    """
    from pitch_server.analysis.document import RESAMPLES, analyse  # NumPy takes a while
    from pitch_server.analysis.errors import Strange

    with within_plan(journal), _telling(Strange, journal):
        return analyse(
            journal.settings,
            Plan(journal.settings),
            journal.results(),
            commitment=journal.commitment,
            seed=journal.seed if revealed else journal.published_seed(),
            records=_records(journal) if records else None,
            resamples=RESAMPLES if resamples is None else resamples,
        )


@contextmanager
def _telling(strange: type[Exception], journal: Journal) -> Iterator[None]:
    """Within it what no game can have is told as the damage of the database it is."""
    try:
        yield
    except strange as error:
        raise Damaged(f"{journal.place} is damaged: {error}") from error


def shown_standings(journal: Journal, *, revealed: bool = False) -> dict[str, Any]:
    """The standings with what is drawn beside them: marks of significance, the luck removed."""
    return published_analysis(journal, revealed=revealed, records=False, resamples=0)


def _records(journal: Journal) -> Iterator[dict[str, Any]]:
    """The records as JSON objects; Damaged where one is none."""
    for number, record in journal.records():
        yield parsed_record(journal, number, record)


def parsed_record(journal: Journal, number: int, text: str | None) -> dict[str, Any]:
    """A stored record as a JSON object; Damaged if it is none."""
    try:
        value = json.loads(text or "")
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Damaged(f"{journal.place} is damaged: the record of game {number} can't be read")
    return value


def exit_status(final: Mapping[str, object]) -> int:
    """0, or 1 where games are void or were forfeited by absence."""
    games, entrants = final["games"], final["entrants"]
    assert isinstance(games, dict)  # noqa: S101 - our own document
    assert isinstance(entrants, list)  # noqa: S101 - our own document
    absent = any(row["faults"]["absent"] for row in entrants)
    return LOOK_AT_IT if games["void"] or absent else DONE
