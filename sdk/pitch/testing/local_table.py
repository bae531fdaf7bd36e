"""A table in one process: bots play each other through the referee, without a socket.

Here belongs driving a referee with bot objects, for tests and quick trials. There is no clock
unless a limit is given: a slow bot is waited for. What a game does next is the referee's, what a
bot object lives through is the session's, as in a tournament.
"""

import math
import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from random import Random
from typing import NamedTuple

from pitch.bot import mistakes
from pitch.bot.base import Bot
from pitch.bot.session import BotSession
from pitch.bot.view import View
from pitch.rules import VARIANTS, Action, Variant, action_text, legal_text, view_of
from pitch.table.faults import Fault, FaultPolicy
from pitch.table.referee import Ask, Effect, Faulted, HandFinished, PlayedHand, Referee
from pitch.table.unit import Unit
from pitch.testing.answering import answer_of
from pitch.testing.containment import HOOK_LIMIT, Containment, OutOfTime
from pitch.wire.frames import (
    Delivery,
    Failure,
    FaultNotice,
    GameOver,
    HandOver,
    Notice,
    Question,
    TableOpening,
)

__all__ = [
    "LocalDecision",
    "LocalFault",
    "LocalGame",
    "LocalTable",
    "NoticeError",
    "ended",
    "interruption",
    "play_board",
    "play_game",
]

MakeBot = Callable[[], Bot]


class LocalDecision(NamedTuple):
    """What a bot decided on: the view, and how many seconds it took.

    `number` counts the actions of the game before it.
    """

    seat: int
    number: int
    view: View
    seconds: float


class LocalFault(NamedTuple):
    """A fault of the bot at a seat; `came` is what it did, a traceback where it raised.

    `number` counts the actions of the game before it, `legal` is what would have been legal,
    `played` what the referee played instead, empty where the game was lost by it. `message` says
    in one line what is wrong, where in the author's code, and what to do.
    """

    seat: int
    fault: Fault
    came: str
    number: int = 0
    legal: str = ""
    played: str = ""
    message: str = ""


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
    move_timeout: float | None = None,
    deck: Callable[[int], Sequence[int]] | None = None,
    chance: Callable[[int, int], int] | None = None,
    watch: Callable[[LocalDecision], None] | None = None,
    hook_failed: Callable[[int, Failure], None] | None = None,
) -> LocalGame:
    """Plays one game: a single hand, or with `unit=Unit.GAME` hands until a side wins.

    `bots` are Bot classes, one a side or one a seat. Decks and chance follow from `seed`, and
    decks from it alone: the same seed gives the same cards to whoever sits there. Instead,
    `deck` gives the deck of a hand and `chance` the bits of a seat's question, by the number of
    the action. With `move_timeout`, in seconds, a longer decision is a timeout, and on the main
    thread it is interrupted. `watch` is told every decision, `hook_failed` the seat and what was
    wrong where a bot failed when it was only told something, which costs it nothing; without it
    that raises a NoticeError.
    """
    rules = VARIANTS[variant] if isinstance(variant, str) else variant
    if len(bots) not in (rules.sides, rules.players):
        raise ValueError(
            f"expected a bot for each of {rules.sides} sides or {rules.players} seats, "
            f"got {len(bots)}"
        )
    referee = Referee(
        rules,
        decks=deck or (lambda hand: Random(f"{seed}:{hand}").sample(range(rules.deck), rules.deck)),
        first_dealer=first_dealer,
        max_hands=1 if unit is Unit.HAND else max_hands,
        policy=policy,
    )
    seats = [bots[seat % len(bots)] for seat in range(rules.players)]
    table = LocalTable(
        referee, seats, unit, move_timeout=move_timeout, watch=watch, hook_failed=hook_failed
    )
    return table.play(chance or _drawn(Random(f"chance:{seed}")))


def _drawn(random: Random) -> Callable[[int, int], int]:
    return lambda _seat, _number: random.getrandbits(64)


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


class NoticeError(RuntimeError):
    """A bot raised where it was only told something: in `hand_over`, `game_over` or `fault`.

    Or it would have ended its process there, or where it was made.
    """

    def __init__(self, seat: int, failure: Failure) -> None:
        super().__init__(f"the bot at seat {seat} failed in a notice:\n{failure.traceback}")
        self.seat = seat
        self.failure = failure


class LocalTable:
    """One game, with a session for each seat. `play` plays it, the others go step by step."""

    def __init__(
        self,
        referee: Referee,
        bots: Sequence[MakeBot],
        unit: Unit,
        *,
        move_timeout: float | None = None,
        watch: Callable[[LocalDecision], None] | None = None,
        hook_failed: Callable[[int, Failure], None] | None = None,
    ) -> None:
        """`bots` are one a seat; `watch` and `hook_failed` as for `play_game`."""
        self.referee = referee
        self.faults: list[LocalFault] = []
        self._unit = unit
        self._sessions = [BotSession(bot) for bot in bots]
        self._contained = Containment(move_timeout)
        self._watch = watch
        self._hook_failed = hook_failed or _raise
        self._gone: dict[int, Failure] = {}  # seats whose bot would have ended, or was never made
        self._asked = Ask(0, 0)
        self._came = self._legal = self._message = ""

    def play(self, chance: Callable[[int, int], int]) -> LocalGame:
        """The game to its end; `chance` gives the bits of a seat's question, by its number."""
        with self.held():
            self.begin()
            while (ask := self.asked) is not None:
                self.decide(chance(ask.seat, ask.number))
        return self.played()

    def held(self) -> AbstractContextManager[None]:
        """Within it a bot's decisions are interrupted at the limit, and can't end the process."""
        return self._contained.held()

    def begin(self) -> None:
        """Tells the bots where they sit and goes to the first question."""
        for seat in range(len(self._sessions)):
            if trouble := self._receive(seat, Delivery(openings=(self.opening(seat),))):
                self._gone[seat] = trouble
        self._carry_out_all(self.referee.begin())

    @property
    def asked(self) -> Ask | None:
        """Whose turn it is; None when the game is over."""
        seat = self.referee.asked
        return None if seat < 0 else Ask(seat, self.referee.number)

    def decide(self, chance: int) -> None:
        """The bot whose turn it is decides, with these bits of chance."""
        ask = self.asked
        assert ask is not None  # noqa: S101 - the caller has looked
        self._carry_out_all(self._decide(ask, chance))

    def answer(self, action: Action) -> None:
        """Plays an action for the seat whose turn it is, in the place of its bot."""
        ask = self.asked
        assert ask is not None  # noqa: S101 - the caller has looked
        self._asked = ask
        self._came, self._legal = action_text(action), legal_text(self.referee.legal)
        self._carry_out_all(self.referee.answer(ask.seat, action))

    def played(self) -> LocalGame:
        """The game as far as it has come."""
        referee, game = self.referee, self.referee.game
        return LocalGame(
            game.scores,
            game.winner,
            tuple(referee.played),
            tuple(self.faults),
            dict(referee.forfeits),
        )

    def opening(self, seat: int) -> TableOpening:
        """What a seat is told at the beginning."""
        game = self.referee.game
        return TableOpening(
            table_id=1,
            variant=game.variant,
            seat=seat,
            first_dealer=game.first_dealer,
            unit=self._unit,
            max_hands=game.max_hands,
            move_timeout=self._contained.seconds or 0.0,
        )

    def _decide(self, ask: Ask, chance: int) -> list[Effect]:
        session, referee = self._sessions[ask.seat], self.referee
        if trouble := self._gone.get(ask.seat):
            return self._left(ask, trouble)
        question = Question(ask.number + 1, 1, referee.view(ask.seat), chance)
        session.receive(Delivery(questions=(question,)))
        self._asked = ask
        decision = session.take()
        ran = self._contained.call(partial(answer_of, decision))
        if ran.ended is not None:
            return self._left(ask, ended(ran.ended))
        if self._watch is not None:
            self._watch(LocalDecision(ask.seat, ask.number, decision.view, ran.seconds))
        answer = ran.outcome
        if answer is None or ran.seconds > (self._contained.seconds or math.inf):
            late = interruption(ran.seconds, ran.interrupted)
            return self._charge(Fault.TIMEOUT, late, mistakes.late(ran.interrupted, late, ran.line))
        outcome = answer.outcome
        if isinstance(outcome, Failure):
            came = outcome.traceback or outcome.message
            return self._charge(Fault.ERROR, came, outcome.message)
        assert outcome is not None  # noqa: S101 - the session makes one or the other
        if outcome not in referee.legal:
            return self._charge(Fault.ILLEGAL, action_text(outcome), decision.mistake(answer))
        return referee.answer(ask.seat, outcome)

    def _left(self, ask: Ask, end: Failure) -> list[Effect]:
        """What a bot's process does when it ends: the game is lost by it."""
        self._asked = ask
        self._came, self._legal = end.traceback, legal_text(self.referee.legal)
        self._message = end.message
        side = self.referee.variant.side_of(ask.seat)
        effects = self.referee.forfeit(side, Fault.DISCONNECT)
        return [Faulted(ask.seat, Fault.DISCONNECT, None), *effects]

    def _charge(self, fault: Fault, came: str, message: str) -> list[Effect]:
        self._came, self._legal, self._message = came, legal_text(self.referee.legal), message
        return self.referee.fault(self._asked.seat, fault)

    def _carry_out_all(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            self._carry_out(effect)
        if self.referee.finished:
            game, forfeits = self.referee.game, tuple(self.referee.forfeits)
            for seat in range(len(self._sessions)):
                self._tell(seat, GameOver(game.scores, game.winner, forfeits))

    def _carry_out(self, effect: Effect) -> None:
        if isinstance(effect, Faulted):
            played = action_text(effect.substitute) if effect.substitute else ""
            self.faults.append(
                LocalFault(
                    effect.seat,
                    effect.fault,
                    self._came,
                    self._asked.number,
                    self._legal,
                    played,
                    self._message,
                )
            )
            self._tell(effect.seat, FaultNotice(None, effect.fault, effect.fault.sentence))
        elif isinstance(effect, HandFinished):
            for seat in range(len(self._sessions)):
                view = view_of(effect.game, effect.hand, seat)
                self._tell(seat, HandOver(view, effect.result))

    def _tell(self, seat: int, event: HandOver | GameOver | FaultNotice) -> None:
        self._receive(seat, Delivery(notices=(Notice(1, event),)))

    def _receive(self, seat: int, delivery: Delivery) -> Failure | None:
        """Has a bot made, or told something; what would have ended its process, or had no end."""
        session = self._sessions[seat]
        ran = self._contained.call(partial(session.receive, delivery), seconds=HOOK_LIMIT)
        trouble = None
        if ran.ended is not None:
            trouble = self._gone[seat] = ended(ran.ended)
        elif ran.interrupted is not None:
            late = interruption(ran.seconds, ran.interrupted)
            told = mistakes.late(ran.interrupted, late, ran.line)
            trouble = Failure(f"no end of it: {told}", late)
        if trouble is not None:
            self._hook_failed(seat, trouble)
        for failure in session.failures:
            self._hook_failed(seat, failure)
        session.failures.clear()
        return trouble


def _raise(seat: int, failure: Failure) -> None:
    raise NoticeError(seat, failure)


def ended(end: BaseException) -> Failure:
    """What is to be said of a bot that would have ended its process."""
    return Failure(mistakes.ended(end), mistakes.traced(end))


def interruption(seconds: float, interrupted: OutOfTime | None) -> str:
    """How a decision was late: with the place where it was interrupted, if it was."""
    if interrupted is None:
        return f"it took {seconds:.3f} s"
    stack = traceback.format_tb(interrupted.__traceback__)
    return f"interrupted after {seconds:.3f} s\n{''.join(stack)}"
