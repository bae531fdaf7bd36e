"""The games that go on: begun, forfeited, dropped, and played again after an exception of ours.

Here belong the tables that are open. Which game is next and what becomes of a finished one is
the tournament's; what happens at a table, the table's.
"""

import asyncio
import logging
import traceback
from collections.abc import Callable, Iterable

from pitch.table.faults import Fault
from pitch_server.entrants import Entrants
from pitch_server.faults import WITHDRAWN
from pitch_server.game_setup import ATTEMPTS
from pitch_server.logs import Event, EventLog
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.store.journal import Journal
from pitch_server.table.runner import GameSetup, Table

__all__ = ["OpenGames"]

log = logging.getLogger(__name__)


class OpenGames:
    """The games of a tournament that go on."""

    def __init__(
        self,
        setup: GameSetup,
        plan: Plan,
        entrants: Entrants,
        journal: Journal,
        events: EventLog,
        *,
        over: Callable[[Table], None],
        again: Callable[[PlannedGame], None],
        crashed: Callable[[], None],
    ) -> None:
        """`over` gets each table whose game has ended, `again` a game that is to be played anew."""
        self._setup = setup
        self._plan = plan
        self._entrants = entrants
        self._journal = journal
        self._events = events
        self._over = over
        self._again = again
        self._crashed = crashed
        self._tables: dict[int, Table] = {}
        self._attempts: dict[int, int] = {}
        self._notes: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tables)

    def begin(self, game: PlannedGame, absent: Iterable[int]) -> None:
        """Begins a game; `absent` is a seat of each side of which somebody will not come."""
        table = Table(
            game,
            self._setup,
            self._entrants.instances_of(game),
            self._ended,
            self._attempts.get(game.number, 0),
        )
        self._tables[game.number] = table
        self._events.tell(Event.GAME_STARTED, game=game.number, board=game.board)
        table.start()
        seats = list(absent)
        if len(seats) == self._plan.sides:
            table.forfeit_all(Fault.ABSENT, seats)
        for seat in seats:
            withdrawn = self._entrants.all[game.seats[seat]].withdrawn
            self._forfeit(table, seat, WITHDRAWN if withdrawn else "")

    def withdraw(self, entrant: int) -> None:
        """Forfeits the games of an entrant that an operator has taken out."""
        for table in list(self._tables.values()):
            if entrant in table.game.seats:
                self._forfeit(table, table.game.seats.index(entrant), WITHDRAWN)

    def abandon(self) -> None:
        """Drops all games without a result: they will be played again."""
        for table in list(self._tables.values()):
            table.abandon()
        self._tables.clear()

    async def noted(self) -> None:
        """Waits until every exception of ours is on disk."""
        await asyncio.gather(*self._notes)

    # --- inside -----------------------------------------------------------------------------

    def _forfeit(self, table: Table, seat: int, why: str) -> None:
        table.forfeit(seat % self._plan.sides, Fault.ABSENT, seat, why=why)

    def _ended(self, table: Table) -> None:
        """A table has nothing left to do: its game is over, or is played again."""
        game = table.game
        self._tables.pop(game.number, None)
        if table.crash is not None:
            attempts = self._attempts.get(game.number, 0) + 1
            self._attempts[game.number] = attempts
            self._note_crash(game, attempts, table.crash)
            if attempts < ATTEMPTS:
                self._again(game)
                return
        self._over(table)

    def _note_crash(self, game: PlannedGame, attempt: int, crash: Exception) -> None:
        """Keeps an exception of ours where whoever looks for the reason finds it."""
        self._crashed()
        self._events.tell(Event.GAME_CRASHED, crash, game=game.number, attempt=attempt)
        text = "".join(traceback.format_exception(crash))
        noting = asyncio.to_thread(self._journal.note_crash, game.number, attempt, text)
        note = asyncio.create_task(noting)
        self._notes.add(note)
        note.add_done_callback(self._noted)

    def _noted(self, note: asyncio.Task[None]) -> None:
        self._notes.discard(note)
        if error := note.exception():
            log.error("the journal can't note an exception: %s", error)
