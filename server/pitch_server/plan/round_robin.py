"""Round-robin: everybody meets everybody.

Here belongs the order of its pairings. Boards, seatings and games do not (`games`).
"""

import math

from pitch_server.plan.pairings import Pairings, combination

__all__ = ["RoundRobin"]


class RoundRobin(Pairings):
    """All combinations of `sides` entrants, each a tuple of ascending indexes.

    Two sides come by the circle method: rounds of disjoint pairings, in which every entrant
    meets once or (odd numbers) has a bye. More sides come in lexicographic order.
    """

    __slots__ = ("entrants", "sides")

    def __init__(self, entrants: int, sides: int) -> None:
        self.entrants = entrants
        self.sides = sides

    def __len__(self) -> int:
        return math.comb(self.entrants, self.sides)

    def pairing(self, index: int) -> tuple[int, ...]:
        """The pairing of that index."""
        if self.sides == 2:
            return _circle(self.entrants, index)
        return combination(self.entrants, self.sides, index)

    @property
    def rounds(self) -> int:
        """How many rounds there are by the circle method; 0 with more than two sides."""
        return len(self) // (self.entrants // 2) if self.sides == 2 else 0

    def byes(self, turn: int) -> tuple[int, ...]:
        """Who has a bye in a round: one of an odd number of entrants."""
        return (turn,) if self.entrants % 2 else ()


def _circle(entrants: int, index: int) -> tuple[int, int]:
    """The pairing of that index by the circle method.

    An odd number of entrants sits on the circle; of an even number the last one sits in its
    middle and meets, in each round, the one that would have a bye.
    """
    circle = entrants - 1 + entrants % 2
    turn, place = divmod(index, entrants // 2)
    if entrants % 2:
        place += 1  # place 0 is the bye
    one = (turn + place) % circle
    other = (turn - place) % circle if place else entrants - 1
    return min(one, other), max(one, other)
