"""Many comparisons at once: Holm's correction.

Here belongs what turns p-values of all pairings into marks. Where p-values come from does not.
"""

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["HolmMark", "holm"]


class HolmMark(NamedTuple):
    """A p-value corrected for its family: significant at a level if it is not above it."""

    adjusted: float | None
    """None where there was no p-value."""
    significant: bool


def holm(p_values: Sequence[float | None], alpha: float = 0.05) -> tuple[HolmMark, ...]:
    """Marks with which the chance of any false one is at most `alpha` (Holm 1979).

    A comparison without a p-value (undecided) still counts as one of the family.
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    marks = [HolmMark(None, significant=False)] * len(p_values)
    highest = 0.0
    for step, (p, place) in enumerate(known):
        highest = max(highest, min(1.0, (len(p_values) - step) * p))
        marks[place] = HolmMark(highest, highest <= alpha)
    return tuple(marks)
