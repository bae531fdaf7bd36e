"""The command line of a bot: where to connect and as whom."""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from pitch.bot.tls import Tls, TlsError
from pitch.wire.frames import DEFAULT_CAPACITY, ITEMS_LIMIT

__all__ = ["INSTANCE_VARIABLE", "Options", "parse_options"]

INSTANCE_VARIABLE = "PITCH_INSTANCE"
"""Set in the environment of the processes that `--instances` started: they start no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Where a bot connects, as whom and how often; `patience` is in seconds."""

    server: str
    token: str = field(repr=False)
    name: str
    instances: int = 1
    capacity: int = DEFAULT_CAPACITY
    patience: float = 60.0
    tls: Tls | None = None


def parse_options(
    arguments: Sequence[str], environment: Mapping[str, str], capacity: int = DEFAULT_CAPACITY
) -> Options:
    """Reads the options of a bot; ends the program with a usage message where one is wrong."""
    parser = _parser(environment, capacity)
    given = parser.parse_args(arguments)
    if not given.server:
        parser.error(
            "no server to connect to. A tournament starts this bot by itself: name its command "
            "in CONFIG.toml and run: pitch run CONFIG.toml. To connect by hand give --server "
            "HOST:PORT, --name and --token (or PITCH_SERVER, PITCH_NAME, PITCH_TOKEN)"
        )
    host, _, port = given.server.rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        parser.error(
            f"--server: expected HOST:PORT with a port from 1 to 65535, got {given.server!r}"
        )
    if not given.name:
        parser.error("no name: give --name or PITCH_NAME, the entrant's name in the tournament")
    # The token is taken out of sight of whatever the bot starts or prints.
    os.environ.pop("PITCH_TOKEN", None)
    try:
        token, tls = _token(given), _tls(given)
    except (OSError, ValueError, TlsError) as error:
        parser.error(str(error))
    return Options(
        server=given.server,
        token=token,
        name=given.name,
        instances=1 if INSTANCE_VARIABLE in environment else given.instances,
        capacity=given.capacity,
        patience=given.patience,
        tls=tls,
    )


def _token(given: argparse.Namespace) -> str:
    """The token, from its file if one is named."""
    path: Path | None = given.token_file
    if path is None:
        return str(given.token)
    try:
        lines = path.read_text(encoding="utf-8").split()
    except OSError as error:
        raise OSError(f"--token-file: cannot read {path}: {error.strerror}") from None
    if len(lines) != 1:  # what stands there may be secret: it is not shown
        raise ValueError(
            f"--token-file: expected the token alone in {path}, got {len(lines)} words"
        )
    return lines[0]


def _tls(given: argparse.Namespace) -> Tls | None:
    """What TLS needs; None in clear. Whoever names a file of TLS means TLS."""
    files = (given.ca, given.client_certificate, given.client_key)
    if not (given.tls or any(files)):
        if given.server_name:
            raise ValueError("--server-name is for TLS: give --tls or --ca FILE as well")
        return None
    tls = Tls(
        ca=given.ca,
        certificate=given.client_certificate,
        key=given.client_key,
        server_name=given.server_name,
    )
    tls.context()  # the files are looked at before anything starts
    return tls


def _number(low: int, high: int) -> "type[int]":
    def read(text: str) -> int:
        value = int(text) if text.isdecimal() else low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"expected {low} to {high}, got {text!r}")
        return value

    return read  # type: ignore[return-value]


def _parser(environment: Mapping[str, str], capacity: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="A Pitch bot. It connects to a tournament server and plays until it ends.",
        epilog="examples: %(prog)s --server localhost:7777 --name ann --token-file ann.token  "
        "| over TLS, to a server whose certificate is its own: %(prog)s --server "
        "arena.example:7777 --ca arena.pem --name ann --token-file ann.token. "
        "Each option may come from the environment: PITCH_SERVER, PITCH_NAME, PITCH_TOKEN, "
        "PITCH_TOKEN_FILE, PITCH_TLS=1, PITCH_CA, PITCH_CLIENT_CERTIFICATE, PITCH_CLIENT_KEY, "
        "PITCH_SERVER_NAME.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--server", default=environment.get("PITCH_SERVER", ""), metavar="HOST:PORT"
    )
    parser.add_argument("--name", default=environment.get("PITCH_NAME", ""), help="entrant")
    parser.add_argument(
        "--token",
        default=environment.get("PITCH_TOKEN", ""),
        help="the entrant's secret; better given as PITCH_TOKEN or in a file, since others on "
        "this machine can see options",
    )
    parser.add_argument(
        "--token-file",
        **_file(environment, "PITCH_TOKEN_FILE"),
        help="a file that holds the token and nothing else",
    )
    _add_tls(parser, environment)
    parser.add_argument(
        "--instances", type=_number(1, 256), default=1, help="how many processes to start"
    )
    parser.add_argument(
        "--capacity",
        type=_number(1, ITEMS_LIMIT),
        default=capacity,
        help="questions that may be out at once",
    )
    parser.add_argument(
        "--patience",
        type=_number(0, 86_400),
        default=60,
        help="seconds to go on trying a server that does not answer",
    )
    return parser


def _add_tls(parser: argparse.ArgumentParser, environment: Mapping[str, str]) -> None:
    group = parser.add_argument_group("TLS", "for servers on other machines; files in PEM form")
    group.add_argument(
        "--tls",
        action="store_true",
        default=environment.get("PITCH_TLS", "") not in ("", "0"),
        help="speak TLS; trust the authorities that this machine trusts",
    )
    group.add_argument(
        "--ca",
        **_file(environment, "PITCH_CA"),
        help="speak TLS; trust the certificates in this file and no others",
    )
    group.add_argument(
        "--client-certificate",
        **_file(environment, "PITCH_CLIENT_CERTIFICATE"),
        help="what the bot shows of itself, where the server demands it",
    )
    group.add_argument(
        "--client-key", **_file(environment, "PITCH_CLIENT_KEY"), help="the key that belongs to it"
    )
    group.add_argument(
        "--server-name",
        default=environment.get("PITCH_SERVER_NAME", ""),
        metavar="NAME",
        help="name in the server's certificate, where it is not the one connected to",
    )


class _File(TypedDict):
    """What options that name a file have in common."""

    type: type[Path]
    default: Path | None
    metavar: str


def _file(environment: Mapping[str, str], variable: str) -> _File:
    named = environment.get(variable)
    return {"type": Path, "default": Path(named) if named else None, "metavar": "FILE"}
