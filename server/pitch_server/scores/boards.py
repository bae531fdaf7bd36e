"""Boards: from games in plan order to D, the margin of a board (comparison.md).

Here belong what a board counts for each entrant and which boards count. Numbers over many boards
are `statistics`, tables are `standings`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pitch.rules.variant import Variant
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Unit
from pitch_server.scores.results import GameResult, Scoring

__all__ = ["BoardResult", "board_results", "note_results"]


class BoardResult(NamedTuple):
    """What the journal has of one board of one pairing.

    `first` is the number of the board's first game, `results` are those of its games that are
    there. `margins` is a whole number for each team of the pairing, in the pairing's order: D
    times `plan.scale`; None while a game is missing or if one is void. `tables` are then the
    margins of the same teams at each of its tables, by seating, times `plan.scale` over the
    seatings. `seats` has, for each of `results`, the entrant at every seat.
    """

    pairing: int
    board: int
    first: int
    results: tuple[GameResult, ...]
    complete: bool
    margins: tuple[int, ...] | None
    tables: tuple[tuple[int, ...], ...] = ()
    seats: tuple[tuple[int, ...], ...] = ()

    @property
    def void(self) -> bool:
        """Whether a game of the board is void, so that the board counts for nobody."""
        return any(result.void for result in self.results)


def board_results(
    plan: Plan, variant: Variant, unit: Unit, results: Iterable[GameResult]
) -> Iterator[BoardResult]:
    """The boards of which there is a game, from results in plan order; one in memory at a time.

    A board comes as soon as its last game does, before the next result is asked for: what the
    plan knows may grow by it. Raises NotPlanned at a game that is not in the plan then.
    """
    scoring, games = Scoring(variant, unit), list[GameResult]()
    for result in results:
        if games and games[0].number // plan.seatings != result.number // plan.seatings:
            yield _board(plan, scoring, tuple(games))
            games.clear()
        games.append(result)
        if len(games) == plan.seatings:
            yield _board(plan, scoring, tuple(games))
            games.clear()
    if games:
        yield _board(plan, scoring, tuple(games))


def note_results(plan: Plan, variant: Variant, unit: Unit, results: Iterable[GameResult]) -> None:
    """Has the plan take in results from the next one due on, up to the first board not whole."""
    for board in board_results(plan, variant, unit, results):
        if board.first != plan.due or not board.complete:
            return
        plan.note(board.first, board.margins)


def _board(plan: Plan, scoring: Scoring, results: tuple[GameResult, ...]) -> BoardResult:
    first = results[0].number // plan.seatings * plan.seatings
    game = plan[first]
    complete = len(results) == plan.seatings
    # with shared boards seatings come in order, each once; else a board is of one
    before = game.seating - first
    seatings = [before + result.number for result in results]
    seats = tuple(plan.seats(game.pairing, seating) for seating in seatings)
    board = BoardResult(game.pairing, game.board, first, results, complete, None, seats=seats)
    if not complete or board.void:
        return board
    tables = tuple(
        _by_team(plan.sides_of(seating), scoring.worth(each).margins)
        for seating, each in zip(seatings, results, strict=True)
    )
    margins = tuple(map(sum, zip(*tables, strict=True)))
    return board._replace(margins=margins, tables=tables)


def _by_team(sides: Sequence[int], by_side: Sequence[int]) -> tuple[int, ...]:
    """The margins at one table in the order of the pairing's teams, which play these sides."""
    return tuple(by_side[side] for side in sides)
