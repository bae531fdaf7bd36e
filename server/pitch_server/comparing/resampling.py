"""Resampling boards: how sure ranks are (comparison.md, "Many pairings").

Here belong the weights of resamples and what ranks come of them. What is ranked is not made here.
Chance comes from a seed handed in, so that the same boards give the same chances everywhere.
"""

import hashlib
import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["BOARDS_A_CHUNK", "poisson_weights", "rank_chances", "resampling_seed"]

BOARDS_A_CHUNK = 512
_LEVELS = 1 << 16


def resampling_seed(text: str) -> int:
    """A seed of 128 bits from a text, such as a tournament's commitment."""
    return int.from_bytes(hashlib.sha256(f"pitch-arena/resampling/1 {text}".encode()).digest()[:16])


def _poisson_table() -> NDArray[np.uint8]:
    """How often a board is drawn, Poisson with mean 1, for each of 65,536 equally likely levels."""
    table = np.zeros(_LEVELS, dtype=np.uint8)
    below = 0.0
    for times in range(9):
        below += math.exp(-1) / math.factorial(times)
        table[round(below * _LEVELS) :] = times + 1
    return table


_TABLE = _poisson_table()


def poisson_weights(seed: int, chunk: int, resamples: int) -> NDArray[np.uint8]:
    """How often each resample has each board of a chunk: (resamples, BOARDS_A_CHUNK).

    The Poisson bootstrap: each board by itself, so that boards can come one by one and a board's
    weights depend on nothing but the seed and its number. From Philox's raw bits, which NumPy
    promises never to change.
    """
    size = resamples * BOARDS_A_CHUNK
    bits = np.random.Philox(key=seed, counter=chunk << 64).random_raw((size + 3) // 4)
    levels = bits.astype("<u8", copy=False).view("<u2")[:size]
    weights: NDArray[np.uint8] = np.take(_TABLE, levels)
    return weights.reshape(resamples, BOARDS_A_CHUNK)


def rank_chances(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of resamples in which each entrant has each rank: [entrant, rank], 0 the best.

    `values` is [resample, entrant]. Equal ones (to seven decimals: what solves for them errs in
    the eighth) share their ranks evenly.
    """
    resamples, entrants = values.shape
    chances = np.zeros((entrants, entrants))
    places = np.arange(entrants)
    for row in np.round(values, 7):
        order = np.argsort(-row, kind="stable")
        ranked = row[order]
        starts = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]])
        if len(starts) == entrants:
            chances[order, places] += 1
            continue
        for start, stop in zip(starts, [*starts[1:], entrants], strict=True):
            chances[np.ix_(order[start:stop], places[start:stop])] += 1 / (stop - start)
    chances /= max(resamples, 1)
    return chances
