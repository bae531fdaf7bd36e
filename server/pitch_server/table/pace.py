"""The pace of a bot, as arithmetic on times: how long questions gather before they are sent.

Questions for a bot that is busy wait until they are as many as it has out, so that batches
form under load. Here belongs how long they wait at most: until the bot falls silent, which is
for a few of the pauses that it makes between its frames, and never longer than a limit, so
that a bot that thinks of many things at once is not kept idle.
"""

__all__ = ["Pace"]

_PAUSES = 4
_LEAST, _LIMIT = 0.005, 0.02  # seconds
_WEIGHT = 1 / 8  # of the newest pause


class Pace:
    """How soon a bot usually comes back; times and spans in seconds."""

    __slots__ = ("_received", "gather")

    def __init__(self) -> None:
        self.gather = _LIMIT
        self._received = 0.0

    def received(self, now: float) -> None:
        """A frame has come from the bot."""
        pause, self._received = now - self._received, now
        wanted = min(max(pause * _PAUSES, _LEAST), _LIMIT)
        self.gather += (wanted - self.gather) * _WEIGHT

    def left(self, asked: float, now: float) -> float:
        """How long what was first asked at `asked` may still gather; 0 or less: send it."""
        return min(self._received + self.gather, asked + _LIMIT) - now
