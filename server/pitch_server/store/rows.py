"""Rows: what is kept of a tournament, as values, and how they become columns.

Here belong the shapes of what goes into the journal and comes out of it; queries do not.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Row

from pitch_server.guest import GuestSettings, guest_json, parse_guest
from pitch_server.scores.results import GameResult
from pitch_server.store.errors import DamagedRow

__all__ = [
    "Crash",
    "EntrantRow",
    "FaultEvidence",
    "JournalEntry",
    "State",
    "StoredPlay",
    "StoredRecord",
    "TournamentRow",
    "guest_columns",
    "parse_crash",
    "parse_entrant",
    "parse_evidence",
    "parse_play",
    "parse_record_text",
    "parse_result",
    "parse_state",
    "parse_text",
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
    On its way a question is `queued` (asked until taken for a frame), then on the `wire` (until
    the transport has it); from there `waited` is wall time until the answer or the verdict,
    `measured` the bot's part of it by its clock, with the server's own `lag` given back, and
    `reported` what the bot says. `verdict` is "bot", "network" or "unclear"; `output` the last
    lines of a launched bot, or the traceback that one reported.
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
    wire: float | None = None
    waited: float | None = None
    verdict: str | None = None
    output: str | None = None


class Crash(NamedTuple):
    """An exception of ours in a game: at which attempt, and its traceback."""

    number: int
    attempt: int
    error: str


class JournalEntry(NamedTuple):
    """One finished game: its result, its record as canonical JSON, the evidence of its faults.

    `play` tells its hands (`scores.hands`), None where only the record does. `times` are
    (entrant, seconds) of the answers that came: the journal sums them up and never gives them back.
    """

    result: GameResult
    record: str
    evidence: tuple[FaultEvidence, ...] = ()
    play: str | None = None
    times: tuple[tuple[int, float], ...] = ()


class StoredPlay(NamedTuple):
    """A game's number and what is told of its hands: in a line, or only by the record."""

    number: int
    play: str | None
    record: str | None


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
    processes: int = 1
    guest: GuestSettings = GuestSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRow:
    """A tournament of a database, without what is in it."""

    id: int
    name: str
    state: State


def result_columns(result: GameResult) -> dict[str, Any]:
    """A result as the columns of the games table."""
    return result._asdict() | {
        "scores": json.dumps(result.scores),
        "forfeits": json.dumps(result.forfeits),
        "faults": json.dumps(result.faults),
    }


def parse_result(columns: Sequence[Any]) -> GameResult:
    """The result that columns of the games table hold, in the order of `GameResult`.

    DamagedRow if it is none: SQLite keeps anything in any column.
    """
    number, digest, scores, winner, ended, forfeits, void, faults, hands = columns
    try:
        result = GameResult(
            number,
            digest,
            _scores(scores),
            winner,
            ended,
            _forfeits(forfeits),
            void,
            _faults(faults),
            hands,
        )
        sound = (
            type(number) is int
            and type(hands) is int
            and type(digest) is str
            and type(void) is bool
            and isinstance(winner, int | None)
            and isinstance(ended, str | None)
        )
    except (TypeError, ValueError, RecursionError):
        sound = False
    if not sound:
        raise DamagedRow(f"the row of game {number!r:.40} can't be read")
    return result


# The same few texts come again and again: each is read once, and is whole then.
_REMEMBERED = 4096


@lru_cache(_REMEMBERED)
def _scores(text: str) -> tuple[int, ...]:
    scores = tuple(json.loads(text))
    if not _are(int, *scores):
        raise ValueError("expected whole numbers")
    return scores


@lru_cache(_REMEMBERED)
def _forfeits(text: str) -> tuple[tuple[int, str], ...]:
    found = tuple((side, cause) for side, cause in json.loads(text))
    if not all(_are(int, side) and _are(str, cause) for side, cause in found):
        raise ValueError("expected [side, cause]")
    return found


@lru_cache(_REMEMBERED)
def _faults(text: str) -> tuple[tuple[int, str, int], ...]:
    found = tuple((seat, kind, count) for seat, kind, count in json.loads(text))
    if not all(_are(int, seat, count) and _are(str, kind) for seat, kind, count in found):
        raise ValueError("expected [seat, kind, count]")
    return found


def _are(kind: type, *values: Any) -> bool:
    return all(type(value) is kind for value in values)


def parse_record_text(number: int, record: object) -> str:
    """The record's text, empty if it is missing; DamagedRow if it is none."""
    if not isinstance(record, str | None):
        raise DamagedRow(f"the record of game {number} is no text")
    return record or ""


def parse_play(number: int, play: object) -> str | None:
    """The line of a game's hands, None where there is none; DamagedRow if it is no text."""
    if not isinstance(play, str | None):
        raise DamagedRow(f"the play of game {number} is no text")
    return play


def parse_evidence(row: Row[Any]) -> FaultEvidence:
    """What a row of the faults table holds; DamagedRow if it can't be told of whom."""
    evidence = FaultEvidence(**{name: getattr(row, name) for name in FaultEvidence._fields})
    if not (_are(int, evidence.seat) and _are(str, evidence.kind)):
        raise DamagedRow(f"a fault of game {row.number!r:.40} can't be read")
    return evidence


def parse_state(state: Any) -> State:
    """The state of a tournament; DamagedRow if it is none."""
    try:
        return State(state)
    except ValueError:
        raise DamagedRow(f"a tournament's state can't be {state!r:.40}") from None


def parse_text(what: str, value: object) -> str:
    """A text that must be there; DamagedRow otherwise."""
    if not isinstance(value, str):
        raise DamagedRow(f"the tournament's {what} can't be {value!r:.40}")
    return value


def parse_crash(row: Row[Any]) -> Crash:
    """What a row of the crashes table holds; DamagedRow if it is none."""
    crash = Crash(row.number, row.attempt, row.error)
    if not (_are(int, crash.number, crash.attempt) and _are(str, crash.error)):
        raise DamagedRow(f"a crash of game {row.number!r:.40} can't be read")
    return crash


def parse_entrant(row: Row[Any]) -> EntrantRow:
    """What a row of the entrants table holds; DamagedRow if it is none."""
    try:
        command = None if row.command is None else tuple(map(str, json.loads(row.command)))
    except (TypeError, ValueError, RecursionError):
        raise DamagedRow(f"the command of entrant {row.name!r:.80} can't be read") from None
    processes = 1 if row.processes is None else row.processes
    try:
        guest = GuestSettings() if row.guest is None else parse_guest(json.loads(row.guest))
        sound = _are(int, processes)
    except (TypeError, ValueError, RecursionError):
        sound = False
    if not sound:
        raise DamagedRow(f"what entrant {row.name!r:.80} may use can't be read")
    return EntrantRow(
        row.name, command, row.fingerprint, row.token_hash, row.withdrawn, processes, guest
    )


def guest_columns(processes: int, guest: GuestSettings) -> dict[str, Any]:
    """How often an entrant is there and what it may use, as columns of the entrants table."""
    told = None if guest == GuestSettings() else json.dumps(guest_json(guest))
    return {"processes": processes, "guest": told}
