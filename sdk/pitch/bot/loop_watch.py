"""Watches an event loop for author's code that holds it up, and tells the line that does.

Here belongs the finding of it, by a thread that looks at the loop's. The words are `mistakes`'.
"""

import asyncio
import sys
import threading
from collections.abc import Callable
from time import monotonic
from typing import ClassVar

from pitch.bot.mistakes import blocking, stack_line

__all__ = ["LoopWatch"]

_BEAT = 0.05  # seconds between two signs of life
_LONG = 0.25  # seconds without one that are worth a word
_MOST = 20  # lines told of


class LoopWatch:
    """Tells of each line once in a process that holds up the running event loop.

    What waits in the loop itself, or in a process that was stopped, is nobody's line.
    """

    _seen: ClassVar[set[str]] = set()

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._watched = threading.get_ident()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, name="loop watch", daemon=True)
        self._timer: asyncio.TimerHandle | None = None
        self._last = 0.0

    def begin(self) -> None:
        """Watches from now on."""
        self._beat()
        self._thread.start()

    def end(self) -> None:
        """Watches no more; comes back when the thread has ended."""
        self._ended.set()
        if self._timer is not None:
            self._timer.cancel()
        self._thread.join()

    def _beat(self) -> None:
        self._last = monotonic()
        self._timer = self._loop.call_later(_BEAT, self._beat)

    def _look(self) -> None:
        looked = monotonic()
        while not self._ended.wait(_BEAT):
            now = monotonic()
            own, looked = now - looked, now
            late = now - self._last
            # Who looks too late himself has a machine that is busy, and blames nobody for it.
            if late < _LONG or own > 2 * _BEAT or len(self._seen) >= _MOST:
                continue
            line = stack_line(sys._current_frames().get(self._watched))
            if line and line not in self._seen:
                self._seen.add(line)
                self._tell(blocking(late, line))
