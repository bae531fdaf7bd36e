"""`pitch resume`: plays what the journal of a tournament still lacks.

Here belongs what may be given anew. Playing is `pitch_server.play`'s.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pitch_server.cli.database import (
    database_argument,
    open_journal,
    parse_place,
    tournament_option,
)
from pitch_server.cli.group import BadInput
from pitch_server.cli.observing import observing, observing_options
from pitch_server.cli.playing import (
    connects_by_itself,
    listening_for,
    player_of,
    server_options,
    server_settings,
)

if TYPE_CHECKING:
    from pitch_server.store.journal import Journal
    from pitch_server.store.rows import EntrantRow

__all__ = ["parse_commands", "resume"]

_EPILOG = """\b
Examples:
  pitch resume demo.db
  pitch resume demo.db --tables 16 --command "rule={python} rule_bot.py --caution 1"
  pitch resume public.db --listen 0.0.0.0:7777 --certificate server.pem --key server.key
"""


@click.command(epilog=_EPILOG)
@database_argument
@tournament_option
@click.option("--tables", type=click.IntRange(1, 4096), help="Games at once; 8 by default.")
@click.option(
    "--command", "commands", multiple=True, metavar="NAME=...", help="A bot's command anew."
)
@server_options
@observing_options
def resume(
    database: str,
    tournament: int | None,
    tables: int | None,
    commands: tuple[str, ...],
    in_clear: bool,
    **given: Any,
) -> int:
    """Play what the journal of the tournament in DB lacks, then print the final table.

    The settings are those in the database. A command runs where the configuration was, and
    {python} in it is the Python of this command. A bot's file that changed since is named in
    a warning. Entrants without a command connect by themselves, as with pitch serve. A finished
    tournament prints its table.
    """
    from pitch_server.config import DEFAULT_TABLES
    from pitch_server.places import log_directory
    from pitch_server.server_table import ServerSettings
    from pitch_server.service.listening import Listening
    from pitch_server.store.holding import hold_database
    from pitch_server.store.rows import State
    from pitch_server.tournament import Hosting

    place = parse_place(database)
    observed = observing(given)
    settings = server_settings(ServerSettings(), given)
    with open_journal(database, tournament) as journal:
        anew = parse_commands(commands, journal.settings.names, "--command")
        directory = journal.directory or Path.cwd()
        rows = [_anew(row, anew) for row in journal.entrants()]
        serving = any(map(connects_by_itself, rows))
        hosting = Hosting(
            tables=tables or DEFAULT_TABLES,
            directory=directory,
            log_directory=log_directory(place, directory),
            listening=Listening(),
            observing=observed,
        )
        numbered = tournament is not None
        if journal.state() is not State.RUNNING:
            return player_of(journal)(journal, place, hosting, numbered=numbered).play()
        if serving and not given.get("listen"):
            raise BadInput(_where_to_listen(rows, directory))
        with hold_database(place) as hold:
            journal.hold = hold
            if serving:
                listening = listening_for(rows, settings, in_clear=in_clear)
                hosting = replace(hosting, listening=listening)
            _renew(journal, directory, anew)
            return player_of(journal)(
                journal,
                place,
                hosting,
                serving=serving,
                drain=settings.drain if serving else 0.0,
                numbered=numbered,
            ).play()


def _where_to_listen(rows: Sequence["EntrantRow"], directory: Path) -> str:
    names = ", ".join(row.name for row in rows if connects_by_itself(row))
    return (
        f"{names}: connects without a command, and where to listen is not known here; go on with "
        f"pitch serve CONFIG.toml (it was in {directory}), or give --listen HOST:PORT, with "
        "--certificate and --key if it had them"
    )


def _anew(row: "EntrantRow", commands: Mapping[str, Sequence[str]]) -> "EntrantRow":
    command = commands.get(row.name, row.command)
    return row._replace(command=None if command is None else tuple(command))


def _renew(journal: "Journal", directory: Path, given: Mapping[str, Sequence[str]]) -> None:
    """Keeps what is given anew, and warns of what changed; BadInput if a bot can't be started."""
    from pitch_server.resuming import command_problems, renew_bots

    if not directory.is_dir():
        raise BadInput(
            f"the bots run in {directory}, which is no directory any more; if the configuration "
            "has moved, pitch run CONFIG.toml goes on from its new place"
        )
    if problems := command_problems(journal, directory, given):
        raise BadInput("\n".join(problems))
    for warning in renew_bots(journal, directory, given):
        click.echo(warning, err=True)


def parse_commands(given: Sequence[str], names: Sequence[str], option: str) -> dict[str, list[str]]:
    """Commands by name, given as NAME=COMMAND; BadInput where one is not. A name may have a =."""
    commands: dict[str, list[str]] = {}
    for text in given:
        known = [name for name in names if text.startswith(f"{name}=") or text == name]
        name = max(known, key=len, default=text.partition("=")[0])
        command = text[len(name) + 1 :]
        if name not in names:
            near = get_close_matches(name, names, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names[:20])}"
            raise BadInput(f"{option}: no entrant is named {name!r}; {hint}")
        try:
            commands[name] = shlex.split(command)
        except ValueError as error:
            raise BadInput(f"{option}: {command!r} is no command: {error}") from error
        if not commands[name]:
            raise BadInput(f'{option}: expected "{name}=PROGRAM ARGUMENT...", got {text!r}')
    return commands
