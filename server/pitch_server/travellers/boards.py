"""Boards of a journal: which are asked for, and what each pairing bid and took at every table.

Here belongs choosing boards and reading their games. How they are shown is not.
"""

import heapq
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pitch.records import RecordError, hands_of, parse_record
from pitch_server.plan.games import Plan
from pitch_server.planned import within_plan
from pitch_server.published import parsed_record
from pitch_server.scores.boards import BoardResult, board_results
from pitch_server.scores.results import GameResult
from pitch_server.store.errors import Damaged
from pitch_server.store.journal import Journal
from pitch_server.travellers.hands import told_hand

__all__ = ["told_board", "travellers"]


class _Found(NamedTuple):
    """A board of a pairing, ordered by what it is chosen for; earlier ones first."""

    order: int
    first: int
    board: BoardResult


def travellers(
    journal: Journal, *, board: int | None = None, worst_for: str | None = None, limit: int | None
) -> list[dict[str, Any]]:
    """A row for each board of a pairing, with what happened at its tables.

    Those of one `board`; or those that cost an entrant most, the worst first; or those of the
    largest swing. Only whole boards that count, at most `limit` of them (None: all). Raises
    Damaged where a record is none.
    """
    plan = Plan(journal.settings)
    with within_plan(journal):
        found = _chosen(journal, plan, board, worst_for, limit)
    return [told_board(journal, plan, each) for each in found]


def _chosen(
    journal: Journal, plan: Plan, board: int | None, worst_for: str | None, limit: int | None
) -> list[BoardResult]:
    settings = journal.settings
    boards = board_results(plan, settings.variant, settings.format.unit, journal.results())
    who = None if worst_for is None else settings.names.index(worst_for)
    candidates = (
        found
        for each in _noted(plan, boards)
        if each.margins is not None and board in (None, each.board)
        if (found := _candidate(plan, each, who, in_order=board is not None)) is not None
    )
    if limit is None:
        return [each.board for each in sorted(candidates)]
    return [each.board for each in heapq.nsmallest(limit, candidates)]


def _noted(plan: Plan, boards: Iterator[BoardResult]) -> Iterator[BoardResult]:
    """The boards, each noted by the plan, which may grow by it."""
    for board in boards:
        if board.complete:
            plan.note(board.first, board.margins)
        yield board


def _candidate(plan: Plan, board: BoardResult, who: int | None, *, in_order: bool) -> _Found | None:
    assert board.margins is not None  # noqa: S101 - its callers see to it
    if who is not None:
        teams = plan.teams(board.pairing)
        mine = [team for team, members in enumerate(teams) if who in members]
        return _Found(board.margins[mine[0]], board.first, board) if mine else None
    return _Found(0 if in_order else -max(board.margins), board.first, board)


# --- a board ----------------------------------------------------------------------------------


def told_board(journal: Journal, plan: Plan, board: BoardResult) -> dict[str, Any]:
    """A board that counts, with all that happened at its tables. Damaged if a record is none."""
    assert board.margins is not None  # noqa: S101 - only such are told
    names, per_table = journal.settings.names, plan.scale // plan.seatings
    sides = [[names[each] for each in team] for team in plan.teams(board.pairing)]
    tables = [
        _table(journal, result, [margin / per_table for margin in margins])
        for result, margins in zip(board.results, board.tables, strict=True)
    ]
    return {
        "board": board.board,
        "entrants": [side if len(side) > 1 else side[0] for side in sides],
        "margins": [margin / plan.scale for margin in board.margins],
        "swing": max(board.margins) / per_table,
        "tables": tables,
    }


def _table(journal: Journal, result: GameResult, margins: Sequence[float]) -> dict[str, Any]:
    value = parsed_record(journal, result.number, journal.record(result.number))
    try:
        record = parse_record(value)
        hands = [told_hand(hand, record.seats) for hand in hands_of(record)]
    except RecordError as error:
        raise Damaged(
            f"{journal.place} is damaged: the record of game {result.number} does not replay: "
            f"{error.reason}"
        ) from error
    return {
        "game": result.number,
        "seats": list(record.seats),
        "dealer": record.first_dealer,
        "dealt": hands[0]["dealt"] if hands else None,
        "hands": hands,
        "scores": list(result.scores),
        "forfeits": [{"side": side, "cause": cause} for side, cause in result.forfeits],
        "margins": margins,
    }
