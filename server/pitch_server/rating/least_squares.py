"""The order-free rating: least squares of margins, with errors clustered by board.

Here belong ratings, their covariance and P(A better than B), made of a field's sums. The chances
of ranks belong to `ranks`, cycles, which no rating can show, to `cycles`.

A board of k entrants has the margins D_i = r_i - mean of the others' r + chance. The normal
equations are those of a graph, L r = U: L the Laplacian of how often two met, over k - 1, U what
each entrant's margins sum to. Ratings are only known within what is linked by boards, a *group*,
and there up to a constant: their mean is 0. The covariance is the jackknife over boards, (G-1)/G
times the sum of (r - r without b)(r - r without b)', where r - r without b is
(L - L_b)^-1 (U_b - L_b r). It allows for whatever pairings share on a board and for how much a
board weighs; of two entrants it is the standard error of comparison.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitch_server.rating.field import FieldSums, PatternSums

__all__ = ["Difference", "Ratings", "inverse", "laplacian", "least_squares", "linked", "meetings"]

Matrix = NDArray[np.float64]
Whole = NDArray[np.int64]

_NO_SPREAD = 1e-9
"""A standard error below this share of the ratings is rounding, not spread."""


class Difference(NamedTuple):
    """How far one entrant is above another by rating, in units of the margin."""

    mean: float
    standard_error: float | None
    """None where there is no telling: no spread, or all rests on a single board."""
    better: float | None
    """The probability that the first is better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """Ratings of a field. Only those of one group can be compared with one another."""

    ratings: tuple[float | None, ...]
    """Above the mean of the group; None for who has no boards."""
    standard_errors: tuple[float | None, ...]
    groups: tuple[int | None, ...]
    """Which entrants are linked by boards, numbered from 0; None for who has none."""
    boards: tuple[int, ...]
    """How many boards each group has."""
    covariance: Matrix
    certain: NDArray[np.bool_]
    """Which pairs are linked by more than one board, so that there is an error to tell."""

    def difference(self, one: int, other: int) -> Difference | None:
        """How far `one` is above `other`; None if no chain of boards links them."""
        high, low, group = self.ratings[one], self.ratings[other], self.groups[one]
        if high is None or low is None or group is None or group != self.groups[other]:
            return None
        mean, error = high - low, self._error(one, other)
        if error is None:
            return Difference(mean, None, None)
        from scipy.special import stdtr  # takes half a second, which a start should not wait for

        return Difference(mean, error, float(stdtr(self.boards[group] - 1, mean / error)))

    def _error(self, one: int, other: int) -> float | None:
        if one == other or not self.certain[one, other]:
            return None
        cov = self.covariance
        variance = float(cov[one, one] + cov[other, other] - 2 * cov[one, other])
        return _error(variance, self.ratings)


def _error(variance: float, ratings: Sequence[float | None]) -> float | None:
    least = _NO_SPREAD * max((abs(rating) for rating in ratings if rating), default=1.0)
    return math.sqrt(variance) if variance > least * least else None


def least_squares(sums: FieldSums) -> Ratings:
    """The ratings that a field's sums give."""
    size, met = sums.entrants, np.zeros((sums.entrants, sums.entrants), dtype=np.int64)
    totals = np.zeros(size)
    for pattern in sums.patterns:
        met += pattern.boards * meetings(sums, pattern)
        totals[pattern.members] += pattern.totals
    groups = linked(met)
    rating = inverse(met, groups, _sides(sums)) @ totals / sums.scale
    boards = np.zeros(size, dtype=np.int64)  # by group; a group has at most as many as entrants
    for pattern in sums.patterns:
        boards[np.unique(groups[pattern.members])] += pattern.boards
    covariance, certain = _jackknife(sums, met, rating, groups)
    covariance *= np.maximum(boards[groups] - 1, 0) / np.maximum(boards[groups], 1)
    there = np.flatnonzero(met.any(axis=1))
    names = {int(group): name for name, group in enumerate(np.unique(groups[there]))}
    ratings: list[float | None] = [None] * size
    errors: list[float | None] = [None] * size
    for entrant in there:
        ratings[entrant] = float(rating[entrant])
    for entrant in there:
        if certain[entrant, groups == groups[entrant]].all():
            errors[entrant] = _error(float(covariance[entrant, entrant]), ratings)
    return Ratings(
        ratings=tuple(ratings),
        standard_errors=tuple(errors),
        groups=tuple(
            None if rating is None else names[int(group)]
            for rating, group in zip(ratings, groups, strict=True)
        ),
        boards=tuple(int(boards[group]) for group in names),
        covariance=covariance,
        certain=certain,
    )


def _sides(sums: FieldSums) -> int:
    return len(sums.pairings[0]) if len(sums.pairings) else 2


def meetings(sums: FieldSums, pattern: PatternSums) -> Whole:
    """How often any two meet on a board of the pattern: [entrant, entrant], nobody himself."""
    met = np.zeros((sums.entrants, sums.entrants), dtype=np.int64)
    tables = np.array([sums.pairings[pairing] for pairing in pattern.pairings])
    for one in range(tables.shape[1]):
        for other in range(tables.shape[1]):
            if one != other:
                np.add.at(met, (tables[:, one], tables[:, other]), 1)
    return met


def linked(met: Whole) -> Whole:
    """The group of each entrant, by who has met whom; who met nobody is a group alone."""
    from scipy.sparse.csgraph import connected_components

    return connected_components(met != 0, directed=False)[1].astype(np.int64)


def laplacian(met: Whole, sides: int) -> Matrix:
    """The matrix of the normal equations."""
    return (np.diag(met.sum(axis=1)) - met) / (sides - 1)


def inverse(met: Whole, groups: Whole, sides: int) -> Matrix:
    """The pseudo-inverse of the Laplacian, group by group: zero between groups."""
    matrix, found = laplacian(met, sides), np.zeros(met.shape)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        if len(members) < 2:
            continue
        block = np.ix_(members, members)
        # a constant, which L sends to 0, is given a share of its own and then taken off again
        share = float(np.trace(matrix[block])) / len(members) ** 2
        found[block] = np.linalg.inv(matrix[block] + share) - 1 / (share * len(members) ** 2)
    return found


def _jackknife(
    sums: FieldSums, met: Whole, rating: Matrix, groups: Whole
) -> tuple[Matrix, NDArray[np.bool_]]:
    """The sum over boards of what each moves the ratings by, squared; and whom none cuts off."""
    sides = _sides(sums)
    covariance = np.zeros(met.shape)
    certain = groups[:, None] == groups[None, :]
    for pattern in sums.patterns:
        own = meetings(sums, pattern)
        left = met - own
        parts = linked(left)
        certain &= parts[:, None] == parts[None, :]
        move = inverse(left, parts, sides)[:, pattern.members]
        expected = (laplacian(own, sides) @ rating)[pattern.members]
        covariance += move @ _scatter(pattern, sums.scale, expected) @ move.T
    return covariance, certain


def _scatter(pattern: PatternSums, scale: int, expected: Matrix) -> Matrix:
    """The sum of the squares of the pattern's rows around what ratings expect."""
    count = pattern.boards
    totals = pattern.totals.astype(object)
    # in whole numbers without end, so that rows without spread have exactly none
    around_mean = count * pattern.products.astype(object) - np.outer(totals, totals)
    off = pattern.totals / (count * scale) - expected
    return around_mean.astype(np.float64) / (count * scale * scale) + count * np.outer(off, off)
