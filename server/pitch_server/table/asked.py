"""Questions on their way: what is asked, by whom, at which place, and what is known of a fault.

Here belong the values that pass between tables and instances; what is done with them does not.
"""

from typing import NamedTuple, Protocol

from pitch.rules import Action
from pitch.table.faults import Fault
from pitch.wire.frames import Question, TableOpening
from pitch_server.table.clock import Moment, Written

__all__ = ["Asked", "Asker", "Evidence", "OpenTable", "SlowRows"]

SlowRows = tuple[tuple[float, int], ...]
"""Rows (over, times), rising: so many answers of a game may take longer than `over` seconds."""


class Evidence(NamedTuple):
    """What is known of a fault; spans in seconds, None where there was no question out.

    `queued` from asking to taking for a frame, `wire` from there until the transport had it,
    `measured` of the bot's time by the clock, `waited` from writing to the answer or the verdict
    as a wall clock shows it, `limit` of the clock with what was left of the time bank,
    `reported` as the bot's SDK measured, `lag` of the server, not counted in `measured`; `came`,
    `legal` and `traceback` are texts. `heard` tells whether the bot sent anything meanwhile,
    `gone` whether its process had ended for good.
    """

    queued: float | None = None
    wire: float | None = None
    measured: float | None = None
    waited: float | None = None
    limit: float | None = None
    reported: float | None = None
    lag: float | None = None
    came: str = ""
    legal: str = ""
    traceback: str = ""
    heard: bool | None = None
    gone: bool = False


class Asker(Protocol):
    """Who asks: the table that a question belongs to."""

    def answered(self, asked: "Asked", action: Action, now: Moment, reported: float) -> None:
        """The bot answered in time; `reported` are the seconds that it says it thought."""

    def failed(self, asked: "Asked", fault: Fault, evidence: Evidence) -> None:
        """The bot did not answer in time, or not in a form that can be played."""

    def came_late(self, question_id: int, after: float, reported: float) -> None:
        """An answer that was given up has come `after` seconds: it counts as evidence alone."""

    def lost(self, seat: int, fault: Fault) -> None:
        """The bot at this seat is gone: its side forfeits."""


class OpenTable:
    """A table that is open at an instance: its seat, its time and grace, in seconds."""

    __slots__ = ("_left", "asker", "bank", "grace", "opening", "slow")

    def __init__(
        self, asker: Asker, opening: TableOpening, grace: float, slow: SlowRows = ()
    ) -> None:
        self.asker = asker
        self.opening = opening
        self.bank = opening.time_bank
        self.grace = grace
        self.slow = slow
        self._left = [times for _, times in slow]

    @property
    def used_up(self) -> tuple[float, int] | None:
        """The strictest row of slow answers that allows none any more."""
        return next(
            (row for row, left in zip(self.slow, self._left, strict=True) if left <= 0), None
        )

    def took(self, seconds: float) -> None:
        """Counts an answer, or a timeout, among the slow ones where it is one."""
        for index, (over, _) in enumerate(self.slow):
            if seconds > over:
                self._left[index] -= 1


class Asked:
    """A question on its way: waiting to be written, or out with the bot.

    `limit` are its seconds without the time bank; `written` begins when it is taken for a frame,
    and anew when the transport has it: `wire` seconds later. `measured` is what the bot took and
    `allowed` what it might have taken, once that is known.
    """

    __slots__ = (
        "allowed",
        "asker",
        "at",
        "limit",
        "measured",
        "place",
        "question",
        "taken",
        "wire",
        "written",
    )

    def __init__(self, place: OpenTable, question: Question, at: Moment, limit: float) -> None:
        self.place = place
        self.asker = place.asker
        self.question = question
        self.at = at
        self.limit = limit
        self.taken = at
        self.measured = 0.0
        self.allowed = 0.0
        self.wire: float | None = None
        self.written: Written | None = None

    @property
    def seat(self) -> int:
        """The seat that was asked."""
        return self.place.opening.seat

    def tell_what_is_left(self) -> None:
        """The question is sent again: it tells the time that is left, not what it was."""
        if self.written is not None and (spent := self.written.spent):
            left = self.limit - spent
            bank = max(0.0, self.place.bank + min(0.0, left))
            self.question = self.question._replace(limit=max(0.0, left), time_bank=bank)

    @property
    def time_up(self) -> str:
        """What is to be said of a limit that slow answers before it have shortened."""
        row = next((row for row in self.place.slow if row[0] == self.limit), None)
        if row is None:
            return ""
        return (
            f"; of {row[1]} answers in a game that may take longer than {row[0]:g} s none is left"
        )
