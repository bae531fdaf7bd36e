"""Playing a tournament from the command line, from the lock on its database to its last table.

Here belongs what `pitch run` and `pitch resume` share: signals, progress, the end of a
tournament and its exit status. Reading configurations and choosing a tournament is theirs.
"""

import asyncio
import contextlib
import shlex
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console

from pitch_server import progress as display
from pitch_server.plan.games import Plan
from pitch_server.report import write_report
from pitch_server.scores.standings import standings
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State
from pitch_server.tournament import Progress, Tournament, TournamentStopped

__all__ = ["Play", "exit_status", "published_standings", "show_result"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Play:
    """One run of a tournament in this process."""

    def __init__(
        self,
        journal: Journal,
        *,
        tables: int,
        directory: Path,
        log_directory: Path,
        address: str = "127.0.0.1:0",
    ) -> None:
        self._journal = journal
        self._tables = tables
        self._directory = directory
        self._log_directory = log_directory
        self._address = address
        self._messages = Console(stderr=True, highlight=False)
        self._signal: signal.Signals | None = None

    def play(self) -> int:
        """Plays what is missing and prints the final table; the exit status."""
        if self._journal.state() is State.RUNNING:
            stopped = asyncio.run(self._play())
            if stopped is not None:
                return self._stopped(stopped)
            self._journal.end(State.FINISHED, _final(self._journal))
        return show_result(self._journal)

    async def _play(self) -> signal.Signals | None:
        """Plays until the end or a signal, which is returned."""
        journal = self._journal
        played = len(journal.played())
        with display.Progress(self._messages, len(Plan(journal.settings)), played=played) as bar:
            tournament = Tournament(
                journal,
                tables=self._tables,
                directory=self._directory,
                log_directory=self._log_directory,
                on_progress=lambda now: bar.update(now.played, now.faults),
                on_news=self._tell,
                address=self._address,
            )
            with self._signals(tournament), contextlib.suppress(TournamentStopped):
                ticker = asyncio.create_task(_tick(bar, tournament.progress))
                try:
                    await tournament.play()
                finally:
                    ticker.cancel()
        return self._signal

    @contextlib.contextmanager
    def _signals(self, tournament: Tournament) -> Iterator[None]:
        """Within it a signal stops the tournament; a second one is not needed."""
        loop = asyncio.get_running_loop()

        def stop(number: signal.Signals) -> None:
            self._signal = self._signal or number
            tournament.stop()

        for number in _SIGNALS:
            loop.add_signal_handler(number, stop, number)
        try:
            yield
        finally:
            for number in _SIGNALS:
                loop.remove_signal_handler(number)

    def _tell(self, sentence: str) -> None:
        self._messages.print(sentence, markup=False, soft_wrap=True)

    def _stopped(self, number: signal.Signals) -> int:
        counted = len(self._journal.played())
        planned = len(Plan(self._journal.settings))
        self._tell(f"stopped: {counted:,} of {planned:,} games are in {self._journal.place}")
        self._tell(f"go on with: pitch resume {shlex.quote(self._journal.place)}")
        return 128 + number


async def _tick(bar: display.Progress, now: Progress) -> None:
    while True:
        await asyncio.sleep(1)
        bar.update(now.played, now.faults)


def _final(journal: Journal) -> dict[str, object]:
    """The standings that are published at the end, with the seed."""
    return standings(
        journal.settings,
        Plan(journal.settings),
        journal.results(),
        commitment=journal.commitment,
        seed=journal.seed,
    )


def published_standings(journal: Journal) -> dict[str, object]:
    """The standings as they may be shown now: without the seed until the end."""
    return standings(
        journal.settings,
        Plan(journal.settings),
        journal.results(),
        commitment=journal.commitment,
        seed=journal.published_seed(),
    )


def show_result(journal: Journal, logs: Mapping[str, Sequence[str]] | None = None) -> int:
    """Prints the final table; 1 if there is something to look at."""
    final = published_standings(journal)
    write_report(final, Console(highlight=False), logs=logs)
    return exit_status(final)


def exit_status(final: Mapping[str, object]) -> int:
    """0, or 1 where games are void or were forfeited by absence."""
    games, entrants = final["games"], final["entrants"]
    assert isinstance(games, dict)  # noqa: S101 - our own document
    assert isinstance(entrants, list)  # noqa: S101 - our own document
    absent = any(row["faults"]["absent"] for row in entrants)
    return 1 if games["void"] or absent else 0
