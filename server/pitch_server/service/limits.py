"""How much one connection, one address and all strangers together may ask of the server.

Here belong budgets and counts as values: time comes in as a number, what follows goes out as
numbers and names. Nothing is read, cut or logged here.
"""

from collections import OrderedDict
from typing import NamedTuple

__all__ = [
    "BYTES",
    "LINES",
    "REFUSALS",
    "STRAYS",
    "Bucket",
    "Budget",
    "Lines",
    "Refusals",
    "Standing",
    "address_of",
]


class Budget(NamedTuple):
    """So much at once, and so much a second after that."""

    at_once: float
    a_second: float


STRAYS = Budget(2_000, 500)
"""Frames and answers that nobody asked for; what was asked for is bounded by the questions."""
BYTES = Budget(8 << 20, 4 << 20)
"""Bytes of frames: fifty times what the quickest bot sends."""
REFUSALS = Budget(20, 2)
"""Refusals of one address that are told at once; the rest are told late."""
LINES = Budget(20, 0.5)
"""Lines of the log that strangers and broken bots can cause."""
_ADDRESSES = 4_096


class Bucket:
    """What is left of a budget. Whoever overdraws it waits; nothing is ever refused."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._spent = 0.0
        self._at = 0.0

    def take(self, cost: float, now: float) -> float:
        """Takes from the budget; the seconds to wait until it is in order again."""
        at_once, a_second = self._budget
        self._spent = max(0.0, self._spent - (now - self._at) * a_second) + cost
        self._at = now
        return max(0.0, (self._spent - at_once) / a_second)


class Refusals:
    """How long a refusal is held back, by address: guessing and hammering are slow.

    Of very many addresses those that were refused longest ago are forgotten.
    """

    def __init__(self, longest: float) -> None:
        """`longest` is in seconds."""
        self._longest = longest
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def wait(self, address: str, now: float) -> float:
        """Notes a refusal; the seconds that it is held back."""
        bucket = self._buckets.setdefault(address, Bucket(REFUSALS))
        self._buckets.move_to_end(address)
        if len(self._buckets) > _ADDRESSES:
            self._buckets.popitem(last=False)
        return min(bucket.take(1, now), self._longest)


class Standing:
    """Connections that have no place yet, by their peer's address and port.

    Where there are too many the oldest give way: whoever means it says hello at once, so that a
    crowd that says nothing keeps nobody out.
    """

    def __init__(self, each_address: int, in_all: int) -> None:
        self._each_address = each_address
        self._in_all = in_all
        self._peers: dict[str, None] = {}  # in the order of their coming

    def update(self, peers: set[str], seated: set[str]) -> None:
        """Takes in which connections there are now; those with a place do not stand."""
        standing = peers - seated
        self._peers = {
            **{peer: None for peer in self._peers if peer in standing},
            **{peer: None for peer in sorted(standing) if peer not in self._peers},
        }

    def too_many(self, seated: int) -> list[str]:
        """The connections to cut, oldest first; `seated` have a place and are left alone."""
        by_address: dict[str, list[str]] = {}
        for peer in self._peers:
            by_address.setdefault(address_of(peer), []).append(peer)
        cut = {
            peer
            for peers in by_address.values()
            for peer in peers[: max(0, len(peers) - self._each_address)]
        }
        left = [peer for peer in self._peers if peer not in cut]
        cut.update(left[: max(0, len(left) + seated - self._in_all)])
        return [peer for peer in self._peers if peer in cut]


class Lines:
    """Which lines of the log are written where strangers could cause any number of them."""

    def __init__(self) -> None:
        self._bucket = Bucket(LINES)
        self._withheld = 0
        self._until = 0.0

    def write(self, now: float) -> int | None:
        """None: withhold this line; else write it, and how many were withheld before it."""
        if now < self._until:
            self._withheld += 1
            return None
        # Once the budget is used up there is silence until half of it is back.
        if self._bucket.take(1, now) > 0:
            self._until = now + LINES.at_once / 2 / LINES.a_second
        withheld, self._withheld = self._withheld, 0
        return withheld


def address_of(peer: str) -> str:
    """The address in ADDRESS:PORT."""
    return peer.rpartition(":")[0]
