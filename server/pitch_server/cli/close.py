"""`pitch close` and `pitch withdraw`: a tournament ends early, an entrant is taken out.

Both go through the server that runs in the database if there is one; else they hold the database
themselves, so that nobody plays in it meanwhile.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from pitch_server.cli.database import open_journal, parse_place, tournament_option
from pitch_server.cli.group import BadInput
from pitch_server.cli.operating import Reach, ask, found_server, known_entrant, reach_options, tell

if TYPE_CHECKING:
    from sqlalchemy import URL

    from pitch_server.service.operator_client import Server
    from pitch_server.store.journal import Journal

__all__ = ["close", "withdraw"]

_CLOSE_EPILOG = """\b
Examples:
  pitch close event.db
  PITCH_ADMIN_TOKEN=... pitch close --server arena.example.org:7777
"""
_WITHDRAW_EPILOG = """\b
Examples:
  pitch withdraw event.db ann
  PITCH_ADMIN_TOKEN=... pitch withdraw ann --server arena.example.org:7777
"""


@click.command(epilog=_CLOSE_EPILOG)
@click.argument("database", metavar="DB", required=False)
@tournament_option
@reach_options
def close(database: str | None, tournament: int | None, **given: Any) -> int:
    """End the tournament in DB early, reveal its seed and print its final table.

    What is played counts; what is not will never be. A server that runs in DB is told, and
    stops. Nothing is asked: it is done at once. Done again it prints the table.
    """
    reach = Reach(**given)
    if database is None:
        return _show(_close_elsewhere(reach))
    with open_journal(database, tournament) as journal:
        return _show(_close(journal, parse_place(database), reach))


@click.command(epilog=_WITHDRAW_EPILOG)
@click.argument("words", nargs=-1, required=True, metavar="[DB] NAME")
@tournament_option
@reach_options
def withdraw(words: tuple[str, ...], tournament: int | None, **given: Any) -> int:
    """Take the entrant NAME out of the tournament in DB: it plays no more.

    The games that it has begun or not played yet are forfeited. There is no way back. Of a server
    elsewhere, which --server names, the database is not needed.
    """
    reach = Reach(**given)
    if len(words) > 2:
        raise BadInput(f"got {len(words)} words; expected a database and an entrant's name")
    if len(words) == 1:
        _withdraw_elsewhere(words[0], reach)
        return 0
    database, name = words
    with open_journal(database, tournament) as journal:
        known_entrant(name, journal)
        if (state := journal.state()) != "running":
            raise BadInput(f"{journal.place}: the tournament is {state}; nobody can be taken out")
        if any(row.withdrawn for row in journal.entrants() if row.name == name):
            tell(f"{name} is withdrawn already")
            return 0
        _withdraw(journal, name, parse_place(database), reach)
    return 0


# --- closing ----------------------------------------------------------------------------------


def _close_elsewhere(reach: Reach) -> Mapping[str, Any]:
    from pitch_server.service.operator_client import ServerGone

    server = found_server(reach, None)
    assert server is not None  # noqa: S101 - it was named, or found_server has raised
    try:
        with _clear_errors():
            return ask(server, lambda client: client.close())
    except ServerGone as gone:
        raise BadInput(str(gone)) from gone


def _close(journal: "Journal", place: "URL", reach: Reach) -> Mapping[str, Any]:
    """The final table, of a tournament that is closed by now."""
    from pitch_server.published import shown_standings
    from pitch_server.service.operator_client import ServerGone

    if (state := journal.state()) != "running":
        tell(f"{journal.place}: the tournament is {state} already")
        return shown_standings(journal)
    server = _its_server(journal, place, reach)
    if server is not None:
        try:
            with _clear_errors():
                ask(server, lambda client: client.close())
            return shown_standings(journal)
        except ServerGone as gone:
            if journal.state() != "running":  # it went when it had done so
                return shown_standings(journal)
            _need_nobody(reach, gone)
    with _nobody_playing(journal, place):
        if journal.state() != "running":  # another of these commands was quicker
            return shown_standings(journal)
        return _end(journal)


def _end(journal: "Journal") -> Mapping[str, Any]:
    from pitch_server.analysis.document import standings_part
    from pitch_server.published import shown_standings
    from pitch_server.store.rows import State

    final = shown_standings(journal, revealed=True)
    journal.end(State.CLOSED, standings_part(final))
    return final


def _show(table: Mapping[str, Any]) -> int:
    from pitch_server.published import exit_status
    from pitch_server.report import write_report
    from pitch_server.result_console import ResultConsole

    write_report(table, ResultConsole())
    return exit_status(table)


# --- withdrawing ------------------------------------------------------------------------------


def _withdraw_elsewhere(name: str, reach: Reach) -> None:
    from pitch_server.service.operator_client import ServerGone

    if reach.server is None:
        raise BadInput(f"got {name!r} alone; expected DB NAME, or NAME --server HOST:PORT")
    server = found_server(reach, None)
    assert server is not None  # noqa: S101 - it was named, or found_server has raised
    try:
        with _clear_errors():
            ask(server, lambda client: client.withdraw(name))
    except ServerGone as gone:
        raise BadInput(str(gone)) from gone
    tell(f"{name} is withdrawn; its games are forfeited")


def _withdraw(journal: "Journal", name: str, place: "URL", reach: Reach) -> None:
    from pitch_server.service.operator_client import ServerGone

    server = _its_server(journal, place, reach)
    if server is not None:
        try:
            with _clear_errors():
                ask(server, lambda client: client.withdraw(name))
        except ServerGone as gone:
            _need_nobody(reach, gone)
        else:
            tell(f"{name} is withdrawn; its games are forfeited")
            return
    with _nobody_playing(journal, place):
        journal.withdraw(name)
    tell(f"{name} is withdrawn; its games are forfeited when the tournament goes on")


# --- who plays --------------------------------------------------------------------------------


def _its_server(journal: "Journal", place: "URL", reach: Reach) -> "Server | None":
    """The server that plays this tournament; None where none is known."""
    from pitch_server.endpoint import read_endpoint

    if reach.server is None:
        endpoint = read_endpoint(place)
        if endpoint is None or endpoint.tournament != journal.tournament:
            return None
    return found_server(reach, place)


def _need_nobody(reach: Reach, gone: Exception) -> None:
    """One that was named must answer; of one that left its file behind, nothing is expected."""
    if reach.server is not None:
        raise BadInput(str(gone)) from gone


@contextmanager
def _nobody_playing(journal: "Journal", place: "URL") -> Iterator[None]:
    """Within it nobody plays in the database; BadInput if somebody does whom we can't reach."""
    from pitch_server.store.errors import DatabaseHeld
    from pitch_server.store.holding import hold_database

    try:
        with hold_database(place) as hold:
            journal.hold = hold
            yield
    except DatabaseHeld as error:
        raise BadInput(
            f"{error}, and it does not answer here: name it with --server HOST:PORT, or stop it "
            "first"
        ) from error


@contextmanager
def _clear_errors() -> Iterator[None]:
    """Within it what a server refuses is bad input; that it is gone is for the caller."""
    from pitch_server.service.operator_client import OperatorError, ServerGone

    try:
        yield
    except ServerGone:
        raise
    except OperatorError as error:
        raise BadInput(str(error)) from error
