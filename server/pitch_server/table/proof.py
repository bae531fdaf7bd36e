"""Proof by waiting: for who has no echo, all that had arrived is taken for read a moment later.

Here belongs what stands in where the server does not measure its transport: tests, and whoever
drives instances without a socket.
"""

from collections.abc import Callable
from typing import Any

from pitch_server.table.clock import Moment

__all__ = ["LastReading"]

# The loop has this long, in seconds, to read what had arrived.
_LAST_READING = 0.005


class LastReading:
    """A `Proof` that gives the loop a moment, and takes whatever comes for read when it comes."""

    def __init__(self, now: Callable[[], Moment], loop: Any) -> None:
        self._now = now
        self._loop = loop

    @property
    def proven(self) -> Moment:
        """Now."""
        return self._now()

    def prove(self, done: Callable[[], None]) -> None:
        """Calls back a moment later."""
        self._loop.call_later(_LAST_READING, done)
