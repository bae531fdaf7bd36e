"""An instance: one connected process of an entrant, as the tables see it.

Here belong its questions from asking to answer: what waits, what is out, whose time is up,
what happens when the connection goes and comes back. It has no socket: the stream takes
deliveries out and hands answers in. Everything happens on the event loop, in plain calls.
"""

import asyncio
from collections.abc import Callable
from math import ceil, inf

from pitch.rules import Action
from pitch.table.faults import Fault
from pitch.wire.frames import (
    DEFAULT_CAPACITY,
    Answer,
    Delivery,
    Failure,
    FaultNotice,
    GameOver,
    HandOver,
    Notice,
    Question,
    TableOpening,
)
from pitch_server.metrics import Answers, Metrics
from pitch_server.table.asked import Asked, Asker, Evidence, OpenTable, SlowRows
from pitch_server.table.clock import InstanceClock, Moment, Proof
from pitch_server.table.outbox import Outbox
from pitch_server.table.pace import Pace
from pitch_server.table.proof import LastReading

__all__ = ["FRAME_QUESTIONS", "Instance"]

# A frame holds at most this many questions; the rest go with the next one.
FRAME_QUESTIONS = 128
# A silent bot has this many questions timed one after the other, and as many as it takes for it
# to be silent for so long, in seconds: a hiccup is charged for what it lasts, not for all that
# was out. Then each is timed by itself.
_PATIENT_TIMEOUTS, _HICCUP = 2, 1.0
_REPORTED = 0.25  # seconds within which it is known that a process has ended
# Questions that were withdrawn and may still be answered, by a bot that was thinking.
_REMEMBERED = 4096


class Instance:
    """One place of an entrant, connected or not, with everything that it owes answers to."""

    def __init__(
        self,
        *,
        now: Callable[[], Moment],
        move_timeout: float,
        time_bank: float,
        reconnect_grace: float,
        slow: SlowRows = (),
        proof: Proof | None = None,
        counts: Answers | None = None,
    ) -> None:
        """`slow` are the rows of slow answers that each game has; `proof` tells what was read.

        `counts` is where its answers are counted.

        `last_output`, where there is one, gives the last lines that the process has printed.
        """
        self.connected = False
        self.came = False  # since a process was started for it
        self.gone = False
        self.ending = ""  # how its last process ended, until one is there again
        self.ended_itself = False  # whether that was the bot's own doing
        self.strays = 0
        self.last_output: Callable[[], str] | None = None
        self._counts = counts or Metrics().entrant("")
        self._now = now
        self._slow = slow
        self._move_timeout = move_timeout
        self._grace = reconnect_grace
        self._clock = InstanceClock(move_timeout, time_bank)
        self._loop = asyncio.get_running_loop()
        self._proof = proof or LastReading(now, self._loop)
        self._patience = max(_PATIENT_TIMEOUTS, ceil(_HICCUP / move_timeout))
        self._judging = False
        self._heard = -inf
        self._wake: Callable[[], None] = _nothing
        self._capacity = DEFAULT_CAPACITY
        self.notices_wanted = False
        self._places: dict[int, OpenTable] = {}
        self._waiting: dict[int, Asked] = {}
        self._out: dict[int, Asked] = {}
        self._withdrawn_once: dict[int, tuple[Moment, int]] = {}
        self._outbox = Outbox()
        self._timer: asyncio.TimerHandle | None = None
        self._lost_at: Moment | None = None
        self._silent = 0
        self._gathering: asyncio.TimerHandle | None = None
        self._pace = Pace()

    # --- from the tables --------------------------------------------------------------------

    def open(self, asker: Asker, opening: TableOpening) -> None:
        """Opens a table at this instance."""
        self._places[opening.table_id] = OpenTable(asker, opening, self._grace, self._slow)
        if self.connected:
            self._outbox.openings.append(opening)
            self._send_soon()

    def ask(self, question: Question) -> None:
        """Puts a question in the queue."""
        place = self._places[question.table_id]
        limit = self._move_timeout
        if place.bank:
            question = question._replace(time_bank=place.bank)
        elif row := place.used_up:
            limit = row[0]
            question = question._replace(limit=limit)
        self._waiting[question.question_id] = Asked(place, question, self._now(), limit)
        if len(self._waiting) >= len(self._out):
            self._wake()
        else:
            self._send_soon()

    def _send_soon(self) -> None:
        """Sees to it that what waits goes out, with the next questions or after a moment."""
        if self._gathering is None:
            self._gathering = self._loop.call_later(self._pace.gather, self._gathered)

    def _gathered(self) -> None:
        """Sends what has gathered, unless the bot still answers and may soon take more at once."""
        self._gathering = None
        asked = next(iter(self._waiting.values()), None)
        if asked is not None:
            left = self._pace.left(asked.at.time, self._now().time)
            if left > 0:
                self._gathering = self._loop.call_later(left, self._gathered)
                return
        self._wake()

    def withdraw(self, question_id: int) -> None:
        """Takes a question back, wherever it is."""
        if self._waiting.pop(question_id, None) is None:
            self._take_back(self._out.pop(question_id))

    def tell(self, table_id: int, event: HandOver | GameOver | FaultNotice) -> None:
        """Tells the bot what happened; ends of hands and games only if it wants to know."""
        if self.connected and (self.notices_wanted or isinstance(event, FaultNotice)):
            self._outbox.notices.append(Notice(table_id, event))
            self._send_soon()

    def close(self, table_id: int) -> None:
        """Closes a table; its questions must have been answered or withdrawn."""
        if self._places.pop(table_id, None) and self.connected:
            self._outbox.closed.append(table_id)
            self._send_soon()

    @property
    def open_tables(self) -> int:
        """How many tables are open here."""
        return len(self._places)

    @property
    def waiting(self) -> int:
        """How many questions are asked and not written."""
        return len(self._waiting)

    @property
    def out(self) -> int:
        """How many questions are with the bot."""
        return len(self._out)

    @property
    def longest_thought(self) -> float:
        """Seconds that one answer may take, its time bank included."""
        return self._move_timeout + self._clock.time_bank

    @property
    def present(self) -> bool:
        """Whether games can be begun with it."""
        return self.connected and not self.gone

    @property
    def expected(self) -> bool:
        """Whether it has never been there: its start is waited for."""
        return not self.connected and self._lost_at is None

    @property
    def may_come_back(self) -> bool:
        """Whether it has lost its connection so lately that it may be on its way back."""
        if self._lost_at is None or self.gone:
            return False
        return self._now().since(self._lost_at) < self._grace

    # --- from the stream --------------------------------------------------------------------

    def connect(self, wake: Callable[[], None], capacity: int, notices: bool) -> None:
        """A stream is there: everything open is told again, everything owed is asked again."""
        now = self._now()
        if self._lost_at is not None:
            away = now.since(self._lost_at)
            for place in self._places.values():
                place.grace -= away
        self._lost_at = None
        self._stop_timer()
        self.connected, self.came, self.gone, self.ending = True, True, False, ""
        self._wake, self._capacity, self.notices_wanted = wake, capacity, notices
        self._outbox = Outbox(place.opening for place in self._places.values())
        self._waiting = {**self._out, **self._waiting}
        self._out = {}
        self._forfeit(0.0)
        wake()

    def disconnect(self) -> None:
        """The stream is gone: the clock stops, the grace of each game begins to run."""
        if not self.connected:
            return
        now = self._now()
        oldest = self._oldest()
        if oldest is not None and oldest.written is not None:
            self._clock.pause(oldest.written, now, oldest.limit + oldest.place.bank)
        self.connected, self._wake, self._lost_at = False, _nothing, now
        self._stop_timer()
        self._check_grace()

    def crash(self, how: str, *, own: bool = True) -> None:
        """The process has ended and is started again.

        `how` is a clause for its faults, `own` tells whether it ended by itself.
        """
        self.ending, self.ended_itself, self.came = how, own, False
        self.disconnect()
        self._stop_timer()
        self._check_grace()

    def end(self, how: str = "its process ended", *, own: bool = True) -> None:
        """The process has ended for good: its games are forfeited at once."""
        self.ending, self.ended_itself = how, own
        self.disconnect()
        self.gone = True
        self._stop_timer()
        for place in list(self._places.values()):
            place.asker.lost(place.opening.seat, Fault.DISCONNECT)

    def take_delivery(self) -> Delivery | None:
        """Everything that may go out now; None if nothing waits."""
        return self._outbox.take(self._questions_to_write() if self._waiting else ())

    def written(self, delivery: Delivery) -> None:
        """The transport has taken a delivery: the time of its questions begins here."""
        now = self._now()
        for question in delivery.questions:
            asked = self._out.get(question.question_id)
            if asked is not None and asked.wire is None and asked.written is not None:
                asked.wire = now.time - asked.written.at.time
                asked.written.at = now

    def receive(self, answers: tuple[Answer, ...]) -> int:
        """Hands answers to their tables; how many of them nobody had asked for."""
        now = self._now()
        self._pace.received(now.time)
        self._heard = now.time
        strays = 0
        for answer in answers:
            asked = self._out.pop(answer.question_id, None)
            if asked is not None:
                self._settle(asked, answer, now)
            elif taken_back := self._withdrawn_once.pop(answer.question_id, None):
                self._came_late(answer, *taken_back, now)
            else:
                strays += 1
        if strays:
            self.strays += strays
            self._counts.strayed(strays)
        if self._waiting:
            if len(self._waiting) >= len(self._out):
                self._wake()
            else:
                self._send_soon()
        return strays

    def receive_garbage(self, reason: str) -> bool:
        """Charges the oldest question with a frame that can't be read; False if none is out."""
        asked = self._oldest()
        if asked is None:
            self.strays += 1
            return False
        now = self._now()
        self._heard = now.time
        del self._out[asked.question.question_id]
        self._take_back(asked)
        self._measure(asked, now)
        self._alive(now)
        asked.asker.failed(asked, Fault.MALFORMED, self.evidence(asked, now, reason))
        return True

    def evidence(
        self, asked: Asked, now: Moment, came: str, reported: float | None = None
    ) -> Evidence:
        """What is known of a question, for the fault that it became."""
        written = asked.written
        if written is None:
            return Evidence(came=came)
        return Evidence(
            queued=asked.taken.time - asked.at.time,
            wire=asked.wire,
            measured=asked.measured,
            waited=now.time - written.at.time,
            limit=asked.allowed,
            reported=reported,
            lag=now.lag - written.at.lag,
            came=came,
            heard=self._heard > written.at.time,
        )

    # --- inside -----------------------------------------------------------------------------

    def _questions_to_write(self) -> tuple[Question, ...]:
        count = min(self._capacity - len(self._out), FRAME_QUESTIONS, len(self._waiting))
        if count <= 0:
            return ()
        now = self._now()
        waiting, out = self._waiting, self._out
        questions: list[Question] = []
        for _ in range(count):
            question_id = next(iter(waiting))
            out[question_id] = asked = waiting.pop(question_id)
            asked.taken, asked.wire = now, None
            if asked.written is None:
                asked.written = self._clock.written(now, len(out))
            else:
                self._clock.resume(asked.written, now)
                asked.tell_what_is_left()
            questions.append(asked.question)
        if self._timer is None and not self._judging:
            oldest = next(iter(out.values()))
            spent = oldest.written.spent if oldest.written else 0.0
            self._timer = self._loop.call_later(max(0.0, oldest.limit - spent), self._check)
        return tuple(questions)

    def _settle(self, asked: Asked, answer: Answer, now: Moment) -> None:
        """An answer has come; it is late if its time was up when all before it had been read."""
        late = self._overdue(asked, self._proof.proven)
        self._measure(asked, now)
        outcome = answer.outcome
        reported = answer.thinking_time_us / 1e6
        if isinstance(outcome, Action) and not late:
            self._alive(now)
            assert asked.written is not None  # noqa: S101 - it was out
            self._counts.answered(now.time - asked.written.at.time, reported)
            asked.asker.answered(asked, outcome, now, reported)
            return
        fault, came, traceback = _fault_of(outcome)
        if late:
            fault, traceback = Fault.TIMEOUT, ""
            came = "an answer came, but too late" + asked.time_up
            asked.place.bank = 0.0
        evidence = self.evidence(asked, now, came, reported)._replace(traceback=traceback)
        self._alive(now)
        asked.asker.failed(asked, fault, evidence)

    def _overdue(self, asked: Asked, now: Moment) -> bool:
        assert asked.written is not None  # noqa: S101 - it is out
        return self._clock.overdue(asked.written, asked.limit, asked.place.bank, now)

    def _measure(self, asked: Asked, now: Moment) -> None:
        """The question is out no more: its time is taken from the bank, or counted as slow."""
        assert asked.written is not None  # noqa: S101 - it is out
        place = asked.place
        asked.measured = self._clock.elapsed(asked.written, now)
        asked.allowed = asked.limit + place.bank
        place.bank = max(0.0, place.bank - max(0.0, asked.measured - asked.limit))
        place.took(asked.measured)

    def _alive(self, now: Moment) -> None:
        self._silent = 0
        self._clock.answered(now)

    def _came_late(self, answer: Answer, taken_back: Moment, table_id: int, now: Moment) -> None:
        """Too late, but a sign that the bot now turns to its next question."""
        self._silent = 0
        self._clock.answered_late(taken_back, now)
        if place := self._places.get(table_id):
            after, reported = now.time - taken_back.time, answer.thinking_time_us / 1e6
            place.asker.came_late(answer.question_id, after, reported)

    def _take_back(self, asked: Asked) -> None:
        question_id, table_id = asked.question.question_id, asked.question.table_id
        if self.connected:
            self._outbox.withdrawn.append(question_id)
        self._withdrawn_once[question_id] = (self._now(), table_id)
        if len(self._withdrawn_once) > _REMEMBERED:
            del self._withdrawn_once[next(iter(self._withdrawn_once))]
        self._wake()

    def _oldest(self) -> Asked | None:
        return next(iter(self._out.values()), None)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check(self) -> None:
        """Looks whether the oldest question's time is up; judged is when all has been read."""
        self._timer = None
        asked = self._oldest()
        if asked is None or asked.written is None:
            return
        now = self._now()
        if self._overdue(asked, now):
            self._judging = True
            self._proof.prove(self._judge)
            return
        left = asked.limit - self._clock.elapsed(asked.written, now)
        if left <= 0:  # it lives on its time bank
            left = min(left + asked.place.bank, self._move_timeout)
        self._timer = self._loop.call_later(max(left, 0.001), self._check)

    def _judge(self) -> None:
        """Charges every question whose time is up, now that all that had come was read."""
        self._judging = False
        if not self.connected:
            return
        self._stop_timer()
        now, proven = self._now(), self._proof.proven
        while (asked := self._oldest()) is not None and self._overdue(asked, proven):
            self._measure(asked, now)
            evidence = self.evidence(asked, now, "no answer" + asked.time_up)
            del self._out[asked.question.question_id]
            self._take_back(asked)
            asked.place.bank = 0.0
            self._silent += 1
            if self._silent <= self._patience:
                self._clock.answered(now)
            asked.asker.failed(asked, Fault.TIMEOUT, evidence)
        self._check()

    def _check_grace(self) -> None:
        """Forfeits the games whose grace is used up; comes back when the next one's will be."""
        self._timer = None
        if self._lost_at is None or self.gone:
            return
        away = self._now().since(self._lost_at)
        # Of a process that ended the connection is lost first, and a moment later it is known why.
        least = 0.0 if self.ending else _REPORTED
        if away >= least:
            self._forfeit(away)
        left = max(least, min((each.grace for each in self._places.values()), default=inf)) - away
        if left < inf:
            self._timer = self._loop.call_later(max(left, 0.01), self._check_grace)

    def _forfeit(self, away: float) -> None:
        """Gives up the games whose grace is used up."""
        for place in [each for each in self._places.values() if each.grace <= away]:
            place.grace = inf  # with more than two sides the table goes on without it
            place.asker.lost(place.opening.seat, Fault.DISCONNECT)


def _fault_of(outcome: Action | Failure | None) -> tuple[Fault, str, str]:
    """The fault that an answer is, what came, and its traceback."""
    if isinstance(outcome, Failure):
        return Fault.ERROR, outcome.message, outcome.traceback
    return Fault.MALFORMED, "an answer without a readable action", ""


def _nothing() -> None:
    """Wakes nobody: no stream is there."""
