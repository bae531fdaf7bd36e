"""The schedule: which planned game may begin next.

Here belong the order of the plan, the boards that are in use and the games that wait for
them. Whether an entrant is there is asked of the caller; nothing is played here. Memory is
bounded by a window, however long the plan is.
"""

from collections import deque
from collections.abc import Callable, Iterator

from pitch_server.plan.games import Plan, PlannedGame
from pitch_server.plan.played import Played
from pitch_server.plan.settings import Isolation, Settings

__all__ = ["Schedule"]

# So many games may wait for a board that is in use, before the plan is read on.
_WINDOW = 4096
# So many games are passed over in one go, then the caller sees to other things.
_GLANCE = 1000

Lock = tuple[int, int, int]


class Schedule:
    """Hands out the games of a part of the plan, each as soon as its board is free.

    None of an entrant's instances is given two tables of one deck at once, except under
    isolation `none`. The plan is read in passes: what may not begin is passed over, until
    `look_again` begins a new one.
    """

    def __init__(
        self, settings: Settings, plan: Plan, played: Played, start: int, stop: int
    ) -> None:
        """The games from number `start` up to `stop` that are not `played`."""
        self._plan = plan
        self._played = played
        self._start, self._stop = start, stop
        self._exclusive = settings.format.isolation is not Isolation.NONE and plan.duplicate
        self._running: set[int] = set()
        self._locks: set[Lock] = set()
        self._parked: dict[Lock, deque[PlannedGame]] = {}
        self._parked_count = 0
        self._ready: deque[PlannedGame] = deque()
        self._held: set[int] = set()
        self._numbers = self._missing()
        self.unread = False

    @property
    def running(self) -> int:
        """How many games were begun and are not over."""
        return len(self._running)

    @property
    def missing(self) -> bool:
        """Whether there is anything to play at all."""
        return next(self._missing(), None) is not None

    @property
    def waiting(self) -> bool:
        """Whether games wait for a board that is in use."""
        return bool(self._parked or self._ready)

    def next(self, may_begin: Callable[[PlannedGame], bool]) -> PlannedGame | None:
        """The next game that can begin now; None if there is none at the moment.

        None also, with `unread` set, if many were passed over and there may be more.
        """
        self.unread = False
        for _ in range(_GLANCE):
            game = self._candidate()
            if game is None:
                return None
            if not may_begin(game):
                continue
            if self._take_locks(game):
                self._running.add(game.number)
                return game
        self.unread = True
        return None

    def again(self, game: PlannedGame) -> None:
        """A game that must be played once more; it keeps its place at the front."""
        self._finish(game)
        self._held.add(game.number)
        self._ready.appendleft(game)

    def done(self, game: PlannedGame) -> None:
        """A game is over and on its way to the journal; its board is free."""
        self._finish(game)
        self._played.add(game.number)

    def look_again(self) -> None:
        """Reads the plan once more, for what was passed over."""
        self._numbers = self._missing()

    # --- inside -----------------------------------------------------------------------------

    def _missing(self) -> Iterator[int]:
        return (
            number
            for number in self._played.missing(self._stop)
            if number >= self._start
            and number not in self._running
            and number not in self._held
            and number not in self._played
        )

    def _candidate(self) -> PlannedGame | None:
        if self._ready:
            game = self._ready.popleft()
            self._held.discard(game.number)
            return game
        if self._parked_count >= _WINDOW:
            return None
        number = next(self._numbers, None)
        return None if number is None else self._plan[number]

    def _take_locks(self, game: PlannedGame) -> bool:
        """Reserves the board for the entrants; if it is in use, the game waits for it."""
        if not self._exclusive:
            return True
        locks = self._locks_of(game)
        for lock in locks:
            if lock in self._locks:
                self._parked.setdefault(lock, deque()).append(game)
                self._parked_count += 1
                self._held.add(game.number)
                return False
        self._locks.update(locks)
        return True

    def _finish(self, game: PlannedGame) -> None:
        self._running.remove(game.number)
        if not self._exclusive:
            return
        for lock in self._locks_of(game):
            self._locks.discard(lock)
            waiting = self._parked.pop(lock, None)
            if waiting:
                self._parked_count -= len(waiting)
                self._ready.extend(waiting)

    def _locks_of(self, game: PlannedGame) -> set[Lock]:
        """A deck for each entrant that holds it; other seatings use other instances by boards."""
        seating = game.seating if self._plan.by_pairing else 0
        return {(game.board, seating, entrant) for entrant in game.seats}
