"""A bot's session: frames in, decisions and answers out.

Here belongs which object plays at which table and which question waits. It reads no socket,
no clock and prints nothing; exceptions of the author's code come out as values.
"""

import traceback
from collections.abc import Callable
from typing import NamedTuple

from pitch.bot.base import Bot, overrides
from pitch.bot.view import Seating, View
from pitch.rules import Action
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

__all__ = ["BotSession", "Decision", "failure_of", "wants_notices"]


class Decision(NamedTuple):
    """A question that waits for its bot."""

    question_id: int
    bot: Bot
    view: View

    def answer(self, outcome: object, thinking_time_us: int = 0) -> Answer:
        """The answer to send; what is no action at all becomes a failure."""
        if not isinstance(outcome, Action):
            name = type(self.bot).__name__
            text = f"{name}.choose returned {outcome!r:.200}, expected one of view.legal"
            outcome = Failure(text, "")
        return Answer(self.question_id, outcome, thinking_time_us)

    def failed(self, failure: Failure, thinking_time_us: int = 0) -> Answer:
        """The answer that reports an exception of the author's code."""
        return Answer(self.question_id, failure, thinking_time_us)


def failure_of(error: BaseException) -> Failure:
    """An exception of the author's code as it is reported."""
    text = "".join(traceback.format_exception(error))
    return Failure(f"{type(error).__name__}: {error}", text)


def wants_notices(bot: Callable[[], Bot]) -> bool:
    """Whether the class has a use for notices of hands and games."""
    if not (isinstance(bot, type) and issubclass(bot, Bot)):
        return True
    return overrides(bot, "hand_over") or overrides(bot, "game_over")


class _Unmade(Bot):
    """Sits where an author's class could not be made: every decision reports why."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def choose(self, view: View) -> Action:  # noqa: ARG002
        raise self._error


class BotSession:
    """The tables of one connected bot and the decisions that wait, oldest first."""

    def __init__(self, make_bot: Callable[[], Bot]) -> None:
        self.pending: dict[int, Decision] = {}
        self.failures: list[Failure] = []
        self.charges: list[FaultNotice] = []
        self._make_bot = make_bot
        self._bots: dict[int, Bot] = {}

    def receive(self, delivery: Delivery) -> None:
        """Takes everything in; `pending`, `failures` and `charges` are the caller's to drain."""
        for opening in delivery.openings:
            self._open(opening)
        for notice in delivery.notices:
            self._tell(notice)
        for question_id in delivery.withdrawn:
            self.pending.pop(question_id, None)
        for table_id in delivery.closed:
            self._bots.pop(table_id, None)
        for question in delivery.questions:
            self._ask(question)

    def take(self) -> Decision:
        """The decision that has waited longest."""
        return self.pending.pop(next(iter(self.pending)))

    def take_all(self) -> list[Decision]:
        """Every decision that waits."""
        decisions = list(self.pending.values())
        self.pending.clear()
        return decisions

    def reconnected(self) -> None:
        """Forgets what waited: the server asks again all that it still wants to know."""
        self.pending.clear()

    def _open(self, opening: TableOpening) -> None:
        if opening.table_id in self._bots:  # told again after a reconnect
            return
        bot = self._new_bot()
        bot.table = Seating(
            variant=opening.variant,
            seat=opening.seat,
            first_dealer=opening.first_dealer,
            unit=opening.unit,
            max_hands=opening.max_hands,
            names=opening.seat_names,
            move_timeout=opening.move_timeout,
            time_bank=opening.time_bank,
        )
        self._bots[opening.table_id] = bot

    def _new_bot(self) -> Bot:
        try:
            return self._make_bot()
        except Exception as error:  # noqa: BLE001 - the author's code may raise anything
            self.failures.append(failure_of(error))
            return _Unmade(error)

    def _ask(self, question: Question) -> None:
        bot = self._bots.get(question.table_id)
        if bot is None:  # a table that was never opened here: nobody can answer for it
            return
        view = View(question.view, bot.table, question.chance, question.time_bank)
        self.pending[question.question_id] = Decision(question.question_id, bot, view)

    def _tell(self, notice: Notice) -> None:
        if isinstance(notice.event, FaultNotice):
            self.charges.append(notice.event)
        bot = self._bots.get(notice.table_id)
        if bot is None:
            return
        try:
            if isinstance(notice.event, HandOver):
                bot.hand_over(notice.event.view, notice.event.result)
            elif isinstance(notice.event, GameOver):
                bot.game_over(notice.event)
            elif isinstance(notice.event, FaultNotice):
                bot.fault(notice.event)
        except Exception as error:  # noqa: BLE001 - the author's code may raise anything
            self.failures.append(failure_of(error))
