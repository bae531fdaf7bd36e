"""The chances of ranks: the field rated anew in every resample of its boards.

Here belongs how resamples are rated; how boards are drawn belongs to `comparing.resampling`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitch_server.comparing.resampling import rank_chances
from pitch_server.rating.equations import inverse, laplacian, linked
from pitch_server.rating.field import FieldSums, PatternSums
from pitch_server.rating.least_squares import meetings

__all__ = ["RankChances", "ranks_by_resampling"]

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Matrix = NDArray[np.float64]
Whole = NDArray[np.int64]

_HINT = 1e-9
"""The weight that every board has in every resample beside its own, so that none falls apart.

Where one would, what it does not tell is as in all boards. It moves ratings in their ninth decimal
only, which is no rank: `rank_chances` takes those for equal.
"""
_NUMBERS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RankChances:
    """How often each entrant has each rank of its group, over resamples of the boards."""

    resamples: int
    chances: tuple[tuple[float, ...] | None, ...]
    """By entrant and rank, 0 the best; None with fewer than two boards, and alone."""

    def first(self, entrant: int) -> float | None:
        """How often the entrant is first: A is first in 93 % of resamples."""
        found = self.chances[entrant]
        return None if found is None else found[0]


def ranks_by_resampling(sums: FieldSums) -> RankChances:
    """The chances of ranks by least-squares rating; with all pairings on all boards, by points."""
    size = sums.entrants
    met = np.zeros((size, size), dtype=np.int64)
    for pattern in sums.patterns:
        met += pattern.boards * meetings(sums, pattern)
    groups = linked(met, partners=sums.partners)
    found: list[tuple[float, ...] | None] = [None] * size
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        if (
            sums.partners
            and met[members].any()
            and len(members) < np.count_nonzero(met.any(axis=1))
        ):
            continue  # what is not known of the others goes through all that is known of these
        patterns = [p for p in sums.patterns if np.isin(p.members, members).any()]
        if len(members) < 2 or sum(pattern.boards for pattern in patterns) < 2:
            continue
        chances = rank_chances(_rated(sums, patterns, members))
        for entrant, row in zip(members, chances, strict=True):
            found[entrant] = tuple(float(chance) for chance in row)
    return RankChances(resamples=len(sums.resampled), chances=tuple(found))


def _rated(sums: FieldSums, patterns: list[PatternSums], members: Whole) -> Matrix:
    """The group's ratings in each resample: [resample, member]. Resamples without boards drop."""
    weights = np.array([pattern.weights for pattern in patterns])
    totals = sums.resampled[:, members] / sums.scale
    drawn = np.flatnonzero(weights.sum(axis=0) > 0)
    weights, totals = weights[:, drawn], totals[drawn]
    if len(patterns) == 1:  # all resamples have one Laplacian, but for its weight
        own = meetings(sums, patterns[0])[np.ix_(members, members)]
        solved = inverse(own, np.zeros(len(members), dtype=np.int64), sums.sides)
        rated: Matrix = totals @ solved / weights[0, :, None]
        return rated
    every = np.zeros(sums.entrants)
    for pattern in patterns:
        every[pattern.members] += pattern.totals / sums.scale
    boards = np.array([[pattern.boards] for pattern in patterns])
    return _solved(
        _laplacians(sums, patterns, members),
        weights + _HINT * boards,
        totals + _HINT * every[members],
    )


def _laplacians(sums: FieldSums, patterns: list[PatternSums], members: Whole) -> "csr_array":
    """The Laplacian of a board of each pattern, flat; of independent deals nearly all zeros."""
    from scipy import sparse

    block, sides = np.ix_(members, members), sums.sides
    return sparse.vstack(
        [
            sparse.csr_array(laplacian(meetings(sums, p)[block], sides).reshape(1, -1))
            for p in patterns
        ]
    )


def _solved(laplacians: "csr_array", weights: Matrix, totals: Matrix) -> Matrix:
    """The ratings of each resample, from its weights of patterns and its sums of margins."""
    rated = np.empty(totals.shape)
    resamples, size = totals.shape
    step = max(1, _NUMBERS_AT_ONCE // size**2)
    for start in range(0, resamples, step):
        some = slice(start, start + step)
        systems = (laplacians.T @ weights[:, some]).T.reshape(-1, size, size)
        # what sums to 0 is left as it is by a share for the constant
        systems = systems + np.trace(systems, axis1=1, axis2=2)[:, None, None] / size**2
        rated[some] = np.linalg.solve(systems, totals[some][:, :, None])[:, :, 0]
    return rated
