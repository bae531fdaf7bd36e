"""From a finished table to its entry in the journal.

Here belongs the record of a game with what the arena adds to it (the `x_` keys), and the
result and the evidence that stand beside it.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pitch.records import (
    GameRecord,
    HandRecord,
    SeatAction,
    canonical_json,
    game_result_json,
    hand_result_json,
    record_json,
)
from pitch.table.referee import PlayedHand
from pitch_server.faults import Measured, verdict
from pitch_server.plan.games import PlannedGame
from pitch_server.scores.digest import text_digest
from pitch_server.scores.hands import hands_of, hands_text
from pitch_server.scores.results import GameResult
from pitch_server.store.rows import FaultEvidence, JournalEntry
from pitch_server.table.instance import Instance
from pitch_server.table.runner import FaultReport, Table

__all__ = ["entry_of"]

_LAST_LINES, _LONGEST_LINE, _LONGEST_TRACEBACK = 12, 200, 4_000
_OF_SDK = ("fault: ", "further faults are not shown")


def entry_of(table: Table, names: Sequence[str]) -> JournalEntry:
    """The entry of a finished game; `names` are the entrants' names in plan order.

    A table that crashed gives a void game without hands: what an exception of ours left
    behind is not to be trusted.
    """
    value = record_json(_record(table, names))
    record = canonical_json(value)
    game = table.referee.game
    crashed = table.crash is not None
    forfeits = () if crashed else tuple(sorted(table.referee.forfeits.items()))
    result = GameResult(
        number=table.game.number,
        digest=text_digest(record),
        scores=(0,) * len(game.scores) if crashed else game.scores,
        winner=None if crashed else game.winner,
        ended=None if crashed or game.ended is None else str(game.ended),
        forfeits=tuple((side, str(fault)) for side, fault in forfeits),
        void=crashed or table.referee.void,
        faults=() if crashed else _counts(table.reports),
        hands=0 if crashed else game.hands_played,
    )
    evidence = tuple(_evidence(report, table.instances[report.seat]) for report in table.reports)
    return JournalEntry(
        result,
        record,
        evidence,
        play=hands_text(hands_of(value, table.referee.variant)),
        times=tuple((table.game.seats[seat], seconds) for seat, seconds in table.times),
    )


def _counts(reports: Sequence[FaultReport]) -> tuple[tuple[int, str, int], ...]:
    counts = Counter((report.seat, str(report.fault)) for report in reports)
    return tuple((seat, kind, counts[seat, kind]) for seat, kind in sorted(counts))


def _record(table: Table, names: Sequence[str]) -> GameRecord:
    referee, game = table.referee, table.game
    crashed = table.crash is not None
    return GameRecord(
        variant=referee.variant,
        seats=tuple(names[entrant] for entrant in game.seats),
        first_dealer=game.first_dealer,
        max_hands=referee.game.max_hands,
        hands=() if crashed else tuple(_hand(hand) for hand in referee.played),
        result=None if crashed else game_result_json(referee.game),
        extra=_notes(table, game),
    )


def _notes(table: Table, game: PlannedGame) -> dict[str, Any]:
    notes: dict[str, Any] = {"x_game": game.number, "x_board": game.board}
    forfeits = [
        {"side": side, "cause": str(fault)}
        for side, fault in sorted(table.referee.forfeits.items())
    ]
    if table.crash is not None or table.referee.void:
        notes["x_void"] = True
    if forfeits and table.crash is None:
        notes["x_forfeit"] = forfeits[0] if len(forfeits) == 1 else forfeits
    return notes


def _hand(hand: PlayedHand) -> HandRecord:
    return HandRecord(
        deck=hand.deck,
        actions=tuple(SeatAction(seat, action) for seat, action in hand.actions),
        result=None if hand.result is None else hand_result_json(hand.result),
        extra={"x_substituted": hand.substituted} if hand.substituted else {},
    )


def _evidence(report: FaultReport, instance: Instance) -> FaultEvidence:
    evidence = report.evidence
    explained = verdict(
        Measured(report.fault, evidence.limit, evidence.reported, evidence.heard, evidence.gone)
    )
    return FaultEvidence(
        seat=report.seat,
        kind=str(report.fault),
        question=report.number,
        time_limit=evidence.limit,
        queued=evidence.queued,
        wire=evidence.wire,
        measured=evidence.measured,
        waited=evidence.waited,
        reported=evidence.reported,
        lag=evidence.lag,
        came=evidence.came,
        legal=evidence.legal,
        played=report.substitute,
        verdict=str(explained.verdict),
        output=evidence.traceback[-_LONGEST_TRACEBACK:] or _last_output(instance),
    )


def _last_output(instance: Instance) -> str | None:
    """The last lines that the bot printed, where it was launched here; bounded.

    What its SDK printed of faults before is left out: it stands in the journal by itself.
    """
    if instance.last_output is None:
        return None
    lines = [line for line in instance.last_output().splitlines() if not line.startswith(_OF_SDK)]
    return "\n".join(line[:_LONGEST_LINE] for line in lines[-_LAST_LINES:]) or None
