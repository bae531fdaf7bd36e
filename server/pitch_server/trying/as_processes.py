"""Meetings played as tournaments are: bots are processes, the referee is a service on loopback.

Here belongs a tournament of one pairing in a database that goes away, and what is read of it.
"""

import asyncio
import re
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

from pitch.table.faults import Fault
from pitch_server.entrants import log_paths
from pitch_server.metrics import Answers, Metrics
from pitch_server.plan.games import Plan
from pitch_server.scores.boards import board_results
from pitch_server.store.journal import Journal
from pitch_server.store.rows import FaultEvidence
from pitch_server.tournament import Hosting, Progress, Tournament, TournamentStopped
from pitch_server.trying.meeting import Asked, Meeting, MeetingFault, Place, meeting_settings
from pitch_server.trying.printed import Printed

__all__ = ["TABLES", "play_as_processes"]

TABLES = 8
# How lines begin that the launcher and the SDK write into a bot's log.
_OURS = (
    *("--- started ", "connected to ", "the games are over"),
    *("fault: ", "further faults are not shown", "question ", "[question "),
)
_TOLD = re.compile(r"^question [0-9a-f]{16}, seat \d+: (.+)$", re.MULTILINE)
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_TICK = 0.2  # seconds between two looks at how far it is


def play_as_processes(
    meeting: Meeting,
    commands: Sequence[Sequence[str]],
    names: Sequence[str],
    asked: Asked,
    move: Callable[[float], None],
    printed: Printed,
) -> signal.Signals | None:
    """Plays boards until all are played, the time is over or a signal comes, which is returned.

    The first bot is the one tried; time counts from the first finished game. `move` is told the
    share that is done, `printed` gets what the bot prints.
    """
    import uvloop  # only playing needs it

    settings = meeting_settings(names, asked, commands)
    with tempfile.TemporaryDirectory(prefix="pitch-try-") as place:
        logs = Path(place) / "logs"
        logs.mkdir()
        with Journal.create(Path(place) / "try.db", settings, asked.seed) as journal:
            hosting = Hosting(tables=TABLES, directory=Path.cwd(), log_directory=logs)
            timed = _Timed(meeting, asked, move)
            tournament = Tournament(
                journal, hosting, on_progress=timed.progressed, on_news=_told_later
            )
            timed.tournament = tournament
            tournament.metrics.answers[meeting.bot] = _Thoughts(tournament.metrics, meeting)
            stopped: signal.Signals | None = uvloop.run(_play(tournament, timed))
            _read(meeting, journal, asked)
        _read_logs(printed, log_paths(settings, logs)[meeting.bot])
    return stopped


def _told_later(_sentence: str) -> None:
    """What befalls the bots is told at the end, from the journal."""


class _Timed:
    """Ends a tournament in time, and tells how far it is."""

    tournament: Tournament

    def __init__(self, meeting: Meeting, asked: Asked, move: Callable[[float], None]) -> None:
        self._meeting = meeting
        self._asked = asked
        self._move = move
        self._begun: float | None = None

    def progressed(self, now: Progress) -> None:
        if now.played and self._begun is None:
            self._begun = monotonic()
        passed = 0.0 if self._begun is None else monotonic() - self._begun
        if passed >= _TICK:  # a shorter time tells nothing of the pace
            self._meeting.seconds = passed
        share = now.played / now.planned
        if self._asked.seconds is not None:
            share = max(share, passed / self._asked.seconds)
            if share >= 1:
                self.tournament.stop()
        self._move(min(share, 1.0))


class _Thoughts(Answers):
    """Keeps each thought of the bot that is tried, as its SDK tells it, or else the whole way."""

    def __init__(self, metrics: Metrics, meeting: Meeting) -> None:
        super().__init__(metrics.latencies, metrics.thoughts)
        self._kept = meeting.thoughts

    def answered(self, latency: float, reported: float) -> None:
        super().answered(latency, reported)
        self._kept.append(reported or latency)


async def _play(tournament: Tournament, timed: _Timed) -> signal.Signals | None:
    with _stopped_by_signals(tournament) as came, suppress(TournamentStopped):
        ticking = asyncio.create_task(_tick(tournament, timed))
        try:
            await tournament.play()
        finally:
            ticking.cancel()
    return came[0] if came else None


async def _tick(tournament: Tournament, timed: _Timed) -> None:
    while True:
        await asyncio.sleep(_TICK)
        timed.progressed(tournament.progress)


@contextmanager
def _stopped_by_signals(tournament: Tournament) -> Iterator[list[signal.Signals]]:
    """Within it a signal stops the tournament; it is in the list that this gives."""
    loop, came = asyncio.get_running_loop(), list[signal.Signals]()

    def stop(number: signal.Signals) -> None:
        came.append(number)
        tournament.stop()

    for number in _SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        yield came
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)


def _read(meeting: Meeting, journal: Journal, asked: Asked) -> None:
    """Takes what the journal has into the meeting."""
    plan = Plan(journal.settings)
    meeting.begin(plan)
    for board in board_results(plan, asked.variant, asked.unit, journal.results()):
        meeting.add(board)
    for number, evidence in journal.evidence():
        game = plan[number]
        if game.seats[evidence.seat]:
            meeting.opponents_faults += 1
            continue
        meeting.add_fault(
            MeetingFault(
                Place(game.board, number, evidence.question or 0),
                evidence.kind,
                _came(evidence),
                _output(evidence),
                evidence.legal or "",
                evidence.played or "",
            )
        )


def _came(evidence: FaultEvidence) -> str:
    """What came; of an illegal action what its SDK said of it, which knows the line of code."""
    came = evidence.came or ""
    told = _TOLD.findall(evidence.output or "") if evidence.kind == Fault.ILLEGAL else []
    mine = (each for each in told if each.startswith(f"{came} is not legal here"))
    return next((each for each in mine if each.endswith(f"legal: {evidence.legal}")), came)


def _output(evidence: FaultEvidence) -> str:
    """What a bot printed, where that tells why: its traceback, or its last words."""
    output, came = evidence.output or "", (evidence.came or "").splitlines()[:1]
    if evidence.kind == Fault.ERROR:
        return output if came and output.rstrip().endswith(came[0]) else ""
    return output if evidence.kind in (Fault.DISCONNECT, Fault.ABSENT) else ""


def _read_logs(printed: Printed, paths: Sequence[Path]) -> None:
    """Takes in what the bot printed, without what our own side wrote there."""
    for path in paths:
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                if line and not line.startswith(_OURS):
                    printed.write(f"{line}\n")
