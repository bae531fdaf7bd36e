"""The chances of ranks: the field rated anew in every resample of its boards.

Here belongs how resamples are rated; how boards are drawn belongs to `comparing.resampling`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pitch_server.comparing.resampling import rank_chances
from pitch_server.rating.field import FieldSums, PatternSums
from pitch_server.rating.least_squares import inverse, laplacian, linked, meetings

__all__ = ["RankChances", "ranks_by_resampling"]

Matrix = NDArray[np.float64]

_HINT = 1e-9
"""The weight that every board has in every resample beside its own, so that none falls apart."""
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
    groups = linked(met)
    found: list[tuple[float, ...] | None] = [None] * size
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        patterns = [p for p in sums.patterns if groups[p.members[0]] == group or _in(p, members)]
        if len(members) < 2 or sum(pattern.boards for pattern in patterns) < 2:
            continue
        chances = rank_chances(_rated(sums, patterns, members))
        for entrant, row in zip(members, chances, strict=True):
            found[entrant] = tuple(float(chance) for chance in row)
    return RankChances(resamples=len(sums.resampled), chances=tuple(found))


def _in(pattern: PatternSums, members: NDArray[np.int64]) -> bool:
    return bool(np.isin(pattern.members, members).any())


def _rated(sums: FieldSums, patterns: list[PatternSums], members: NDArray[np.int64]) -> Matrix:
    """The group's ratings in each resample: [resample, member]. Resamples without boards drop."""
    block = np.ix_(members, members)
    sides = len(sums.pairings[0])
    weights = np.array([pattern.weights for pattern in patterns])
    totals = sums.resampled[:, members] / sums.scale
    drawn = np.flatnonzero(weights.sum(axis=0) > 0)
    if len(patterns) == 1:
        own = meetings(sums, patterns[0])[block]
        solved = inverse(own, np.zeros(len(members), dtype=np.int64), sides)
        rated: Matrix = totals[drawn] @ solved / weights[0, drawn, None]
        return rated
    matrices = np.array([laplacian(meetings(sums, p)[block], sides) for p in patterns])
    counts = np.array([pattern.boards for pattern in patterns])
    every = np.zeros(sums.entrants)
    for pattern in patterns:
        every[pattern.members] += pattern.totals / sums.scale
    weights = weights + _HINT * counts[:, None]
    totals = totals + _HINT * every[members]
    rated = np.empty((len(drawn), len(members)))
    step = max(1, _NUMBERS_AT_ONCE // len(members) ** 2)
    for start in range(0, len(drawn), step):
        some = drawn[start : start + step]
        systems = np.tensordot(weights[:, some].T, matrices, axes=1)
        # what sums to 0 is left as it is by a share for the constant
        systems += np.trace(systems, axis1=1, axis2=2)[:, None, None] / len(members) ** 2
        rated[start : start + step] = np.linalg.solve(systems, totals[some][:, :, None])[:, :, 0]
    return rated
