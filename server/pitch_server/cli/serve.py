"""`pitch serve`: plays a tournament with bots that connect by themselves.

Here belong its options and what must be so before it listens. Playing is `pitch_server.play`'s.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pitch_server.cli.config_file import ConfigFile
from pitch_server.cli.database import refusing
from pitch_server.cli.observing import observing, observing_options
from pitch_server.cli.playing import (
    checked_listening,
    listening_for,
    play_wanted,
    server_options,
    server_settings,
)
from pitch_server.cli.wanted import read_wanted

if TYPE_CHECKING:
    from pitch_server.service.listening import Listening
    from pitch_server.store.rows import EntrantRow

__all__ = ["serve"]

_EPILOG = """\b
Examples:
  pitch serve public.toml
  pitch serve public.toml --listen 0.0.0.0:7777 --certificate server.pem --key server.key
"""


@click.command(epilog=_EPILOG)
@click.argument("config", type=ConfigFile())
@click.option("--tables", type=click.IntRange(1, 4096), help="Games at once.")
@click.option("--db", metavar="URL", help="Database: a path or a SQLAlchemy URL.")
@click.option("--fresh", is_flag=True, help="Play it anew; what the database holds stays there.")
@click.option("--dry-run", is_flag=True, help="Check all, show the plan and start nothing.")
@server_options
@observing_options
def serve(
    config: Path,
    tables: int | None,
    db: str | None,
    fresh: bool,
    dry_run: bool,
    in_clear: bool,
    **given: Any,
) -> int:
    """Play the tournament that CONFIG describes with bots that connect from anywhere.

    Entrants without a command connect by themselves, each with the token that pitch token made
    for it; those with a command are launched here. Who is there plays as far as the plan allows,
    the games of who is not come last. SIGTERM lets games that go on end, Ctrl-C does not wait;
    either way pitch serve goes on later where it stopped.
    """
    wanted = read_wanted(config, db, use="serve")
    observed = observing(given, wanted.config.server.observing)
    settings = server_settings(wanted.config.server, given)
    count = tables or wanted.config.tables

    def check(rows: "Iterable[EntrantRow]") -> "Listening":
        return listening_for(rows, settings, in_clear=in_clear)

    with refusing():
        if dry_run:
            from pitch_server.cli.preview import preview

            checked_listening(settings, in_clear=in_clear, missing=())
            found = None if fresh else wanted.find()
            preview(wanted.config, wanted.database, count, found)
            return 0
        return play_wanted(
            wanted, count, fresh=fresh, observing=observed, check=check, drain=settings.drain
        )
