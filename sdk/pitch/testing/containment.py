"""A decision in this very process: no longer than its limit, and unable to end the process.

Here belong the alarm that a bot is interrupted by, and telling a bot that ends or interrupts its
process from a person who does. On the main thread of a POSIX system the alarm ends waiting,
endless loops and whatever else Python runs; anywhere else a decision that took too long is known
when it is over. What ends a process without Python, such as a crash in C, ends this one. So does,
with its line, a loop that catches every interrupt: after many alarms, or a person's second signal.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import perf_counter
from types import FrameType
from typing import Generic, NamedTuple, NoReturn, TypeVar

from pitch.bot.mistakes import line_of, stack_line

__all__ = ["HOOK_LIMIT", "LAST_DEEDS", "Containment", "OutOfTime", "ProcessExit", "Ran"]

LAST_DEEDS: list[Callable[[], object]] = []
"""What is to be done, from the last to the first, before a bot that can't be ended ends us."""

HOOK_LIMIT = 10.0  # seconds for making a bot and for telling it something: more than ever needed
_AGAIN = 0.05  # seconds after which a bot that has swallowed the alarm gets another one
_MOST_ALARMS = 100  # for one decision: no Python code can be ended that swallows them all
_BY_PEOPLE = (signal.SIGINT, signal.SIGTERM)
Outcome = TypeVar("Outcome")


class OutOfTime(BaseException):
    """Raised in the middle of a decision; no Exception, so that few bots catch it."""


class ProcessExit(BaseException):
    """Raised where a bot calls os._exit, which in a process of its own would be the end."""


class Ran(NamedTuple, Generic[Outcome]):
    """What became of a call: `outcome`, or where it was interrupted, or what it ended by.

    `line` is the author's line at the first alarm, which an `outcome` may have come after.
    `ended` is what would have ended a process of the bot's own: sys.exit, os._exit,
    KeyboardInterrupt or another exception that is no Exception.
    """

    seconds: float
    outcome: Outcome | None = None
    interrupted: OutOfTime | None = None
    ended: BaseException | None = None
    line: str = ""


class Containment:
    """Calls with a limit of so many seconds, None for no limit; use it in a `with` of `held`."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._armed = False
        self._alarms = False
        self._calling = False
        self._by_people = False  # a signal came from outside
        self._line = ""
        self._rung = 0  # alarms in this decision

    @contextmanager
    def held(self) -> Iterator[None]:
        """Within it os._exit and the alarm are ours; what was there before goes on afterwards."""
        with _EXITS.held():
            if threading.current_thread() is threading.main_thread():
                with self._noting(), self._alarm():
                    yield
            else:
                yield

    def call(self, decide: Callable[[], Outcome], *, seconds: float | None = None) -> Ran[Outcome]:
        """What becomes of the call; an Exception of its own passes, and a person's interrupt.

        `seconds` is a limit of its own, where calls are limited.
        """
        begun = perf_counter()
        self._by_people, self._line, self._rung = False, "", 0
        self._calling = True
        try:
            self._arm(seconds)
            try:
                outcome = decide()
            finally:
                self._disarm()
        except OutOfTime as alarm:
            return Ran(perf_counter() - begun, interrupted=alarm, line=self._line)
        except Exception:
            raise
        except BaseException as end:
            if self._by_people:
                raise
            return Ran(perf_counter() - begun, ended=end)
        finally:
            self._calling = False
        return Ran(perf_counter() - begun, outcome, line=self._line)

    # --- inside -----------------------------------------------------------------------------

    @contextmanager
    def _alarm(self) -> Iterator[None]:
        if self.seconds is None or not hasattr(signal, "setitimer"):
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

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """Within it is known whether a signal came; it does what it did before."""
        before = {number: signal.getsignal(number) for number in _BY_PEOPLE}

        def note(number: int, frame: FrameType | None) -> None:
            if self._by_people and self._calling:
                _end_us(128 + number, stack_line(frame))
            self._by_people = True
            handler = before[signal.Signals(number)]
            if callable(handler):
                handler(number, frame)

        ours = {number: handler for number, handler in before.items() if callable(handler)}
        for number in ours:
            signal.signal(number, note)
        try:
            yield
        finally:
            for number, handler in ours.items():
                signal.signal(number, handler)

    def _arm(self, seconds: float | None) -> None:
        if self._alarms and self.seconds is not None:
            self._armed = True
            signal.setitimer(signal.ITIMER_REAL, seconds or self.seconds, _AGAIN)

    def _disarm(self) -> None:
        self._armed = False  # before the timer is off: an alarm in between rings for nobody
        if self._alarms:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, _number: int, frame: FrameType | None) -> None:
        if self._armed:
            handled = sys.exc_info()[1]  # of which the SDK may be telling just now
            line = stack_line(frame) or ("" if handled is None else line_of(handled))
            self._line = self._line or line
            self._rung += 1
            if self._rung > _MOST_ALARMS:
                _end_us(1, self._line)
            raise OutOfTime


class _Exits:
    """os._exit, which is ours while anybody plays: threads may do so at once."""

    def __init__(self) -> None:
        self._really = os._exit
        self._lock = threading.Lock()
        self._players = 0
        self._process = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        with self._lock:
            self._players += 1
            if self._players == 1:
                self._really, self._process = os._exit, os.getpid()
                os._exit = self._leave
        try:
            yield
        finally:
            with self._lock:
                self._players -= 1
                if not self._players:
                    os._exit = self._really

    def end_us(self, status: int) -> NoReturn:
        """Ends this process, whoever plays in it."""
        self._really(status)
        raise AssertionError

    def _leave(self, status: int) -> NoReturn:
        """This process goes on; one that it has forked ends."""
        if os.getpid() != self._process:
            self._really(status)
        raise ProcessExit(f"os._exit({status})")


_EXITS = _Exits()


def _end_us(status: int, line: str) -> NoReturn:
    """Ends this process, as nothing else ends code of a bot that catches whatever is raised in it.

    So no `finally` and no `with` of ours is gone through.
    """
    for deed in reversed(LAST_DEEDS):
        with suppress(Exception):
            deed()
    if sys.__stderr__ is not None:
        with suppress(OSError, ValueError):
            print(f"{line or 'a bot'}: {_HOLDS_ON}", file=sys.__stderr__, flush=True)
    _EXITS.end_us(status)


_HOLDS_ON = (
    "this code has caught each interrupt (except: or except BaseException in a loop), so that "
    "nothing but the end of the whole process ends it; catch Exception instead"
)
