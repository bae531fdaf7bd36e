"""The order-free rating: least squares of margins, with errors clustered by board.

Here belong ratings, their covariance and P(A better than B), made of a field's sums. The chances
of ranks belong to `ranks`, cycles, which no rating can show, to `cycles`.

The equations are those of `equations`, L r = U. Ratings are only known within what boards tell
apart, a *group*, and there up to a constant: their mean is 0. The covariance is the jackknife over
boards, (G-1)/G times the sum of (r - r without b)(r - r without b)', where r - r without b is
(L - L_b)^-1 (U_b - L_b r). It allows for whatever pairings share on a board and for how much a
board weighs; of two entrants it is the standard error of comparison.md. A board touches few
entrants, and (L - L_b)^-1 = L^-1 (I - L_b L^-1)^-1 is solved for those alone.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitch_server.rating.equations import (
    Matrix,
    Whole,
    centred,
    inverse,
    laplacian,
    linked,
    meetings_of,
    without_one,
)
from pitch_server.rating.field import FieldSums, PatternSums

__all__ = [
    "Difference",
    "Ratings",
    "least_squares",
    "meetings",
    "ratings_of",
    "work",
]

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
    """Above the mean of the group; None for who can be compared with nobody."""
    standard_errors: tuple[float | None, ...]
    groups: tuple[int | None, ...]
    """Whom boards tell apart, numbered from 0; None for who can be compared with nobody."""
    boards: tuple[int, ...]
    """How many boards each group has."""
    covariance: Matrix
    certain: NDArray[np.bool_]
    """Which pairs more than one board tells apart, so that there is an error to tell."""

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


def work(sums: FieldSums) -> float:
    """About how many multiplications the ratings take."""
    most: float = sums.entrants**3
    return most + sum(len(pattern.members) ** 3 for pattern in sums.patterns)


def least_squares(sums: FieldSums) -> Ratings:
    """The ratings that a field's sums give."""
    size, met = sums.entrants, np.zeros((sums.entrants, sums.entrants), dtype=np.int64)
    totals = np.zeros(size)
    for pattern in sums.patterns:
        block = np.ix_(pattern.members, pattern.members)
        met[block] += pattern.boards * _meetings(sums, pattern)
        totals[pattern.members] += pattern.totals
    groups = linked(met, partners=sums.partners)
    boards = np.zeros(size, dtype=np.int64)  # by group; a group has at most as many as entrants
    for pattern in sums.patterns:
        boards[np.unique(groups[pattern.members])] += pattern.boards
    solved = inverse(met, groups, sums.sides, partners=sums.partners)
    rating = solved @ totals / sums.scale
    moved, certain = _jackknife(sums, met, solved, rating, groups)
    return ratings_of(rating, moved, certain, groups, boards)


def ratings_of(
    rating: Matrix, moved: Matrix, certain: NDArray[np.bool_], groups: Whole, boards: Whole
) -> Ratings:
    """The ratings of what solves the equations.

    `moved` sums over boards what each moves `rating` by, squared; `boards` are by group.
    """
    centre = centred(groups)
    rating, covariance = centre @ rating, centre @ moved @ centre.T
    covariance *= np.maximum(boards[groups] - 1, 0) / np.maximum(boards[groups], 1)
    size = len(groups)
    alone = (groups[:, None] == groups[None, :]).sum(axis=1) == 1
    there = np.flatnonzero((boards[groups] > 0) & ~alone)
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


def meetings(sums: FieldSums, pattern: PatternSums) -> Whole:
    """How often any two meet on a board of the pattern: [entrant, entrant], nobody himself."""
    tables = np.array([sums.pairings[pairing] for pairing in pattern.pairings])
    return meetings_of(tables, sums.entrants, sums.sides)


def _meetings(sums: FieldSums, pattern: PatternSums) -> Whole:
    """The same among the members of the pattern alone."""
    tables = np.array([sums.pairings[pairing] for pairing in pattern.pairings])
    places = np.searchsorted(pattern.members, tables)
    return meetings_of(places, len(pattern.members), sums.sides)


def _jackknife(
    sums: FieldSums, met: Whole, solved: Matrix, rating: Matrix, groups: Whole
) -> tuple[Matrix, NDArray[np.bool_]]:
    """The sum over boards of what each moves the ratings by, squared; and whom none cuts off."""
    middle = np.zeros(met.shape)
    certain = groups[:, None] == groups[None, :]
    for pattern in sums.patterns:
        block = np.ix_(pattern.members, pattern.members)
        own = laplacian(_meetings(sums, pattern), sums.sides)
        scatter = _scatter(pattern, sums.scale, own @ rating[pattern.members])
        if pattern.boards > 1:
            weight = np.linalg.inv(np.eye(len(own)) - own @ solved[block])
        else:
            weight, cuts = without_one(own, solved[block])
            if cuts:
                parts = linked(met - meetings(sums, pattern), partners=sums.partners)
                certain &= parts[:, None] == parts[None, :]
        middle[block] += weight @ scatter @ weight.T
    return solved @ middle @ solved.T, certain


def _scatter(pattern: PatternSums, scale: int, expected: Matrix) -> Matrix:
    """The sum of the squares of the pattern's rows around what ratings expect."""
    count = pattern.boards
    totals = pattern.totals.astype(object)
    # in whole numbers without end, so that rows without spread have exactly none
    around_mean = count * pattern.products.astype(object) - np.outer(totals, totals)
    off = pattern.totals / (count * scale) - expected
    return around_mean.astype(np.float64) / (count * scale * scale) + count * np.outer(off, off)
