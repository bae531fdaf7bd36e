"""A tournament in play: plays what is planned and not in the journal.

Here belongs bringing the parts together: schedule, entrants, tables, journal. What a game is,
who may play when, how a result is kept and what it is worth are others' business.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from pitch_server.attendance import Attendance
from pitch_server.counted import Counted
from pitch_server.entrants import Entrant, Entrants
from pitch_server.entry import entry_of
from pitch_server.game_setup import game_setup
from pitch_server.launch import Launcher
from pitch_server.live import (
    Presence,
    Stage,
    TournamentEnded,
)
from pitch_server.logs import Event
from pitch_server.metrics import Depths, Metrics
from pitch_server.observing import Observing
from pitch_server.open_games import OpenGames
from pitch_server.plan.games import PlannedGame
from pitch_server.planned import catch_up, known_plan
from pitch_server.schedule import Schedule
from pitch_server.service.app import RefereeServer
from pitch_server.service.listening import Listening
from pitch_server.service.lobby import Lobby, Place
from pitch_server.steward import Steward
from pitch_server.store.committer import Committer
from pitch_server.store.errors import Damaged, JournalError, TournamentOver
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State
from pitch_server.table.lag import ServerClock
from pitch_server.table.runner import Table
from pitch_server.telling import Telling

__all__ = ["Hosting", "Progress", "Tournament", "TournamentClosed", "TournamentStopped"]

# Before the first game everyone is waited for, but for no longer than this, in seconds.
_START_TOGETHER = 5.0
# Games that are over and not on disk yet; beyond, no new game begins.
_BACKLOG = 2_000
# An entrant that may still come is looked for again after so many seconds.
_LOOK_AGAIN = 0.25
# Games begun in one go, before the loop looks at what has come meanwhile.
_AT_ONCE = 64
# So often, in seconds, is looked whether somebody has changed what stands in the database.
_LOOK_AT_DATABASE = 2.0
# Whoever had it closed gets so many seconds to be told that it is.
_LAST_REPLIES = 0.25


class TournamentStopped(Exception):
    """The tournament was asked to stop; what was finished is in the journal."""


class TournamentClosed(Exception):
    """An operator has ended the tournament early; the journal has its last standings."""


@dataclass(slots=True)
class Progress:
    """How far a tournament is: games of the plan on disk, and faults of this run."""

    planned: int
    played: int
    faults: int = 0
    decisions: int = 0
    missing: tuple[str, ...] = ()
    """Entrants that are waited for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosting:
    """Where a tournament is played: what may be given anew whenever it goes on."""

    tables: int
    directory: Path
    log_directory: Path
    listening: Listening = field(default_factory=Listening)
    observing: Observing = field(default_factory=Observing)


class Tournament:
    """Plays a tournament of a journal to its end, or until it is stopped."""

    def __init__(
        self,
        journal: Journal,
        hosting: Hosting,
        *,
        on_progress: Callable[[Progress], None],
        on_news: Callable[[str], None],
        services: Callable[["Tournament"], Sequence[grpc.GenericRpcHandler]] = lambda _: (),
        while_listening: Callable[[RefereeServer], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        """`on_news` gets a sentence when a bot does not start, ends or is charged.

        `services` gives what else is served on the port, `while_listening` what is to hold as
        long as it is open.
        """
        self.settings = journal.settings
        self.plan = known_plan(journal)
        self.hosting = hosting
        self.journal = journal
        self.counted = Counted(journal)
        self.stage = Stage.WAITING
        self._services = services
        self._while_listening = while_listening
        self._on_progress = on_progress
        self._on_news = on_news
        self._played = journal.played()
        self.progress = Progress(self.plan.total, len(self._played))
        self._names = self.settings.names
        self._failure: Exception | None = None
        self._more = True
        self._forfeiting = False
        self._stopping = False
        self._closing: asyncio.Future[None] | None = None
        self._news = asyncio.Event()
        self.metrics = Metrics()
        self.telling = Telling(self.settings, self.metrics, on_news, self._logs_of)
        self._log = self.telling.log
        self.clock = ServerClock(self.metrics.lagged)

    async def play(self) -> None:
        """Plays all that is missing.

        Raises TournamentStopped, TournamentClosed, or what made it impossible.
        """
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.clock)
            lobby = Lobby()
            lobby.tournament = self.settings.name
            lobby.commitment = self.journal.commitment
            hold = self.journal.hold
            self.entrants = Entrants(
                self.settings,
                self.plan,
                lobby,
                self.clock.now,
                self._news.set,
                self._on_news,
                proof=self.clock,
                metrics=self.metrics,
            )
            self._attendance = Attendance(self.entrants, self.plan)
            self._games = OpenGames(
                game_setup(
                    self.settings, self.plan, self.journal.seed, hold.number if hold else None
                ),
                self.plan,
                self.entrants,
                self.journal,
                self._log,
                over=self._over,
                again=self._play_again,
                crashed=self.metrics.crashed,
            )
            self._admit()
            self.server = await stack.enter_async_context(
                RefereeServer(
                    lobby,
                    self.hosting.listening,
                    services=self._services(self),
                    metrics=self.metrics,
                )
            )
            stack.enter_context(self._while_listening(self.server))
            self.committer = Committer(
                self.journal,
                lambda table: entry_of(table, self._names),
                self._committed,
                self._failed,
                self.metrics.committed,
                self.counted,
            )
            stack.push_async_callback(self._close_journal)
            watching = asyncio.create_task(self._watch_database())
            stack.callback(watching.cancel)
            self._log.tell(
                Event.TOURNAMENT_STARTED,
                planned=self.progress.planned,
                played=self.progress.played,
                entrants=len(self._names),
                tables=self.hosting.tables,
                address=self.server.address,
            )
            await self._play_rounds()
            if not self._to_go_on:
                await self.server.say_farewell("the games are over")
        self._raise_end()

    def _raise_end(self) -> None:
        if self._failure is not None:
            raise self._failure
        if self._closing is not None:
            raise TournamentClosed
        if self._stopping:
            raise TournamentStopped

    def stop(self) -> None:
        """Stops as soon as possible; games that go on are dropped and will be played again."""
        self._stopping = True
        self._news.set()

    def drain(self, seconds: float) -> None:
        """Begins no new games, and stops when those that go on are over or the time is."""
        if self.stage is Stage.WAITING or not self.running:
            self.stop()
        elif self.stage is not Stage.DRAINING:
            self.stage = Stage.DRAINING
            self.server.set_serving(False)
            asyncio.get_running_loop().call_later(seconds, self.stop)
            self._log.tell(Event.TOURNAMENT_DRAINING, seconds=seconds, running=self.running)
            self._news.set()

    async def close(self) -> None:
        """Ends the tournament early; returns once its end is in the journal."""
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_future()
            self.stop()
        await asyncio.shield(self._closing)

    async def withdraw(self, index: int) -> None:
        """Takes an entrant out: its games, those that go on and those to come, are forfeited."""
        await asyncio.to_thread(self.journal.withdraw, self._names[index])
        self._log.tell(Event.ENTRANT_WITHDRAWN, entrant=self._names[index])
        self._news.set()
        places = self.entrants.withdraw(index)
        self._games.withdraw(index)
        await self.server.say_farewell("this entrant was withdrawn from the tournament", places)
        await self.entrants.end_processes(index)

    def _logs_of(self, index: int) -> str:
        return self.entrants.logs_of(index)

    @property
    def running(self) -> int:
        """How many games go on."""
        return len(self._games)

    def depths(self) -> Depths:
        """What is under way with all entrants now."""
        instances = [each for entrant in self.entrants.all for each in entrant.instances]
        return Depths(
            waiting=sum(each.waiting for each in instances),
            out=sum(each.out for each in instances),
            connections=sum(each.connected for each in instances),
        )

    # --- beginning and end ------------------------------------------------------------------

    def _admit(self) -> None:
        """Lets in who connects by itself, but for the withdrawn."""
        rows = self.journal.entrants()
        for entrant, row in zip(self.entrants.all, rows, strict=True):
            entrant.withdrawn = row.withdrawn
        self.entrants.admit_remote({row.name: row.token_hash for row in rows})

    async def _close_journal(self) -> None:
        """Waits until all that is over is on disk; an end that an operator asked for is, too."""
        await self.committer.close()
        await self._games.noted()
        if self._closing is not None and self._failure is None:
            try:
                await asyncio.to_thread(self._end_early)
                self._closing.set_result(None)
                self._log.tell(Event.TOURNAMENT_CLOSED)
            except Exception as error:  # noqa: BLE001 - raised by play, and by close
                self._failure = error
                self._closing.set_exception(error)
        self.stage = Stage.ENDED
        reason = "closed" if self._closing else "stopped" if self._halted else "finished"
        self.telling.channel.tell(TournamentEnded(reason))
        self._log.tell(
            Event.TOURNAMENT_ENDED,
            reason="failed" if self._failure else reason,
            played=self.progress.played,
            faults=self.progress.faults,
        )
        if self._closing is not None or self.telling.channel.watched:
            await asyncio.sleep(_LAST_REPLIES)

    async def _watch_database(self) -> None:
        """Takes in what commands change in the database that found no server to tell."""
        steward = Steward(self.journal)
        while True:
            await asyncio.sleep(_LOOK_AT_DATABASE)
            try:
                changes = await asyncio.to_thread(steward.look)
            except JournalError as error:  # whether it matters, the next commit finds out
                self._log.tell(Event.JOURNAL_FAILED, reason=str(error))
                continue
            if changes.state is not State.RUNNING:
                self._failed(TournamentOver(f"{self.journal.place}: the tournament was closed"))
                return
            for name, token in changes.tokens.items():
                self._take_token(self.entrants.all[self._names.index(name)], token)
            for name in changes.withdrawn:
                if not self.entrants.all[self._names.index(name)].withdrawn:
                    await self.withdraw(self._names.index(name))

    def _take_token(self, entrant: Entrant, token: str | None) -> None:
        """Who came by an older token is sent away."""
        self.entrants.admit_with(entrant, token)
        self._on_news(f"{entrant.name}: has another token from now on")
        for place in entrant.places:
            place.send_away("the token that this bot came by was replaced by another")

    def _end_early(self) -> None:
        final = self.counted.standings(seed=self.journal.seed)
        self.journal.end(State.CLOSED, final)

    # --- rounds of the plan -----------------------------------------------------------------

    async def _play_rounds(self) -> None:
        """Plays round by round, in parts for which the same entrants are there.

        That is the whole tournament, but under isolation `boards` each pairing of each round,
        since its instances start afresh.
        """
        at = 0
        async with AsyncExitStack() as everyone:
            while await self._is_known(at):
                if self.plan.by_pairing:
                    await self._play_pairings(at)
                elif (schedule := self._schedule_of(*self.plan.span(at))).missing:
                    if not self._attendance.invited:
                        present = self._present(tuple(range(len(self._names))), again=False)
                        await everyone.enter_async_context(present)
                    await self._play_schedule(schedule)
                at += 1

    async def _play_pairings(self, at: int) -> None:
        for start, stop, entrants in self.plan.parts(at):
            schedule = self._schedule_of(start, stop)
            if self._halted or not schedule.missing:
                continue
            more = stop < len(self.plan) or not self.plan.settled
            async with self._present(entrants, again=more):
                await self._play_schedule(schedule)

    async def _is_known(self, at: int) -> bool:
        """Whether there is a round of that number to play, once those before it are on disk."""
        if self._halted:
            return False
        if at == len(self.plan.rounds) and not self.plan.settled:
            await self._plan_on()
        return at < len(self.plan.rounds)

    async def _plan_on(self) -> None:
        """Has the plan learn what follows from the results of its last round."""
        known = len(self.plan.rounds)
        try:
            await asyncio.to_thread(catch_up, self.plan, self.journal)
            if len(self.plan.rounds) == known and not self.plan.settled:
                place = self.journal.place
                raise Damaged(f"{place} is damaged: it lacks a game that was in it before")
        except JournalError as error:
            self._failed(error)
        self.progress.planned = self.plan.total
        self._on_progress(self.progress)

    def _schedule_of(self, start: int, stop: int) -> Schedule:
        self._schedule = Schedule(self.settings, self.plan, self._played, start, stop)
        self._forfeiting = False
        return self._schedule

    @asynccontextmanager
    async def _present(self, entrants: tuple[int, ...], *, again: bool) -> AsyncIterator[None]:
        """Within it these entrants are there; `again`: others may be asked for after them."""
        self._attendance.invited = entrants
        launcher = Launcher(
            server=self.server.local_address,
            directory=self.hosting.directory,
            log_directory=self.hosting.log_directory,
        )
        async with launcher:
            await self.entrants.start(entrants, launcher)
            await self._wait_for_entrants()
            yield
            self._games.abandon()
            await self._send_home(self.entrants.retire(entrants), again=again)

    async def _send_home(self, places: list[Place], *, again: bool) -> None:
        """Ends the sessions of a part; who connects by itself comes back for the next."""
        if self._to_go_on:
            return
        launched = [each for each in places if not self._connects_by_itself(each)]
        await self.server.say_farewell("the games are over", launched)
        if again:
            others = [each for each in places if self._connects_by_itself(each)]
            await self.server.say_farewell(
                "the games of this pairing are over", others, come_back_fresh=True
            )

    def _connects_by_itself(self, place: Place) -> bool:
        return self.settings.entrants[self._names.index(place.name)].command is None

    @property
    def _to_go_on(self) -> bool:
        """Whether the rest is to be played later: bots are told nothing, so that they come back."""
        over = self._closing is not None or isinstance(self._failure, TournamentOver)
        return self._halted and not over

    @property
    def _halted(self) -> bool:
        return self._stopping or self._failure is not None

    async def _wait_for_entrants(self) -> None:
        """Waits until nobody is starting any more, for a moment at most."""
        loop = asyncio.get_running_loop()
        end = loop.time() + _START_TOGETHER
        alarm = loop.call_at(end, self._news.set)
        while not self._halted and loop.time() < end and self._attendance.starting:
            self._look_around()
            await self._wait_for_news()
        alarm.cancel()

    async def _wait_for_news(self) -> None:
        await self._news.wait()
        await asyncio.sleep(0)  # the wait gives way to nobody if there was news already
        self._news.clear()

    # --- games ------------------------------------------------------------------------------

    async def _play_schedule(self, schedule: Schedule) -> None:
        """Plays all games of a schedule; returns when they are on disk, or when halted."""
        while not self._halted:
            self._look_around()
            self._fill(schedule)
            if not (schedule.running or self.committer.backlog):
                if self.stage is Stage.DRAINING:
                    self.stop()
                    return
                if not (schedule.waiting or self._more) and self._is_over(schedule):
                    return
            await self._wait_for_news()

    def _is_over(self, schedule: Schedule) -> bool:
        """At the end of a pass: whether nothing is left. Else another pass is begun, now or soon.

        What is left are games of entrants that are not there; they are waited for as long as
        they may come, then their games are forfeited.
        """
        if not schedule.missing:
            return True
        if self._attendance.starting:
            self._look_soon()
        else:
            self._forfeiting = True
            schedule.look_again()
            self._news.set()
        return False

    def _look_soon(self) -> None:
        asyncio.get_running_loop().call_later(_LOOK_AGAIN, self._news.set)

    def _look_around(self) -> None:
        """Notes who has come and gone; for who has come the plan is read again."""
        changed = self._attendance.look(before_the_first_game=self.stage is Stage.WAITING)
        if not changed:
            return
        self.progress.missing = tuple(self._names[each] for each in self._attendance.missing)
        self.telling.presences(changed)
        if Presence.PRESENT in changed.values():
            self._forfeiting = False
            self._schedule.look_again()
        self._on_progress(self.progress)

    def _fill(self, schedule: Schedule) -> None:
        """Begins games while there are tables, entrants and room in the journal's queue.

        `_more` tells afterwards whether games may be there that were not looked at.
        """
        if self.stage is Stage.DRAINING:
            return
        self._more = True
        if not (self._forfeiting or self.running) and self._too_few_yet():
            self._look_soon()
            return
        for _ in range(_AT_ONCE):
            if self.running >= self.hosting.tables or self.committer.backlog >= _BACKLOG:
                return
            game = schedule.next(self._may_begin)
            if game is None:
                self._more = schedule.unread
                break
            self.stage = Stage.PLAYING
            self._games.begin(game, self._attendance.absent(game))
        if self._more:
            self._news.set()

    def _too_few_yet(self) -> bool:
        """Whether no game at all can begin now, but one may as soon as somebody comes."""
        return self._attendance.starting and not self._attendance.enough

    def _may_begin(self, game: PlannedGame) -> bool:
        return self._attendance.may_begin(game, forfeiting=self._forfeiting)

    def _play_again(self, game: PlannedGame) -> None:
        self._schedule.again(game)
        self._news.set()

    def _over(self, table: Table) -> None:
        """A game is over, with a result or without: it goes to the journal."""
        self._schedule.done(table.game)
        self.committer.put(table)
        self._news.set()

    # --- the journal ------------------------------------------------------------------------

    def _committed(self, tables: Sequence[Table]) -> None:
        progress = self.progress
        progress.played += len(tables)
        self._log.tell(Event.GAMES_COMMITTED, games=len(tables))
        for table in tables:
            progress.decisions += table.decisions
            progress.faults += len(table.reports)
            for report in table.reports:
                self.entrants.all[table.game.seats[report.seat]].faults += 1
            self.telling.finished(table)
        self._on_progress(progress)
        self._news.set()

    def _failed(self, error: Exception) -> None:
        # what a database says is told as one sentence; anything else is ours, with its traceback
        trace = None if isinstance(error, JournalError) else error
        self._log.tell(Event.JOURNAL_FAILED, trace, reason=str(error))
        self._failure = error
        self._news.set()
