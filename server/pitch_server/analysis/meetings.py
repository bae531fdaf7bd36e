"""Meetings: any two entrants of pairings of many, as sides against each other and as partners.

Here belongs what a table of everybody against everybody can hold where a pairing has more than two
sides, or sides have several entrants: means over all boards at which the two sat, from the means of
the pairings. How sure they are does not follow from these; where two meet as a pairing of their
own it stands there.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from pitch_server.plan.settings import Unit

__all__ = ["MOST_IN_MEETINGS", "meetings"]

MOST_IN_MEETINGS = 40
"""Entrants of which every two are set side by side: nobody reads more."""

Json = Mapping[str, Any]


class _Sums:
    """Sums over boards for each ordered two."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._sums: dict[tuple[str, str], tuple[int, float]] = {}

    def add(self, one: str, other: str, boards: int, total: float) -> None:
        before, so_far = self._sums.get((one, other), (0, 0.0))
        self._sums[one, other] = (before + boards, so_far + total)

    def matrix(self) -> list[list[dict[str, Any] | None]]:
        return [[self._cell(one, other) for other in self._names] for one in self._names]

    def _cell(self, one: str, other: str) -> dict[str, Any] | None:
        found = self._sums.get((one, other))
        if found is None:
            return None
        return {"boards": found[0], "mean": found[1] / found[0]}


def meetings(pairings: Iterable[Json], names: Sequence[str], unit: Unit) -> dict[str, Any] | None:
    """The key "meetings", rows and columns in the order of `names`; None where nobody needs it.

    `against`: by how much the row's side is better than the column's, a board: in points (of more
    than two sides by the hand the difference of their scores), by the game in half wins less
    losses. `together`: the margin of the side of which both are.
    """
    rows = list(pairings) if len(names) <= MOST_IN_MEETINGS else []
    partners = any(not isinstance(side, str) for row in rows[:1] for side in row["entrants"])
    if not rows or (len(rows[0]["entrants"]) == 2 and not partners):
        return None
    against, together = _Sums(names), _Sums(names)
    share = _share(len(rows[0]["entrants"]), unit)
    for row in rows:
        if not row["boards"]:
            continue
        teams = [[side] if isinstance(side, str) else side for side in row["entrants"]]
        totals = [margin["mean"] * row["boards"] for margin in row["margins"]]
        _add_against(against, teams, totals, row["boards"], share)
        _add_together(together, teams, totals, row["boards"])
    return {"against": against.matrix(), "together": together.matrix() if partners else None}


def _share(sides: int, unit: Unit) -> float:
    """What a difference of two margins is times, to be that of two scores, or of half outcomes."""
    return (sides - 1) / sides if unit is Unit.HAND else 0.5


def _add_against(
    sums: _Sums, teams: Sequence[Sequence[str]], totals: Sequence[float], boards: int, share: float
) -> None:
    for one, other in combinations(range(len(teams)), 2):
        total = (totals[one] - totals[other]) * share
        for mine in teams[one]:
            for its in teams[other]:
                sums.add(mine, its, boards, total)
                sums.add(its, mine, boards, -total)


def _add_together(
    sums: _Sums, teams: Sequence[Sequence[str]], totals: Sequence[float], boards: int
) -> None:
    for team, total in zip(teams, totals, strict=True):
        for one, other in combinations(team, 2):
            sums.add(one, other, boards, total)
            sums.add(other, one, boards, total)
