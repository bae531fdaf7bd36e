"""Mixed partnerships: every seat of a side is another entrant's, and all are ranked by themselves.

Here belongs who sits together against whom, in a schedule in which everybody partners everybody
equally often, and has everybody as an opponent equally often (docs/formats.md).
"""

import math
from collections.abc import Iterator
from itertools import combinations

from pitch_server.plan.pairings import Pairings, combination
from pitch_server.plan.whist import OUTSIDE, base_tables

__all__ = ["EveryLineup", "Whist", "lineups", "mixed"]


def mixed(entrants: int, players: int, sides: int) -> "Whist | EveryLineup":
    """The schedule: the shortest balanced one that is known, or else of all lineups."""
    if (players, sides) == (4, 2) and base_tables(entrants):
        return Whist(entrants)
    return EveryLineup(entrants, players, sides)


def lineups(entrants: int, players: int, sides: int) -> int:
    """How many lineups the schedule has."""
    return len(mixed(entrants, players, sides))


class Whist(Pairings):
    """A schedule of tables of two against two, by turning a few of them round a circle.

    With an odd number all sit on the circle, of an even number the last one sits outside. A
    lineup (a, b, c, d) has a and c play b and d.
    """

    __slots__ = ("_base", "_circle", "entrants")

    def __init__(self, entrants: int) -> None:
        self.entrants = entrants
        self._base = base_tables(entrants)
        self._circle = entrants - 1 + entrants % 2

    def __len__(self) -> int:
        return self._circle * len(self._base)

    def pairing(self, index: int) -> tuple[int, ...]:
        """The lineup of that index."""
        turn, table = divmod(index, len(self._base))
        return tuple(
            self.entrants - 1 if place == OUTSIDE else (place + turn) % self._circle
            for place in self._base[table]
        )


class EveryLineup(Pairings):
    """Every choice of as many entrants as there are seats, in every way to make sides of them.

    A lineup names the entrant of each place; place p is of team p mod sides.
    """

    __slots__ = ("_ways", "entrants", "players")

    def __init__(self, entrants: int, players: int, sides: int) -> None:
        self.entrants = entrants
        self.players = players
        self._ways = tuple(_ways(tuple(range(players)), players // sides))

    def __len__(self) -> int:
        return math.comb(self.entrants, self.players) * len(self._ways)

    def pairing(self, index: int) -> tuple[int, ...]:
        """The lineup of that index."""
        choice, way = divmod(index, len(self._ways))
        chosen, teams = combination(self.entrants, self.players, choice), self._ways[way]
        sides = len(teams)
        return tuple(chosen[teams[place % sides][place // sides]] for place in range(self.players))


def _ways(members: tuple[int, ...], size: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to divide the members into teams of that size; neither has an order."""
    if not members:
        yield ()
        return
    first, *rest = members
    for others in combinations(rest, size - 1):
        left = tuple(each for each in rest if each not in others)
        for teams in _ways(left, size):
            yield ((first, *others), *teams)
