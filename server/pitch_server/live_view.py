"""A running tournament for people and programs: its status drawn, its events as lines.

Here belongs how it looks, on a terminal and in a file. Nothing is asked and nothing computed but
what the drawing needs.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from pitch_server.live import (
    EntrantChanged,
    Event,
    FaultCharged,
    GameFinished,
    Presence,
    Status,
)

__all__ = ["LiveView", "event_line", "heading", "status_json", "write_status"]

RECENT = 12  # events that are shown below the tables
PLAIN_WIDTH = 100_000  # for files: no line is wrapped
_STYLES = {
    Presence.PRESENT: "green",
    Presence.STARTING: "yellow",
    Presence.ABSENT: "bold red",
    Presence.WITHDRAWN: "dim",
}


class LiveView:
    """What a terminal shows while a tournament is watched; rich draws it over and over."""

    def __init__(self) -> None:
        self._status: Status | None = None
        self._recent: deque[str] = deque(maxlen=RECENT)

    def update(self, status: Status) -> None:
        """How it stands now."""
        self._status = status

    def add(self, event: Event) -> None:
        """Something happened."""
        self._recent.append(event_line(event))

    def __rich__(self) -> RenderableType:
        """The parts from the top."""
        if self._status is None:
            return Text()
        status = self._status
        done = ProgressBar(total=max(status.planned, 1), completed=status.played, width=60)
        recent = [Text(line, overflow="ellipsis", no_wrap=True) for line in self._recent]
        lines = [Text(line) for line in heading(status)]
        return Group(*lines[:1], done, *lines[1:], Text(), _table(status, ruled=True), *recent)


def write_status(status: Status, console: Console) -> None:
    """Draws the status once: in colours on a terminal, as plain lines in a file."""
    ruled = console.is_terminal
    if ruled:
        console.print(*heading(status), sep="\n", markup=False)
        console.print(_table(status, ruled=True))
        return
    plain = Console(width=PLAIN_WIDTH, color_system=None, force_terminal=False, _environ={})
    with plain.capture() as drawn:
        plain.print(*heading(status), "", sep="\n", markup=False, highlight=False)
        plain.print(_table(status, ruled=False), highlight=False)
    for line in drawn.get().splitlines():
        console.file.write(line.rstrip() + "\n")


def heading(status: Status) -> list[str]:
    """What it is, how far it is and how the server fares: a line each."""
    return list(_heading(status))


def _heading(status: Status) -> Iterator[str]:
    share = status.played / status.planned if status.planned else 1.0
    yield (
        f"{_one_line(status.tournament)}: {status.stage}, {status.played:,} of "
        f"{status.planned:,} games played ({share:.0%})"
    )
    yield (
        f"{status.running:,} games at {status.tables:,} tables, {status.backlog:,} on their way "
        f"to the disk; since it runs {status.decisions:,} decisions, {status.faults:,} faults"
    )
    yield (
        f"up {_span(status.uptime)}; lag {status.lag_p50 * 1e3:.1f} ms at most half of the time, "
        f"{status.lag_p99 * 1e3:.1f} ms 99 % of it, worst {status.lag_worst * 1e3:.1f} ms"
    )
    missing = [
        _one_line(entrant.name)
        for entrant in status.entrants
        if entrant.presence in (Presence.ABSENT, Presence.STARTING)
    ]
    if missing:
        yield f"missing: {', '.join(missing)}"


def _table(status: Status, *, ruled: bool) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD if ruled else None,
        padding=(0, 1 if ruled else 2, 0, 0),
        pad_edge=False,
        show_edge=False,
    )
    table.add_column("entrant", overflow="fold", min_width=12)
    table.add_column("presence", no_wrap=True)
    for header in ("instances", "tables", "faults"):
        table.add_column(header, justify="right", no_wrap=True)
    for entrant in status.entrants:
        table.add_row(
            Text(_one_line(entrant.name)),
            Text(entrant.presence, style=_STYLES[entrant.presence]),
            f"{entrant.connected} of {entrant.needed}",
            f"{entrant.tables:,}",
            f"{entrant.faults:,}",
        )
    return table


def event_line(event: Event) -> str:
    """An event in one line, whatever a bot put into it."""
    if isinstance(event, GameFinished):
        return _game_line(event)
    if isinstance(event, FaultCharged):
        return _one_line(
            f"game {event.number}, seat {event.seat}, {event.entrant}: {event.kind}: {event.text}"
        )
    if isinstance(event, EntrantChanged):
        return _one_line(f"{event.name} is {event.presence}")
    return _one_line(f"the tournament has ended: {event.reason}")


def _game_line(event: GameFinished) -> str:
    names = event.entrants[: len(event.scores)]
    scores = ", ".join(f"{n} {score}" for n, score in zip(names, event.scores, strict=False))
    end = "a draw" if event.winner is None else f"{names[event.winner]} wins"
    notes = [f"{names[side]} forfeited: {cause}" for side, cause in event.forfeits]
    ends = ["void" if event.void else end, *notes]
    return _one_line(f"game {event.number}, board {event.board}: {scores}; {'; '.join(ends)}")


def status_json(status: Status) -> dict[str, Any]:
    """The status for programs: as it is, the lag's percentiles in an object of their own."""
    told: dict[str, Any] = status._asdict()
    lag = {name: told.pop(f"lag_{name}") for name in ("p50", "p99", "worst")}
    entrants: Iterable[Any] = told.pop("entrants")
    return told | {"lag": lag, "entrants": [entrant._asdict() for entrant in entrants]}


def _span(seconds: float) -> str:
    minutes, whole = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {whole:02} s" if minutes else f"{whole} s"


def _one_line(text: str) -> str:
    """The text without what would move the cursor or break the line."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
