"""How a running tournament is observed, beside what its terminal shows: its logs and metrics.

Here belong what may be chosen of them and setting them up. What they tell is `logs`' and
`scraping`'s.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from pitch_server.live import Status
from pitch_server.logs import Format, Level, Logs, configure_logs
from pitch_server.metrics import Depths, Metrics

__all__ = ["Observing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observing:
    """Where logs go, in which form and from which level on; where metrics are served, if at all.

    Without a level it is `info` in a file and `warning` on the terminal.
    """

    log: Path | None = None
    log_format: Format = "text"
    log_level: Level | None = None
    metrics: tuple[str, int] | None = None

    def logs(self, console: Console, **ids: object) -> Logs:
        """Logs as chosen, until they are closed; OSError if their file can't be opened."""
        level = self.log_level or ("warning" if self.log is None else "info")
        return configure_logs(
            format=self.log_format, level=level, path=self.log, console=console, **ids
        )

    @contextmanager
    def serving(
        self,
        metrics: Metrics,
        *,
        tournament: str,
        entrants: Sequence[str],
        status: Callable[[], Status],
        depths: Callable[[], Depths],
    ) -> Iterator[str | None]:
        """Within it metrics are served at the address that it gives; None if they are not wanted.

        ScrapeError if they can't be. `status` and `depths` are called on the running loop.
        """
        if self.metrics is None:
            yield None
            return
        from pitch_server.scraping import MetricsServer, Scraped  # takes a moment to import

        scraped = Scraped(
            metrics,
            tournament=tournament,
            entrants=entrants,
            loop=asyncio.get_running_loop(),
            status=status,
            depths=depths,
        )
        with MetricsServer(scraped, self.metrics) as server:
            yield server.address
