"""When a crashed bot is started again: how long it waits, and when it has crashed too often.

Here belongs the count, as a value; starting a process is for `launch`, and what a crash means
for the games is the tournament's business. No clock: how long a run lasted is handed in.
"""

from dataclasses import dataclass

__all__ = ["FIRST_WAIT", "LONGEST_WAIT", "STEADY", "Restarts"]

FIRST_WAIT = 0.5  # seconds; each further crash in a row doubles it
LONGEST_WAIT = 30.0
STEADY = 60.0  # a run of so many seconds begins the count anew


@dataclass(slots=True)
class Restarts:
    """Crashes in a row of one process of an entrant; at most `limit` are followed by a start."""

    limit: int
    crashes: int = 0

    def next(self, ran_for: float) -> float | None:
        """Count a crash after a run of so many seconds: the seconds to wait, None when used up.

        A process that could not even start ran for 0 seconds.
        """
        if ran_for >= STEADY:
            self.crashes = 0
        self.crashes += 1
        if self.crashes > self.limit:
            return None
        # the exponent is bounded, as two to the power of a thousand is no time
        doublings = min(self.crashes - 1, 10)
        return float(min(FIRST_WAIT * 2**doublings, LONGEST_WAIT))

    @property
    def sentence(self) -> str:
        """For people, without a subject: "crashed 4 times in a row, 3 restarts are allowed"."""
        times = "once" if self.crashes == 1 else f"{self.crashes} times in a row"
        allowed = {0: "no restart is", 1: "1 restart is"}.get(
            self.limit, f"{self.limit} restarts are"
        )
        return f"crashed {times}, {allowed} allowed"
