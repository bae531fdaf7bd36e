"""The frames of the wire as values.

Here belongs what the two ends say to each other, in the words of the rules. How it is spelt
in messages and bytes is `convert`'s business alone; who says what when is the session's.
What is made for each decision is a NamedTuple, the rest are frozen dataclasses.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from pitch.rules import Action, HandResult, Variant, View
from pitch.table.faults import Fault
from pitch.table.unit import Unit

__all__ = [
    "DEFAULT_CAPACITY",
    "FRAME_LIMIT_BYTES",
    "ITEMS_LIMIT",
    "PROTOCOL",
    "Answer",
    "BotFrame",
    "Delivery",
    "Failure",
    "Farewell",
    "FaultNotice",
    "GameOver",
    "HandOver",
    "Hello",
    "Notice",
    "Question",
    "Refusal",
    "RefusalReason",
    "ServerFrame",
    "TableOpening",
    "Welcome",
]

PROTOCOL = 1
FRAME_LIMIT_BYTES = 1 << 20
"""Largest frame that either end reads, in bytes."""
ITEMS_LIMIT = 4096
"""Most answers in a frame, and the largest capacity."""
DEFAULT_CAPACITY = 64


class RefusalReason(StrEnum):
    """Why a bot is turned away."""

    BAD_HELLO = "bad_hello"
    PROTOCOL = "protocol"
    CREDENTIALS = "credentials"
    NO_PLACE = "no_place"
    REPLACED = "replaced"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """First frame of a bot."""

    name: str
    token: str = field(repr=False)
    protocol: int = PROTOCOL
    sdk: str = ""
    capacity: int = DEFAULT_CAPACITY
    session_key: str = field(default="", repr=False)
    notices: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome:
    """First frame of the server where the bot is let in."""

    session_key: str = field(repr=False)
    tournament: str
    instance: int
    capacity: int
    protocol: int = PROTOCOL
    server: str = ""
    commitment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """First and last frame of the server where the bot is turned away."""

    reason: RefusalReason
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Farewell:
    """Last frame of a session that need not come back, or only as a fresh process."""

    message: str
    come_back_fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpening:
    """What stays the same at a table; times are in seconds."""

    table_id: int
    variant: Variant
    seat: int
    first_dealer: int
    unit: Unit
    max_hands: int | None
    seat_names: tuple[str, ...] = ()
    move_timeout: float
    time_bank: float = 0.0


class Question(NamedTuple):
    """A question to one seat, complete in itself.

    `time_bank` is what is left, in seconds; `limit` are the seconds for this answer, without
    the time bank, where they differ from the table's.
    """

    question_id: int
    table_id: int
    view: View
    chance: int
    time_bank: float = 0.0
    limit: float | None = None


class Failure(NamedTuple):
    """A report that the bot's own code failed."""

    message: str
    traceback: str


class Answer(NamedTuple):
    """An answer to one question; `thinking_time_us` is in microseconds, as the bot measured."""

    question_id: int
    outcome: Action | Failure | None
    thinking_time_us: int = 0


class HandOver(NamedTuple):
    """A hand is over: its last view and its result."""

    view: View
    result: HandResult


class GameOver(NamedTuple):
    """A game is over."""

    scores: tuple[int, ...]
    winner: int | None
    forfeited_sides: tuple[int, ...] = ()


class FaultNotice(NamedTuple):
    """What the bot is charged with, and why."""

    question_id: int | None
    fault: Fault
    message: str


class Notice(NamedTuple):
    """What happened at a table."""

    table_id: int
    event: HandOver | GameOver | FaultNotice | None


@dataclass(slots=True, kw_only=True)
class Delivery:
    """Everything that waits for a bot, to be read in the order of its fields."""

    openings: tuple[TableOpening, ...] = ()
    notices: tuple[Notice, ...] = ()
    withdrawn: tuple[int, ...] = ()
    closed: tuple[int, ...] = ()
    questions: tuple[Question, ...] = ()


BotFrame = Hello | tuple[Answer, ...]
ServerFrame = Welcome | Refusal | Delivery | Farewell
