"""Results: what one game gave, and what it counts for each side.

Here belongs the scoring of a game, forfeits included (docs/config.md, "Faults"). Boards, which are
the unit of comparison, are made in `boards`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pitch.rules.variant import Variant
from pitch_server.plan.settings import Unit

__all__ = ["GameResult", "Scoring", "Worth", "outcomes", "ranks", "side_outcomes", "side_scores"]

_REMEMBERED = 4096  # results that are told alike


class GameResult(NamedTuple):
    """One game as the journal has it.

    `scores` (a number a side), `winner` and `ended` are those that replay gives; `forfeits` are
    (side, cause), `faults` are (seat, kind, count). A void game counts for nobody.
    """

    number: int
    digest: str
    scores: tuple[int, ...]
    winner: int | None
    ended: str | None
    forfeits: tuple[tuple[int, str], ...] = ()
    void: bool = False
    faults: tuple[tuple[int, str, int], ...] = ()
    hands: int = 1

    @property
    def forfeiting(self) -> frozenset[int]:
        """The sides that forfeited."""
        return frozenset(side for side, _ in self.forfeits)


class Worth(NamedTuple):
    """What a result counts for each side.

    `margins` are those of its table: by the game the outcomes, by the hand, times sides - 1, the
    own score less the mean of the others'.
    """

    outcomes: tuple[int, ...]
    margins: tuple[int, ...]


class Scoring:
    """What results are worth in a variant, by the hand or by the game.

    There are few different ones in a million: each is worked out once.
    """

    __slots__ = ("_known", "unit", "variant")

    def __init__(self, variant: Variant, unit: Unit) -> None:
        self.variant = variant
        self.unit = unit
        self._known: dict[tuple[object, ...], Worth] = {}

    def worth(self, result: GameResult) -> Worth:
        """What it counts, void or not."""
        key = (result.scores, result.winner, result.forfeits)
        found = self._known.get(key)
        if found is None:
            if len(self._known) == _REMEMBERED:
                self._known.clear()
            found = self._known[key] = self._worked_out(result)
        return found

    def _worked_out(self, result: GameResult) -> Worth:
        wins = side_outcomes(result, self.variant, self.unit)
        if self.unit is Unit.GAME:
            return Worth(wins, wins)
        scores = side_scores(result, self.variant)
        total = sum(scores)
        return Worth(wins, tuple(len(scores) * score - total for score in scores))


def side_scores(result: GameResult, variant: Variant) -> tuple[int, ...]:
    """What each side scored in a game of one hand.

    A forfeited hand counts minus the highest numeric bid for whoever forfeited it and
    `total_points` for each other side, whatever had been played.
    """
    forfeiting = result.forfeiting
    if not forfeiting:
        return result.scores
    return tuple(
        -variant.highest_number if side in forfeiting else variant.total_points
        for side in range(variant.sides)
    )


def side_outcomes(result: GameResult, variant: Variant, unit: Unit) -> tuple[int, ...]:
    """1 for the side that won the game, 0 for each that shares the first place, else -1.

    A game of one hand is won by the highest score alone. A whole game is won by its winner; it
    is lost to whoever forfeited it, and with more than two sides the winner, or else the highest
    score, is looked for among the others.
    """
    if unit is Unit.HAND:
        return outcomes(side_scores(result, variant))
    forfeiting = result.forfeiting
    standing = [side for side in range(variant.sides) if side not in forfeiting]
    if result.winner in standing:
        first = [result.winner]
    else:
        best = max((result.scores[side] for side in standing), default=0)
        first = [side for side in standing if result.scores[side] == best]
    return outcomes([side in first for side in range(variant.sides)])


def outcomes(values: Sequence[int]) -> tuple[int, ...]:
    """1 for the highest value alone, 0 for each of several that are the highest, else -1."""
    best = max(values)
    first = 1 if values.count(best) == 1 else 0
    return tuple(first if value == best else -1 for value in values)


def ranks(values: Sequence[int]) -> tuple[int, ...]:
    """The rank of each value: the highest is 0, equal ones share a rank."""
    return tuple(sum(other > value for other in values) for value in values)
