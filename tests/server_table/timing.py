"""Time by hand: a loop whose clock moves when a test says so, and what hangs on it."""

import heapq
from collections.abc import Callable
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from pitch.rules import Action
from pitch.table.faults import Fault
from pitch.wire.frames import Answer, Delivery, Failure, Question
from pitch_server.table import instance as instance_module
from pitch_server.table.asked import Asked, Evidence, SlowRows
from pitch_server.table.clock import Moment, Proof
from pitch_server.table.instance import Instance

MOMENT = 0.1  # seconds, in which what gathers for a bot goes out


class Handle:
    """A call that is due; it can be cancelled."""

    def __init__(self, callback: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        self.callback = callback
        self.arguments = arguments
        self.cancelled = False

    def cancel(self) -> None:
        """Takes it back."""
        self.cancelled = True


class HandLoop:
    """Of an event loop what tables need: `time` and `call_later`; `lag` is the server's."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.lag = 0.0
        self._due: list[tuple[float, int, Handle]] = []
        self._order = count()

    def time(self) -> float:
        """Seconds, as far as the test has moved them."""
        return self.seconds

    def moment(self) -> Moment:
        """The same as the server's clock says it."""
        return Moment(self.seconds, self.lag)

    def call_later(self, delay: float, callback: Callable[..., object], *arguments: Any) -> Handle:
        """Calls back when the test has moved the time so far."""
        handle = Handle(callback, arguments)
        heapq.heappush(self._due, (self.seconds + delay, next(self._order), handle))
        return handle

    def pass_time(self, seconds: float) -> None:
        """Moves the time, through every call that becomes due."""
        end = self.seconds + seconds
        calls = 0
        while self._due and self._due[0][0] <= end:
            due, _, handle = heapq.heappop(self._due)
            self.seconds = max(self.seconds, due)
            if not handle.cancelled:
                calls += 1
                assert calls < 10_000, "something calls itself again without end"
                handle.callback(*handle.arguments)
        self.seconds = end

    @property
    def calls_due(self) -> int:
        """How many calls are still to come."""
        return sum(not handle.cancelled for _, _, handle in self._due)


def hand_loop(monkeypatch: pytest.MonkeyPatch) -> HandLoop:
    """A loop by hand, which every instance that is made from now on has."""
    loop = HandLoop()
    fake = SimpleNamespace(get_running_loop=lambda: loop)
    monkeypatch.setattr(instance_module, "asyncio", fake)
    return loop


class Connection:
    """A bot at its place, with a stream that sends at once whatever may go out."""

    def __init__(
        self,
        loop: HandLoop,
        *,
        limit: float = 1.0,
        bank: float = 0.0,
        grace: float = 10.0,
        capacity: int = 64,
        notices: bool = False,
        slow: SlowRows = (),
        proof: Proof | None = None,
    ) -> None:
        self.loop = loop
        self.instance = Instance(
            now=loop.moment,
            move_timeout=limit,
            time_bank=bank,
            reconnect_grace=grace,
            slow=slow,
            proof=proof,
        )
        self.sent: list[Delivery] = []
        self.asked: list[Question] = []
        self._capacity, self._notices = capacity, notices
        self._sending = False
        self.connect()

    def connect(self) -> None:
        """Comes, or comes back."""
        self.instance.connect(self._wake, self._capacity, self._notices)

    def _wake(self) -> None:
        # A stream is woken on the loop's next turn, never inside of what wakes it.
        if not self._sending:
            self._sending = True
            self.loop.call_later(0, self._send)

    def _send(self) -> None:
        self._sending = False
        while self.instance.connected and (delivery := self.instance.take_delivery()):
            self.sent.append(delivery)
            self.asked += delivery.questions

    def answer(self, *ids: int, outcome: Action | Failure | None, reported: float = 0.0) -> int:
        """Answers in one frame; how many of them nobody had asked for."""
        microseconds = int(reported * 1e6)
        return self.instance.receive(tuple(Answer(each, outcome, microseconds) for each in ids))


class HandProof:
    """A proof that comes when the test says so."""

    def __init__(self, loop: HandLoop) -> None:
        self.loop = loop
        self.proven = loop.moment()
        self.waiting: list[Callable[[], None]] = []

    def prove(self, done: Callable[[], None]) -> None:
        """Notes who waits."""
        self.waiting.append(done)

    def comes(self) -> None:
        """All that has arrived until now was read."""
        self.proven = self.loop.moment()
        waiting, self.waiting = self.waiting, []
        for done in waiting:
            done()


class Notebook:
    """An asker that notes what becomes of its questions."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, Action, float]] = []
        self.faults: list[tuple[int, Fault, Evidence]] = []
        self.late: list[tuple[int, float, float]] = []
        self.losses: list[tuple[int, Fault]] = []

    def answered(self, asked: Asked, action: Action, now: Moment, reported: float) -> None:
        """An answer in time."""
        self.answers.append((asked.question.question_id, action, reported))

    def failed(self, asked: Asked, fault: Fault, evidence: Evidence) -> None:
        """A fault."""
        self.faults.append((asked.question.question_id, fault, evidence))

    def came_late(self, question_id: int, after: float, reported: float) -> None:
        """An answer to a question that was given up."""
        self.late.append((question_id, after, reported))

    def lost(self, seat: int, fault: Fault) -> None:
        """A seat whose bot is gone."""
        self.losses.append((seat, fault))

    @property
    def answered_ids(self) -> list[int]:
        """The questions that were answered, in order."""
        return [number for number, _, _ in self.answers]

    @property
    def failed_ids(self) -> list[int]:
        """The questions that became faults, in order."""
        return [number for number, _, _ in self.faults]
