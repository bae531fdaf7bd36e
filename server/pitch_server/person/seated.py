"""A person's game against bots: what the person saw after each action, and whose turn it is.

Here belongs the game. It knows no terminal: it is stepped by whoever shows it.
"""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from pitch.bot import mistakes
from pitch.bot.base import Bot
from pitch.bot.seating import Seating
from pitch.bot.session import BotSession
from pitch.bot.view import View
from pitch.rules import Action, HandResult, Variant, apply_action, finish_hand, start_hand, view_of
from pitch.rules.game import start_game
from pitch.table.referee import Referee
from pitch.table.unit import Unit
from pitch.testing.answering import answer_of
from pitch.testing.containment import Containment
from pitch.testing.local_table import LocalFault, LocalTable
from pitch.wire.frames import Delivery, Failure, Question

__all__ = ["Moment", "Seated"]

MAX_HANDS = 100


class Moment(NamedTuple):
    """The table as the person sees it after an action, or at a deal.

    `seat` and `action` are who did what, None at a deal; `result` is there when the hand is over
    by it.
    """

    view: View
    seat: int | None
    action: Action | None
    result: HandResult | None


class _Person(Bot):
    """Sits where the person does; what it is asked, the person answers."""


class Seated:
    """One game. `advance` has the bots go on to the person's next turn, `answer` takes it."""

    def __init__(
        self,
        bots: Sequence[Callable[[], Bot]],
        seat: int,
        *,
        variant: Variant,
        unit: Unit,
        seed: str,
        hint: Callable[[], Bot],
    ) -> None:
        """`bots` are one a seat; that at `seat`, the person's, is not used."""
        self.variant, self.seat = variant, seat
        hands = 1 if unit is Unit.HAND else MAX_HANDS
        referee = Referee(
            variant,
            decks=lambda hand: Random(f"{seed}:{hand}").sample(range(variant.deck), variant.deck),
            max_hands=hands,
        )
        sitting = [_Person if at == seat else bot for at, bot in enumerate(bots)]
        self._hooks: list[tuple[int, Failure]] = []
        self._table = LocalTable(
            referee, sitting, unit, hook_failed=lambda *each: self._hooks.append(each)
        )
        self._chance = Random(f"chance:{seed}")
        self._hint = BotSession(hint)
        self._seating = Seating(
            variant=variant, seat=seat, first_dealer=0, unit=unit, max_hands=hands
        )
        self._game = start_game(variant, max_hands=hands)
        self._dealt = self._hands = self._actions = 0  # those that have been followed
        self._told = 0  # faults
        self._table.begin()
        self._hint.receive(Delivery(openings=(self._table.opening(seat),)))

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._table.asked is None

    @property
    def my_turn(self) -> bool:
        """Whether the person is asked."""
        asked = self._table.asked
        return asked is not None and asked.seat == self.seat

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores of the game, by side."""
        return self._table.played().scores

    @property
    def winner(self) -> int | None:
        """The side that has won the game; None while it goes on and for a draw."""
        return self._table.played().winner

    def news(self) -> list[Moment]:
        """What is to be seen since the last call: at first, the deal."""
        news: deque[Moment] = deque()
        played = self._table.referee.played
        while self._hands < len(played):
            record = played[self._hands]
            if self._dealt == self._hands:
                self._dealt += 1
                self._hand = start_hand(self.variant, self._game.dealer, record.deck)
                news.append(self._moment(None, None, None))
            for seat, action in record.actions[self._actions :]:
                self._hand = apply_action(self._hand, action)
                self._actions += 1
                news.append(self._moment(seat, action, None))
            if record.result is None:
                break
            news[-1] = news[-1]._replace(result=record.result)
            self._game, _ = finish_hand(self._game, self._hand)
            self._hands, self._actions = self._hands + 1, 0
        return list(news)

    def advance(self) -> list[Moment]:
        """Has a bot decide, if it is a bot's turn, and tells the news."""
        asked = self._table.asked
        if asked is not None and asked.seat != self.seat:
            with self._table.held():
                self._table.decide(self._chance.getrandbits(64))
        return self.news()

    def answer(self, action: Action) -> list[Moment]:
        """Plays the person's action, which must be legal, and tells the news."""
        self._table.answer(action)
        return self.news()

    def faults(self) -> list[LocalFault]:
        """The faults of bots since the last call."""
        faults = self._table.faults[self._told :]
        self._told = len(self._table.faults)
        return faults

    def hook_failures(self) -> list[tuple[int, Failure]]:
        """What bots got wrong where they were only told something, since the last call."""
        failures, self._hooks = self._hooks, []
        return failures

    def hinted(self) -> Action | str:
        """What the hint's bot would do in the person's place, or why it can't say."""
        asked = self._table.asked
        assert asked is not None  # noqa: S101 - it is the person's turn
        view = self._table.referee.view(self.seat)
        question = Question(asked.number + 1, 1, view, Random(asked.number).getrandbits(64))
        self._hint.receive(Delivery(questions=(question,)))
        contained = Containment(None)
        with contained.held():
            ran = contained.call(partial(answer_of, self._hint.take()))
        if ran.ended is not None:
            return mistakes.ended(ran.ended)
        outcome = ran.outcome and ran.outcome.outcome
        if isinstance(outcome, Failure):
            return outcome.message
        if outcome is None or outcome not in self._table.referee.legal:
            return "it does not know"
        return outcome

    def _moment(self, seat: int | None, action: Action | None, result: HandResult | None) -> Moment:
        view = View(view_of(self._game, self._hand, self.seat), self._seating)
        return Moment(view, seat, action, result)
