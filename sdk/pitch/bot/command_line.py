"""The command line of a bot: where to connect and as whom."""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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
    if not host or not port.isdecimal():
        parser.error(f"--server: expected HOST:PORT, got {given.server!r}")
    if not given.name:
        parser.error("no name: give --name or PITCH_NAME, the entrant's name in the tournament")
    # The token is taken out of sight of whatever the bot starts or prints.
    os.environ.pop("PITCH_TOKEN", None)
    return Options(
        server=given.server,
        token=given.token,
        name=given.name,
        instances=1 if INSTANCE_VARIABLE in environment else given.instances,
        capacity=given.capacity,
        patience=given.patience,
    )


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
        epilog="example: %(prog)s --server localhost:7777 --name ann --token SECRET",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--server", default=environment.get("PITCH_SERVER", ""), metavar="HOST:PORT"
    )
    parser.add_argument("--name", default=environment.get("PITCH_NAME", ""), help="entrant")
    parser.add_argument(
        "--token",
        default=environment.get("PITCH_TOKEN", ""),
        help="the entrant's secret; better given as PITCH_TOKEN, since others can see options",
    )
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
