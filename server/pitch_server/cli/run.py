"""`pitch run`: plays a tournament by a config file.

Here belong its options and the choice between a new tournament and one that is in the
database already. Playing is `pitch_server.play`'s.
"""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pitch_server.cli.group import BadInput

if TYPE_CHECKING:
    from sqlalchemy import URL

    from pitch_server.config import Config
    from pitch_server.store.journal import Journal

__all__ = ["run"]


@click.command(epilog="\b\nExample:\n  pitch run sample_bots/demo.toml --tables 16")
@click.argument("config", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tables", type=click.IntRange(1, 4096), help="Games at once.")
@click.option("--db", metavar="URL", help="Database: a path or a SQLAlchemy URL.")
@click.option("--fresh", is_flag=True, help="Play it anew, beside what the database holds.")
@click.option("--dry-run", is_flag=True, help="Check all, show the plan and start nothing.")
def run(config: Path, tables: int | None, db: str | None, fresh: bool, dry_run: bool) -> int:
    """Play the tournament that CONFIG describes: referee, bots, journal, final table.

    On a database that holds the same tournament it goes on where that stopped; a finished
    one prints its table.
    """
    from pitch_server.config import ConfigError, parse_database, read_config
    from pitch_server.config import log_directory as logs_beside
    from pitch_server.play import Play
    from pitch_server.store.errors import JournalError
    from pitch_server.store.holding import hold_database

    try:
        settings = read_config(config)
        database = parse_database(db, Path.cwd()) if db else settings.database
    except (ConfigError, ValueError) as error:
        raise BadInput(str(error)) from error
    if dry_run:
        from pitch_server.cli.preview import preview

        preview(settings, database)
        return 0
    try:
        with hold_database(database), _journal(settings, database, fresh) as journal:
            play = Play(
                journal,
                tables=tables or settings.tables,
                directory=settings.directory,
                log_directory=logs_beside(database, settings.directory),
            )
            return play.play()
    except JournalError as error:
        raise BadInput(str(error)) from error


def _journal(config: "Config", database: "URL", fresh: bool) -> "Journal":
    """The tournament of the database if it is the same one; else a new one."""
    from pitch_server.plan.decks import commitment
    from pitch_server.plan.settings import differing_keys
    from pitch_server.store.errors import NoDatabase
    from pitch_server.store.journal import Journal

    seed = config.seed or secrets.token_urlsafe(32)
    if fresh:
        return Journal.create(database, config.settings, seed)
    try:
        journal = Journal.open(database)
    except NoDatabase:
        return Journal.create(database, config.settings, seed)
    differing = differing_keys(journal.settings, config.settings)
    if config.seed is not None and commitment(config.seed) != journal.commitment:
        differing = (*differing, "seed")
    if differing:
        place = journal.place
        journal.close()
        raise BadInput(
            f"{place} holds another tournament; it differs in: {', '.join(differing)}. "
            "Use --fresh to play this one anew beside it, or --db for another database"
        )
    return journal
