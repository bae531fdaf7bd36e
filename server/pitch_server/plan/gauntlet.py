"""Gauntlet: challengers against the field, whose members are known from before.

Here belongs the order of its pairings. Boards, seatings and games do not (`games`).
"""

import math
from collections.abc import Sequence

from pitch_server.plan.pairings import Pairings, combination

__all__ = ["Gauntlet"]


class Gauntlet(Pairings):
    """Each challenger with every choice of the field for the other sides, in ascending indexes.

    Two sides come in rounds of disjoint pairings: in each the smaller group meets as many of the
    larger one, from the next place on. More sides come choice by choice of the field.
    """

    __slots__ = ("challengers", "field", "sides")

    def __init__(self, entrants: int, challengers: Sequence[int], sides: int) -> None:
        self.challengers = tuple(sorted(challengers))
        self.field = tuple(each for each in range(entrants) if each not in self.challengers)
        self.sides = sides

    def __len__(self) -> int:
        return len(self.challengers) * math.comb(len(self.field), self.sides - 1)

    def pairing(self, index: int) -> tuple[int, ...]:
        """The pairing of that index."""
        if self.sides == 2:
            few, many = sorted((self.challengers, self.field), key=len)
            turn, place = divmod(index, len(few))
            others: tuple[int, ...] = (many[(turn + place) % len(many)],)
            one = few[place]
        else:
            choice, challenger = divmod(index, len(self.challengers))
            places = combination(len(self.field), self.sides - 1, choice)
            others, one = tuple(self.field[place] for place in places), self.challengers[challenger]
        return tuple(sorted((one, *others)))
