"""Tables of the server played by hand: connections at the seats, time moved by the test."""

from collections.abc import Callable

from pitch.rules import Action, Variant
from pitch.table.faults import FaultPolicy
from pitch.table.unit import Unit
from pitch.wire.frames import Failure, FaultNotice, Question
from pitch_server.plan.decks import chances, deck
from pitch_server.plan.games import PlannedGame
from pitch_server.table.runner import GameSetup, Table
from server_table.timing import MOMENT, Connection, HandLoop

Reply = Callable[[int, Question], Action | Failure | str | None]
"""What the bot at a seat replies; SILENCE leaves the question unanswered."""
SILENCE = "silence"


def setup_of(variant: Variant, **others: object) -> GameSetup:
    """What the games of a small tournament share."""
    values: dict[str, object] = {
        "variant": variant,
        "unit": Unit.GAME,
        "max_hands": 2,
        "policy": FaultPolicy(),
        "move_timeout": 1.0,
        "time_bank": 0.0,
        "id_key": b"key",
        "names_shown": (),
        "deck": lambda game, hand: deck("seed", "", game.board, hand, variant.deck),
        "chances": lambda game: chances("seed", str(game.number)),
    }
    return GameSetup(**{**values, **others})  # type: ignore[arg-type]


def first(_seat: int, question: Question) -> Action:
    """The first legal action."""
    return question.view.legal[0]


class Play:
    """A table with its bots; `ended` holds the table each time that it said so."""

    def __init__(
        self,
        loop: HandLoop,
        variant: Variant,
        *,
        notices: bool = False,
        attempt: int = 0,
        seats: tuple[int, ...] | None = None,
        **setup: object,
    ) -> None:
        """`seats` are the entrants, where it is not one a side."""
        self.loop = loop
        self.bots = [Connection(loop, notices=notices) for _ in range(variant.players)]
        self.ended: list[Table] = []
        seats = seats or tuple(seat % variant.sides for seat in range(variant.players))
        self.table = Table(
            PlannedGame(17, 4, 0, 0, seats, 1),
            setup_of(variant, **setup),
            [bot.instance for bot in self.bots],
            self.ended.append,
            attempt,
        )
        self._answered: set[int] = set()

    def step(self, reply: Reply = first) -> None:
        """Lets a moment pass, then answers every question that has come meanwhile."""
        self.loop.pass_time(MOMENT)
        for seat, bot in enumerate(self.bots):
            for question in bot.asked[:]:
                if question.question_id in self._answered:
                    continue
                self._answered.add(question.question_id)
                outcome = reply(seat, question)
                if not isinstance(outcome, str):
                    bot.answer(question.question_id, outcome=outcome)

    def to_end(self, reply: Reply = first) -> None:
        """Plays until the table ends; it must."""
        for _ in range(3000):
            if self.ended:
                return
            self.step(reply)
        raise AssertionError("the table goes on without end")

    def charges(self, seat: int) -> list[str]:
        """What the bot at a seat was told of its faults."""
        self.loop.pass_time(MOMENT)
        notices = [notice.event for each in self.bots[seat].sent for notice in each.notices]
        return [event.message for event in notices if isinstance(event, FaultNotice)]
