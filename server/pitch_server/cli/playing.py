"""Playing what a configuration or a database asks for, as `run`, `serve` and `resume` do.

Here belong the options of a server and the hold on the database while it is played in.
"""

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pitch_server.cli.group import BadInput
from pitch_server.cli.numbers import FiniteFloat
from pitch_server.cli.wanted import Wanted

if TYPE_CHECKING:
    from pitch_server.observing import Observing
    from pitch_server.play import Play
    from pitch_server.server_table import ServerSettings
    from pitch_server.service.listening import Listening
    from pitch_server.store.journal import Journal
    from pitch_server.store.rows import EntrantRow

__all__ = [
    "checked_listening",
    "connects_by_itself",
    "listening_for",
    "play_wanted",
    "player_of",
    "server_options",
    "server_settings",
]

Decorated = Callable[..., Any]

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_OPTIONS = (
    click.option("--listen", metavar="HOST:PORT", help="Where bots connect; port 0 takes any."),
    click.option("--certificate", type=_FILE, help="The server's certificate chain, PEM: TLS."),
    click.option("--key", type=_FILE, help="The certificate's private key, PEM."),
    click.option("--client-ca", type=_FILE, help="Bots must show a certificate of this authority."),
    click.option(
        "--in-clear",
        is_flag=True,
        help="Listen beyond this machine without TLS: tokens and games can be read on their way.",
    ),
    click.option(
        "--drain",
        type=FiniteFloat(min=0),
        metavar="SECONDS",
        help="After SIGTERM games that go on have so long to end; 30 by default.",
    ),
)


def server_options(function: Decorated) -> Decorated:
    """The options of a server, as keyword arguments for `server_settings`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def server_settings(configured: "ServerSettings", given: dict[str, Any]) -> "ServerSettings":
    """The configured settings with what was given on the command line in their place."""
    known = {key: value for key, value in given.items() if key != "in_clear" and value is not None}
    return replace(configured, **known)


def connects_by_itself(row: "EntrantRow") -> bool:
    """Whether an entrant is not launched here."""
    return row.command is None and not row.withdrawn


def listening_for(
    rows: Iterable["EntrantRow"], settings: "ServerSettings", *, in_clear: bool
) -> "Listening":
    """Where to listen for a tournament's entrants; BadInput if it must not be so.

    Says which of them anybody on this machine could play as.
    """
    missing = [row.name for row in rows if connects_by_itself(row) and row.token_hash is None]
    listening = checked_listening(settings, in_clear=in_clear, missing=missing)
    for name in missing:
        click.echo(
            f"{name}: has no token, so anybody on this machine may play as it; "
            f"one is made by: pitch token CONFIG {shlex.quote(name)}",
            err=True,
        )
    return listening


def checked_listening(
    settings: "ServerSettings", *, in_clear: bool, missing: Sequence[str]
) -> "Listening":
    """Where to listen; BadInput if it must not be so. `missing`: entrants without a token."""
    from pitch_server.service.listening import Listening

    listening = Listening(
        address=settings.listen,
        certificate=settings.certificate,
        key=settings.key,
        client_ca=settings.client_ca,
        in_clear=in_clear,
        connections=settings.connections,
    )
    if problem := listening.problem(not missing):
        # beside a tournament that is over, or that goes on, its tokens are those of another one
        made = "pitch token CONFIG NAME makes one, with --fresh for a fresh tournament"
        made = f"; {', '.join(missing)}: {made}" if missing else ""
        raise BadInput(f"{problem}{made}")
    for warning in listening.warnings():
        click.echo(f"warning: {warning}", err=True)
    return listening


def player_of(journal: "Journal") -> "type[Play]":
    """What plays a tournament: a question has a display and a verdict of its own."""
    from pitch_server.play import Play

    if journal.settings.format.question is None:
        return Play
    from pitch_server.comparison import ComparePlay

    return ComparePlay


def play_wanted(
    wanted: Wanted,
    tables: int,
    *,
    fresh: bool,
    observing: "Observing",
    check: "Callable[[Iterable[EntrantRow]], Listening] | None" = None,
    drain: float = 0.0,
    player: "type[Play] | None" = None,
) -> int:
    """Plays it, or what it lacks; a finished one prints its table, which needs no lock.

    `check` makes it a server: given the entrants, it says where to listen. `player` shows it in
    another way.
    """
    from pitch_server.store.holding import hold_database
    from pitch_server.store.rows import State

    found = wanted.find(fresh=fresh)
    if found is not None:
        with found:
            if found.state() is not State.RUNNING:
                below = wanted.tell_that_it_is_over(found)
                status = _play(wanted, found, tables, observing, player=player)
                if below:
                    click.echo(below, err=True)
                return status
    with hold_database(wanted.database) as hold:
        found = wanted.find(fresh=fresh)
        rows = wanted.new_rows() if found is None else found.entrants()
        listening = None if check is None else check(rows)  # before anything is made
        with found or wanted.create() as journal:
            journal.hold = hold
            wanted.renew_bots(journal)
            return _play(wanted, journal, tables, observing, listening, drain, player)


def _play(
    wanted: Wanted,
    journal: "Journal",
    tables: int,
    observing: "Observing",
    listening: "Listening | None" = None,
    drain: float = 0.0,
    player: "type[Play] | None" = None,
) -> int:
    from pitch_server.places import log_directory
    from pitch_server.service.listening import Listening
    from pitch_server.tournament import Hosting

    hosting = Hosting(
        tables=tables,
        directory=wanted.config.directory,
        log_directory=log_directory(wanted.database, wanted.config.directory),
        listening=listening or Listening(),
        observing=observing,
    )
    return (player or player_of(journal))(
        journal,
        wanted.database,
        hosting,
        serving=listening is not None,
        drain=drain,
        numbered=not wanted.is_latest,
    ).play()
