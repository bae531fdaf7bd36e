"""Meetings played in this process: bot classes, made here.

Here belongs driving local tables by a plan, so that boards, seats, decks and chance are those
of a tournament. What a slow or failing bot does to its game is `pitch.testing`'s.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from functools import partial
from time import monotonic
from typing import TextIO

from pitch.bot.base import Bot
from pitch.testing.local_table import LocalDecision, LocalGame, play_game
from pitch.wire.frames import Failure
from pitch_server.game_setup import game_setup
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.settings import Settings
from pitch_server.scores.boards import board_results
from pitch_server.scores.results import GameResult
from pitch_server.table.runner import GameSetup
from pitch_server.trying.meeting import Asked, Meeting, MeetingFault, Place, meeting_settings

__all__ = ["play_in_process"]


def play_in_process(
    meeting: Meeting,
    bots: Sequence[type[Bot]],
    names: Sequence[str],
    asked: Asked,
    move: Callable[[float], None],
    output: TextIO,
) -> None:
    """Plays boards until all are played or the time is over; the first bot is the one tried.

    `move` is told the share of it that is done, `output` gets what bots print. The meeting has
    every whole board at any time, whatever ends it.
    """
    settings = meeting_settings(names, asked)
    plan = Plan(settings)
    meeting.begin(plan)
    begun = monotonic()
    games = _games(settings, plan, asked.seed, bots, meeting, output)
    for board in board_results(plan, asked.variant, asked.unit, games):
        meeting.add(board)
        meeting.seconds = monotonic() - begun
        share = meeting.boards / asked.boards
        if asked.seconds is not None:
            share = max(share, meeting.seconds / asked.seconds)
        move(min(share, 1.0))
        if share >= 1:
            return


def _games(
    settings: Settings,
    plan: Plan,
    seed: str,
    bots: Sequence[type[Bot]],
    meeting: Meeting,
    output: TextIO,
) -> Iterator[GameResult]:
    setup = game_setup(settings, plan, seed)
    for game in plan:
        seated = [bots[entrant] for entrant in game.seats]
        told = partial(_note, meeting, game), partial(_note_hook, meeting, game)
        with redirect_stdout(output):
            local = _play(setup, game, seated, *told)
        _note_faults(meeting, game, local)
        yield _result(game, local)


def _play(
    setup: GameSetup,
    game: PlannedGame,
    bots: Sequence[type[Bot]],
    watch: Callable[[LocalDecision], None],
    hook_failed: Callable[[int, Failure], None],
) -> LocalGame:
    """One game of the plan, as a tournament would play it."""
    return play_game(
        bots,
        variant=setup.variant,
        unit=setup.unit,
        first_dealer=game.first_dealer,
        max_hands=setup.max_hands,
        policy=setup.policy,
        move_timeout=setup.move_timeout,
        deck=partial(setup.deck, game),
        chance=setup.chances(game),
        watch=watch,
        hook_failed=hook_failed,
    )


def _note_hook(meeting: Meeting, game: PlannedGame, seat: int, failure: Failure) -> None:
    """Notes that hand_over, game_over or fault has raised, which costs no game but is wrong."""
    if game.seats[seat]:
        meeting.opponents_faults += 1
        return
    place = Place(game.board, game.number, 0)
    meeting.add_fault(MeetingFault(place, "hook", failure.message, failure.traceback, "", ""))


def _note(meeting: Meeting, game: PlannedGame, decision: LocalDecision) -> None:
    if game.seats[decision.seat] == 0:
        place = Place(game.board, game.number, decision.number)
        meeting.add_thought(decision.seconds, place, decision.view)


def _note_faults(meeting: Meeting, game: PlannedGame, local: LocalGame) -> None:
    for fault in local.faults:
        if game.seats[fault.seat]:
            meeting.opponents_faults += 1
            continue
        place = Place(game.board, game.number, fault.number)
        came = fault.message or fault.came.partition("\n")[0]
        output = fault.came if "\n" in fault.came.rstrip() else ""
        kind = str(fault.fault)
        meeting.add_fault(MeetingFault(place, kind, came, output, fault.legal, fault.played))


def _result(game: PlannedGame, local: LocalGame) -> GameResult:
    counts = Counter((fault.seat, str(fault.fault)) for fault in local.faults)
    return GameResult(
        number=game.number,
        digest="",
        scores=local.scores,
        winner=local.winner,
        ended=None,
        forfeits=tuple((side, str(fault)) for side, fault in sorted(local.forfeits.items())),
        faults=tuple((seat, kind, count) for (seat, kind), count in sorted(counts.items())),
        hands=len(local.hands),
    )
