"""Results for tests: games of a plan, each made by a function of the planned game."""

from collections.abc import Callable, Iterator
from typing import Any

from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.scores.results import GameResult


def result(number: int, scores: tuple[int, ...], **others: Any) -> GameResult:
    """A result by the hand: the highest score alone wins at the limit of one hand."""
    best = max(scores)
    winner = scores.index(best) if scores.count(best) == 1 else None
    fields: dict[str, Any] = {
        "number": number,
        "digest": f"{number:064x}",
        "scores": scores,
        "winner": winner,
        "ended": "hand_limit",
    }
    return GameResult(**(fields | others))


def strength(game: PlannedGame) -> tuple[int, ...]:
    """Scores of a game in which the entrant of the lower index is better, with some luck."""
    luck = (game.board * 7 + game.seating * 3 + game.pairing * 5) % 6
    sides = len(set(game.seats))
    return tuple((luck + side * 2) % 5 - game.seats[side] for side in range(sides))


def results_of(
    plan: Plan, scores: Callable[[PlannedGame], tuple[int, ...]] = strength
) -> Iterator[GameResult]:
    """A result for every game of the plan."""
    return (result(game.number, scores(game)) for game in plan)
