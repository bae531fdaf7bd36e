"""The entrants of a running tournament: their instances, their processes, whether they are there.

Here belong how many instances an entrant needs, which one sits at which seat, and starting
and watching the processes of those that have a command. Games are not seen here.

An entrant's instances form teams: each team has an instance for every role that isolation
asks for, and `processes` of the configuration is the number of teams. A game is played by one
team.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import monotonic

from pitch.bot.mistakes import NO_RUN
from pitch_server.exits import ExitReport
from pitch_server.launch import BotLaunch, BotProcess, Launcher, log_name
from pitch_server.live import EntrantStatus, Presence
from pitch_server.logs import Event, EventLog
from pitch_server.metrics import Metrics
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.settings import ClockSettings, EntrantSettings, Isolation, Settings
from pitch_server.restarts import Restarts
from pitch_server.service.lobby import Lobby, Place, new_token, token_hash
from pitch_server.table.clock import Moment, Proof
from pitch_server.table.instance import Instance

__all__ = ["Entrant", "Entrants", "instances_needed", "log_paths"]


def instances_needed(settings: Settings) -> int:
    """How many instances a team needs, by its isolation (docs/config.md, "Isolation")."""
    plan = Plan(settings)
    seats = plan.players // plan.places
    return {
        Isolation.NONE: 1,
        Isolation.SEATS: seats,
        Isolation.BOARDS: seats * plan.seatings,
    }[settings.format.isolation]


def log_paths(settings: Settings, log_directory: Path) -> dict[str, list[Path]]:
    """Where the output of each launched entrant goes, by its name."""
    roles = instances_needed(settings)
    return {
        entrant.name: [
            log_directory / log_name(entrant.name, index, each)
            for each in range(roles * entrant.processes)
        ]
        for index, entrant in enumerate(settings.entrants)
        if entrant.command is not None
    }


class Entrant:
    """One entrant with its places, team after team."""

    def __init__(self, index: int, settings: EntrantSettings, roles: int) -> None:
        self.index = index
        self.name = settings.name
        self.command = settings.command
        self.guest = settings.guest
        self.withdrawn = False
        self.invited = Moment(float("-inf"), 0.0)
        self.faults = 0
        self.places: list[Place] = []
        self.processes: dict[int, BotProcess] = {}
        self._roles = roles
        self._teams = settings.processes

    @property
    def needed(self) -> int:
        """How many instances it may have at most."""
        return self._roles * self._teams

    @property
    def instances(self) -> list[Instance]:
        """Its instances, in the order of its places."""
        return [place.instance for place in self.places]

    def team(self, number: int) -> list[Instance]:
        """The instances of one team, by role."""
        first = number * self._roles
        return [place.instance for place in self.places[first : first + self._roles]]

    def best_team(self) -> list[Instance]:
        """The team that has least to do among those that are there whole; else the first."""
        teams = [self.team(number) for number in range(self._teams)]
        present = [team for team in teams if all(instance.present for instance in team)]
        if not present:
            return teams[0]
        return min(present, key=lambda team: sum(each.open_tables for each in team))

    def presence(self, now: Moment, start_timeout: float) -> Presence:
        """Whether a whole team is there, or may still come."""
        if self.withdrawn:
            return Presence.WITHDRAWN
        teams = [self.team(number) for number in range(self._teams)] if self.places else []
        if any(all(instance.present for instance in team) for team in teams):
            return Presence.PRESENT
        may_start = now.since(self.invited) < start_timeout
        if any(all(_may_come(each, may_start=may_start) for each in team) for team in teams):
            return Presence.STARTING
        return Presence.ABSENT


def _last_words(process: BotProcess) -> str:
    return "\n".join(process.last_lines())


def _how(report: ExitReport, command: Sequence[str], *, came: bool) -> str:
    """How a process ended, without a subject; `came` tells whether it had said hello."""
    if came or not report.started:
        return report.sentence
    if report.code != 0:
        return f"{report.sentence} before it had said hello"
    program = next((word for word in command[1:] if Path(word).suffix), command[0])
    return f"{report.sentence} ({Path(program).name}): {NO_RUN}"


def _may_come(instance: Instance, *, may_start: bool) -> bool:
    """The time to start is for those that never came; who was there has the grace alone."""
    if instance.connected:
        return True
    if instance.gone:
        return False
    return may_start if instance.expected else instance.may_come_back


class Entrants:
    """All entrants of a tournament; `changed` is called when one comes, goes or fails."""

    def __init__(
        self,
        settings: Settings,
        plan: Plan,
        lobby: Lobby,
        now: Callable[[], Moment],
        changed: Callable[[], None],
        on_news: Callable[[str], None],
        proof: Proof | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """`on_news` gets a sentence when a process ends before its time."""
        self._proof = proof
        self._metrics = metrics or Metrics()
        self._on_news = on_news
        self._clock: ClockSettings = settings.clock
        self._lobby = lobby
        self._now = now
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._seats = plan.players // plan.places
        self._places = plan.places
        self._seatings = plan.seatings
        self._isolation = settings.format.isolation
        self._roles = instances_needed(settings)
        self.all = [
            Entrant(index, entrant, self._roles) for index, entrant in enumerate(settings.entrants)
        ]
        self._watchers: set[asyncio.Task[None]] = set()

    # --- coming and going -------------------------------------------------------------------

    def admit_remote(self, token_hashes: Mapping[str, str | None]) -> None:
        """Makes places for those that connect by themselves, by the hashes of their tokens.

        An entrant without one may be played by anybody who names it.
        """
        for entrant in self.all:
            if entrant.command is not None or entrant.withdrawn:
                continue
            entrant.places = self._new_places(entrant)
            self.admit_with(entrant, token_hashes.get(entrant.name))

    def admit_with(self, entrant: Entrant, token: str | None) -> None:
        """Lets those take the entrant's places who have the token of this hash."""
        self._lobby.dismiss(entrant.places)
        if token is None:
            self._lobby.admit_anyone(entrant.places)
        else:
            self._lobby.admit(bytes.fromhex(token), entrant.places)

    async def start(self, entrants: Sequence[int], launcher: Launcher) -> None:
        """Invites these entrants: their time to come begins, the processes of some are started."""
        launches: list[BotLaunch] = []
        for entrant in (self.all[index] for index in entrants):
            entrant.invited = self._now()
            if entrant.withdrawn:  # nobody is let in, but its games have their seats
                entrant.places = entrant.places or self._new_places(entrant)
            elif entrant.command is None:
                for place in entrant.places:
                    if not place.instance.connected:
                        place.instance = self._instance(entrant.name)
            else:
                launches += self._launches(entrant, entrant.command)
        self._loop.call_later(self._clock.start_timeout, self._changed)
        processes = await launcher.launch_all(launches)
        for launch, process in zip(launches, processes, strict=True):
            self._watch(self.all[launch.entrant], launch, process, launcher)

    def invite_again(self, entrants: Sequence[int]) -> None:
        """Lets the time to come begin now for those of these that connect by themselves."""
        for entrant in (self.all[index] for index in entrants):
            if entrant.command is None:
                entrant.invited = self._now()

    def retire(self, entrants: Sequence[int]) -> list[Place]:
        """Ends a part of the plan for these entrants; the places of whom is to be sent home.

        Those of launched ones exist no more afterwards.
        """
        for task in self._watchers:
            task.cancel()
        self._watchers.clear()
        left: list[Place] = []
        for entrant in (self.all[index] for index in entrants):
            left += entrant.places
            if entrant.command is not None:
                self._lobby.dismiss(entrant.places)
                entrant.places = []
        return left

    def withdraw(self, index: int) -> list[Place]:
        """Takes an entrant out for good; the places of whom is to be sent home."""
        entrant = self.all[index]
        entrant.withdrawn = True
        self._lobby.dismiss(entrant.places)
        return entrant.places

    async def end_processes(self, index: int) -> None:
        """Ends what was launched for an entrant."""
        await asyncio.gather(*(each.stop() for each in self.all[index].processes.values()))

    # --- who is there -----------------------------------------------------------------------

    def presence(self, index: int) -> Presence:
        """Whether an entrant can play now."""
        return self.all[index].presence(self._now(), self._clock.start_timeout)

    def presences(self, entrants: Sequence[int]) -> tuple[Presence, ...]:
        """Whether each of these can play now."""
        return tuple(map(self.presence, entrants))

    def status(self) -> tuple[EntrantStatus, ...]:
        """How all of them are there now."""
        return tuple(
            EntrantStatus(
                name=entrant.name,
                presence=self.presence(entrant.index),
                connected=sum(instance.connected for instance in entrant.instances),
                needed=entrant.needed,
                tables=max((each.open_tables for each in entrant.instances), default=0),
                faults=entrant.faults,
            )
            for entrant in self.all
        )

    def instances_of(self, game: PlannedGame) -> list[Instance]:
        """The instance at each seat of a game."""
        teams = {entrant: self.all[entrant].best_team() for entrant in set(game.seats)}
        return [teams[entrant][self._role(game, seat)] for seat, entrant in enumerate(game.seats)]

    def logs_of(self, index: int) -> str:
        """Where the output of an entrant's processes is, for a message; empty if it has none."""
        return ", ".join(str(each.log_path) for each in self.all[index].processes.values())

    # --- inside -----------------------------------------------------------------------------

    def _role(self, game: PlannedGame, seat: int) -> int:
        if self._isolation is Isolation.NONE:
            return 0
        own = seat // self._places  # which of the entrant's seats it is
        if self._isolation is Isolation.BOARDS and self._seatings > 1:
            return game.seating * self._seats + own
        return own

    def _instance(self, name: str) -> Instance:
        return Instance(
            now=self._now,
            move_timeout=self._clock.move_timeout,
            time_bank=self._clock.time_bank,
            reconnect_grace=self._clock.reconnect_grace,
            slow=self._clock.slow,
            proof=self._proof,
            counts=self._metrics.entrant(name),
        )

    def _new_places(self, entrant: Entrant) -> list[Place]:
        return [self._place(entrant, number) for number in range(entrant.needed)]

    def _place(self, entrant: Entrant, number: int) -> Place:
        return Place(
            entrant.name, number, self._instance(entrant.name), lambda _place: self._changed()
        )

    def _launches(self, entrant: Entrant, command: tuple[str, ...]) -> list[BotLaunch]:
        """What to start for an entrant, each process with a place and a token of its own."""
        entrant.places = self._new_places(entrant)
        launches = []
        for place in entrant.places:
            token = new_token()
            self._lobby.admit_launched(token_hash(token), place)
            launches.append(
                BotLaunch(
                    name=entrant.name,
                    command=command,
                    token=token,
                    entrant=entrant.index,
                    instance=place.number,
                    guest=entrant.guest,
                )
            )
        return launches

    def _watch(
        self, entrant: Entrant, launch: BotLaunch, process: BotProcess, launcher: Launcher
    ) -> None:
        """Follows a process to its end, and starts it again as often as it may be."""
        instance = entrant.places[launch.instance].instance

        def note(process: BotProcess) -> None:
            entrant.processes[launch.instance] = process
            instance.last_output = partial(_last_words, process)

        log = EventLog(entrant=entrant.name, instance=launch.instance)

        async def follow(process: BotProcess) -> None:
            restarts = Restarts(entrant.guest.restarts)
            while True:
                began = monotonic()
                log.tell(Event.PROCESS_STARTED, pid=process.pid, output=str(process.log_path))
                report = await asyncio.shield(process.exited)
                how = _how(report, launch.command, came=instance.came)
                again = report.started and (instance.came or report.code != 0)
                pause = restarts.next(monotonic() - began) if again else None
                last = await process.last_words(5)
                log.tell(Event.PROCESS_ENDED, how=report.sentence, again_in=pause)
                self._tell_end(entrant, process, how, pause, last)
                if pause is None or entrant.withdrawn:
                    instance.end(f"its process {how}", own=report.own)
                    self._changed()
                    return
                instance.crash(f"its process {how}", own=report.own)
                self._changed()
                await asyncio.sleep(pause)
                log.tell(Event.PROCESS_RESTARTED)
                self._metrics.restarted(entrant.name)
                process = await launcher.launch(launch)
                note(process)

        note(process)
        task = asyncio.create_task(follow(process))
        self._watchers.add(task)
        task.add_done_callback(self._watchers.discard)

    def _tell_end(
        self,
        entrant: Entrant,
        process: BotProcess,
        sentence: str,
        pause: float | None,
        last: Sequence[str],
    ) -> None:
        if entrant.withdrawn:
            return
        again = "" if pause is None else f" and is started again in {pause:g} s"
        lines = "".join(f"\n    {line}" for line in last)
        self._on_news(
            f"{entrant.name}: its process {sentence}{again}; see {process.log_path}{lines}"
        )
