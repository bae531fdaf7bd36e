"""Who is there of those that are to play now, and whose games may therefore begin.

Here belong noticing who has come and gone, and who of a game is there. Whether one entrant is
there is for `entrants`; what follows for the games is the tournament's.
"""

from collections.abc import Iterator, Mapping

from pitch_server.entrants import Entrants
from pitch_server.live import Presence
from pitch_server.plan.games import Plan, PlannedGame

__all__ = ["Attendance"]

_NOT_COMING = (Presence.ABSENT, Presence.WITHDRAWN)


class Attendance:
    """The entrants of a part of the plan, as they are there; entrants are their numbers."""

    def __init__(self, entrants: Entrants, plan: Plan) -> None:
        self.invited: tuple[int, ...] = ()
        self._entrants = entrants
        self._plan = plan
        self._seen: dict[int, Presence] = {}

    @property
    def now(self) -> dict[int, Presence]:
        """Whether each of those that are invited is there."""
        return dict(zip(self.invited, self._entrants.presences(self.invited), strict=True))

    @property
    def starting(self) -> bool:
        """Whether somebody may still come."""
        return Presence.STARTING in self.now.values()

    @property
    def enough(self) -> bool:
        """Whether so many are there that a game might be played."""
        return list(self.now.values()).count(Presence.PRESENT) >= self._plan.sides

    @property
    def missing(self) -> tuple[int, ...]:
        """Whom the games wait for, or have waited for in vain, when it was last looked."""
        wanted = (Presence.STARTING, Presence.ABSENT)
        return tuple(each for each in self.invited if self._seen.get(each) in wanted)

    def look(self, *, before_the_first_game: bool) -> Mapping[int, Presence]:
        """Notices who has come and gone since it was last looked.

        Before a game could be played at all nobody's time to connect runs out.
        """
        if before_the_first_game and not self.enough:
            self._entrants.invite_again(self.invited)
        changed = {
            each: presence
            for each, presence in self.now.items()
            if self._seen.get(each) is not presence
        }
        self._seen.update(changed)
        return changed

    def may_begin(self, game: PlannedGame, *, forfeiting: bool) -> bool:
        """Whether all are there; where it is forfeited, also if some will not come."""
        presences = {self._seen[entrant] for entrant in set(game.seats)}
        if presences == {Presence.PRESENT}:
            return True
        return forfeiting and Presence.STARTING not in presences

    def absent(self, game: PlannedGame) -> Iterator[int]:
        """A seat of each side of which somebody will not come: the first such one."""
        sides = self._plan.sides
        for side in range(sides):
            for seat in range(side, self._plan.places, sides):
                if self._entrants.presence(game.seats[seat]) in _NOT_COMING:
                    yield seat
                    break
