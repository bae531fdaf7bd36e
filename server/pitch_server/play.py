"""Playing a tournament from the command line, from the lock on its database to its last table.

Here belongs what `pitch run`, `pitch resume` and `pitch serve` share: signals, progress, the end
of a tournament and its exit status. Reading configurations and choosing a tournament is theirs.
"""

import asyncio
import contextlib
import os
import shlex
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType
from typing import Protocol

from rich.console import Console
from sqlalchemy import URL

from pitch_server import progress as display
from pitch_server.config import DEFAULT_TABLES
from pitch_server.endpoint import published
from pitch_server.entrants import instances_needed, log_paths
from pitch_server.messages import message_console
from pitch_server.overview import Overview
from pitch_server.places import near
from pitch_server.planned import known_plan
from pitch_server.published import LOOK_AT_IT, exit_status, shown_standings
from pitch_server.redaction import keep_secret
from pitch_server.report import write_report
from pitch_server.result_console import ResultConsole
from pitch_server.service.app import RefereeServer
from pitch_server.service.operators import admin_token, operator_service
from pitch_server.store.errors import JournalError, TournamentOver
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State
from pitch_server.tournament import (
    Hosting,
    Progress,
    Tournament,
    TournamentClosed,
    TournamentStopped,
)

__all__ = ["Display", "Play"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Display(Protocol):
    """What is told, again and again, how far a tournament is."""

    def update(
        self, played: int, faults: int, missing: Sequence[str] = (), *, planned: int | None = None
    ) -> None:
        """Games and faults so far, who is waited for, and how many games are planned."""


class Play:
    """One run of a tournament in this process."""

    def __init__(
        self,
        journal: Journal,
        database: URL,
        hosting: Hosting,
        *,
        serving: bool = False,
        drain: float = 0.0,
        numbered: bool = False,
    ) -> None:
        """`serving`: bots connect by themselves, and are told where.

        `drain`: after SIGTERM games that go on have so many seconds. `numbered`: going on needs
        the tournament's number, as it is not the latest.
        """
        self._journal = journal
        self._database = database
        self._hosting = hosting
        self._serving = serving
        self._drain = drain
        self._numbered = numbered
        self._admin_token = admin_token()
        self._messages = message_console()
        self._signal: signal.Signals | None = None

    def play(self) -> int:
        """Plays what is missing and prints the final table; the exit status.

        Raises JournalError or OSError if it could not begin. If the journal fails later, what is in
        it stays, and it is told how to go on.
        """
        if self._journal.state() is not State.RUNNING:
            return self._show(shown_standings(self._journal))
        self._make_log_directory()
        played = len(self._journal.played())
        keep_secret(self._journal.seed, self._admin_token, self._database.password or "")
        name = f"{self._journal.settings.name}#{self._journal.tournament}"
        try:
            with (
                self._hosting.observing.logs(self._messages, tournament=name),
                self._noting_signals(),
            ):
                self._announce(played)
                if self._journal.stopped() is not None:
                    self._journal.note_stop(None)
                import uvloop  # only playing needs it: a table is shown without

                stopped = uvloop.run(self._play(played))
            return self._finish() if stopped is None else self._stopped(stopped)
        except TournamentClosed:
            self._tell("an operator has closed the tournament")
            return self._show(shown_standings(self._journal))
        except TournamentOver as error:  # another process has closed it
            self._tell(str(error))
            return self._show(shown_standings(self._journal))
        except JournalError as error:
            self._tell(f"stopped: {error}")
            self._tell_how_to_go_on()
            return LOOK_AT_IT

    def _make_log_directory(self) -> None:
        """Else every bot would fail to start, and pay for it."""
        try:
            self._hosting.log_directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            reason = (
                ""
                if os.access(self._hosting.log_directory, os.W_OK | os.X_OK)
                else "it is read-only"
            )
        except OSError as error:
            reason = str(error.strerror)
        if reason:
            raise OSError(
                f"{near(self._hosting.log_directory)} can't hold the logs of bots: {reason}"
            )

    def _finish(self) -> int:
        from pitch_server.analysis.document import standings_part  # NumPy, which a start needs not

        final = shown_standings(self._journal, revealed=True)
        self._journal.end(State.FINISHED, standings_part(final))
        return self._show(final)

    def _announce(self, played: int) -> None:
        """Tells what is about to be played, with the commitment that must be out before it."""
        journal = self._journal
        plan = known_plan(journal)
        most = "" if plan.total_is_final else "at most "
        state = f"{played:,} of {most}{plan.total:,} games are played"
        if not played:
            state = f"{most}{plan.total:,} games"
        self._tell(f"{journal.settings.name}: {state}, {self._hosting.tables:,} at once")
        self._tell(
            f"database {near(journal.place)}, logs of the bots {near(self._hosting.log_directory)}"
        )
        self._tell(f"commitment to the seed {journal.commitment}")

    def _display(
        self, console: Console, planned: int, played: int
    ) -> contextlib.AbstractContextManager["Display"]:
        """What shows how far it is, while it is played."""
        return display.Progress(console, planned, played=played)

    async def _play(self, played: int) -> signal.Signals | None:
        """Plays until the end or a signal, which is returned."""
        journal = self._journal
        tournament = Tournament(
            journal,
            self._hosting,
            on_progress=lambda now: _show_progress(bar, now),
            on_news=self._tell,
            services=lambda it: (operator_service(Overview(it), self._admin_token),),
            while_listening=lambda server: self._while_listening(server, tournament),
        )
        planned = tournament.progress.planned
        with (
            self._display(self._messages, planned, played) as bar,
            self._stopping_by_signals(tournament),
            contextlib.suppress(TournamentStopped),
        ):
            ticker = asyncio.create_task(_tick(bar, tournament.progress))
            try:
                await tournament.play()
            finally:
                ticker.cancel()
        return self._signal

    @contextlib.contextmanager
    def _while_listening(self, server: RefereeServer, it: Tournament) -> Iterator[None]:
        """Tells bots and operators where the server is, as long as it is there."""
        if self._serving:
            self._tell_where(server)
        serving = self._hosting.observing.serving(
            it.metrics,
            tournament=it.settings.name,
            entrants=it.settings.names,
            status=Overview(it).status,
            depths=it.depths,
        )
        endpoint = published(
            self._database,
            address=server.local_address,
            token=self._admin_token,
            tournament=self._journal.tournament,
        )
        with serving as address, endpoint:
            if address is not None:
                self._tell(f"metrics on http://{address}/metrics")
            yield

    def _tell_where(self, server: RefereeServer) -> None:
        """What the authors of bots must know to connect."""
        settings = self._journal.settings
        by_count: dict[int, list[str]] = {}
        for entrant in settings.entrants:
            if entrant.command is None:
                count = instances_needed(settings) * entrant.processes
                by_count.setdefault(count, []).append(entrant.name)
        self._tell(f"listening on {server.address}{' with TLS' if server.listening.tls else ''}")
        for count, names in by_count.items():
            few = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
            self._tell(f"expected with --instances {count}: {few}")

    @contextlib.contextmanager
    def _noting_signals(self) -> Iterator[None]:
        """Within it a signal is kept in mind, wherever it finds us; a second one is not needed."""
        before = {number: signal.signal(number, self._note) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _note(self, number: int, _frame: FrameType | None = None) -> None:
        self._signal = self._signal or signal.Signals(number)

    @contextlib.contextmanager
    def _stopping_by_signals(self, tournament: Tournament) -> Iterator[None]:
        """Within it a signal stops the tournament, also one that came before."""
        loop = asyncio.get_running_loop()

        def stop(number: signal.Signals) -> None:
            again = self._signal is not None
            self._note(number)
            if number == signal.SIGTERM and self._drain > 0 and not again:
                self._tell(f"games that go on have {self._drain:g} s to end; no new ones begin")
                tournament.drain(self._drain)
            else:
                tournament.stop()

        for number in _SIGNALS:
            loop.add_signal_handler(number, stop, number)
        if self._signal is not None:
            loop.call_soon(stop, self._signal)  # once it plays, as any other signal
        try:
            yield
        finally:
            for number in _SIGNALS:
                loop.remove_signal_handler(number)
                signal.signal(number, self._note)

    def _tell(self, sentence: str) -> None:
        self._messages.print(sentence, markup=False, soft_wrap=True)

    def _stopped(self, number: signal.Signals) -> int:
        counted = len(self._journal.played())
        self._journal.note_stop(counted)
        planned = known_plan(self._journal).total
        place = near(self._journal.place)
        self._tell(f"stopped: {counted:,} of {planned:,} games are in {place}")
        self._tell_how_to_go_on()
        return 128 + number

    def _tell_how_to_go_on(self) -> None:
        words = ["pitch", "resume", near(self._journal.place)]
        if self._hosting.tables != DEFAULT_TABLES:
            words += ["--tables", str(self._hosting.tables)]
        if self._numbered:
            words += ["--tournament", str(self._journal.tournament)]
        if self._serving:  # where it listens stands in its options and its configuration
            words = ["pitch", *(word for word in sys.argv[1:] if word != "--fresh")]
        self._tell(f"go on with: {shlex.join(words)}")

    def _show(self, table: Mapping[str, object]) -> int:
        paths = log_paths(self._journal.settings, self._hosting.log_directory)
        logs = {
            name: [near(path) for path in written if path.exists()]
            for name, written in paths.items()
        }
        write_report(table, ResultConsole(), logs=logs)
        return exit_status(table)


async def _tick(bar: Display, now: Progress) -> None:
    while True:
        await asyncio.sleep(1)
        _show_progress(bar, now)


def _show_progress(bar: Display, now: Progress) -> None:
    bar.update(now.played, now.faults, now.missing, planned=now.planned)
