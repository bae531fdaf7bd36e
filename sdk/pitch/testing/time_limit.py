"""A limit for a decision in this very process, which nothing else could end.

Here belongs the alarm that a bot is interrupted by. On the main thread of a POSIX system it
ends waiting, endless loops and whatever else Python runs; anywhere else a decision that took
too long is known when it is over.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from types import FrameType
from typing import NamedTuple, TypeVar

__all__ = ["OutOfTime", "TimeLimit", "Timed"]

_AGAIN = 0.05  # seconds after which a bot that has swallowed the alarm gets another one
Outcome = TypeVar("Outcome")


class OutOfTime(BaseException):
    """Raised in the middle of a decision; no Exception, so that few bots catch it."""


class Timed(NamedTuple):
    """How long a decision took in seconds, and where it was interrupted if it was."""

    seconds: float
    interrupted: OutOfTime | None


class TimeLimit:
    """Calls with a limit of so many seconds, None for no limit; use it in a `with`."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._armed = False
        self._alarms = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Within it the alarm is ours; whatever alarm was set before goes on afterwards."""
        here = threading.current_thread() is threading.main_thread()
        if self.seconds is None or not here or not hasattr(signal, "setitimer"):
            yield
            return
        before, begun = signal.signal(signal.SIGALRM, self._ring), perf_counter()
        left, interval = signal.setitimer(signal.ITIMER_REAL, 0)
        self._alarms = True
        try:
            yield
        finally:
            self._alarms = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            if left:
                left = max(left - (perf_counter() - begun), 0.001)
                signal.setitimer(signal.ITIMER_REAL, left, interval)

    def call(self, decide: Callable[[], Outcome]) -> tuple[Outcome | None, Timed]:
        """What the call gives, None where it was interrupted; exceptions of its own pass."""
        begun = perf_counter()
        try:
            self._arm()
            try:
                outcome = decide()
            finally:
                self._disarm()
        except OutOfTime as alarm:
            return None, Timed(perf_counter() - begun, alarm)
        return outcome, Timed(perf_counter() - begun, None)

    def _arm(self) -> None:
        if self._alarms and self.seconds is not None:
            self._armed = True
            signal.setitimer(signal.ITIMER_REAL, self.seconds, _AGAIN)

    def _disarm(self) -> None:
        self._armed = False  # before the timer is off: an alarm in between rings for nobody
        if self._alarms:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        if self._armed:
            raise OutOfTime
