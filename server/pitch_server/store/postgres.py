"""PostgreSQL: its address, the settings of a connection, and how transactions begin.

Here belongs what is true of PostgreSQL alone, spoken by psycopg (the extra `postgres`). Readers
see one moment (REPEATABLE READ) and block nobody; writers come one after the other, as in SQLite,
by an advisory lock, so that what one has looked up is still true when it writes.
"""

import os
import socket

from sqlalchemy import URL, Connection, Engine, create_engine, event, text

from pitch_server.store.errors import JournalError

__all__ = [
    "HOLDING",
    "PATIENCE_SECONDS",
    "SILENT_SECONDS",
    "WRITING",
    "check_encoding",
    "lock_key",
    "postgres_engine",
]

BUSY_SECONDS = 5.0
CONNECT_SECONDS = 10
# A server that does not answer for so long is gone, whatever the network says.
SILENT_SECONDS = 15
# A server may be started anew while a tournament goes on: it is tried again for so long.
PATIENCE_SECONDS = 20.0

_DRIVERS = ("postgresql", "postgresql+psycopg")
# The first number of our advisory locks, among those of other programs.
WRITING = 0x7069_7463
HOLDING = 0x7069_7464
# For one transaction that writes; its commit must be on the disk when it returns, whatever the
# server's default.
_SETTINGS = """
    SELECT set_config('lock_timeout', :wait, true),
    CASE WHEN current_setting('synchronous_commit') = 'off'
    THEN set_config('synchronous_commit', 'on', true) END
"""


def postgres_engine(url: URL, place: str) -> Engine:
    """The engine of a database; its transactions write where the option `pitch_writes` says so."""
    if url.drivername not in _DRIVERS:
        raise JournalError(
            f"{place} needs a driver that is not used here; "
            f"expected {' or '.join(f'{name}://' for name in _DRIVERS)}"
        )
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        isolation_level="READ COMMITTED",
        pool_pre_ping=True,  # a connection that was cut between two commits is made anew
        connect_args={
            # what a second process is told of the first; the server keeps 63 characters
            "application_name": f"process {os.getpid()} on {socket.gethostname()}"[:63],
            "connect_timeout": CONNECT_SECONDS,
            "keepalives_idle": SILENT_SECONDS // 3,
            "keepalives_interval": SILENT_SECONDS // 3,
            "keepalives_count": 2,
            "tcp_user_timeout": SILENT_SECONDS * 1000,
        }
        | dict(url.query),
    )
    event.listen(engine, "begin", _begin)
    return engine


def check_encoding(connection: Connection, place: str) -> None:
    """JournalError if names of any script have no place in the database."""
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise JournalError(
            f"{place} keeps text as {encoding}; expected a database made with ENCODING 'UTF8'"
        )


def lock_key(room: int) -> str:
    """The SQL of the two numbers of a lock: what it is for, and the schema of the tables."""
    return f"{room}, hashtext(coalesce(current_schema(), ''))"


def _begin(connection: Connection) -> None:
    if not connection.get_execution_options().get("pitch_writes"):
        return
    connection.execute(text(_SETTINGS), {"wait": str(int(BUSY_SECONDS * 1000))})
    connection.execute(text(f"SELECT pg_advisory_xact_lock({lock_key(WRITING)})"))
