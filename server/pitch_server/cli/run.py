"""`pitch run`: plays a tournament by a config file.

Here belong its options and the choice between a new tournament and one that is in the
database already. Playing is `pitch_server.play`'s.
"""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pitch_server.cli.database import refusing
from pitch_server.cli.group import BadInput

if TYPE_CHECKING:
    from sqlalchemy import URL

    from pitch_server.config import Config
    from pitch_server.store.journal import Journal

__all__ = ["run"]

_EPILOG = """\b
Examples:
  pitch run sample_bots/demo.toml
  pitch run sample_bots/demo.toml --fresh --tables 16
"""


@click.command(epilog=_EPILOG)
@click.argument("config", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tables", type=click.IntRange(1, 4096), help="Games at once.")
@click.option("--db", metavar="URL", help="Database: a path or a SQLAlchemy URL.")
@click.option("--fresh", is_flag=True, help="Play it anew, beside what the database holds.")
@click.option("--dry-run", is_flag=True, help="Check all, show the plan and start nothing.")
def run(config: Path, tables: int | None, db: str | None, fresh: bool, dry_run: bool) -> int:
    """Play the tournament that CONFIG describes: referee, bots, journal, final table.

    On a database that holds the same tournament it goes on where that stopped; a finished
    one prints its table, until --fresh is given.
    """
    from pitch_server.config import ConfigError, parse_database, read_config

    try:
        settings = read_config(config)
        database = settings.database if db is None else parse_database(db, Path.cwd())
    except ConfigError as error:
        raise BadInput(str(error)) from error
    except ValueError as error:
        raise BadInput(f"--db: {error}") from error
    wanted = _Wanted(settings, database, tables or settings.tables)
    with refusing():
        if dry_run:
            from pitch_server.cli.preview import preview

            preview(settings, database, wanted.tables, None if fresh else wanted.find())
            return 0
        return wanted.play(fresh=fresh)


class _Wanted:
    """The tournament that is asked for, in the database that is to hold it."""

    def __init__(self, config: "Config", database: "URL", tables: int) -> None:
        self.config = config
        self.database = database
        self.tables = tables
        self._is_latest = True

    def play(self, *, fresh: bool) -> int:
        """Plays it, or what it lacks; a finished one prints its table, which needs no lock."""
        from pitch_server.store.holding import hold_database
        from pitch_server.store.rows import State

        found = None if fresh else self.find()
        if found is not None:
            with found:
                if found.state() is not State.RUNNING:
                    self._tell_that_it_is_over(found)
                    return self._play(found)
        with hold_database(self.database):
            found = None if fresh else self.find()
            with found or self._create() as journal:
                self._renew_bots(journal)
                return self._play(journal)

    def find(self) -> "Journal | None":
        """The latest tournament of the database that is this one; None if it holds none at all.

        BadInput if all that it holds are others, naming in what the latest differs.
        """
        from pitch_server.config import near
        from pitch_server.store.errors import NoDatabase, NoTournament
        from pitch_server.store.journal import Journal, list_tournaments

        try:
            rows = list_tournaments(self.database)
        except (NoDatabase, NoTournament):
            return None
        differences = []
        for row in reversed(rows):
            journal = Journal.open(self.database, row.id)
            if not (differing := self._differing(journal)):
                self._is_latest = row is rows[-1]
                return journal
            differences.append(f"{near(journal.place)} {_holds(differing)}")
            journal.close()
        if differences:
            raise BadInput(differences[0])
        return None

    def _differing(self, journal: "Journal") -> tuple[str, ...]:
        """The keys in which a tournament is not this one; a seed that is not given is any."""
        from pitch_server.plan.decks import commitment
        from pitch_server.plan.settings import differing_keys

        differing = differing_keys(journal.settings, self.config.settings)
        seed = self.config.seed
        if seed is not None and commitment(seed) != journal.commitment:
            return (*differing, "seed")
        return differing

    def _create(self) -> "Journal":
        from pitch_server.store.journal import Journal

        seed = self.config.seed or secrets.token_urlsafe(32)  # 256 bits (docs/deals.md)
        return Journal.create(
            self.database, self.config.settings, seed, directory=self.config.directory
        )

    def _tell_that_it_is_over(self, journal: "Journal") -> None:
        """Else the table could be taken for that of bots that changed since."""
        from pitch_server.config import near
        from pitch_server.resuming import changed_bots

        for warning in changed_bots(journal, self.config.directory, self._commands()):
            click.echo(warning, err=True)
        click.echo(
            f"{near(journal.place)} holds this tournament, which is over; --fresh plays it anew",
            err=True,
        )

    def _renew_bots(self, journal: "Journal") -> None:
        """The commands are those of the configuration, whatever the database has."""
        from pitch_server.resuming import renew_bots

        for warning in renew_bots(journal, self.config.directory, self._commands()):
            click.echo(warning, err=True)

    def _commands(self) -> dict[str, tuple[str, ...]]:
        entrants = self.config.settings.entrants
        return {each.name: each.command for each in entrants if each.command is not None}

    def _play(self, journal: "Journal") -> int:
        from pitch_server.config import log_directory
        from pitch_server.play import Play

        return Play(
            journal,
            tables=self.tables,
            directory=self.config.directory,
            log_directory=log_directory(self.database, self.config.directory),
            numbered=not self._is_latest,
        ).play()


def _holds(differing: Sequence[str]) -> str:
    return (
        f"holds another tournament; it differs in: {', '.join(differing)}. "
        "Use --fresh to play this one anew beside it, or --db for another database"
    )
