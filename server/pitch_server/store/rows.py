"""Rows: what is kept of a tournament, as values, and how they become columns.

Here belong the shapes of what goes into the journal and comes out of it; queries do not.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Row

from pitch_server.scores.results import GameResult

__all__ = [
    "EntrantRow",
    "FaultEvidence",
    "JournalEntry",
    "State",
    "StoredRecord",
    "TournamentRow",
    "parse_entrant",
    "parse_evidence",
    "parse_result",
    "result_columns",
]


class State(StrEnum):
    """Where a tournament stands; only a running one takes games, and keeps its seed secret."""

    RUNNING = "running"
    FINISHED = "finished"
    CLOSED = "closed"


class FaultEvidence(NamedTuple):
    """What was measured of one fault; times in seconds. No table or digest depends on it.

    `question` is the number of the action that was asked for; `played` what was played instead.
    """

    seat: int
    kind: str
    question: int | None = None
    time_limit: float | None = None
    measured: float | None = None
    queued: float | None = None
    reported: float | None = None
    lag: float | None = None
    came: str | None = None
    legal: str | None = None
    played: str | None = None


class JournalEntry(NamedTuple):
    """One finished game: its result, its record as canonical JSON, the evidence of its faults."""

    result: GameResult
    record: str
    evidence: tuple[FaultEvidence, ...] = ()


class StoredRecord(NamedTuple):
    """A game's number and its record as canonical JSON."""

    number: int
    record: str


class EntrantRow(NamedTuple):
    """What is kept of an entrant beside the settings; it may change while a tournament runs."""

    name: str
    command: tuple[str, ...] | None
    fingerprint: str | None
    token_hash: str | None
    withdrawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRow:
    """A tournament of a database, without what is in it."""

    id: int
    name: str
    state: State
    games: int


def result_columns(result: GameResult) -> dict[str, Any]:
    """A result as the columns of the games table."""
    return result._asdict() | {
        "scores": json.dumps(result.scores),
        "forfeits": json.dumps(result.forfeits),
        "faults": json.dumps(result.faults),
    }


def parse_result(row: Row[Any]) -> GameResult:
    """The result that a row of the games table holds."""
    return GameResult(
        number=row.number,
        digest=row.digest,
        scores=tuple(json.loads(row.scores)),
        winner=row.winner,
        ended=row.ended,
        forfeits=_parse_tuples(row.forfeits),
        void=row.void,
        faults=_parse_tuples(row.faults),
        hands=row.hands,
    )


def _parse_tuples(text: str) -> tuple[Any, ...]:
    return () if text == "[]" else tuple(map(tuple, json.loads(text)))


def parse_evidence(row: Row[Any]) -> FaultEvidence:
    """The evidence that a row of the faults table holds."""
    return FaultEvidence(**{name: getattr(row, name) for name in FaultEvidence._fields})


def parse_entrant(row: Row[Any]) -> EntrantRow:
    """What a row of the entrants table holds."""
    command = None if row.command is None else tuple(json.loads(row.command))
    return EntrantRow(row.name, command, row.fingerprint, row.token_hash, row.withdrawn)
