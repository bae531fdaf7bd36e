"""The clock of an instance, as arithmetic on times handed in.

Here belong how long an answer took and when its time is up. Nothing here reads a clock or
waits: whoever does hands in moments. An instance is one player: its clock runs for its oldest
unanswered question, from the later of that question's writing and the last answer's arrival.
The server's own lag is taken out of every span.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from pitch_server.table.spread import Spread

__all__ = ["InstanceClock", "LagMeter", "Moment", "Proof", "Written"]


# Timers are due by the millisecond: so little is no lag, in seconds. Counted tick by tick it
# would make every limit longer by some per cent.
_TIMERS = 0.002


class Moment(NamedTuple):
    """A monotonic time with the server's lag that had gathered until then, both in seconds."""

    time: float
    lag: float

    def since(self, earlier: "Moment") -> float:
        """Seconds from `earlier` until now that were not the server's fault."""
        return max(0.0, (self.time - earlier.time) - (self.lag - earlier.lag))


class Proof(Protocol):
    """Tells until when all that had arrived here has been read: before that nothing is judged."""

    @property
    def proven(self) -> Moment:
        """Whatever had arrived by this moment has been handed over."""

    def prove(self, done: Callable[[], None]) -> None:
        """Calls back once `proven` is no earlier than now."""


class LagMeter:
    """The event loop's lag, gathered from a tick that is due every `interval` seconds."""

    def __init__(self, interval: float, now: float) -> None:
        self.interval = interval
        self.total = 0.0
        self.spread = Spread()
        self._last = now

    def tick(self, now: float) -> float:
        """The tick has come; what it is late by is lag, which is returned."""
        late = self._late(now)
        self.total += late
        self.spread.add(late)
        self._last = now
        return late

    def moment(self, now: float) -> Moment:
        """Now, with a tick that is overdue counted in."""
        return Moment(now, self.total + self._late(now))

    def add_echo(self, sent: Moment, returned: Moment, usual: float) -> None:
        """An echo has come back: what it is late by was lag as well, where ticks saw none."""
        late = returned.since(sent) - usual
        if late > 0:
            self.total += late

    @property
    def worst(self) -> float:
        """Seconds that the latest tick was late by."""
        return self.spread.worst

    @property
    def p50(self) -> float:
        """Seconds that half of the ticks were late by, or more."""
        return self.spread.p50

    @property
    def p99(self) -> float:
        """Seconds that one tick in a hundred was late by, or more."""
        return self.spread.p99

    def _late(self, now: float) -> float:
        late = now - self._last - self.interval
        return late if late > _TIMERS else 0.0


class Written:
    """A question that was sent: when, and how much of its time was used before a break."""

    __slots__ = ("at", "late", "queue", "spent")

    def __init__(self, at: Moment, queue: int, late: float = 0.0) -> None:
        """`queue` counts the questions that were out when it was sent, itself included.

        `late` are the clock's seconds of late answers until then.
        """
        self.at = at
        self.queue = queue
        self.late = late
        self.spent = 0.0


class InstanceClock:
    """How long the oldest question of one instance has run, and whether it may run on."""

    def __init__(self, move_timeout: float, time_bank: float) -> None:
        """`move_timeout` is the longest limit that a question may have."""
        self._move_timeout = move_timeout
        self.time_bank = time_bank
        self._answered = Moment(float("-inf"), 0.0)
        self._late = 0.0

    def written(self, now: Moment, queue: int) -> Written:
        """A question is sent, with so many out, itself included."""
        return Written(now, queue, self._late)

    def answered(self, now: Moment) -> None:
        """An answer has arrived: the next question's time begins."""
        self._answered = now

    def answered_late(self, taken_back: Moment, now: Moment) -> None:
        """An answer to a question that was taken back: no other pays for what it took too long.

        It gives the others no more than a question's limit.
        """
        self._late += min(now.since(taken_back), self._move_timeout)
        self._answered = now

    def elapsed(self, question: Written, now: Moment) -> float:
        """Seconds that the bot has used for this question, if it is the oldest one."""
        begun = question.at if question.at.time >= self._answered.time else self._answered
        return question.spent + now.since(begun)

    def overdue(self, question: Written, limit: float, bank: float, now: Moment) -> bool:
        """Whether the question's limit and what is left of its time bank are used up.

        However the bot orders its answers, a question is never out for longer than all that
        were out with it could have taken one after the other.
        """
        if self.elapsed(question, now) > limit + bank:
            return True
        longest = (self._move_timeout + self.time_bank) * question.queue
        longest += self._late - question.late
        return question.spent + now.since(question.at) > longest

    def pause(self, question: Written, now: Moment, most: float) -> None:
        """The connection is lost: keep what the oldest question has used, `most` at most.

        Nothing has been judged yet: an answer that had gone out in time may come once more.
        """
        question.spent = min(self.elapsed(question, now), most)

    def resume(self, question: Written, now: Moment) -> None:
        """The question is sent again: its remaining time runs on from here."""
        question.at = now
