"""Questions on their way: what is asked, by whom, at which place, and what is known of a fault.

Here belong the values that pass between tables and instances; what is done with them does not.
"""

from typing import NamedTuple, Protocol

from pitch.rules import Action
from pitch.table.faults import Fault
from pitch.wire.frames import Question, TableOpening
from pitch_server.table.clock import Moment, Written

__all__ = ["Asked", "Asker", "Evidence", "OpenTable"]


class Evidence(NamedTuple):
    """What is known of a fault; spans in seconds.

    `queued` from asking to writing, `elapsed` of the bot's time by the clock, `limit` of the
    clock, `reported` as the bot's SDK measured, `lag` of the server, taken out of `elapsed`;
    `came` and `legal` are texts.
    """

    queued: float = 0.0
    elapsed: float = 0.0
    limit: float = 0.0
    reported: float | None = None
    lag: float = 0.0
    came: str = ""
    legal: str = ""


class Asker(Protocol):
    """Who asks: the table that a question belongs to."""

    def answered(self, asked: "Asked", action: Action, now: Moment, reported: float) -> None:
        """The bot answered in time; `reported` are the seconds that it says it thought."""

    def failed(self, asked: "Asked", fault: Fault, evidence: Evidence) -> None:
        """The bot did not answer in time, or not in a form that can be played."""

    def lost(self, seat: int, fault: Fault) -> None:
        """The bot at this seat is gone: its side forfeits."""


class OpenTable:
    """A table that is open at an instance: its seat, time bank and grace, in seconds."""

    __slots__ = ("asker", "bank", "grace", "opening")

    def __init__(self, asker: Asker, opening: TableOpening, grace: float) -> None:
        self.asker = asker
        self.opening = opening
        self.bank = opening.time_bank
        self.grace = grace


class Asked:
    """A question on its way: waiting to be written, or out with the bot."""

    __slots__ = ("asker", "at", "place", "question", "written")

    def __init__(self, place: OpenTable, question: Question, at: Moment) -> None:
        self.place = place
        self.asker = place.asker
        self.question = question
        self.at = at
        self.written: Written | None = None

    @property
    def seat(self) -> int:
        """The seat that was asked."""
        return self.place.opening.seat
