"""The tournament that a configuration asks for, in the database that is to hold it.

Here belongs what the commands share that are given a CONFIG.toml: whether it is there already,
making it, and keeping its bots' commands as they are now.
"""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pitch_server.cli.group import BadInput

if TYPE_CHECKING:
    from sqlalchemy import URL

    from pitch_server.config import Config
    from pitch_server.entrant_tables import Use
    from pitch_server.store.journal import Journal
    from pitch_server.store.rows import EntrantRow

__all__ = ["Wanted", "read_wanted"]


def read_wanted(config: Path, db: str | None, *, use: "Use") -> "Wanted":
    """What CONFIG asks for, in the database `db` if one is given; BadInput if it can't be."""
    from pitch_server.config import ConfigError, read_config
    from pitch_server.places import parse_database

    try:
        settings = read_config(config, use=use)
        database = settings.database if db is None else parse_database(db, Path.cwd())
    except ConfigError as error:
        raise BadInput(str(error)) from error
    except ValueError as error:
        raise BadInput(f"--db: {error}") from error
    return Wanted(settings, database)


class Wanted:
    """A tournament that may be in its database already; `is_latest` once it was found there."""

    def __init__(self, config: "Config", database: "URL") -> None:
        self.config = config
        self.database = database
        self.is_latest = True

    def find(self, *, fresh: bool = False) -> "Journal | None":
        """The latest tournament of the database that is this one; None if it holds none at all.

        BadInput if all that it holds are others, naming in what the latest differs. `fresh`: only
        one that has not begun yet, whatever else there is.
        """
        from pitch_server.places import near
        from pitch_server.store.errors import NoDatabase, NoTournament
        from pitch_server.store.journal import Journal, list_tournaments

        try:
            rows = list_tournaments(self.database)
        except (NoDatabase, NoTournament):
            return None
        differences = []
        for row in reversed(rows):
            journal = Journal.open(self.database, row.id)
            if not (differing := self._differing(journal)) and (not fresh or _is_new(journal)):
                self.is_latest = row is rows[-1]
                return journal
            differences.append(f"{near(journal.place)} {_holds(differing)}")
            journal.close()
        if differences and not fresh:
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

    def create(self) -> "Journal":
        """A new tournament, beside whatever the database holds."""
        from pitch_server.store.journal import Journal

        seed = self.config.seed or secrets.token_urlsafe(32)  # 256 bits (docs/deals.md)
        return Journal.create(
            self.database, self.config.settings, seed, directory=self.config.directory
        )

    def new_rows(self) -> "tuple[EntrantRow, ...]":
        """The entrants as a new tournament would have them."""
        from pitch_server.store.rows import EntrantRow

        return tuple(
            EntrantRow(
                name=each.name,
                command=each.command,
                fingerprint=None,
                token_hash=None,
                withdrawn=False,
            )
            for each in self.config.settings.entrants
        )

    def tell_that_it_is_over(self, journal: "Journal") -> str:
        """Else the table could be taken for that of bots that changed since.

        Gives what is to be said below the table, too, where they have.
        """
        from pitch_server.places import near
        from pitch_server.resuming import changed_bots

        warnings = list(changed_bots(journal, self.config.directory, self._commands()))
        for warning in warnings:
            click.echo(warning, err=True)
        click.echo(
            f"{near(journal.place)} holds this tournament, which is over; --fresh plays it anew",
            err=True,
        )
        return "warning: this is of bots that changed since; --fresh plays anew" if warnings else ""

    def renew_bots(self, journal: "Journal") -> None:
        """The commands are those of the configuration, whatever the database has."""
        from pitch_server.resuming import renew_bots

        for warning in renew_bots(journal, self.config.directory, self._commands()):
            click.echo(warning, err=True)

    def _commands(self) -> dict[str, tuple[str, ...]]:
        entrants = self.config.settings.entrants
        return {each.name: each.command for each in entrants if each.command is not None}


def _is_new(journal: "Journal") -> bool:
    return journal.state() == "running" and not len(journal.played())


def _holds(differing: Sequence[str]) -> str:
    return (
        f"holds another tournament; it differs in: {', '.join(differing)}. "
        "Use --fresh to play this one anew beside it, or --db for another database"
    )
