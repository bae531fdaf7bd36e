"""The standings as they may be told now: with the seed only once the tournament is over.

Here belongs reading a journal for its standings; what they are is `scores`' business.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pitch_server.counted import Counted
from pitch_server.plan.games import Plan
from pitch_server.planned import within_plan
from pitch_server.scores.hands import hands_of, hands_text
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
    "with_measured",
]

DONE = 0
LOOK_AT_IT = 1


def published_standings(journal: Journal, *, revealed: bool = False) -> dict[str, object]:
    """The standings by what is on disk; `revealed`: those of the end, which tell the seed."""
    return Counted(journal).standings(seed=journal.seed if revealed else journal.published_seed())


def published_analysis(
    journal: Journal, *, revealed: bool = False, plays: bool = True, resamples: int | None = None
) -> dict[str, Any]:
    """The whole document by what is on disk (docs/analysis.md), standings and all.

    Without `plays` what entrants bid and took is left out, and how long they took for it.
    """
    from pitch_server.analysis.document import RESAMPLES, analyse  # NumPy takes a while
    from pitch_server.analysis.errors import Strange

    with within_plan(journal), _telling(Strange, journal):
        document = analyse(
            journal.settings,
            Plan(journal.settings),
            journal.results(),
            commitment=journal.commitment,
            seed=journal.seed if revealed else journal.published_seed(),
            plays=_plays(journal) if plays else None,
            resamples=RESAMPLES if resamples is None else resamples,
            stopped=journal.stopped() is not None,
        )
    return with_measured(journal, document) if plays else document


def with_measured(journal: Journal, document: dict[str, Any]) -> dict[str, Any]:
    """The document with what was measured while playing beside it, which nobody can recompute."""
    from pitch_server.analysis.document import MEASURED  # NumPy takes a while

    names = [row["name"] for row in document["entrants"]]
    return {**document, MEASURED: {"decision_seconds": _decision_seconds(journal, names)}}


def _decision_seconds(journal: Journal, names: Sequence[str]) -> list[dict[str, Any]]:
    """How long the decisions of these entrants took, in their order; null where it is not known."""
    times, all_names = journal.answer_times(), journal.settings.names
    rows = []
    for name in names:
        spread = times.get(all_names.index(name))
        rows.append(
            {
                "name": name,
                "decisions": None if spread is None else spread.count,
                "p50": None if spread is None else spread.p50,
                "p99": None if spread is None else spread.p99,
                "max": None if spread is None else spread.worst,
            }
        )
    return rows


@contextmanager
def _telling(strange: type[Exception], journal: Journal) -> Iterator[None]:
    """Within it what no game can have is told as the damage of the database it is."""
    try:
        yield
    except strange as error:
        raise Damaged(f"{journal.place} is damaged: {error}") from error


def shown_standings(journal: Journal, *, revealed: bool = False) -> dict[str, Any]:
    """The standings with what is drawn beside them: marks of significance, the luck removed."""
    return published_analysis(journal, revealed=revealed, plays=False, resamples=0)


def _plays(journal: Journal) -> Iterator[tuple[int, str]]:
    """(number, line of its hands) of each game; made of its record where it has no line."""
    for number, play, record in journal.plays():
        yield number, play if play is not None else _play(journal, number, record)


def _play(journal: Journal, number: int, record: str | None) -> str:
    try:
        value = parsed_record(journal, number, record)
        return hands_text(hands_of(value, journal.settings.variant))
    except (KeyError, TypeError, AttributeError) as error:
        place = f"{journal.place} is damaged"
        raise Damaged(f"{place}: game {number} has no record of this variant: {error!r}") from error


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
