"""A tournament in play: plays what is planned and not in the journal.

Here belongs bringing the parts together: schedule, entrants, tables, journal. What a game is,
who may play when, how a result is kept and what it is worth are others' business.
"""

import asyncio
import logging
import secrets
import traceback
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pitch.table.faults import Fault
from pitch.table.unit import Unit
from pitch_server.entrants import Entrants, Presence
from pitch_server.entry import entry_of
from pitch_server.launch import Launcher
from pitch_server.plan.decks import board_series, chances, deck, game_key
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.settings import Isolation, Opponents
from pitch_server.schedule import Schedule
from pitch_server.service.app import RefereeServer
from pitch_server.service.listening import Listening
from pitch_server.service.lobby import Lobby
from pitch_server.store.committer import Committer
from pitch_server.store.journal import Journal
from pitch_server.table.lag import ServerClock
from pitch_server.table.runner import FaultReport, GameSetup, Table

__all__ = ["Progress", "Tournament", "TournamentStopped"]

log = logging.getLogger(__name__)

# Before the first game everyone is waited for, but for no longer than this, in seconds.
_START_TOGETHER = 5.0
# Games that are over and not on disk yet; beyond, no new game begins.
_BACKLOG = 2_000
# A game is begun so often before an exception of ours makes it void for good.
_ATTEMPTS = 2
# An entrant that may still come is looked for again after so many seconds.
_LOOK_AGAIN = 0.25
# Games begun in one go, before the loop looks at what has come meanwhile.
_AT_ONCE = 64


class TournamentStopped(Exception):
    """The tournament was asked to stop; what was finished is in the journal."""


@dataclass(slots=True)
class Progress:
    """How far a tournament is: games of the plan on disk, and faults of this run."""

    planned: int
    played: int
    faults: int = 0
    decisions: int = 0


class Tournament:
    """Plays a tournament of a journal to its end, or until it is stopped."""

    def __init__(
        self,
        journal: Journal,
        *,
        tables: int,
        directory: Path,
        log_directory: Path,
        on_progress: Callable[[Progress], None],
        on_news: Callable[[str], None],
        address: str = "127.0.0.1:0",
    ) -> None:
        """`on_news` gets a sentence when a bot does not start, ends or is charged."""
        self.settings = journal.settings
        self.plan = Plan(self.settings)
        self._journal = journal
        self._tables = tables
        self._directory = directory
        self._log_directory = log_directory
        self._on_progress = on_progress
        self._on_news = on_news
        self._address = address
        self._played = journal.played()
        self.progress = Progress(len(self.plan), len(self._played))
        self._names = self.settings.names
        self._attempts: dict[int, int] = {}
        self._told: set[tuple[int, Fault]] = set()
        self._open: dict[int, Table] = {}
        self._failure: Exception | None = None
        self._more = True
        self._invited: tuple[int, ...] = ()
        self._stopping = False
        self._news = asyncio.Event()

    async def play(self) -> None:
        """Plays all that is missing; raises TournamentStopped, or what made it impossible."""
        async with AsyncExitStack() as stack:
            self._clock = await stack.enter_async_context(ServerClock())
            lobby = Lobby()
            lobby.tournament = self.settings.name
            self._setup = self._game_setup()
            self._entrants = Entrants(
                self.settings, self.plan, lobby, self._clock.now, self._news.set, self._on_news
            )
            server = RefereeServer(lobby, Listening(address=self._address))
            self._server = await stack.enter_async_context(server)
            self._committer = Committer(
                self._journal,
                lambda table: entry_of(table, self._names),
                self._committed,
                self._failed,
            )
            stack.push_async_callback(self._committer.close)
            for start, stop, entrants in self._parts():
                await self._play_part(start, stop, entrants)
        if self._failure is not None:
            raise self._failure
        if self._stopping:
            raise TournamentStopped

    def stop(self) -> None:
        """Stops as soon as possible; games that go on are dropped and will be played again."""
        self._stopping = True
        self._news.set()

    # --- parts of the plan ------------------------------------------------------------------

    def _parts(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """Parts that are played one after the other, with the entrants that each needs.

        Under isolation `boards` a part is a pairing, since its instances start afresh.
        """
        if self.settings.format.isolation is not Isolation.BOARDS:
            return [(0, len(self.plan), tuple(range(len(self._names))))]
        size = self.plan.boards * self.plan.seatings
        return [
            (pairing * size, (pairing + 1) * size, self.plan.pairings[pairing])
            for pairing in range(len(self.plan.pairings))
        ]

    async def _play_part(self, start: int, stop: int, entrants: Sequence[int]) -> None:
        schedule = Schedule(self.settings, self.plan, self._played, start, stop)
        self._invited = tuple(entrants)
        if self._halted or not schedule.missing:
            return
        launcher = Launcher(
            server=self._server.address,
            directory=self._directory,
            log_directory=self._log_directory,
        )
        async with launcher:
            await self._entrants.start(entrants, launcher)
            await self._wait_for_entrants(entrants)
            await self._play_schedule(schedule)
            for table in list(self._open.values()):
                table.abandon()
            self._open.clear()
            self._entrants.retire()
            await self._server.say_farewell("the games are over")
            self._server.lobby.closing = False

    @property
    def _halted(self) -> bool:
        return self._stopping or self._failure is not None

    async def _wait_for_entrants(self, entrants: Sequence[int]) -> None:
        """Waits until nobody is starting any more, for a moment at most."""
        loop = asyncio.get_running_loop()
        end = loop.time() + _START_TOGETHER
        alarm = loop.call_at(end, self._news.set)
        while (
            not self._halted
            and loop.time() < end
            and any(self._entrants.presence(each) is Presence.STARTING for each in entrants)
        ):
            await self._wait_for_news()
        alarm.cancel()

    async def _wait_for_news(self) -> None:
        await self._news.wait()
        await asyncio.sleep(0)  # the wait gives way to nobody if there was news already
        self._news.clear()

    # --- games ------------------------------------------------------------------------------

    async def _play_schedule(self, schedule: Schedule) -> None:
        """Plays all games of a schedule; returns when they are on disk, or when halted."""
        self._schedule = schedule
        while not self._halted:
            self._fill(schedule)
            if not (schedule.running or schedule.waiting or self._more):
                if not schedule.last_pass:
                    schedule.begin_last_pass()
                    continue
                if not self._committer.backlog:
                    return
            await self._wait_for_news()

    def _fill(self, schedule: Schedule) -> None:
        """Begins games while there are tables, entrants and room in the journal's queue.

        `_more` tells afterwards whether games may be there that were not looked at.
        """
        self._more = True
        if not (schedule.last_pass or self._open) and self._too_few_yet():
            asyncio.get_running_loop().call_later(_LOOK_AGAIN, self._news.set)
            return
        for _ in range(_AT_ONCE):
            if len(self._open) >= self._tables or self._committer.backlog >= _BACKLOG:
                return
            game = schedule.next(self._may_play)
            if game is None:
                self._more = schedule.unread
                break
            if self._is_starting(game):  # only in the last pass: nothing is left but to wait
                schedule.again(game)
                asyncio.get_running_loop().call_later(_LOOK_AGAIN, self._news.set)
                return
            self._begin(game)
        if self._more:
            self._news.set()

    def _too_few_yet(self) -> bool:
        """Whether no game at all can begin now, but one may as soon as somebody comes."""
        presences = [self._entrants.presence(each) for each in self._invited]
        present = presences.count(Presence.PRESENT)
        return present < self.plan.sides and Presence.STARTING in presences

    def _may_play(self, game: PlannedGame) -> bool:
        presence = self._entrants.presence
        return all(presence(entrant) is Presence.PRESENT for entrant in set(game.seats))

    def _is_starting(self, game: PlannedGame) -> bool:
        presence = self._entrants.presence
        return any(presence(entrant) is Presence.STARTING for entrant in set(game.seats))

    def _begin(self, game: PlannedGame) -> None:
        table = Table(
            game,
            self._setup,
            self._entrants.instances_of(game),
            self._ended,
            self._attempts.get(game.number, 0),
        )
        self._open[game.number] = table
        table.start()
        absent = [
            side
            for side, entrant in enumerate(game.seats[: self.plan.sides])
            if self._entrants.presence(entrant) is Presence.ABSENT
        ]
        if len(absent) == self.plan.sides:
            table.forfeit_all(Fault.ABSENT)
        for side in absent:
            table.forfeit(side, Fault.ABSENT)

    def _ended(self, table: Table) -> None:
        """A table has nothing left to do: its game goes to the journal, or is played again."""
        game = table.game
        self._open.pop(game.number, None)
        self._news.set()
        if table.crash is not None:
            log.error(
                "game %d met an exception of the server: %s",
                game.number,
                "".join(traceback.format_exception(table.crash)),
            )
            attempts = self._attempts.get(game.number, 0) + 1
            self._attempts[game.number] = attempts
            if attempts < _ATTEMPTS:
                self._schedule.again(game)
                return
        self._schedule.done(game)
        self._committer.put(table)

    # --- the journal ------------------------------------------------------------------------

    def _committed(self, tables: Sequence[Table]) -> None:
        progress = self.progress
        progress.played += len(tables)
        for table in tables:
            progress.decisions += table.decisions
            progress.faults += len(table.reports)
            for report in table.reports:
                self._tell(table, report)
        self._on_progress(progress)
        self._news.set()

    def _tell(self, table: Table, report: FaultReport) -> None:
        """Tells the first fault of each kind of an entrant; the rest stands in the table."""
        entrant = table.game.seats[report.seat]
        if (entrant, report.fault) in self._told:
            return
        self._told.add((entrant, report.fault))
        came = report.evidence.came.splitlines()
        self._on_news(
            f"{self._names[entrant]}: {report.fault.sentence}"
            f"{f' ({came[0]})' if came else ''}, in game {table.game.number}, "
            f"seat {report.seat}; see {self._entrants.logs_of(entrant)}"
        )

    def _failed(self, error: Exception) -> None:
        self._failure = error
        self._news.set()

    # --- set-up -----------------------------------------------------------------------------

    def _game_setup(self) -> GameSetup:
        settings, seed, names = self.settings, self._journal.seed, self._names
        form, size = settings.format, settings.variant.deck
        shared = self.plan.duplicate

        @lru_cache(maxsize=1024)
        def deal(series: str, board: int, hand: int) -> tuple[int, ...]:
            return deck(seed, series, board, hand, size)

        def deck_of(game: PlannedGame, hand: int) -> tuple[int, ...]:
            pairing = self.plan.pairings[game.pairing]
            series = "" if shared else board_series(names[entrant] for entrant in pairing)
            return deal(series, game.board, hand)

        return GameSetup(
            variant=settings.variant,
            unit=Unit(form.unit),
            max_hands=form.hands_a_game,
            policy=settings.faults,
            move_timeout=settings.clock.move_timeout,
            time_bank=settings.clock.time_bank,
            id_key=secrets.token_bytes(32),
            names_shown=names if form.opponents is Opponents.SHOWN else (),
            deck=deck_of,
            chances=lambda game: chances(seed, game_key(game, names)),
        )
