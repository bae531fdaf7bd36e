"""The entrants of a running tournament: their instances, their processes, whether they are there.

Here belong how many instances an entrant needs, which one sits at which seat, and starting
and watching the processes of those that have a command. Games are not seen here.
"""

import asyncio
from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path

from pitch_server.launch import BotLaunch, BotProcess, Launcher, log_name
from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.settings import Isolation, Settings
from pitch_server.service.lobby import Lobby, Place, new_token
from pitch_server.table.clock import Moment
from pitch_server.table.instance import Instance

__all__ = ["Entrant", "Entrants", "Presence", "instances_needed", "log_paths"]


def instances_needed(settings: Settings) -> int:
    """How many instances an entrant needs, by its isolation (docs/config.md, "Isolation")."""
    plan = Plan(settings)
    seats = plan.players // plan.sides
    return {
        Isolation.NONE: 1,
        Isolation.SEATS: seats,
        Isolation.BOARDS: seats * plan.seatings,
    }[settings.format.isolation]


def log_paths(settings: Settings, log_directory: Path) -> dict[str, list[Path]]:
    """Where the output of each launched entrant goes, by its name."""
    instances = range(instances_needed(settings))
    return {
        entrant.name: [log_directory / log_name(entrant.name, index, each) for each in instances]
        for index, entrant in enumerate(settings.entrants)
        if entrant.command is not None
    }


class Presence(Enum):
    """Whether an entrant can play."""

    STARTING = auto()
    PRESENT = auto()
    ABSENT = auto()


class Entrant:
    """One entrant with its instances, in the order of its places."""

    def __init__(self, index: int, name: str, command: tuple[str, ...] | None) -> None:
        self.index = index
        self.name = name
        self.command = command
        self.instances: list[Instance] = []
        self.processes: list[BotProcess] = []
        self.deadline = 0.0

    def presence(self, now: float) -> Presence:
        """Whether all of its instances are there, or may still come."""
        if self.instances and all(instance.present for instance in self.instances):
            return Presence.PRESENT
        if any(instance.gone for instance in self.instances):
            return Presence.ABSENT
        missing = [instance for instance in self.instances if not instance.connected]
        # the time to start is for those that never came; who was there has the grace alone
        if all(
            now < self.deadline if instance.expected else instance.may_come_back
            for instance in missing
        ):
            return Presence.STARTING
        return Presence.ABSENT


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
    ) -> None:
        """`on_news` gets a sentence when a process ends before its time."""
        self._on_news = on_news
        self._settings = settings
        self._lobby = lobby
        self._now = now
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._seats = plan.players // plan.sides
        self._isolation = settings.format.isolation
        self._instances = instances_needed(settings)
        self._sides = plan.sides
        self.all = [
            Entrant(index, entrant.name, entrant.command)
            for index, entrant in enumerate(settings.entrants)
        ]
        self._watchers: set[asyncio.Task[None]] = set()

    async def start(self, entrants: Sequence[int], launcher: Launcher) -> None:
        """Makes fresh instances for these entrants and starts their processes."""
        clock = self._settings.clock
        launches: list[BotLaunch] = []
        for index in entrants:
            entrant = self.all[index]
            entrant.deadline = self._loop.time() + clock.start_timeout
            entrant.instances, entrant.processes = [], []
            for number in range(self._instances):
                token = new_token()
                instance = Instance(
                    now=self._now,
                    move_timeout=clock.move_timeout,
                    time_bank=clock.time_bank,
                    reconnect_grace=clock.reconnect_grace,
                )
                entrant.instances.append(instance)
                place = Place(entrant.name, number, instance, self._place_changed)
                self._lobby.admit(token, [place])
                assert entrant.command is not None  # noqa: S101 - checked with the configuration
                launches.append(
                    BotLaunch(
                        name=entrant.name,
                        command=entrant.command,
                        token=token,
                        entrant=index,
                        instance=number,
                    )
                )
        self._loop.call_later(clock.start_timeout, self._changed)
        processes = await launcher.launch_all(launches)
        for launch, process in zip(launches, processes, strict=True):
            entrant = self.all[launch.entrant]
            entrant.processes.append(process)
            self._watch(entrant, entrant.instances[launch.instance], process)

    def instances_of(self, game: PlannedGame) -> list[Instance]:
        """The instance at each seat of a game."""
        return [
            self.all[entrant].instances[self._place(game, seat)]
            for seat, entrant in enumerate(game.seats)
        ]

    def presence(self, index: int) -> Presence:
        """Whether an entrant can play now."""
        return self.all[index].presence(self._loop.time())

    def retire(self) -> None:
        """Forgets every place: whoever was there has been sent home."""
        for task in self._watchers:
            task.cancel()
        self._watchers.clear()
        self._lobby.dismiss()

    # --- inside -----------------------------------------------------------------------------

    def _place(self, game: PlannedGame, seat: int) -> int:
        if self._isolation is Isolation.NONE:
            return 0
        within_side = seat // self._sides
        if self._isolation is Isolation.BOARDS and self._instances > self._seats:
            return game.seating * self._seats + within_side
        return within_side

    def _place_changed(self, _place: Place) -> None:
        self._changed()

    def logs_of(self, index: int) -> str:
        """Where the output of an entrant's processes is, for a message."""
        return ", ".join(str(process.log_path) for process in self.all[index].processes)

    def _watch(self, entrant: Entrant, instance: Instance, process: BotProcess) -> None:
        async def wait() -> None:
            report = await asyncio.shield(process.exited)
            instance.end()
            self._changed()
            last = "".join(f"\n    {line}" for line in process.last_lines(5))
            self._on_news(
                f"{entrant.name}: its process {report.sentence}; see {process.log_path}{last}"
            )

        task = asyncio.create_task(wait())
        self._watchers.add(task)
        task.add_done_callback(self._watchers.discard)
