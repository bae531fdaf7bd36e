"""A bot's session: frames in, decisions and answers out.

Here belongs which object plays at which table and which question waits. It reads no socket,
no clock and prints nothing; exceptions of the author's code come out as values.
"""

import inspect
import reprlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import index
from typing import Any, NamedTuple

from pitch.bot import mistakes
from pitch.bot.base import Bot, overrides
from pitch.bot.view import Seating, View
from pitch.rules import CARD_COUNT, MOON, Action, Kind
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

__all__ = ["BotSession", "Decision", "failure_of", "many_outcomes", "wants_notices"]


class Decision(NamedTuple):
    """A question that waits for its bot."""

    question_id: int
    bot: Bot
    view: View
    table_id: int = 0

    @property
    def where(self) -> str:
        """The question, as a bot's log tells it and `pitch why --question` finds it."""
        return f"question {self.question_id:016x}, seat {self.view.seat}"

    @property
    def _method(self) -> str:
        return "choose_many" if overrides(type(self.bot), "choose_many") else "choose"

    def answer(self, outcome: object, thinking_time_us: int = 0) -> Answer:
        """The answer to send; what is no action at all becomes a failure.

        An action that is not legal goes out as it is: judging it is the referee's.
        """
        if isinstance(outcome, Action) and (action := _as_sent(outcome)):
            return Answer(self.question_id, action, thinking_time_us)
        text = mistakes.no_action(type(self.bot), self._method, outcome, self.view)
        return self.failed(Failure(_readable(text), ""), thinking_time_us)

    def mistake(self, answer: Answer) -> str:
        """What is wrong with an answer that was made of what the bot returned; empty if nothing."""
        action = answer.outcome
        if isinstance(action, Failure):
            return action.message
        if action is None or action in self.view.legal:
            return ""
        return _readable(mistakes.illegal(type(self.bot), self._method, action, self.view))

    def failed(self, failure: Failure, thinking_time_us: int = 0) -> Answer:
        """The answer that reports an exception of the author's code."""
        return Answer(self.question_id, failure, thinking_time_us)


# An action's value lies below this, by kind: what the wire can say of it.
_BELOW = {
    Kind.BID: MOON + 1,
    Kind.PITCH: CARD_COUNT,
    Kind.TRUMP: 4,
    Kind.DISCARD: 1 << CARD_COUNT,
    Kind.PLAY: CARD_COUNT,
}


def _as_sent(action: Action) -> Action | None:
    """The action in plain numbers (an author's may come from numpy); None if there is none."""
    kind, value = action
    try:
        if type(kind) is not Kind or type(value) is not int:
            action = Action(Kind(kind), int(index(value)))
    except (TypeError, ValueError):
        return None
    return action if 0 <= action.value < _BELOW.get(action.kind, 1) else None


def failure_of(error: BaseException) -> Failure:
    """An exception of the author's code as it is reported."""
    return Failure(_readable(mistakes.raised(error)), _readable(mistakes.traced(error)))


def many_outcomes(bot: type[Bot], views: Sequence[View]) -> list[object]:
    """What a class decides at once, one for each view; raises what the author's code does."""
    if not isinstance(inspect.getattr_static(bot, "choose_many"), classmethod | staticmethod):
        raise TypeError(mistakes.no_classmethod(bot))
    given: Any = bot.choose_many(views)
    if inspect.iscoroutine(given):
        given.close()
        raise TypeError(mistakes.async_many(bot))
    if not isinstance(given, Iterable):
        raise TypeError(mistakes.no_many(bot, given))
    outcomes: list[object] = list(given)
    if len(outcomes) != len(views):
        raise ValueError(mistakes.wrong_count(bot, len(outcomes), len(views)))
    return outcomes


def _readable(text: str) -> str:
    """The text without what UTF-8 cannot write (an author's message may hold anything)."""
    return text.encode(errors="backslashreplace").decode()


def wants_notices(bot: Callable[[], Bot]) -> bool:
    """Whether the class has a use for notices of hands and games; a function may have."""
    made: object = bot.func if isinstance(bot, partial) else bot
    if not (isinstance(made, type) and issubclass(made, Bot)):
        return True
    return overrides(made, "hand_over") or overrides(made, "game_over")


class _Unmade(Bot):
    """Sits where an author's class could not be made: every decision reports why."""

    def __init__(self, failure: Failure) -> None:
        self._failure = failure

    def choose(self, view: View) -> Action:  # noqa: ARG002
        raise RuntimeError(f"the bot could not be made: {self._failure.message}")


class BotSession:
    """The tables of one connected bot and the decisions that wait, oldest first."""

    def __init__(self, make_bot: Callable[[], Bot]) -> None:
        self.pending: dict[int, Decision] = {}
        self.failures: list[Failure] = []
        self.charges: list[FaultNotice] = []
        self._make_bot = make_bot
        self._bots: dict[int, Bot] = {}
        self._untold: set[int] = set()

    def receive(self, delivery: Delivery) -> None:
        """Takes everything in; `pending`, `failures` and `charges` are the caller's to drain."""
        if self._untold:  # tables that closed while the connection was lost
            for table_id in self._untold.difference(each.table_id for each in delivery.openings):
                del self._bots[table_id]
            self._untold.clear()
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

    def take_with(self, bot: type[Bot]) -> list[Decision]:
        """Every decision that waits for a bot of this class."""
        decisions = [each for each in self.pending.values() if type(each.bot) is bot]
        for decision in decisions:
            del self.pending[decision.question_id]
        return decisions

    def reconnected(self) -> None:
        """Forgets what waited: the server asks again all that it still wants to know.

        Its first delivery tells every table that is still open.
        """
        self.pending.clear()
        self._untold = set(self._bots)

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
            bot: object = self._make_bot()
            if isinstance(bot, Bot):
                return bot
            raise TypeError(f"expected a pitch.Bot to be made, got {reprlib.repr(bot)}")  # noqa: TRY301 - as if it had raised
        except Exception as error:  # noqa: BLE001 - the author's code may raise anything
            failure = failure_of(error)
            self.failures.append(failure)
            return _Unmade(failure)

    def _ask(self, question: Question) -> None:
        bot = self._bots.get(question.table_id)
        if bot is None:  # a table that was never opened here: nobody can answer for it
            return
        view = View(question.view, bot.table, question.chance, question.time_bank, question.limit)
        self.pending[question.question_id] = Decision(
            question.question_id, bot, view, question.table_id
        )

    def _tell(self, notice: Notice) -> None:
        if isinstance(notice.event, FaultNotice):
            self.charges.append(notice.event)
        bot = self._bots.get(notice.table_id)
        if bot is None:
            return
        try:
            if isinstance(notice.event, HandOver):
                bot.hand_over(View(notice.event.view, bot.table), notice.event.result)
            elif isinstance(notice.event, GameOver):
                bot.game_over(notice.event)
            elif isinstance(notice.event, FaultNotice):
                bot.fault(notice.event)
        except Exception as error:  # noqa: BLE001 - the author's code may raise anything
            self.failures.append(failure_of(error))
