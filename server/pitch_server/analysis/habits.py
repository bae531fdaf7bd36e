"""Habits: what entrants bid and took, from what the journal tells of their hands.

Here belong counts over finished hands. Whether what is told is right is for `pitch_server.verify`;
margins are `scores`'.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pitch.rules.variant import Variant
from pitch_server.analysis.errors import Strange
from pitch_server.scores.hands import HandPlay, parse_hands

__all__ = ["Habits"]

_DISTINCT = 20_000  # games that are told alike are counted once, of so many kinds at a time


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
    """Counts over finished hands, one game after the other."""

    def __init__(self, entrants: int, variant: Variant) -> None:
        self._variant = variant
        self._habits = [_Habit() for _ in range(entrants)]
        self._games: Counter[tuple[tuple[int, ...], str]] = Counter()

    def add(self, seats: tuple[int, ...], play: str) -> None:
        """Take a game in: who sat where, by index, and its hands as a line (`scores.hands`)."""
        self._games[seats, play] += 1
        if len(self._games) > _DISTINCT:
            self._count()

    def _count(self) -> None:
        for (seats, play), times in self._games.items():
            try:
                hands = parse_hands(play, self._variant)
            except (ValueError, RecursionError) as error:
                raise Strange(f"what is told of a game's hands can't be: {error}") from error
            for hand in hands:
                self._add_hand([self._habits[each] for each in seats], hand, times)
        self._games.clear()

    def _add_hand(self, seats: Sequence[_Habit], hand: HandPlay, times: int) -> None:
        for habit in set(seats):
            habit.hands += times
        pitcher = seats[hand.pitcher]
        pitcher.pitched += times
        pitcher.made += times * hand.made
        pitcher.bids[str(hand.bid)] += times
        for kind, side in zip(self._variant.points, hand.won, strict=True):
            if side is not None:
                for habit in set(seats[side :: self._variant.sides]):
                    habit.points[kind] += times

    def rows(self, names: Sequence[str], order: Sequence[int]) -> list[dict[str, Any]]:
        """The counts of these entrants, by name and index, in their order."""
        self._count()
        kinds = sorted({kind for habit in self._habits for kind in habit.points})
        return [_row(name, self._habits[at], kinds) for name, at in zip(names, order, strict=True)]


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
    }
