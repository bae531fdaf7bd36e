"""`pitch token`: makes the token by which an entrant's bots are let in.

Here belongs who may have one and what its owner is told. Only its hash is kept, so it is shown
this once: alone on standard output, so that a script can hand it on.
"""

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pitch_server.cli.config_file import ConfigFile
from pitch_server.cli.database import refusing
from pitch_server.cli.group import BadInput
from pitch_server.cli.operating import tell
from pitch_server.cli.wanted import Wanted, read_wanted

if TYPE_CHECKING:
    from pitch_server.store.journal import Journal

__all__ = ["token"]

_EPILOG = """\b
Examples:
  pitch token public.toml ann
  pitch token public.toml ann > ann.token
"""


@click.command(epilog=_EPILOG)
@click.argument("config", type=ConfigFile())
@click.argument("name")
@click.option("--db", metavar="URL", help="Database: a path or a SQLAlchemy URL.")
@click.option("--fresh", is_flag=True, help="For a new tournament, beside what the database holds.")
def token(config: Path, name: str, db: str | None, fresh: bool) -> int:
    """Make the token of the entrant NAME, or another in its place, and show it once.

    The tournament that CONFIG describes is made in its database if it is not there yet. The
    entrant's author gives the token to the bot as PITCH_TOKEN. A server that runs takes it
    within seconds, and sends away who came by the one before.
    """
    wanted = read_wanted(config, db, use="serve")
    _check_name(wanted, name)
    with refusing(), _tournament(wanted, fresh=fresh) as journal:
        _check_that_it_is_needed(journal, name)
        return _make(journal, name)


def _check_name(wanted: Wanted, name: str) -> None:
    entrants = {entrant.name: entrant for entrant in wanted.config.settings.entrants}
    if name not in entrants:
        near = get_close_matches(name, entrants, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join([*entrants][:20])}"
        raise BadInput(f"{wanted.config.path}: no entrant is named {name!r}; {hint}")
    if entrants[name].command is not None:
        raise BadInput(
            f"{wanted.config.path}: {name!r} has a command: whoever starts it hands it a token of "
            "its own each time; only entrants without a command need one"
        )


def _tournament(wanted: Wanted, *, fresh: bool) -> "Journal":
    """The tournament that is asked for, made if it is not there."""
    from pitch_server.store.holding import hold_database

    found = wanted.find(fresh=fresh)
    if found is not None:
        return found
    with hold_database(wanted.database):  # else two of these commands could make two of them
        return wanted.find(fresh=fresh) or wanted.create()


def _check_that_it_is_needed(journal: "Journal", name: str) -> None:
    if (state := journal.state()) != "running":
        raise BadInput(
            f"{journal.place}: the tournament is {state}; with --fresh a new one begins beside it"
        )
    if any(row.withdrawn for row in journal.entrants() if row.name == name):
        raise BadInput(f"{journal.place}: {name!r} is withdrawn from the tournament")


def _make(journal: "Journal", name: str) -> int:
    from pitch_server.places import near
    from pitch_server.service.lobby import new_token, token_hash

    had = any(row.token_hash for row in journal.entrants() if row.name == name)
    made = new_token()
    journal.set_token_hash(name, token_hash(made).hex())
    click.echo(made)
    tell(f"the token of {name!r} in {near(journal.place)}; it is shown this once, keep it secret")
    tell("its bot takes it as PITCH_TOKEN")
    if had:
        tell("the token before it is not valid any more; a server that runs knows within seconds")
    return 0
