"""A running server, as commands of operators find it: by its database, or by its address.

Here belong the options that name a server and what may be wrong with them. What it is asked for
belongs to the commands.
"""

import asyncio
import ipaddress
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pitch_server.cli.group import BadInput

if TYPE_CHECKING:
    from sqlalchemy import URL

    from pitch.bot.tls import Tls
    from pitch_server.service.operator_client import OperatorClient, Server
    from pitch_server.store.journal import Journal

__all__ = ["Reach", "ask", "found_server", "known_entrant", "reach_options", "tell"]

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_DoneT = TypeVar("_DoneT")
Decorated = Callable[..., Any]


_OPTIONS = (
    click.option(
        "--server",
        metavar="HOST:PORT",
        help="A server elsewhere; its admin token is taken from PITCH_ADMIN_TOKEN.",
    ),
    click.option(
        "--tls", is_flag=True, help="Speak TLS, which is meant beyond this machine anyway."
    ),
    click.option("--ca", type=_FILE, help="Trust the certificates in this file and no others."),
    click.option("--client-certificate", type=_FILE, help="What you show, if it demands it."),
    click.option("--client-key", type=_FILE, help="The key of that certificate."),
    click.option("--server-name", metavar="NAME", help="The name in its certificate, if another."),
    click.option("--in-clear", is_flag=True, help="It has no TLS: nothing is encrypted."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How a server elsewhere is reached, as options tell it."""

    server: str | None
    tls: bool
    ca: Path | None
    client_certificate: Path | None
    client_key: Path | None
    server_name: str | None
    in_clear: bool

    @property
    def of_tls(self) -> bool:
        """Whether anything is told that TLS alone has."""
        return any((self.tls, self.ca, self.client_certificate, self.client_key, self.server_name))


def reach_options(function: Decorated) -> Decorated:
    """The options that name a server, as keyword arguments for `Reach`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def found_server(reach: Reach, place: "URL | None") -> "Server | None":
    """The server that is named, or else the one that runs in the database; None if none does."""
    if reach.server is not None:
        return _named(reach, reach.server)
    if reach.of_tls or reach.in_clear:
        raise BadInput("options of TLS and --in-clear tell how to reach a --server HOST:PORT")
    if place is None:
        raise BadInput("which tournament? Give its database, or --server HOST:PORT")
    from pitch_server.endpoint import read_endpoint
    from pitch_server.service.operator_client import Server

    endpoint = read_endpoint(place)
    return None if endpoint is None else Server(address=endpoint.address, token=endpoint.token)


def _named(reach: Reach, address: str) -> "Server":
    from pitch_server.service.operator_client import Server
    from pitch_server.service.operators import ADMIN_VARIABLE

    host, _, port = address.rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        raise BadInput(f"--server: expected HOST:PORT with a port from 1 to 65535, got {address!r}")
    token = os.environ.get(ADMIN_VARIABLE, "")
    if not (token.isascii() and token.isprintable() and token):
        raise BadInput(
            f"--server needs the admin token of the server: put it into {ADMIN_VARIABLE}, where "
            "no list of processes shows it"
        )
    return Server(address=address, token=token, tls=_tls(reach, host))


def _tls(reach: Reach, host: str) -> "Tls | None":
    """What TLS needs; None in clear, which beyond this machine must be asked for."""
    from pitch.bot.tls import Tls, TlsError

    if reach.in_clear and reach.of_tls:
        raise BadInput("--in-clear is without TLS, and the other options are for TLS")
    if reach.in_clear or (_is_loopback(host) and not reach.of_tls):
        return None
    tls = Tls(
        ca=reach.ca,
        certificate=reach.client_certificate,
        key=reach.client_key,
        server_name=reach.server_name or "",
    )
    try:
        tls.context()  # the files are looked at before anything is sent
    except TlsError as error:
        raise BadInput(str(error)) from error
    return tls


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def ask(server: "Server", question: "Callable[[OperatorClient], Awaitable[_DoneT]]") -> _DoneT:
    """What a server answers, once it is known to be awake; its OperatorError if it does not."""
    from pitch.bot.tls import find_trouble
    from pitch_server.service.operator_client import OperatorClient, ServerGone, ServerSilent

    async def asking() -> _DoneT:
        async with OperatorClient(server) as client:
            await client.status()
            return await question(client)

    try:
        return asyncio.run(asking())
    except ServerGone as gone:
        if not isinstance(gone, ServerSilent) and (
            trouble := find_trouble(server.address, server.tls)
        ):
            raise ServerGone(trouble.sentence) from None
        raise


def known_entrant(name: str, journal: "Journal") -> str:
    """The name, if an entrant has it; BadInput with a suggestion otherwise."""
    names = journal.settings.names
    if name in names:
        return name
    near = get_close_matches(name, names, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names[:20])}"
    raise BadInput(f"no entrant is named {name!r}; {hint}")


def tell(sentence: str) -> None:
    """A message to whoever typed the command."""
    click.echo(sentence, err=True)
