"""A table in one process: bots play each other through the referee, without a socket.

Here belongs driving a referee with bot objects, for tests and quick trials. There is no clock:
a slow bot is waited for. What a game does next is the referee's, what a bot object lives
through is the session's, as in a tournament.
"""

import asyncio
import inspect
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from pitch.bot.base import Bot, overrides
from pitch.bot.session import BotSession, Decision, failure_of
from pitch.rules import VARIANTS, Action, Variant, action_text, view_of
from pitch.table.faults import Fault, FaultPolicy
from pitch.table.referee import Ask, Effect, Faulted, HandFinished, PlayedHand, Referee
from pitch.table.unit import Unit
from pitch.wire.frames import (
    Answer,
    Delivery,
    Failure,
    FaultNotice,
    GameOver,
    HandOver,
    Notice,
    Question,
    TableOpening,
)

__all__ = ["LocalFault", "LocalGame", "play_board", "play_game"]

MakeBot = Callable[[], Bot]


class LocalFault(NamedTuple):
    """A fault of the bot at a seat; `came` is what it did, a traceback where it raised."""

    seat: int
    fault: Fault
    came: str


class LocalGame(NamedTuple):
    """A game that was played: scores by side, the winner's side, hands as played, faults."""

    scores: tuple[int, ...]
    winner: int | None
    hands: tuple[PlayedHand, ...]
    faults: tuple[LocalFault, ...]
    forfeits: dict[int, Fault]


def play_game(
    bots: Sequence[MakeBot],
    *,
    variant: Variant | str = "pitch-ac",
    seed: int | str = 0,
    unit: Unit = Unit.HAND,
    first_dealer: int = 0,
    max_hands: int = 100,
    policy: FaultPolicy | None = None,
) -> LocalGame:
    """Plays one game: a single hand, or with `unit=Unit.GAME` hands until a side wins.

    `bots` are Bot classes, one a side or one a seat. Decks and chance follow from `seed`, and
    decks from it alone: the same seed gives the same cards to whoever sits there.
    """
    rules = VARIANTS[variant] if isinstance(variant, str) else variant
    if len(bots) not in (rules.sides, rules.players):
        raise ValueError(
            f"expected a bot for each of {rules.sides} sides or {rules.players} seats, "
            f"got {len(bots)}"
        )
    hands = 1 if unit is Unit.HAND else max_hands
    referee = Referee(
        rules,
        decks=lambda hand: Random(f"{seed}:{hand}").sample(range(rules.deck), rules.deck),
        first_dealer=first_dealer,
        max_hands=hands,
        policy=policy,
    )
    return _LocalTable(referee, [bots[seat % len(bots)] for seat in range(rules.players)]).play(
        Random(f"chance:{seed}"), unit
    )


def play_board(
    bots: Sequence[MakeBot],
    *,
    variant: Variant | str = "pitch-ac",
    seed: int | str = 0,
    unit: Unit = Unit.HAND,
    first_dealer: int = 0,
) -> tuple[float, ...]:
    """Each bot's margin on one deal that is played in every seating; one bot a side.

    The margin is the own score minus the mean of the others', over all seatings: what a
    tournament calls a board by the hand.
    """
    count = len(bots)
    totals = [0.0] * count
    for shift in range(count):
        seated = [bots[(side + shift) % count] for side in range(count)]
        scores = play_game(
            seated, variant=variant, seed=seed, unit=unit, first_dealer=first_dealer
        ).scores
        for side, score in enumerate(scores):
            others = (sum(scores) - score) / (count - 1)
            totals[(side + shift) % count] += score - others
    return tuple(total / count for total in totals)


class _LocalTable:
    """One game, with a session for each seat."""

    def __init__(self, referee: Referee, bots: Sequence[MakeBot]) -> None:
        self._referee = referee
        self._sessions = [BotSession(bot) for bot in bots]
        self._faults: list[LocalFault] = []
        self._came = ""

    def play(self, chance: Random, unit: Unit) -> LocalGame:
        for seat, session in enumerate(self._sessions):
            session.receive(Delivery(openings=(self._opening(seat, unit),)))
        effects = self._referee.begin()
        while not self._referee.finished:
            for effect in effects:
                self._carry_out(effect)
            ask = effects[-1]
            assert isinstance(ask, Ask)  # noqa: S101 - only a finished game ends otherwise
            effects = self._decide(ask, chance.getrandbits(64))
        for effect in effects:
            self._carry_out(effect)
        return self._end()

    def _opening(self, seat: int, unit: Unit) -> TableOpening:
        game = self._referee.game
        return TableOpening(
            table_id=1,
            variant=game.variant,
            seat=seat,
            first_dealer=game.first_dealer,
            unit=unit,
            max_hands=game.max_hands,
            move_timeout=0.0,
        )

    def _decide(self, ask: Ask, chance: int) -> list[Effect]:
        session = self._sessions[ask.seat]
        question = Question(ask.number + 1, 1, self._referee.view(ask.seat), chance)
        session.receive(Delivery(questions=(question,)))
        outcome = _answer_of(session.take()).outcome
        if isinstance(outcome, Action):
            self._came = action_text(outcome)
            return self._referee.answer(ask.seat, outcome)
        assert isinstance(outcome, Failure)  # noqa: S101 - the session makes nothing else
        self._came = outcome.traceback or outcome.message
        return self._referee.fault(ask.seat, Fault.ERROR)

    def _carry_out(self, effect: Effect) -> None:
        if isinstance(effect, Faulted):
            self._faults.append(LocalFault(effect.seat, effect.fault, self._came))
            self._tell(effect.seat, FaultNotice(None, effect.fault, effect.fault.sentence))
        elif isinstance(effect, HandFinished):
            for seat in range(len(self._sessions)):
                view = view_of(effect.game, effect.hand, seat)
                self._tell(seat, HandOver(view, effect.result))

    def _tell(self, seat: int, event: HandOver | GameOver | FaultNotice) -> None:
        session = self._sessions[seat]
        session.receive(Delivery(notices=(Notice(1, event),)))
        for failure in session.failures:
            raise RuntimeError(f"the bot at seat {seat} failed in a notice:\n{failure.traceback}")

    def _end(self) -> LocalGame:
        referee = self._referee
        game = referee.game
        for seat in range(len(self._sessions)):
            self._tell(seat, GameOver(game.scores, game.winner, tuple(referee.forfeits)))
        return LocalGame(
            game.scores,
            game.winner,
            tuple(referee.played),
            tuple(self._faults),
            dict(referee.forfeits),
        )


def _answer_of(decision: Decision) -> Answer:
    try:
        return decision.answer(_outcome_of(decision))
    except Exception as error:  # noqa: BLE001 - the author's code may raise anything
        return decision.failed(failure_of(error))


def _outcome_of(decision: Decision) -> Any:
    bot = type(decision.bot)
    if overrides(bot, "choose_many"):
        (outcome,) = bot.choose_many([decision.view])
        return outcome
    chosen: Any = decision.bot.choose(decision.view)
    return asyncio.run(chosen) if inspect.iscoroutine(chosen) else chosen
