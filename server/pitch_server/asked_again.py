"""A local bot asked again, decision by decision, what a seat of a played game was asked.

Here belongs leading one bot object through the seat's whole game, so that what it remembers is
what it would have known then. What the game was is for `decisions`.
"""

from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import NamedTuple

from pitch.bot.base import Bot
from pitch.bot.session import BotSession
from pitch.rules import Action
from pitch.testing.answering import answer_of
from pitch.wire.frames import (
    Delivery,
    Failure,
    HandOver,
    Notice,
    Question,
    TableOpening,
)
from pitch_server.decisions import Decided, HandEnd, PlayedGame

__all__ = ["AnswerAgain", "ask_again", "opening_of"]

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
) -> Iterator[AnswerAgain]:
    """What `bot` answers at a seat, each time after what was played until then.

    One object lives through all of it, and is told of hands that end, as in a game. What it
    answers changes nothing: the next question is the one that was asked.
    """
    session = BotSession(bot)
    session.receive(Delivery(openings=(opening_of(game, seat, _TABLE),)))
    for each in told:
        if isinstance(each, HandEnd):
            over = HandOver(each.views[seat], each.result)
            session.receive(Delivery(notices=(Notice(_TABLE, over),)))
        elif each.seat == seat:
            yield _asked(session, each)


def _asked(session: BotSession, decided: Decided) -> AnswerAgain:
    view = decided.view
    question = Question(decided.number + 1, _TABLE, view.known, view.chance, view.time_bank)
    session.receive(Delivery(questions=(question,)))
    begun = perf_counter()
    outcome = answer_of(session.take()).outcome
    seconds = perf_counter() - begun
    assert outcome is not None  # noqa: S101 - a session makes one or the other
    return AnswerAgain(decided, outcome, seconds)


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
