"""`pitch run`: plays a tournament by a config file.

Here belong its options. Finding or making the tournament is `wanted`'s, playing
`pitch_server.play`'s.
"""

from pathlib import Path
from typing import Any

import click

from pitch_server.cli.config_file import ConfigFile
from pitch_server.cli.database import refusing
from pitch_server.cli.observing import observing, observing_options
from pitch_server.cli.playing import play_wanted
from pitch_server.cli.wanted import read_wanted

__all__ = ["run"]

_EPILOG = """\b
Examples:
  pitch run sample_bots/demo.toml
  pitch run sample_bots/demo.toml --fresh --tables 16
"""


@click.command(epilog=_EPILOG)
@click.argument("config", type=ConfigFile())
@click.option("--tables", type=click.IntRange(1, 4096), help="Games at once.")
@click.option("--db", metavar="URL", help="Database: a path or a SQLAlchemy URL.")
@click.option("--fresh", is_flag=True, help="Play it anew; what the database holds stays there.")
@click.option("--dry-run", is_flag=True, help="Check all, show the plan and start nothing.")
@observing_options
def run(
    config: Path, tables: int | None, db: str | None, fresh: bool, dry_run: bool, **given: Any
) -> int:
    """Play the tournament that CONFIG describes: referee, bots, journal, final table.

    On a database that holds the same tournament it goes on where that stopped; a finished
    one prints its table, until --fresh is given.
    """
    wanted = read_wanted(config, db, use="run")
    observed = observing(given, wanted.config.server.observing)
    count = tables or wanted.config.tables
    with refusing():
        if dry_run:
            from pitch_server.cli.preview import preview

            found = None if fresh else wanted.find()
            preview(wanted.config, wanted.database, count, found)
            return 0
        return play_wanted(wanted, count, fresh=fresh, observing=observed)
