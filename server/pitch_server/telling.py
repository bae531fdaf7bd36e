"""What is told of a tournament in play: to the terminal, the log, the metrics and who watches.

Here belongs who learns of what, and in which words. Nothing is decided here, and a game is told
of only once it is on disk.
"""

from collections.abc import Callable, Mapping

from pitch.table.faults import Fault
from pitch_server.faults import WITHDRAWN
from pitch_server.live import Channel, EntrantChanged, FaultCharged, GameFinished, Presence
from pitch_server.logs import Event, EventLog
from pitch_server.metrics import Metrics
from pitch_server.plan.settings import Settings
from pitch_server.table.runner import FaultReport, Table

__all__ = ["Telling"]

_PRESENCE_NEWS = {
    Presence.STARTING: "waiting for ",
    Presence.PRESENT: "ready to play: ",
    Presence.ABSENT: "not there, so that their games come last: ",
    Presence.WITHDRAWN: "withdrawn: ",
}
_PRESENCE_EVENTS = {
    Presence.PRESENT: Event.ENTRANT_PRESENT,
    Presence.ABSENT: Event.ENTRANT_ABSENT,
}


class Telling:
    """Tells of entrants and games; `news` takes a sentence for people."""

    def __init__(
        self,
        settings: Settings,
        metrics: Metrics,
        news: Callable[[str], None],
        logs_of: Callable[[int], str],
    ) -> None:
        """`logs_of` says where the output of an entrant's processes is, if it has any."""
        self.channel = Channel()
        self.log = EventLog()
        self.news = news
        self._settings = settings
        self._names = settings.names
        self._metrics = metrics
        self._logs_of = logs_of
        self._told: set[tuple[int, Fault]] = set()

    def presences(self, changed: Mapping[int, Presence]) -> None:
        """Tells who has come and gone; on the terminal only of those that come by themselves."""
        told: dict[Presence, list[str]] = {}
        for each, presence in changed.items():
            name = self._names[each]
            self.channel.tell(EntrantChanged(name, presence))
            if event := _PRESENCE_EVENTS.get(presence):
                self.log.tell(event, entrant=name)
            if self._settings.entrants[each].command is None:
                told.setdefault(presence, []).append(name)
        for presence, names in told.items():
            self.news(f"{_PRESENCE_NEWS[presence]}{', '.join(names)}")

    def finished(self, table: Table) -> None:
        """Tells of a game that is on disk, and of its faults."""
        self.log.tell(Event.GAME_FINISHED, game=table.game.number, decisions=table.decisions)
        for report in table.reports:
            self._note_fault(table, report)
            self._tell_fault(table, report)
        if self.channel.watched:
            self._publish(table)

    # --- inside -----------------------------------------------------------------------------

    def _note_fault(self, table: Table, report: FaultReport) -> None:
        entrant = self._names[table.game.seats[report.seat]]
        self._metrics.fault(entrant, str(report.fault))
        self.log.tell(
            Event.FAULT_CHARGED,
            game=table.game.number,
            entrant=entrant,
            seat=report.seat,
            question=report.number,
            kind=str(report.fault),
            came=report.evidence.came or None,
        )

    def _tell_fault(self, table: Table, report: FaultReport) -> None:
        """Tells the first fault of each kind of an entrant; the rest stands in the table."""
        entrant = table.game.seats[report.seat]
        if (entrant, report.fault) in self._told:
            return
        self._told.add((entrant, report.fault))
        logs = self._logs_of(entrant)
        # how a process ended was told when it did
        absent = report.fault in (Fault.DISCONNECT, Fault.ABSENT)
        told = absent and report.evidence.came != WITHDRAWN
        line = report.fault.sentence if told else _line(report)
        self.news(
            f"{self._names[entrant]}: {line}, in game {table.game.number}, "
            f"seat {report.seat}{f'; see {logs}' if logs else ''}"
        )

    def _publish(self, table: Table) -> None:
        """Tells whoever watches of a game."""
        game, referee = table.game, table.referee
        names = tuple(self._names[entrant] for entrant in game.seats)
        forfeits = tuple((side, str(fault)) for side, fault in sorted(referee.forfeits.items()))
        void = table.crash is not None or referee.void
        state = referee.game
        self.channel.tell(
            GameFinished(
                game.number, game.board, names, tuple(state.scores), state.winner, forfeits, void
            )
        )
        for report in table.reports:
            self.channel.tell(
                FaultCharged(
                    game.number, report.seat, names[report.seat], str(report.fault), _line(report)
                )
            )


def _line(report: FaultReport) -> str:
    """What happened, in one line."""
    came = report.evidence.came.splitlines()
    return f"{report.fault.sentence}{f' ({came[0]})' if came else ''}"
