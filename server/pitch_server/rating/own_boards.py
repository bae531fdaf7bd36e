"""A field in which every pairing has boards of its own, as with independent deals.

Here belong its sums, a few numbers a pairing, and the same ratings with the same errors that
`least_squares` makes: boards are single games then and share nothing, so the jackknife over them
is the robust variance of least squares (HC3). The chances of ranks are not made of it.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from pitch_server.rating.equations import (
    Matrix,
    Whole,
    inverse,
    laplacian,
    linked,
    meetings_of,
    without_one,
)
from pitch_server.rating.least_squares import Ratings, ratings_of

__all__ = ["OwnBoards"]

_AT_ONCE = 4096


class OwnBoards:
    """Takes in margins by pairing; a board costs the same however many there were."""

    def __init__(
        self, entrants: int, pairings: Sequence[Sequence[int]], sides: int, scale: int = 1
    ) -> None:
        """The entrant at place p of a pairing is of side p mod `sides`."""
        self.entrants = entrants
        self.pairings = pairings
        self.sides = sides
        self.scale = scale
        self._sums: dict[int, list[int]] = {}

    def add(self, pairing: int, margins: Sequence[int]) -> None:
        """Take in a board of a pairing: D of each of its sides, times the scale."""
        sides = self.sides
        sums = self._sums.get(pairing)
        if sums is None:
            sums = self._sums[pairing] = [0] * (1 + sides + sides * sides)
        sums[0] += 1
        at = 1
        for margin in margins:
            sums[at] += margin
            at += 1
        for one in margins:
            for other in margins:
                sums[at] += one * other
                at += 1

    def ratings(self) -> Ratings:
        """The ratings of all that came."""
        size, sides = self.entrants, self.sides
        partners = len(self.pairings) > 0 and len(self.pairings[0]) > sides
        met, totals = np.zeros((size, size), dtype=np.int64), np.zeros(size)
        for tables, counts, sums, _ in self._parts():
            met += meetings_of(tables, size, sides, counts)
            for place in range(tables.shape[1]):
                np.add.at(totals, tables[:, place], sums[:, place % sides])
        groups = linked(met, partners=partners)
        boards = np.zeros(size, dtype=np.int64)
        for tables, counts, _, _ in self._parts():
            for table, count in zip(groups[tables], counts, strict=True):
                boards[np.unique(table)] += count
        solved = inverse(met, groups, sides, partners=partners)
        rating = solved @ totals / self.scale
        middle, cut = self._middle(solved, rating)
        certain = groups[:, None] == groups[None, :]
        for table in cut:
            parts = linked(met - meetings_of(table[None, :], size, sides), partners=partners)
            certain &= parts[:, None] == parts[None, :]
        return ratings_of(rating, solved @ middle @ solved.T, certain, groups, boards)

    def _parts(self) -> Iterator[tuple[Whole, Whole, Matrix, Matrix]]:
        """Of some pairings at a time: tables, boards, sums by side, squares around their mean."""
        known, sides = list(self._sums), self.sides
        for start in range(0, len(known), _AT_ONCE):
            some = known[start : start + _AT_ONCE]
            tables = np.array([self.pairings[pairing] for pairing in some], dtype=np.int64)
            # whole numbers without end, so that boards without spread have exactly none
            sums = np.array([self._sums[pairing] for pairing in some], dtype=object)
            counts, totals = sums[:, 0], sums[:, 1 : 1 + sides]
            products = sums[:, 1 + sides :].reshape(-1, sides, sides)
            around = counts[:, None, None] * products - totals[:, :, None] * totals[:, None, :]
            yield (
                tables,
                counts.astype(np.int64),
                totals.astype(np.float64),
                (around / counts[:, None, None]).astype(np.float64),
            )

    def _middle(self, solved: Matrix, rating: Matrix) -> tuple[Matrix, list[Whole]]:
        """What boards are off the ratings, squared and weighed; and tables that link by one board.

        Of each board it is M e e' M', e being what its entrants are off, M = (I - L_b L^-1)^-1.
        """
        middle, cut = np.zeros(solved.shape), list[Whole]()
        for tables, counts, sums, around in self._parts():
            places, sides = tables.shape[1], self.sides
            side = np.arange(places) % sides
            met = meetings_of(np.arange(places)[None, :], places, sides)
            own = laplacian(met, sides)
            off = (sums / self.scale / counts[:, None])[:, side] - rating[tables] @ own.T
            scatter = around[:, side[:, None], side[None, :]] / self.scale**2
            scatter += counts[:, None, None] * off[:, :, None] * off[:, None, :]
            near = solved[tables[:, :, None], tables[:, None, :]]
            weights, cuts = without_one(own, near)
            cut += list(tables[cuts & (counts == 1)])
            weighed = weights @ scatter @ weights.transpose(0, 2, 1)
            np.add.at(middle, (tables[:, :, None], tables[:, None, :]), weighed)
        return middle, cut
