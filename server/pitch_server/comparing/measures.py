"""Measures: in what a difference is counted, and by how much boards can differ.

Here belong units with their names and the largest margin that a board can have. Numbers over
boards do not.
"""

import math
from enum import StrEnum

from pitch.rules.variant import Variant
from pitch_server.plan.settings import Unit
from pitch_server.scores.statistics import Moments

__all__ = [
    "MIN_BOARDS",
    "Measure",
    "largest_margin",
    "margin_measure",
    "standard_deviation",
    "variance",
]

MIN_BOARDS = 20
"""Of fewer nothing is said that is to hold for many: their variance is not known well enough."""

SMUDGE = 5


class Measure(StrEnum):
    """The unit of a number, in the words that are printed beside it."""

    POINTS = "points per board"
    WINS = "wins less losses per game"
    DEVIATIONS = "standard deviations of a board"


def margin_measure(unit: Unit) -> Measure:
    """In what a board's margin D is counted."""
    return Measure.POINTS if unit is Unit.HAND else Measure.WINS


def largest_margin(variant: Variant, unit: Unit) -> float:
    """What |D| can be at most: the scale of whatever is exact for bounded margins.

    D is a mean of tables, so no larger than a table's margin. By the game that is 1. By the hand
    the margin is the own score less the mean of the others', from 0 to 0, and it is largest
    - where one side forfeits, or all others do: one has -highest bid, the other total_points;
    - where a bid is set (rules.md 6): -bid, doubled after a takeover, -target for a moon, while
      the others share total_points; or, seen from them, where one has all the points and one of
      the others is set;
    - where a moon is made: target, and the others nothing, as all the points were needed for it.
    """
    if unit is Unit.GAME:
        return 1.0
    total, others = variant.total_points, variant.sides - 1
    lost = variant.highest_number * (2 if variant.takeover_doubles else 1)
    if variant.moon:
        lost = max(lost, variant.target)
    return max(
        variant.highest_number + total,
        lost + total / others,
        total + lost / others,
        SMUDGE if variant.smudge else 0,
        variant.target if variant.moon else 0,
    )


def variance(moments: Moments) -> float | None:
    """The mean square distance from the mean (1/n, not 1/(n - 1)); None without values."""
    count = moments.count
    if not count:
        return None
    spread = count * moments.squares - moments.total * moments.total
    return spread / (count * moments.scale) ** 2


def standard_deviation(moments: Moments) -> float | None:
    """The root of the variance with 1/n, as the formulas of comparison.md take it."""
    found = variance(moments)
    return None if found is None else math.sqrt(found)
