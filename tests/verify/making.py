"""True games for tests: a tournament played by random bots that now and then do wrong."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from pitch.records import (
    GameRecord,
    HandRecord,
    SeatAction,
    canonical_json,
    game_result_json,
    hand_result_json,
    record_json,
)
from pitch.table.faults import Fault
from pitch.table.referee import Referee
from pitch_server.plan.decks import deal_series, deck
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.settings import Settings
from pitch_server.scores.boards import note_results
from pitch_server.scores.digest import text_digest
from pitch_server.scores.hands import hands_of, hands_text
from pitch_server.scores.results import GameResult
from pitch_server.scores.standings import standings
from pitch_server.store.journal import Journal
from pitch_server.store.rows import FaultEvidence, JournalEntry, State

SEED = "a seed for tests"


Step = Callable[[Referee, PlannedGame], None]
"""What a table does next: it answers for who is asked, faults, forfeits."""


def play(
    settings: Settings,
    game: PlannedGame,
    *,
    faulty: float = 0.02,
    plan: Plan | None = None,
    step: Step | None = None,
) -> JournalEntry:
    """One game of the plan, which may be known already; its faults follow from its number.

    With `step` it is played by that and not by chance.
    """
    names = tuple(settings.names[entrant] for entrant in game.seats)
    series = deal_series(plan or Plan(settings), game.pairing, settings.names)
    referee = Referee(
        settings.variant,
        decks=lambda hand: deck(SEED, series, game.board, hand, settings.variant.deck),
        first_dealer=game.first_dealer,
        max_hands=settings.format.hands_a_game,
        policy=settings.faults,
    )
    chance = random.Random(game.number)
    referee.begin()
    while not referee.finished:
        if step is not None:
            step(referee, game)
        elif chance.random() < faulty:
            referee.fault(referee.asked, chance.choice([Fault.TIMEOUT, Fault.ILLEGAL]))
        else:
            referee.answer(referee.asked, chance.choice(list(referee.legal)))
    return _entry(referee, game, names)


def _entry(referee: Referee, game: PlannedGame, names: tuple[str, ...]) -> JournalEntry:
    end, forfeits = referee.game, sorted(referee.forfeits.items())
    told = [{"side": side, "cause": str(cause)} for side, cause in forfeits]
    notes: dict[str, object] = {"x_game": game.number, "x_board": game.board}
    if told:
        notes["x_forfeit"] = told[0] if len(told) == 1 else told
    if referee.void:
        notes["x_void"] = True
    record = GameRecord(
        variant=referee.variant,
        seats=names,
        first_dealer=game.first_dealer,
        max_hands=end.max_hands,
        hands=tuple(
            HandRecord(
                deck=hand.deck,
                actions=tuple(SeatAction(seat, action) for seat, action in hand.actions),
                result=None if hand.result is None else hand_result_json(hand.result),
                extra={"x_substituted": hand.substituted} if hand.substituted else {},
            )
            for hand in referee.played
        ),
        result=game_result_json(end),
        extra=notes,
    )
    value = record_json(record)
    text = canonical_json(value)
    counts = Counter((seat, str(fault)) for seat, fault in referee.faults)
    # who is not there is at fault at a seat of his
    away = [(side, str(cause)) for side, cause in forfeits if cause is Fault.ABSENT]
    counts.update(away)
    result = GameResult(
        number=game.number,
        digest=text_digest(text),
        scores=end.scores,
        winner=end.winner,
        ended=None if end.ended is None else str(end.ended),
        forfeits=tuple((side, str(cause)) for side, cause in forfeits),
        void=referee.void,
        faults=tuple((seat, kind, count) for (seat, kind), count in sorted(counts.items())),
        hands=end.hands_played,
    )
    evidence = tuple(
        FaultEvidence(seat=seat, kind=str(fault)) for seat, fault in (*referee.faults, *away)
    )
    return JournalEntry(result, text, evidence, hands_text(hands_of(value, referee.variant)))


def play_all(settings: Settings) -> list[JournalEntry]:
    """Every game of the plan, as it comes out by the results."""
    plan, entries = Plan(settings), list[JournalEntry]()
    while len(entries) < len(plan):
        entries.append(play(settings, plan[len(entries)], plan=plan))
        if len(entries) % plan.seatings == 0:
            board = [entry.result for entry in entries[-plan.seatings :]]
            note_results(plan, settings.variant, settings.format.unit, board)
    return entries


def play_tournament(file: Path, settings: Settings, *, end: State | None = State.FINISHED) -> None:
    """A whole tournament in a new database."""
    with Journal.create(file, settings, SEED) as journal:
        journal.append(play_all(settings))
        if end is None:
            return
        table = standings(
            settings,
            Plan(settings),
            journal.results(),
            commitment=journal.commitment,
            seed=journal.seed,
        )
        journal.end(end, table)
