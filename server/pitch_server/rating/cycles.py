"""Cycles: where a field of two sides is not of one dimension, and a rating tells half the truth.

Here belong a measure of it and the search for a chain A > B > C > A of which every link is
significant. Ratings do not.
"""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pitch_server.comparing.fixed_size import two_sided_p
from pitch_server.comparing.many_pairings import holm
from pitch_server.scores.statistics import Moments

__all__ = ["Transitivity", "transitivity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transitivity:
    """How far the margins of pairings are differences of ratings."""

    cyclic_share: float | None
    """Of the squares of the pairings' mean margins, what no rating can explain: 0 to 1.

    The cyclic part of the Hodge decomposition (Jiang, Lim, Yao and Ye 2011), weighted by boards.
    None without any margin.
    """
    excess: float | None
    """That part by degree of freedom, in variances of a board: about 1 by chance alone."""
    cycle: tuple[int, ...] | None
    """Entrants each of whom beats the next, the last the first, significantly after Holm's
    correction over all pairings; of the shortest, the one whose weakest link is the clearest."""


def transitivity(
    pairings: Sequence[tuple[int, int]],
    margins: Sequence[Moments],
    ratings: Sequence[float | None],
    alpha: float = 0.05,
) -> Transitivity:
    """How transitive a field is, from D of the first of each pairing and the ratings."""
    explained = left = within = 0.0
    freedom = spare = 0
    for (one, other), moments in zip(pairings, margins, strict=True):
        mean, high, low = moments.mean, ratings[one], ratings[other]
        if mean is None or high is None or low is None:
            continue
        explained += moments.count * mean * mean
        left += moments.count * (mean - (high - low)) ** 2
        sd = moments.summary().sd
        if sd is not None:
            within += sd * sd * (moments.count - 1)
            freedom += moments.count - 1
        spare += 1
    spare -= _rank(pairings, margins)
    beaten = _beaten(pairings, margins, alpha)
    return Transitivity(
        cyclic_share=min(1.0, left / explained) if explained else None,
        excess=left / spare / (within / freedom) if spare > 0 and within else None,
        cycle=_cycle(beaten),
    )


def _rank(pairings: Sequence[tuple[int, int]], margins: Sequence[Moments]) -> int:
    """How many ratings are free: the entrants less one for each group."""
    root: dict[int, int] = {}

    def top(entrant: int) -> int:
        while (above := root.setdefault(entrant, entrant)) != entrant:
            root[entrant] = entrant = root.setdefault(above, above)
        return entrant

    joined = 0
    for (one, other), moments in zip(pairings, margins, strict=True):
        if moments.count and top(one) != top(other):
            root[top(one)] = top(other)
            joined += 1
    return joined


Beaten = Mapping[int, Mapping[int, float]]


def _beaten(
    pairings: Sequence[tuple[int, int]], margins: Sequence[Moments], alpha: float
) -> Beaten:
    """Whom each entrant significantly beats, and how clearly: in standard errors."""
    marks = holm([two_sided_p(moments) for moments in margins], alpha)
    beaten: dict[int, dict[int, float]] = {}
    for (one, other), moments, mark in zip(pairings, margins, marks, strict=True):
        summary = moments.summary()
        if not mark.significant or summary.mean is None or not summary.standard_error:
            continue
        clear = summary.mean / summary.standard_error
        winner, loser = (one, other) if clear > 0 else (other, one)
        beaten.setdefault(winner, {})[loser] = abs(clear)
    return beaten


def _cycle(beaten: Beaten) -> tuple[int, ...] | None:
    core = _core(beaten)
    return _clearest_triangle(core) or _shortest(core)


def _core(beaten: Beaten) -> Beaten:
    """What is left when whoever beats nobody or is beaten by nobody is taken out, again and again.

    In a field without cycles that is nothing, and found in linear time.
    """
    left = {winner: dict(losers) for winner, losers in beaten.items()}
    beaten_by: dict[int, set[int]] = {}
    for winner, losers in left.items():
        for loser in losers:
            beaten_by.setdefault(loser, set()).add(winner)
    out = [
        entrant
        for entrant in {*left, *beaten_by}
        if not (left.get(entrant) and beaten_by.get(entrant))
    ]
    while out:
        gone = out.pop()
        for loser in left.pop(gone, {}):
            beaten_by[loser].discard(gone)
            if not beaten_by[loser] and loser in left:
                out.append(loser)
        for winner in beaten_by.pop(gone, set()):
            left[winner].pop(gone, None)
            if not left[winner]:
                out.append(winner)
    return left


def _clearest_triangle(beaten: Beaten) -> tuple[int, ...] | None:
    best, found = -math.inf, None
    for one, losers in beaten.items():
        for other, first in losers.items():
            if other < one:  # each cycle is found from its lowest entrant
                continue
            for third, second in beaten.get(other, {}).items():
                last = beaten.get(third, {}).get(one)
                if last is None or third < one:
                    continue
                if min(first, second, last) > best:
                    best, found = min(first, second, last), (one, other, third)
    return found


def _shortest(beaten: Beaten) -> tuple[int, ...] | None:
    """A shortest cycle, by breadth from every entrant."""
    best: tuple[int, ...] | None = None
    for start in sorted(beaten):
        found = _back_to(start, beaten)
        if found is not None and (best is None or len(found) < len(best)):
            best = found
    return best


def _back_to(start: int, beaten: Beaten) -> tuple[int, ...] | None:
    before: dict[int, int] = {}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        for after in sorted(beaten.get(at, {})):
            if after == start:
                chain = [at]
                while chain[-1] != start:
                    chain.append(before[chain[-1]])
                return tuple(reversed(chain))
            if after not in before:
                before[after] = at
                queue.append(after)
    return None
