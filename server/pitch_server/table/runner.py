"""A table: drives the referee of one planned game between instances.

Here belongs carrying out what the referee says: asking, telling, closing, and noting the
evidence of every fault. Deciding anything about the game is the referee's; time is the
instance's. An exception of ours makes the game void and is handed to whoever opened the table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pitch.rules import Action, Variant, action_text, legal_text, view_of
from pitch.table.faults import Fault, FaultPolicy
from pitch.table.referee import Ask, Effect, Faulted, HandFinished, Referee
from pitch.table.unit import Unit
from pitch.wire.frames import FaultNotice, GameOver, HandOver, Question, TableOpening
from pitch_server.plan.games import PlannedGame
from pitch_server.table.asked import Asked, Evidence
from pitch_server.table.clock import Moment
from pitch_server.table.instance import Instance
from pitch_server.wire_ids import question_id, table_id

__all__ = ["FaultReport", "GameSetup", "Table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSetup:
    """What all games of a tournament share; times in seconds.

    `deck` gives the deck of a hand, `chances` the bits of a game's questions; `id_key` is
    what makes the ids on the wire opaque (`wire_ids`).
    """

    variant: Variant
    unit: Unit
    max_hands: int
    policy: FaultPolicy
    move_timeout: float
    time_bank: float
    id_key: bytes
    names_shown: tuple[str, ...]
    deck: Callable[[PlannedGame, int], Sequence[int]]
    chances: Callable[[PlannedGame], Callable[[int, int], int]]


class FaultReport(NamedTuple):
    """A fault with all that is known of it; `number` counts the actions of the game before it."""

    seat: int
    fault: Fault
    number: int
    substitute: str | None
    evidence: Evidence


class Table:
    """One game being played. `ended` is called once, with the table, when nothing is left to do."""

    def __init__(
        self,
        game: PlannedGame,
        setup: GameSetup,
        instances: Sequence[Instance],
        ended: Callable[["Table"], None],
        attempt: int = 0,
    ) -> None:
        """`attempt` counts how often the game was begun before."""
        self.game = game
        self.instances = tuple(instances)
        self.reports: list[FaultReport] = []
        self.times: list[tuple[int, float]] = []  # of each decision: its seat, the bot's seconds
        self.crash: Exception | None = None
        self.referee = Referee(
            setup.variant,
            decks=lambda hand: setup.deck(game, hand),
            first_dealer=game.first_dealer,
            max_hands=setup.max_hands,
            policy=setup.policy,
        )
        self._setup = setup
        self._chance = setup.chances(game)
        self._ended = ended
        self._open = True
        self._question = 0
        self._asked = Ask(0, 0)
        self._evidence = Evidence()
        self._ids = tuple(
            table_id(setup.id_key, game.number, attempt, seat) for seat in range(len(instances))
        )

    @property
    def decisions(self) -> int:
        """How many answers came in time."""
        return len(self.times)

    # --- life -------------------------------------------------------------------------------

    def start(self) -> None:
        """Opens the table at every seat and begins the game."""
        for seat, instance in enumerate(self.instances):
            instance.open(self, self._opening(seat))
        self._guarded(self.referee.begin)

    def forfeit(self, side: int, fault: Fault, seat: int | None = None, *, why: str = "") -> None:
        """Takes a side out of the game, with whatever it had done.

        `seat` is whose fault it is, where partners are different entrants; `why` is kept with it.
        """
        referee, variant = self.referee, self._setup.variant
        if not self._open or side in referee.forfeits:
            return
        asked = referee.asked
        is_asked = asked >= 0 and variant.side_of(asked) == side
        if is_asked or variant.sides == 2 or len(referee.forfeits) + 1 == variant.sides:
            self._withdraw()
        seats = self.game.seats
        whose = side if seat is None or seats[seat] == seats[side] else seat
        self._evidence = Evidence(came=why)
        self._report(asked if is_asked and seats[asked] == seats[whose] else whose, fault, None)
        self._guarded(lambda: referee.forfeit(side, fault))

    def forfeit_all(self, fault: Fault, seats: Sequence[int] | None = None) -> None:
        """Ends a game that nobody is there to play: it is void. `seats`: whose fault it is."""
        if not self._open:
            return
        self._withdraw()
        for seat in range(self._setup.variant.sides) if seats is None else seats:
            self._report(seat, fault, None)
        self._guarded(lambda: self.referee.forfeit_all(fault))

    def abandon(self) -> None:
        """Drops the game without a result: it will be played again."""
        if self._open:
            self._close()

    # --- from the instances -----------------------------------------------------------------

    def answered(self, asked: Asked, action: Action, now: Moment, reported: float) -> None:
        """The bot answered in time: the referee decides what it is worth."""
        self._question = 0
        seat = asked.seat
        self.times.append((seat, asked.measured))
        if action not in self.referee.legal:
            evidence = self.instances[seat].evidence(asked, now, action_text(action), reported)
            self.failed(asked, Fault.ILLEGAL, evidence)
            return
        self._guarded(lambda: self.referee.answer(seat, action))

    def failed(self, asked: Asked, fault: Fault, evidence: Evidence) -> None:
        """The bot did not give an action that can be played."""
        self._question = 0
        self._evidence = evidence._replace(legal=self._legal_text())
        seat = asked.seat
        self._guarded(lambda: self.referee.fault(seat, fault))

    def came_late(self, question_id: int, after: float, reported: float) -> None:
        """An answer that was given up has come all the same: its fault is told more exactly."""
        if not self._open:  # what is kept of the game is being written
            return
        for index, report in enumerate(self.reports):
            if self._question_id(report.seat, report.number) == question_id:
                came = f"{report.evidence.came}; one came {after:.3f} s after it was given up"
                evidence = report.evidence._replace(came=came, reported=reported)
                self.reports[index] = report._replace(evidence=evidence)

    def lost(self, seat: int, fault: Fault) -> None:
        """The bot at this seat is gone: its side forfeits."""
        self.forfeit(self._setup.variant.side_of(seat), fault, seat)

    # --- inside -----------------------------------------------------------------------------

    def _guarded(self, event: Callable[[], list[Effect]]) -> None:
        """Does what an event brings; an exception in it is ours and ends the table."""
        if not self._open:
            return
        try:
            for effect in event():
                self._carry_out(effect)
            if self.referee.finished:
                self._tell_end()
        except Exception as error:  # noqa: BLE001 - the game is void, the event goes on
            self.crash = error
        if self.referee.finished or self.crash is not None:
            self._close()
            self._ended(self)

    def _carry_out(self, effect: Effect) -> None:
        if isinstance(effect, Ask):
            self._ask(effect)
        elif isinstance(effect, Faulted):
            self._report(effect.seat, effect.fault, effect.substitute)
        elif isinstance(effect, HandFinished):
            for seat, instance in enumerate(self.instances):
                if instance.notices_wanted:
                    view = view_of(effect.game, effect.hand, seat)
                    instance.tell(self._ids[seat], HandOver(view, effect.result))

    def _ask(self, ask: Ask) -> None:
        seat = ask.seat
        self._asked = ask
        question = Question(
            self._question_id(seat, ask.number),
            self._ids[seat],
            self.referee.view(seat),
            self._chance(seat, ask.number),
        )
        self.instances[seat].ask(question)
        self._question = question.question_id

    def _question_id(self, seat: int, number: int) -> int:
        return question_id(self._ids[seat], number)

    def _withdraw(self) -> None:
        if self._question:
            self.instances[self._asked.seat].withdraw(self._question)
            self._question = 0

    def _report(self, seat: int, fault: Fault, substitute: Action | None) -> None:
        evidence, self._evidence = self._evidence, Evidence()
        if fault in (Fault.DISCONNECT, Fault.ABSENT):
            ending, own = self._ending(seat)
            evidence = evidence._replace(gone=own, came=evidence.came or ending)
        played = action_text(substitute) if substitute else None
        self.reports.append(FaultReport(seat, fault, self._asked.number, played, evidence))
        cost = f"the referee played {played}" if played else "the game is lost"
        came = f" ({evidence.came.splitlines()[0]})" if evidence.came else ""
        text = f"{fault.sentence}{came}: {cost}"
        if fault is Fault.ILLEGAL:
            text += f"; legal was: {evidence.legal}"
        self.instances[seat].tell(self._ids[seat], FaultNotice(None, fault, text[:1000]))

    def _ending(self, seat: int) -> tuple[str, bool]:
        """How a process of this seat's entrant has ended, and whether that was its own doing.

        Of several processes one that is gone is enough.
        """
        seats = self.game.seats
        ended = {
            at: (instance.ending, instance.ended_itself)
            for at, instance in enumerate(self.instances)
            if seats[at] == seats[seat] and instance.ending
        }
        return ended.get(seat) or next(iter(ended.values()), ("", False))

    def _tell_end(self) -> None:
        game = self.referee.game
        outcome = GameOver(game.scores, game.winner, tuple(self.referee.forfeits))
        for seat, instance in enumerate(self.instances):
            instance.tell(self._ids[seat], outcome)

    def _close(self) -> None:
        self._withdraw()
        self._open = False
        for seat, instance in enumerate(self.instances):
            instance.close(self._ids[seat])

    def _legal_text(self) -> str:
        return legal_text(self.referee.legal)

    def _opening(self, seat: int) -> TableOpening:
        setup = self._setup
        names = setup.names_shown
        return TableOpening(
            table_id=self._ids[seat],
            variant=setup.variant,
            seat=seat,
            first_dealer=self.game.first_dealer,
            unit=setup.unit,
            max_hands=setup.max_hands,
            seat_names=tuple(names[entrant] for entrant in self.game.seats) if names else (),
            move_timeout=setup.move_timeout,
            time_bank=setup.time_bank,
        )
