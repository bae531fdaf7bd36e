"""Progress while a tournament runs: a bar on a terminal, plain lines anywhere else.

Here belong how far the plan is played, how quickly and with how many faults, as the caller
counts them. Results do not: whatever is shown of them before the end is for `report`.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as RichProgress

__all__ = ["Progress"]

REDRAW = 0.1  # seconds between two drawings of the bar
QUIET = 10.0  # seconds after which a line is due that is no tenth of the plan
WINDOW = 30.0  # seconds over which the speed is measured


class Progress:
    """How far a tournament is; feed it with `update`, use it in a `with`."""

    def __init__(
        self,
        console: Console,
        planned: int,
        *,
        played: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`played` are the games of the journal that a resume begins with."""
        self._clock = clock
        self._played = played
        self._faults = 0
        self._samples = deque([(clock(), played)])
        drawn = console.is_terminal and not console.is_dumb_terminal
        self._display = _Bar(console, planned) if drawn else _Lines(console, planned, played)
        self._display.begin(clock())

    def update(
        self,
        played: int,
        faults: int,
        missing: Sequence[str] = (),
        *,
        planned: int | None = None,
    ) -> None:
        """Tell the games and faults so far; also without news, so that the time left moves.

        `missing` are the bots that are waited for, by name; `planned` are the games of the plan,
        if results have changed how many there will be.
        """
        now = self._clock()
        if planned is not None:
            self._display.plan(planned)
        self._display.missing = _names(missing)
        self._played, self._faults = played, faults
        if now - self._samples[-1][0] >= WINDOW / 60:
            self._samples.append((now, played))
        while len(self._samples) > 2 and now - self._samples[1][0] > WINDOW:
            self._samples.popleft()
        self._display.show(now, played, faults, self._speed(now))

    def _speed(self, now: float) -> float | None:
        """Games a second of late; None before the first is over."""
        since, played = self._samples[0]
        if now <= since or self._played <= played:
            return None
        return (self._played - played) / (now - since)

    def close(self) -> None:
        """Leave the last state on the screen."""
        now = self._clock()
        self._display.end(now, self._played, self._faults, self._speed(now))

    def __enter__(self) -> Self:
        """Return itself, already shown."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()


class _Bar:
    """A line that is drawn over and over, by the caller's thread alone."""

    missing = ""

    def __init__(self, console: Console, planned: int) -> None:
        self._planned = planned
        self._drawn = -math.inf
        self._bar = RichProgress(
            BarColumn(),
            TextColumn("{task.description}", markup=False),
            console=console,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._bar.add_task("", total=planned)

    def plan(self, planned: int) -> None:
        if planned != self._planned:
            self._planned = planned
            self._bar.update(self._task, total=planned)

    def begin(self, now: float) -> None:
        self._bar.start()
        self.show(now, 0, 0, None)

    def show(self, now: float, played: int, faults: int, speed: float | None) -> None:
        if now - self._drawn < REDRAW:
            return
        self._drawn = now
        text = _sentence(played, self._planned, faults, speed) + self.missing
        self._bar.update(self._task, completed=played, description=text, refresh=True)

    def end(self, now: float, played: int, faults: int, speed: float | None) -> None:
        self._drawn = -math.inf
        self.show(now, played, faults, speed)
        self._bar.stop()


class _Lines:
    """A line at each tenth of the plan, and after quiet seconds at a smaller round number.

    However many games a report brings at once, a line stands at exact multiples.
    """

    missing = ""  # who comes and goes is told in lines of their own

    def __init__(self, console: Console, planned: int, played: int) -> None:
        self._console = console
        self._told = played
        self._told_at = 0.0
        self.plan(planned)

    def plan(self, planned: int) -> None:
        self._planned = planned
        self._coarse = max(1, math.ceil(planned / 10))
        self._fine = _round_number(planned / 1000)

    def begin(self, now: float) -> None:
        self._told_at = now

    def show(self, now: float, played: int, faults: int, speed: float | None) -> None:
        due = range(_next(self._told, self._coarse), played + 1, self._coarse)
        for number in due:
            self._tell(now, number, faults, speed)
        if played == self._planned > self._told:
            self._tell(now, played, faults, speed)
        elif now - self._told_at >= QUIET and played - played % self._fine > self._told:
            self._tell(now, played - played % self._fine, faults, speed)

    def end(self, now: float, played: int, faults: int, speed: float | None) -> None:
        if played > self._told:
            self._tell(now, played, faults, speed)

    def _tell(self, now: float, played: int, faults: int, speed: float | None) -> None:
        line = _sentence(played, self._planned, faults, speed)
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)
        self._told, self._told_at = played, now


def _names(missing: Sequence[str]) -> str:
    """Who is waited for, as the bar tells it: some names at most."""
    if not missing:
        return ""
    more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
    return f", waiting for {', '.join(missing[:3])}{more}"


def _next(told: int, step: int) -> int:
    return (told // step + 1) * step


def _round_number(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 ... that is not below."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= least:
                return digit * power
        power *= 10


def _sentence(played: int, planned: int, faults: int, speed: float | None) -> str:
    share = 100 * played // planned if planned else 100
    parts = [f"{played:,}/{planned:,} games ({share} %)"]
    if speed:
        parts.append(f"{speed:,.1f}/s")
        if played < planned:
            parts.append(f"{_duration((planned - played) / speed)} left")
    parts.append("1 fault" if faults == 1 else f"{faults:,} faults")
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    whole = math.ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60:02} min"
