"""A meeting: one bot against one opponent, as settings, and what its boards have shown so far.

Here belong the settings of a quick game and the counting. Playing is done `in_process` or
`as_processes`; numbers over boards come from `pitch_server.scores`.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from typing import NamedTuple

from pitch.bot.view import View
from pitch.rules.variant import Variant
from pitch.table.unit import Unit
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import ClockSettings, EntrantSettings, FormatSettings, Settings
from pitch_server.scores.boards import BoardResult
from pitch_server.scores.results import outcomes
from pitch_server.scores.statistics import Moments

__all__ = ["START", "Asked", "Decision", "Meeting", "MeetingFault", "Place", "meeting_settings"]

START = 15.0  # seconds in which a process must have said hello
MOST_FAULTS = 1_000  # kept with what came; beyond they are only counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be played; `seconds` end it early, None plays all boards."""

    variant: Variant
    unit: Unit
    boards: int
    seconds: float | None
    seed: str
    move_timeout: float


class Place(NamedTuple):
    """Where something happened: `action` counts the actions of the game before it."""

    board: int
    game: int
    action: int


class MeetingFault(NamedTuple):
    """A fault of the bot; `came` is what it did, `output` a traceback or what it printed.

    `played` is what the referee played instead, empty where the game was lost by it.
    """

    place: Place
    kind: str
    came: str
    output: str
    legal: str
    played: str


class Decision(NamedTuple):
    """A decision of the bot and how long it took, in seconds."""

    seconds: float
    order: int
    place: Place
    view: View


def meeting_settings(
    names: Sequence[str], asked: Asked, commands: Sequence[Sequence[str]] | None = None
) -> Settings:
    """A tournament of one pairing: the first name against the others, one a side."""
    started: list[tuple[str, ...] | None] = [None for _ in names]
    if commands is not None:
        started = [tuple(each) for each in commands]
    return Settings(
        name=f"{names[0]} against {names[1]}"[:64].strip(),
        variant=asked.variant,
        format=FormatSettings(unit=asked.unit, boards=asked.boards),
        clock=ClockSettings(move_timeout=asked.move_timeout, start_timeout=START),
        entrants=tuple(
            EntrantSettings(name=name, command=command)
            for name, command in zip(names, started, strict=True)
        ),
    )


@dataclass(slots=True)
class Meeting:
    """What the boards of a bot against its opponent have shown so far."""

    bot: str
    opponent: str
    slowest_kept: int = 1
    margins: Moments = field(default_factory=Moments)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    games: int = 0
    void: int = 0
    faults: list[MeetingFault] = field(default_factory=list)
    fault_count: int = 0
    opponents_faults: int = 0
    seconds: float = 0.0
    thoughts: "array[float]" = field(default_factory=lambda: array("d"))
    _slowest: list[Decision] = field(default_factory=list)

    def begin(self, plan: Plan) -> None:
        """Takes the scale of the margins to come from their plan."""
        self.margins = Moments(plan.scale)

    def add(self, board: BoardResult) -> None:
        """Takes a whole board in; one that is void or not whole counts for nothing."""
        self.games += sum(not result.void for result in board.results)
        self.void += board.void
        if board.margins is None:
            return
        self.margins.add(board.margins[0])
        outcome = outcomes(board.margins)[0]
        self.wins += outcome > 0
        self.draws += outcome == 0
        self.losses += outcome < 0

    def add_fault(self, fault: MeetingFault) -> None:
        """Takes a fault of the bot in."""
        self.fault_count += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)

    def add_thought(self, seconds: float, place: Place, view: View) -> None:
        """Takes a decision of the bot in, of which the slowest are kept with their views."""
        self.thoughts.append(seconds)
        decision = Decision(seconds, -len(self.thoughts), place, view)
        if len(self._slowest) < self.slowest_kept:
            heappush(self._slowest, decision)
        elif self._slowest and seconds > self._slowest[0].seconds:
            heappushpop(self._slowest, decision)

    @property
    def boards(self) -> int:
        """How many whole boards count."""
        return self.margins.count

    @property
    def slowest(self) -> list[Decision]:
        """The slowest decisions, the slowest first, where their views are known."""
        return sorted(self._slowest, reverse=True)

    def share_within(self, share: float) -> float | None:
        """Within how many seconds that share of the decisions was made; None without any."""
        if not self.thoughts:
            return None
        ordered = sorted(self.thoughts)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
