"""The `[server]` table of CONFIG.toml: where `pitch serve` listens, and what it tells of itself.

Here belong its keys. Nothing of it is frozen: a tournament goes on elsewhere as well. What an
address or a certificate must be is `service.listening`'s.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from pitch_server.observing import Observing
from pitch_server.toml_table import Table

__all__ = ["ServerSettings", "read_server"]

MAX_CONNECTIONS = 65_536


class LogFormat(StrEnum):
    """How the log is written."""

    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """How much of it."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Where and how a server listens; paths absolute, `drain` in seconds."""

    listen: str = "127.0.0.1:7777"
    certificate: Path | None = None
    key: Path | None = None
    client_ca: Path | None = None
    connections: int = 1024
    drain: float = 30.0
    observing: Observing = field(default_factory=Observing)


def read_server(root: Table, directory: Path) -> ServerSettings:
    """The table, with paths beside the file; defaults for what is absent."""
    table = root.table("server")

    def path(key: str) -> Path | None:
        text = table.text(key)
        return None if text is None else directory / text

    drain = table.span("drain", zero=True)
    default = ServerSettings()
    return ServerSettings(
        listen=table.text("listen") or default.listen,
        certificate=path("certificate"),
        key=path("key"),
        client_ca=path("client_ca"),
        connections=table.whole("connections", 1, MAX_CONNECTIONS) or default.connections,
        drain=default.drain if drain is None else drain,
        observing=_observing(table, path("log")),
    )


def _observing(table: Table, log: Path | None) -> Observing:
    from pitch_server.scraping import parse_address  # takes a moment to import

    form = table.word("log_format", LogFormat)
    level = table.word("log_level", LogLevel)
    metrics = None
    try:
        address = table.text("metrics")
        metrics = None if address is None else parse_address(address)
    except ValueError as error:
        table.refuse("metrics", str(error))
    return Observing(
        log=log,
        log_format=form.value if form else "text",
        log_level=level.value if level else None,
        metrics=metrics,
    )
