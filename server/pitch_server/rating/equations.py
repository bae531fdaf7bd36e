"""The normal equations of ratings: L r = U, and in how far they can be solved.

Here belong the matrix L, its inverse and who can be compared by it. What is on the right-hand
side, and how sure the ratings are, belongs to `least_squares`.

A table has k sides; the strength of a side is the sum of the ratings of its entrants, and its
margin is D = strength - mean of the others' strengths + chance. With T the matrix of who is of
which side and C that of "less the mean of the others", D = C T r + chance. As C'C = k/(k - 1) C,
and the margins of a table sum to 0, the normal equations are those with L = T'C T summed over all
tables, U = T'D: what the margins of an entrant's sides sum to.

(k - 1) L is whole: each entrant of a table has k - 1 with himself and with each partner, and -1
with each opponent. It is kept as how often any two *met*, a partner counting as 1 - k meetings;
without partners L is the Laplacian of a graph.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Matrix",
    "Whole",
    "centred",
    "inverse",
    "laplacian",
    "linked",
    "meetings_of",
    "without_one",
]

Matrix = NDArray[np.float64]
Whole = NDArray[np.int64]

_NOTHING = 1e-9
"""An eigenvalue below this share of the largest is rounding."""


def meetings_of(tables: Whole, entrants: int, sides: int, boards: Whole | int = 1) -> Whole:
    """How often any two meet at the tables [table, place]: [entrant, entrant], nobody himself.

    `boards` is how many each of the tables has.
    """
    met = np.zeros((entrants, entrants), dtype=np.int64)
    places = tables.shape[1]
    for one in range(places):
        for other in range(places):
            if one != other:
                worth = 1 if one % sides != other % sides else 1 - sides
                np.add.at(met, (tables[:, one], tables[:, other]), worth * boards)
    return met


def laplacian(met: Whole, sides: int) -> Matrix:
    """The matrix L of the normal equations."""
    return (np.diag(met.sum(axis=1)) - met) / (sides - 1)


def linked(met: Whole, *, partners: bool = False) -> Whole:
    """The group of each entrant: within one, differences of ratings can be known.

    Without partners by who has met whom; who met nobody is a group alone. With partners by what
    the equations leave open: of two that always sit together no more is known than their sum.
    """
    if partners:
        return _told_apart(met)
    from scipy.sparse.csgraph import connected_components

    return connected_components(met != 0, directed=False)[1].astype(np.int64)


def _told_apart(met: Whole) -> Whole:
    """Two are of one group if whatever the equations leave open moves both alike."""
    values, vectors = np.linalg.eigh(laplacian(met, 2))  # k - 1 is a factor, which changes nothing
    left_open = vectors[:, values <= _NOTHING * max(1.0, float(values[-1]))]
    groups = np.full(len(met), -1, dtype=np.int64)
    for entrant in range(len(met)):
        if groups[entrant] < 0:
            same = np.abs(left_open - left_open[entrant]).max(axis=1, initial=0.0) < 1e-6
            groups[same & (groups < 0)] = entrant
    return groups


def inverse(met: Whole, groups: Whole, sides: int, *, partners: bool = False) -> Matrix:
    """A matrix that solves the equations; without partners zero between groups.

    What it makes of U is right within groups but for a constant, without partners to the last:
    there the mean of each group is 0.
    """
    matrix = laplacian(met, sides)
    if partners:
        solved: Matrix = np.asarray(
            np.linalg.pinv(matrix, rcond=_NOTHING, hermitian=True), dtype=np.float64
        )
        return solved
    found = np.zeros(met.shape)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        if len(members) < 2:
            continue
        block = np.ix_(members, members)
        # a constant, which L sends to 0, is given a share of its own and then taken off again
        share = float(np.trace(matrix[block])) / len(members) ** 2
        found[block] = np.linalg.inv(matrix[block] + share) - 1 / (share * len(members) ** 2)
    return found


def without_one(own: Matrix, solved: Matrix) -> tuple[Matrix, NDArray[np.bool_]]:
    """(I - L_b L^-1)^-1 for a board b of its own, and whether without it less can be compared.

    `own` is L_b, `solved` is L^-1, both of the board's entrants alone; or of many boards alike,
    [..., entrant, entrant]. Where less can be compared the ratings meet the board exactly, and it
    moves what can still be compared by nothing: with L_b = F F' and K = I - F' L^-1 F it is
    I + F K^+ F' L^-1.
    """
    values, vectors = np.linalg.eigh(own)
    there = values > _NOTHING * values[-1]
    factor = vectors[:, there] * np.sqrt(values[there])
    left, turned = np.linalg.eigh(np.eye(factor.shape[1]) - factor.T @ solved @ factor)
    kept = left > _NOTHING
    turned = factor @ turned
    weights = turned * np.where(kept, 1 / np.where(kept, left, 1.0), 0.0)[..., None, :]
    found: Matrix = np.eye(len(own)) + weights @ np.swapaxes(turned, -1, -2) @ solved
    return found, np.asarray(~kept.all(axis=-1))


def centred(groups: Whole) -> Matrix:
    """The matrix that takes off each group's mean."""
    same = (groups[:, None] == groups[None, :]).astype(np.float64)
    found: Matrix = np.eye(len(groups)) - same / same.sum(axis=1)
    return found
