"""Fields for tests: boards that all pairings share, each entrant with luck of its own on each."""

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random
from typing import Any

from pitch_server.rating.field import Field

Margins = dict[tuple[int, int], tuple[int, ...]]
"""D of each entrant of a pairing, by board and pairing."""


def pairings_of(entrants: int, sides: int = 2) -> list[tuple[int, ...]]:
    """Everyone with everyone."""
    return list(combinations(range(entrants), sides))


def played(
    pairings: Sequence[Sequence[int]],
    boards: int,
    strengths: Sequence[float],
    seed: int = 1,
    *,
    sides: int | None = None,
    luck: float = 3,
    misses: Callable[[int, int], bool] = lambda board, pairing: False,
) -> Margins:
    """Margins of every pairing on every board, times (sides - 1), but for those it misses.

    With `sides` the entrant at place p of a pairing is of side p mod sides.
    """
    chance = Random(seed)
    found: Margins = {}
    for board in range(boards):
        own = [strength + chance.gauss(0, luck) for strength in strengths]
        for pairing, entrants in enumerate(pairings):
            teams = [
                entrants[side :: sides or len(entrants)] for side in range(sides or len(entrants))
            ]
            scores = [
                round(sum(own[entrant] for entrant in team) + chance.gauss(0, 1)) for team in teams
            ]
            if not misses(board, pairing):
                total = sum(scores)
                found[board, pairing] = tuple(len(scores) * score - total for score in scores)
    return found


def field_of(
    entrants: int,
    pairings: Sequence[Sequence[int]],
    margins: Margins,
    **others: Any,
) -> Field:
    """A field that took those in."""
    sides = others.get("sides") or (len(pairings[0]) if pairings else 2)
    field = Field(entrants, pairings, sides - 1, **others)
    for (board, pairing), of_board in margins.items():
        field.add(board, pairing, of_board)
    return field
