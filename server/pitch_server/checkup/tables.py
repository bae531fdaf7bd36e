"""Questions and whole games for one sitting, and the ledger of what came back.

Here belongs asking: single questions at tables of their own, and games whose other seats are
played by chance. Judging what stands in a ledger is for the checks.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from random import Random
from statistics import median
from typing import Any, NamedTuple

from pitch.rules import Action, Variant, action_text, legal_text, view_of
from pitch.table.faults import Fault, FaultPolicy
from pitch.table.referee import Ask, Effect, HandFinished, Referee
from pitch.table.unit import Unit
from pitch.testing.conformance import Situation
from pitch.wire.frames import GameOver, HandOver, Question, TableOpening
from pitch_server.checkup.sitting import Sitting
from pitch_server.table.asked import Asked, Evidence
from pitch_server.table.clock import Moment

__all__ = ["NO_ANSWER", "Charge", "Ledger", "OneQuestion", "WholeGame", "answered", "ask_all"]

NO_ANSWER = (Fault.TIMEOUT, Fault.MALFORMED, Fault.DISCONNECT)
"""The kinds of fault where nothing came that could be judged."""
_ENOUGH = 3  # faults after which a game is not played on
_KEPT = 300  # faults of a ledger
_PATIENT = FaultPolicy(max_faults=1_000_000)


class Charge(NamedTuple):
    """A fault, with where it was and what is known of it."""

    fault: Fault
    variant: str
    where: str
    evidence: Evidence


class Ledger:
    """What a bot has answered: times in seconds, and charges."""

    def __init__(
        self,
        *stopping: Fault,
        seen: Callable[[int], None] = lambda _decisions: None,
    ) -> None:
        """`stopping` are the kinds of fault of which a few end it, all kinds if none is named.

        `seen` is called with the number of decisions after each.
        """
        self._stopping = stopping or tuple(Fault)
        self._seen = seen
        self.times: list[float] = []
        self.charges: list[Charge] = []

    def add(self, seconds: float) -> None:
        """Counts a decision, whatever it came to."""
        self.times.append(seconds)
        self._seen(len(self.times))

    @property
    def decisions(self) -> int:
        """How many questions were answered, well or not."""
        return len(self.times)

    @property
    def full(self) -> bool:
        """Whether there are faults enough to know what is wrong."""
        return len(self.of(*self._stopping)) >= _ENOUGH

    def charge(self, charge: Charge) -> None:
        """Keeps a fault; of thousands the first hundreds tell it all."""
        if len(self.charges) < _KEPT:
            self.charges.append(charge)

    def of(self, *faults: Fault) -> list[Charge]:
        """The charges of these kinds."""
        return [charge for charge in self.charges if charge.fault in faults]

    @property
    def slowest(self) -> float:
        """Seconds of the longest answer."""
        return max(self.times, default=0.0)

    @property
    def usual(self) -> float:
        """Seconds that half of the answers took at most."""
        return median(self.times) if self.times else 0.0


class OneQuestion:
    """One decision at a table that is opened for it: as after a bot was started again.

    `done` gives the action, None where none came that could be played or it was withdrawn.
    """

    def __init__(self, sitting: Sitting, ledger: Ledger, situation: Situation, chance: int) -> None:
        self.done: asyncio.Future[Action | None] = asyncio.get_running_loop().create_future()
        self.situation = situation
        self._sitting, self._ledger = sitting, ledger
        self.table_id, self._question_id = sitting.new_id(), sitting.new_id()
        self._chance = chance

    def ask(self) -> None:
        """Opens the table and asks."""
        view, game = self.situation.view, self.situation.game
        opening = _opening(
            self.table_id, self._sitting, game.variant, view.seat, game.first_dealer, Unit.GAME
        )
        self._sitting.instance.open(self, opening)
        question = Question(self._question_id, self.table_id, view, self._chance)
        self._sitting.instance.ask(question)

    def withdraw(self) -> None:
        """Takes the question back, and the table with it."""
        if not self.done.done():
            self._sitting.instance.withdraw(self._question_id)
            self._end(None)

    def answered(self, asked: Asked, action: Action, now: Moment, reported: float) -> None:
        """An action has come."""
        self._ledger.add(asked.measured)
        legal = self.situation.legal
        if action in legal:
            self._end(action)
            return
        evidence = self._sitting.instance.evidence(asked, now, action_text(action), reported)
        self._charge(Fault.ILLEGAL, evidence._replace(legal=legal_text(legal)))

    def failed(self, asked: Asked, fault: Fault, evidence: Evidence) -> None:
        """None has come that could be read, or none in time."""
        self._ledger.add(asked.measured)
        self._charge(fault, evidence)

    def came_late(self, question_id: int, after: float, reported: float) -> None:
        """It has been charged already."""

    def lost(self, seat: int, fault: Fault) -> None:  # noqa: ARG002 - an Asker's
        """The bot is gone, and with it the table."""
        self._sitting.instance.withdraw(self._question_id)
        self._charge(fault, Evidence())

    def _charge(self, fault: Fault, evidence: Evidence) -> None:
        variant, kind = self.situation.game.variant.name, self.situation.kind.name
        self._ledger.charge(Charge(fault, variant, kind, evidence))
        self._end(None)

    def _end(self, action: Action | None) -> None:
        if not self.done.done():
            self.done.set_result(action)
            self._sitting.instance.close(self.table_id)


async def answered(sitting: Sitting, asked: Sequence[OneQuestion]) -> list[Action | None]:
    """What they came to, once all did or the bot is gone."""
    leaving: asyncio.Future[Any] = asyncio.create_task(sitting.left.wait())
    all_of_them: asyncio.Future[Any] = asyncio.gather(*(each.done for each in asked))
    await asyncio.wait({all_of_them, leaving}, return_when=asyncio.FIRST_COMPLETED)
    leaving.cancel()
    for each in asked:
        each.withdraw()
    return await all_of_them  # type: ignore[no-any-return]


async def ask_all(
    sitting: Sitting, ledger: Ledger, situations: Sequence[Situation], chance: Random, at_once: int
) -> list[Action | None]:
    """Asks them in order, so many at once; stops early where there are faults enough."""
    answers: list[Action | None] = []
    for start in range(0, len(situations), at_once):
        asked = [
            OneQuestion(sitting, ledger, situation, chance.getrandbits(64))
            for situation in situations[start : start + at_once]
        ]
        for each in asked:
            each.ask()
        answers += await answered(sitting, asked)
        if ledger.full or sitting.left.is_set():
            break
    return answers


class WholeGame:
    """A game in which the bot has some seats; the others are played by chance.

    `done` is set when it is over, for whatever reason.
    """

    def __init__(
        self,
        sitting: Sitting,
        ledger: Ledger,
        variant: Variant,
        chance: Random,
        *,
        seats: Collection[int],
        unit: Unit = Unit.HAND,
        max_hands: int = 1,
    ) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sitting, self._ledger, self._chance = sitting, ledger, chance
        self._unit = unit
        self._ids = {seat: sitting.new_id() for seat in seats}
        self._question = 0  # that is out, or waits
        self._referee = Referee(
            variant,
            decks=lambda _hand: chance.sample(range(variant.deck), variant.deck),
            first_dealer=chance.randrange(variant.players),
            max_hands=max_hands,
            policy=_PATIENT,
        )

    def start(self) -> None:
        """Opens the table at the bot's seats and begins."""
        game = self._referee.game
        for seat, table_id in self._ids.items():
            opening = _opening(
                table_id, self._sitting, game.variant, seat, game.first_dealer, self._unit
            )
            self._sitting.instance.open(self, opening)
        self._go_on(self._referee.begin())

    async def play(self) -> None:
        """Plays it to its end, or until the bot is gone."""
        self.start()
        leaving: asyncio.Future[Any] = asyncio.create_task(self._sitting.left.wait())
        await asyncio.wait({self.done, leaving}, return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        self.drop()

    def drop(self) -> None:
        """Ends it where it stands."""
        if not self.done.done():
            self._take_back()
            self._end()

    def answered(self, asked: Asked, action: Action, now: Moment, reported: float) -> None:
        """An action has come."""
        self._note(asked)
        legal = self._referee.legal
        if action in legal:
            self._go_on(self._referee.answer(asked.seat, action))
            return
        evidence = self._sitting.instance.evidence(asked, now, action_text(action), reported)
        self._charge(asked.seat, Fault.ILLEGAL, evidence)

    def failed(self, asked: Asked, fault: Fault, evidence: Evidence) -> None:
        """None has come that could be read, or none in time."""
        self._note(asked)
        self._charge(asked.seat, fault, evidence)

    def came_late(self, question_id: int, after: float, reported: float) -> None:
        """It has been charged already."""

    def lost(self, seat: int, fault: Fault) -> None:
        """The bot is gone: so is the game."""
        if not self.done.done():
            self._take_back()
            self._ledger.charge(
                Charge(fault, self._referee.variant.name, f"seat {seat}", Evidence())
            )
            self._end()

    # --- inside -----------------------------------------------------------------------------

    def _take_back(self) -> None:
        if self._question:
            self._sitting.instance.withdraw(self._question)
            self._question = 0

    def _note(self, asked: Asked) -> None:
        self._question = 0
        self._ledger.add(asked.measured)

    def _charge(self, seat: int, fault: Fault, evidence: Evidence) -> None:
        referee = self._referee
        view = referee.view(seat)
        where = f"{view.phase.name.lower()}, hand {view.hand_number + 1}, seat {seat}"
        evidence = evidence._replace(legal=legal_text(referee.legal))
        self._ledger.charge(Charge(fault, referee.variant.name, where, evidence))
        if self._ledger.full:
            self._end()
        else:
            self._go_on(referee.fault(seat, fault))

    def _go_on(self, effects: list[Effect]) -> None:
        """Does what the referee says, up to the next question to the bot or the end."""
        while True:
            for effect in effects:
                if isinstance(effect, HandFinished):
                    self._tell_of_hand(effect)
            if self._referee.finished:
                self._tell_of_end()
                self._end()
                return
            ask = effects[-1]
            assert isinstance(ask, Ask)  # noqa: S101 - only a finished game ends otherwise
            if ask.seat in self._ids:
                self._put(ask.seat)
                return
            legal = self._referee.legal
            effects = self._referee.answer(ask.seat, legal[self._chance.randrange(len(legal))])

    def _put(self, seat: int) -> None:
        self._question = self._sitting.new_id()
        view = self._referee.view(seat)
        question = Question(self._question, self._ids[seat], view, self._chance.getrandbits(64))
        self._sitting.instance.ask(question)

    def _tell_of_hand(self, over: HandFinished) -> None:
        for seat, table_id in self._ids.items():
            view = view_of(over.game, over.hand, seat)
            self._sitting.instance.tell(table_id, HandOver(view, over.result))

    def _tell_of_end(self) -> None:
        game = self._referee.game
        for table_id in self._ids.values():
            self._sitting.instance.tell(table_id, GameOver(game.scores, game.winner))

    def _end(self) -> None:
        if not self.done.done():
            self.done.set_result(None)
            for table_id in self._ids.values():
                self._sitting.instance.close(table_id)


def _opening(
    table_id: int, sitting: Sitting, variant: Variant, seat: int, dealer: int, unit: Unit
) -> TableOpening:
    return TableOpening(
        table_id=table_id,
        variant=variant,
        seat=seat,
        first_dealer=dealer,
        unit=unit,
        max_hands=1 if unit is Unit.HAND else 100,
        move_timeout=sitting.move_timeout,
    )
