"""The finished prefix: values by number, given on in the order of their numbers.

Here belongs nothing but order. Games end in an order that depends on who won them; whatever
watches a running match must read them in the order of the plan (comparison.md, "Order").
"""

from typing import Generic, TypeVar

__all__ = ["FinishedPrefix"]

T = TypeVar("T")


class FinishedPrefix(Generic[T]):
    """Holds what came early until all before it is there; costs memory by what waits."""

    __slots__ = ("_waiting", "due")

    def __init__(self, due: int = 0) -> None:
        self.due = due
        """The number that is waited for."""
        self._waiting: dict[int, T] = {}

    def add(self, number: int, value: T) -> list[T]:
        """Take a value in; gives what has become part of the prefix, in order.

        Raises ValueError for a number that was there already.
        """
        if number < self.due or number in self._waiting:
            raise ValueError(f"number {number} is there already; expected each number once")
        self._waiting[number] = value
        ready: list[T] = []
        while self.due in self._waiting:
            ready.append(self._waiting.pop(self.due))
            self.due += 1
        return ready

    @property
    def waiting(self) -> int:
        """How many values came early and wait."""
        return len(self._waiting)
