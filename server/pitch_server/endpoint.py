"""The endpoint of a running server: the file beside its database that tells operators of it.

Here belong writing, finding and judging `DATABASE.server`, which only its owner can read: address
on this machine and admin token. It is removed at the server's end; one that is left behind by
kill -9 is known by its process. A database on a server of its own has no such file.
"""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import URL

from pitch_server.store.database import database_path

__all__ = ["Endpoint", "endpoint_path", "published", "read_endpoint", "write_endpoint"]

_LONGEST = 1 << 16  # bytes of the file


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A running server: where it is reached from this machine, in clear, and what it takes.

    `tournament` is the number in the database of the one that it plays.
    """

    address: str
    token: str = field(repr=False)
    pid: int
    tournament: int


def endpoint_path(database: URL | Path) -> Path | None:
    """Where the endpoint of an embedded database is written; None for one on a server."""
    path = database_path(database)
    return None if path is None else path.with_name(path.name + ".server")


@contextmanager
def published(
    database: URL | Path,
    *,
    address: str,
    token: str,
    tournament: int,
) -> Iterator[None]:
    """Within it operators on this machine find the server; OSError if it can't be written.

    `address` is its `local_address`: what is sent there is not encrypted.
    """
    path = endpoint_path(database)
    if path is None:
        yield
        return
    endpoint = Endpoint(address=address, token=token, pid=os.getpid(), tournament=tournament)
    write_endpoint(path, endpoint)
    try:
        yield
    finally:
        if _read(path) == endpoint:  # and not that of another server since
            path.unlink(missing_ok=True)


def write_endpoint(path: Path, endpoint: Endpoint) -> None:
    """Writes the file whole, in the place of any before it; nobody else may read it."""
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)  # mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(asdict(endpoint), file, indent=2)
            file.write("\n")
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_endpoint(database: URL | Path) -> Endpoint | None:
    """The server that runs in the database; None if none does, or none can be known of.

    One whose process is gone is none. Whether it answers is found out by calling it.
    """
    path = endpoint_path(database)
    endpoint = None if path is None else _read(path)
    return endpoint if endpoint is not None and _is_alive(endpoint.pid) else None


def _read(path: Path) -> Endpoint | None:
    """What the file tells; None if it is not there or not as we write it."""
    try:
        with path.open("rb") as file:
            told = json.loads(file.read(_LONGEST))
        endpoint = Endpoint(**told)
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    return endpoint if _is_sound(told) else None


def _is_sound(told: dict[str, Any]) -> bool:
    """Whether all is of its type."""
    return (
        isinstance(told["address"], str)
        and isinstance(told["token"], str)
        and type(told["pid"]) is int
        and told["pid"] > 0
        and type(told["tournament"]) is int
    )


def _is_alive(pid: int) -> bool:
    with suppress(PermissionError):  # it is there, and another user's
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
    return True
