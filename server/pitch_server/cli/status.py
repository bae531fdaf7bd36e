"""`pitch status`: how a tournament stands now, from the server that plays it.

Here belongs the choice between a running server and the journal alone, and following one. How it
looks is `pitch_server.live_view`'s.
"""

import asyncio
import json
import shlex
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pitch_server.cli.database import open_journal, parse_place, tournament_option
from pitch_server.cli.group import DONE, LOOK_AT_IT, BadInput
from pitch_server.cli.operating import Reach, ask, found_server, reach_options, tell
from pitch_server.cli.playing import connects_by_itself

if TYPE_CHECKING:
    from rich.console import Console

    from pitch_server.live import Status
    from pitch_server.service.operator_client import OperatorClient, OperatorError, Server
    from pitch_server.store.journal import Journal

__all__ = ["status"]

_EPILOG = """\b
Examples:
  pitch status event.db
  pitch status event.db --watch
  PITCH_ADMIN_TOKEN=... pitch status --server arena.example.org:7777
"""
_REDRAW = 1.0  # seconds between two looks at the server


class _Kept(NamedTuple):
    """What the journal knows of a tournament."""

    place: str
    embedded: bool
    number: int
    name: str
    state: str
    planned: int
    played: int
    served: bool

    def how(self, place: str) -> str:
        """The command that goes on."""
        return "pitch serve CONFIG.toml" if self.served else f"pitch resume {place}"


@click.command(epilog=_EPILOG)
@click.argument("database", metavar="DB", required=False)
@tournament_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--watch", is_flag=True, help="Go on showing it until the tournament ends.")
@reach_options
def status(
    database: str | None, tournament: int | None, as_json: bool, watch: bool, **given: Any
) -> int:
    """Show how the tournament in DB stands: progress, who is missing, tables, lag, faults.

    It asks the server that runs in DB; where none does, it tells what the journal has and how to
    go on. With --watch results and faults are told as they come.
    """
    if as_json and watch:
        raise BadInput("--json prints one document, and --watch has no end: give one of them")
    reach = Reach(**given)
    kept, server = _look(database, tournament, reach)
    now, exit_status = _asked(server, reach)
    if watch and server is not None and now is not None:
        return _watched(server)
    if as_json:
        click.echo(json.dumps(_document(kept, now), indent=2, allow_nan=False))
    elif now is not None:
        _write(now)
    elif kept is not None:
        numbered = f" --tournament {tournament}" if tournament else ""
        _write_kept(kept, shlex.quote(kept.place) + numbered, silent=exit_status != 0)
    return exit_status


def _look(
    database: str | None, tournament: int | None, reach: Reach
) -> "tuple[_Kept | None, Server | None]":
    """What the journal has, and the server that plays it; either may be missing."""
    if database is None:
        return None, found_server(reach, None)
    from pitch_server.endpoint import endpoint_path, read_endpoint

    place = parse_place(database)
    with open_journal(database, tournament) as journal:
        kept = _kept(journal, embedded=endpoint_path(place) is not None)
    if reach.server is None:
        endpoint = read_endpoint(place)
        if kept.state != "running" or endpoint is None or endpoint.tournament != kept.number:
            return kept, None
    return kept, found_server(reach, place)


def _kept(journal: "Journal", *, embedded: bool) -> _Kept:
    from pitch_server.places import near
    from pitch_server.planned import known_plan

    settings = journal.settings
    return _Kept(
        place=near(journal.place),
        embedded=embedded,
        number=journal.tournament,
        name=settings.name,
        state=str(journal.state()),
        planned=known_plan(journal).total,
        played=len(journal.played()),
        served=any(map(connects_by_itself, journal.entrants())),
    )


def _asked(server: "Server | None", reach: Reach) -> "tuple[Status | None, int]":
    """How a server stands, if it tells, and the exit status.

    One that was found by its file may be gone since, or be there and not answer; that is told.
    """
    from pitch_server.service.operator_client import OperatorError, ServerGone, ServerSilent

    if server is None:
        return None, DONE
    try:
        return ask(server, lambda client: client.status()), DONE
    except ServerGone as gone:
        if reach.server is not None:
            raise BadInput(str(gone)) from gone
        tell(str(gone))
        return None, LOOK_AT_IT if isinstance(gone, ServerSilent) else DONE
    except OperatorError as error:
        raise BadInput(str(error)) from error


def _document(kept: _Kept | None, now: "Status | None") -> dict[str, Any]:
    from pitch_server.live_view import status_json

    known: dict[str, Any] = {"number": None, "state": "running"}
    if kept is not None:
        known = kept._asdict()
    if now is not None:  # it knows better
        known |= {"name": now.tournament, "planned": now.planned, "played": now.played}
    return {
        "tournament": known["name"],
        "number": known["number"],
        "state": known["state"],
        "games": {"planned": known["planned"], "played": known["played"]},
        "server": None if now is None else status_json(now),
    }


def _write(now: "Status") -> None:
    from pitch_server.live_view import write_status
    from pitch_server.result_console import ResultConsole

    write_status(now, ResultConsole())


def _write_kept(kept: _Kept, place: str, *, silent: bool) -> None:
    """What the journal has; `silent`: a server is there and does not answer."""
    click.echo(f"{kept.name}: {kept.played:,} of {kept.planned:,} games played; {kept.state}")
    if kept.state != "running":
        click.echo(f"its table is shown by: pitch standings {place}")
    elif silent:
        click.echo(f"once its server is ended, go on with: {kept.how(place)}")
    else:
        elsewhere = "" if kept.embedded else " (one elsewhere is asked with --server HOST:PORT)"
        click.echo(f"no server is known to play it{elsewhere}; go on with: {kept.how(place)}")


# --- watching ---------------------------------------------------------------------------------


def _watched(server: "Server") -> int:
    """Shows it until the tournament ends."""
    from pitch_server.result_console import ResultConsole
    from pitch_server.service.operator_client import OperatorError

    console = ResultConsole()
    try:
        lost = ask(server, lambda client: _watch(client, console))
    except OperatorError as error:
        raise BadInput(str(error)) from error
    if lost is None:
        return DONE
    tell(str(lost))
    return LOOK_AT_IT


async def _watch(client: "OperatorClient", console: "Console") -> "OperatorError | None":
    """Shows what happens; None at the end of the tournament, else why it could not go on."""
    from rich.live import Live

    from pitch_server.live_view import LiveView, event_line, write_status
    from pitch_server.service.operator_client import OperatorError

    drawn = console.is_terminal and not console.is_dumb_terminal
    events = await client.watch()
    now = await client.status()
    view = LiveView()
    view.update(now)
    display: AbstractContextManager[Any] = nullcontext()
    if drawn:
        display = Live(view, console=console, refresh_per_second=4)
    else:
        write_status(now, console)
    with display:
        looking = asyncio.create_task(_keep_looking(client, view))
        try:
            async for event in events:
                view.add(event)
                if not drawn:
                    click.echo(event_line(event))
        except OperatorError as error:
            return error
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking
    return None


async def _keep_looking(client: "OperatorClient", view: Any) -> None:
    from pitch_server.service.operator_client import OperatorError

    with suppress(OperatorError):  # who reads the events finds out as well
        while True:
            view.update(await client.status())
            await asyncio.sleep(_REDRAW)
