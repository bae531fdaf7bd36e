"""What a bot's author is told of its mistakes: on standard error, and not without end.

Here belongs that each is told once and how many are. The words are `mistakes`', what the server
says of a fault is its own.
"""

from pitch.bot.headed_output import say
from pitch.bot.session import BotSession, Decision
from pitch.table.faults import Fault
from pitch.wire.frames import Failure, FaultNotice

__all__ = ["Trouble"]

_SHOWN = 20  # mistakes that are told in full
# The bot's own side finds these first, and has told of them when the charge comes.
_TOLD_BEFORE = (Fault.ERROR, Fault.ILLEGAL)


class Trouble:
    """Tells of mistakes as they are found."""

    def __init__(self) -> None:
        self._told = 0
        self._seen: set[str] = set()

    def failed(self, decision: Decision, failure: Failure) -> None:
        """The author's code raised at a decision; the same exception is told whole only once."""
        if failure.message in self._seen:
            self.tell(f"{decision.where}: again {failure.message}")
            return
        self._seen.add(failure.message)
        self.tell(f"{decision.where}:\n{failure.traceback}")

    def wrong(self, decision: Decision, mistake: str) -> None:
        """What was returned at a decision can't be played."""
        self.tell(f"{decision.where}: {mistake}")

    def of_session(self, session: BotSession) -> None:
        """Failures in making bots and in notices, and what the server charges the bot with."""
        for failure in session.failures:
            self.tell(failure.traceback)
        for charge in session.charges:
            if charge.fault not in _TOLD_BEFORE:
                self.tell(_charge_text(charge))
        session.failures.clear()
        session.charges.clear()

    def tell(self, text: str) -> None:
        """One message, in one piece."""
        self._told += 1
        if self._told <= _SHOWN:
            say(text.rstrip())
        elif self._told == _SHOWN + 1:
            say("further faults are not shown")


def _charge_text(charge: FaultNotice) -> str:
    return f"fault: {charge.fault.value}: {charge.message}"
