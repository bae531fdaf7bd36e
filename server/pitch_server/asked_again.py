"""A local bot asked again, decision by decision, what a seat of a played game was asked.

Here belongs leading one bot object through the seat's whole game, so that what it remembers is
what it would have known then. What the game was is for `decisions`.
"""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from pitch.bot import mistakes
from pitch.bot.base import Bot
from pitch.bot.session import BotSession
from pitch.rules import Action
from pitch.testing.answering import answer_of
from pitch.testing.containment import HOOK_LIMIT, Containment
from pitch.testing.local_table import ended, interruption
from pitch.wire.frames import (
    Delivery,
    Failure,
    HandOver,
    Notice,
    Question,
    TableOpening,
)
from pitch_server.decisions import Decided, HandEnd, PlayedGame

__all__ = ["DEFAULT_LIMIT", "AnswerAgain", "ask_again", "opening_of"]

DEFAULT_LIMIT = 10.0  # seconds for a decision, where the game's limit is not known
_TABLE = 1


class AnswerAgain(NamedTuple):
    """What a bot answers now: an action or a failure, and how many seconds it took."""

    decided: Decided
    outcome: Action | Failure
    seconds: float

    @property
    def same(self) -> bool:
        """Whether it is what was played then."""
        return self.outcome == self.decided.action

    @property
    def legal(self) -> bool:
        """Whether it can be played there."""
        return isinstance(self.outcome, Action) and self.outcome in self.decided.view.legal


def ask_again(
    bot: type[Bot], game: PlayedGame, told: Iterable[Decided | HandEnd], seat: int
) -> list[AnswerAgain]:
    """What `bot` answers at a seat, each time after what was played until then.

    One object lives through all of it, and is told of hands that end, as in a game. What it
    answers changes nothing: the next question is the one that was asked. It is interrupted when
    its time in the game (DEFAULT_LIMIT where that is not known) and its time bank are over; where
    it would have ended its process, that is its answer from then on.
    """
    seated = _Seated(bot, game)
    answers = []
    with seated.contained.held():
        seated.receive(Delivery(openings=(opening_of(game, seat, _TABLE),)))
        for each in told:
            if isinstance(each, HandEnd):
                over = HandOver(each.views[seat], each.result)
                seated.receive(Delivery(notices=(Notice(_TABLE, over),)))
            elif each.seat == seat:
                answers.append(seated.ask(each))
    return answers


class _Seated:
    """A bot object at its seat, in this process."""

    def __init__(self, bot: type[Bot], game: PlayedGame) -> None:
        self.contained = Containment((game.move_timeout or DEFAULT_LIMIT) + game.time_bank)
        self._session = BotSession(bot)
        self._gone: Failure | None = None

    def receive(self, delivery: Delivery) -> None:
        """Tells it something, whatever it makes of it."""
        ran = self.contained.call(partial(self._session.receive, delivery), seconds=HOOK_LIMIT)
        if ran.ended is not None:
            self._gone = ended(ran.ended)
        if ran.interrupted is not None:
            late = interruption(ran.seconds, ran.interrupted)
            self._gone = Failure(f"no end of it: {mistakes.late(ran.interrupted, late)}", late)

    def ask(self, decided: Decided) -> AnswerAgain:
        """Asks what was asked then."""
        if self._gone is not None:
            return AnswerAgain(decided, self._gone, 0.0)
        view = decided.view
        question = Question(decided.number + 1, _TABLE, view.known, view.chance, view.time_bank)
        self._session.receive(Delivery(questions=(question,)))
        ran = self.contained.call(partial(answer_of, self._session.take()))
        if ran.ended is not None:
            self._gone = ended(ran.ended)
            return AnswerAgain(decided, self._gone, ran.seconds)
        if ran.outcome is None:
            late = interruption(ran.seconds, ran.interrupted)
            failure = Failure(f"timeout: {mistakes.late(ran.interrupted, late, ran.line)}", late)
            return AnswerAgain(decided, failure, ran.seconds)
        outcome = ran.outcome.outcome
        assert outcome is not None  # noqa: S101 - a session makes one or the other
        return AnswerAgain(decided, outcome, ran.seconds)


def opening_of(game: PlayedGame, seat: int, table_id: int) -> TableOpening:
    """The table that the game was played at, as a seat is told of it."""
    table = game.seating(seat)
    return TableOpening(
        table_id=table_id,
        variant=table.variant,
        seat=seat,
        first_dealer=table.first_dealer,
        unit=table.unit,
        max_hands=table.max_hands,
        seat_names=table.names,
        move_timeout=table.move_timeout,
        time_bank=table.time_bank,
    )
