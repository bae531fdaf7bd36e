"""The argument DB: a tournament in a database, as commands are given it.

Here belong the argument, the option --tournament and what may be wrong with them. What is in a
database is for pitch_server.store.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pitch_server.cli.group import BadInput

if TYPE_CHECKING:
    from sqlalchemy import URL

    from pitch_server.store.journal import Journal

__all__ = [
    "database_argument",
    "near_by",
    "open_journal",
    "parse_place",
    "refusing",
    "tournament_option",
]

Decorated = Callable[..., Any]


def database_argument(function: Decorated) -> Decorated:
    """The argument DB."""
    return click.argument("database", metavar="DB")(function)


def tournament_option(function: Decorated) -> Decorated:
    """The option --tournament N."""
    return click.option(
        "--tournament",
        type=click.IntRange(min=1),
        metavar="N",
        help="Which one, if the database holds several; the latest by default.",
    )(function)


def parse_place(database: str) -> "URL":
    """The database that a path or a SQLAlchemy URL names; BadInput if none can be there."""
    from pitch_server.places import parse_database

    try:
        return parse_database(database, Path.cwd())
    except ValueError as error:
        raise BadInput(f"the database: {error}") from error


@contextmanager
def refusing() -> Iterator[None]:
    """Within it a database that can't be used is bad input."""
    from pitch_server.store.errors import JournalError

    try:
        yield
    except JournalError as error:
        raise BadInput(str(error)) from error


@contextmanager
def open_journal(database: str, tournament: int | None) -> Iterator["Journal"]:
    """The tournament, open; BadInput if it can't be read."""
    from pitch_server.store.errors import NoDatabase
    from pitch_server.store.journal import Journal

    place = parse_place(database)
    with refusing():
        try:
            journal = Journal.open(place, tournament)
        except NoDatabase as error:
            raise BadInput(f"{error}{near_by(Path(database))}") from error
        with journal:
            if tournament is None:
                _tell_of_another(place, journal)
            yield journal


def _tell_of_another(place: "URL", journal: "Journal") -> None:
    """The latest tournament is taken; it may not be the one that somebody thinks of."""
    from pitch_server.endpoint import read_endpoint
    from pitch_server.places import near

    endpoint = read_endpoint(place)
    if endpoint is not None and endpoint.tournament != journal.tournament:
        click.echo(
            f"{near(journal.place)}: this is tournament {journal.tournament}, the latest; the one "
            f"that is played now is named by --tournament {endpoint.tournament}",
            err=True,
        )


def near_by(path: Path) -> str:
    """What to add to a message: the file beside whose name is nearly the one that was typed."""
    try:
        names = [each.name for each in path.parent.iterdir() if each.is_file()]
    except OSError:
        return ""
    near = get_close_matches(path.name, names, 1)
    return f"; did you mean {path.with_name(near[0])}?" if near else ""
