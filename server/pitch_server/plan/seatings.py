"""Seatings: who of a pairing sits where at the tables of one board.

Here belongs the way from the entrants of a pairing to the seats of a game (docs/deals.md). Which
pairing plays which board does not.
"""

import math
from collections.abc import Sequence

__all__ = ["Seatings"]


class Seatings:
    """The seatings of a board, numbered from 0: all rotations, or all orders of the sides.

    A pairing is a tuple of entrants: one for each side, who plays all of its seats, or one for
    each seat. Place p is of team p mod sides. In rotation r seat s has place s + r, and so side s
    team s + r. Of all orders the rotations come first, then the rotations of every other cyclic
    order of the teams.
    """

    __slots__ = ("_orders", "_players", "_sides", "count")

    def __init__(self, players: int, sides: int, *, every: bool) -> None:
        self._players = players
        self._sides = sides
        self._orders = math.factorial(sides - 1) if every else 1
        self.count = sides * self._orders

    def team(self, seating: int, side: int) -> int:
        """The team that plays a side."""
        order, turn = divmod(seating, self._sides)
        place = (side + turn) % self._sides
        return self._circle(order)[place] if order else place

    def seats(self, entrants: Sequence[int], seating: int) -> tuple[int, ...]:
        """The entrant at each seat."""
        order, turn = divmod(seating, self._sides)
        sides, places = self._sides, len(entrants)
        if not order:
            return tuple(entrants[(seat + turn) % places] for seat in range(self._players))
        circle = self._circle(order)
        return tuple(
            entrants[circle[place % sides] + place - place % sides]
            for place in ((seat + turn) % places for seat in range(self._players))
        )

    def _circle(self, order: int) -> tuple[int, ...]:
        """The teams in their cyclic order: the first stays, the others as permutations come."""
        left, circle = list(range(1, self._sides)), [0]
        while left:
            at, order = divmod(order, math.factorial(len(left) - 1))
            circle.append(left.pop(at))
        return tuple(circle)
