"""Habits: what entrants bid and took, from the records of their games.

Here belong counts over finished hands as the records tell them. Whether a record is right is for
`pitch_server.verify`; margins are `scores`'.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pitch_server.analysis.errors import Strange

__all__ = ["Habits", "habits"]


class _Habit:
    """What is counted of one entrant."""

    __slots__ = ("bids", "hands", "made", "pitched", "points")

    def __init__(self) -> None:
        self.hands = 0
        self.pitched = 0
        self.made = 0
        self.bids: Counter[str] = Counter()
        self.points: Counter[str] = Counter()


class Habits:
    """Counts over finished hands, one record after the other."""

    def __init__(self, names: Sequence[str], sides: int) -> None:
        self._sides = sides
        self._habits = {name: _Habit() for name in names}

    def add(self, record: Mapping[str, Any]) -> None:
        """Take a record in, as JSON of records.md; an unfinished hand counts for nobody.

        Raises Strange if it is no record of these entrants.
        """
        try:
            seats = [self._habits[name] for name in record["seats"]]
            for hand in record["hands"]:
                if (result := hand.get("result")) is not None:
                    self._add_hand(seats, result)
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise Strange(f"a record is none of this tournament: {error!r}") from error

    def _add_hand(self, seats: Sequence[_Habit], result: Mapping[str, Any]) -> None:
        for habit in set(seats):
            habit.hands += 1
        pitcher = seats[result["pitcher"]]
        pitcher.pitched += 1
        pitcher.made += result["made"]
        pitcher.bids[str(result["bid"])] += 1
        for kind, side in result["won"].items():
            if side is not None:
                for habit in set(seats[side :: self._sides]):
                    habit.points[kind] += 1

    def rows(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """The counts of these entrants, in their order."""
        kinds = sorted({kind for habit in self._habits.values() for kind in habit.points})
        return [_row(name, self._habits[name], kinds) for name in names]


def _row(name: str, habit: _Habit, kinds: Sequence[str]) -> dict[str, Any]:
    lost = habit.pitched - habit.made
    return {
        "name": name,
        "hands": habit.hands,
        "hands_pitched": habit.pitched,
        "set": lost,
        "set_rate": lost / habit.pitched if habit.pitched else None,
        "bids": {bid: habit.bids[bid] for bid in sorted(habit.bids)},
        "points": {kind: habit.points[kind] for kind in kinds},
        "decision_seconds": None,
    }


def habits(names: Sequence[str], sides: int, records: Iterable[Mapping[str, Any]]) -> Habits:
    """The habits that records show."""
    found = Habits(names, sides)
    for record in records:
        found.add(record)
    return found
