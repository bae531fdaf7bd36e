"""The order-free ratings of a field, how sure their order is, and where it has cycles.

Here belongs what the document says of the field as a whole, and when it is too large to be said.
"""

import math
from collections.abc import Sequence
from typing import Any

from pitch_server.analysis.following import MOST_WORK, Following
from pitch_server.rating.cycles import transitivity
from pitch_server.rating.field import Field, FieldSums
from pitch_server.rating.least_squares import Ratings, least_squares, work
from pitch_server.rating.own_boards import OwnBoards
from pitch_server.rating.ranks import ranks_by_resampling

__all__ = ["MOST_IN_TABLES", "ranking"]

MOST_IN_TABLES = 200
"""Entrants of which everyone is set beside everyone: nobody reads more."""
_CYCLIC, _BEYOND_CHANCE = 0.1, 0.001


def ranking(following: Following, names: Sequence[str], alpha: float) -> dict[str, Any]:
    """The keys "ratings", "better", "ranks" and "cycles", of entrants in the order of `names`."""
    order = [following.settings.names.index(name) for name in names]
    field = following.field
    sums = field.sums() if isinstance(field, Field) else None
    if isinstance(field, OwnBoards):
        rated = field.ratings()
    elif sums is None or work(sums) > MOST_WORK:
        return _nothing(names)
    else:
        rated = least_squares(sums)
    return {
        "ratings": [
            {
                "name": name,
                "rating": rated.ratings[each],
                "standard_error": rated.standard_errors[each],
                "group": rated.groups[each],
            }
            for name, each in zip(names, order, strict=True)
        ],
        "better": _better(rated, order),
        "ranks": None if sums is None else _ranks(sums, names, order),
        "cycles": _cycles(following, rated, alpha),
    }


def _nothing(names: Sequence[str]) -> dict[str, Any]:
    """Where the errors would take hours."""
    nothing = dict.fromkeys(("rating", "standard_error", "group"))
    return {
        "ratings": [{"name": name, **nothing} for name in names],
        "better": None,
        "ranks": None,
        "cycles": None,
    }


def _better(rated: Ratings, order: Sequence[int]) -> list[list[float | None]] | None:
    """The chance that the row's entrant is better than the column's."""
    if len(order) > MOST_IN_TABLES:
        return None
    table: list[list[float | None]] = [[None] * len(order) for _ in order]
    for row, one in enumerate(order):
        for column, other in enumerate(order[:row]):
            difference = rated.difference(one, other)
            if difference is not None and difference.better is not None:
                table[row][column] = difference.better
                table[column][row] = 1 - difference.better
    return table


def _ranks(sums: FieldSums, names: Sequence[str], order: Sequence[int]) -> dict[str, Any] | None:
    """How often each entrant has each rank, the first first, over resamples of the boards."""
    if not len(sums.resampled) or len(order) > MOST_IN_TABLES:
        return None
    found = ranks_by_resampling(sums)
    return {
        "resamples": found.resamples,
        "chances": [
            {"name": name, "chances": found.chances[each]}
            for name, each in zip(names, order, strict=True)
        ],
    }


def _cycles(following: Following, rated: Ratings, alpha: float) -> dict[str, Any] | None:
    plan, names = following.plan, following.settings.names
    if plan.sides != 2 or following.settings.format.partners:
        return None
    pairs = [(one, other) for one, other in plan.pairings]
    margins = [each.teams[0].margins for each in following.tally.pairings]
    found = transitivity(pairs, margins, rated.ratings, alpha)
    cycle = None if found.cycle is None else [names[each] for each in found.cycle]
    spare = sum(1 for each in margins if each.count) - _free(rated)
    return {
        "warning": _warning(cycle, found.cyclic_share, found.excess, spare),
        "cycle": cycle,
        "share": found.cyclic_share,
        "excess": found.excess,
    }


def _free(rated: Ratings) -> int:
    """How many ratings are free: those of all entrants with boards but one of each group."""
    return sum(group is not None for group in rated.groups) - len(rated.boards)


def _warning(
    cycle: Sequence[str] | None, share: float | None, excess: float | None, spare: int
) -> str | None:
    """A sentence where a list of ratings hides who beats whom."""
    if cycle:
        chain = " beats ".join([*cycle, cycle[0]])
        return f"No rating can tell it all: {chain}, each significantly. Read the pairings."
    if share is None or excess is None or spare < 1 or share < _CYCLIC:
        return None
    from scipy.special import chdtrc  # takes half a second, which a start should not wait for

    if float(chdtrc(spare, excess * spare)) > _BEYOND_CHANCE:
        return None
    return (
        f"No rating can tell it all: {math.floor(100 * share)} % of what the pairings differ by "
        "is not explained by how good each entrant is. Read the pairings."
    )
