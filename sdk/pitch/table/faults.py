"""Faults: what a seat can do wrong, and what it costs.

Here belong the kinds of fault with their sentences and the policy that prices them. Evidence
(times, lag, output) does not: it is kept by the shell that measured it.
"""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Fault", "FaultPolicy", "OnFault"]


class Fault(StrEnum):
    """A bot's fault: an outcome of the game, never an exception of ours."""

    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    ERROR = "error"
    DISCONNECT = "disconnect"
    ABSENT = "absent"

    @property
    def sentence(self) -> str:
        """What happened, for people."""
        return _SENTENCES[self]


_SENTENCES = {
    Fault.TIMEOUT: "no answer came within the limit",
    Fault.ILLEGAL: "the answer named an action that is not legal here",
    Fault.MALFORMED: "the answer could not be read",
    Fault.ERROR: "the bot reported an exception in its own code",
    Fault.DISCONNECT: "the connection was lost and did not come back in time",
    Fault.ABSENT: "the bot was not there when its game was due",
}


class OnFault(StrEnum):
    """What the referee does about a fault."""

    SUBSTITUTE = "substitute"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPolicy:
    """What faults cost: a substituted action up to `max_faults` in a game, or the game."""

    on_fault: OnFault = OnFault.SUBSTITUTE
    max_faults: int = 5

    def forfeits(self, count: int) -> bool:
        """Whether the `count`-th fault of a side in a game loses it the game."""
        return self.on_fault is OnFault.FORFEIT or count >= self.max_faults
