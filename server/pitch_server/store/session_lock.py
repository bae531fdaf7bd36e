"""The lock of a session on a PostgreSQL server: who has it plays in the database.

Here belong taking it, watching over the connection that it hangs on, and taking it back when that
was cut. Whether it may be taken back is for whoever holds it to say.

The server lets go of it as soon as the connection ends, and both sides notice within seconds when
the other is gone without a word.
"""

import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from pitch_server.store import postgres
from pitch_server.store.errors import DatabaseHeld, JournalError, ServerGone, clear_errors
from pitch_server.store.postgres import HOLDING, SILENT_SECONDS, lock_key

__all__ = ["SessionLock"]

_LOOK_SECONDS = SILENT_SECONDS / 3
_TRY_AGAIN_SECONDS = 0.5

# Of the server's side of the connection: a process whose machine is gone lets go.
_KEEPALIVE = f"""
    SELECT set_config('tcp_keepalives_idle', '{SILENT_SECONDS // 3}', false),
    set_config('tcp_keepalives_interval', '{SILENT_SECONDS // 3}', false),
    set_config('tcp_keepalives_count', '2', false)
"""
_WHO = """
    SELECT application_name || coalesce(' at ' || host(client_addr), '')
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND classid = :room
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class SessionLock:
    """The lock, taken by entering it; DatabaseHeld if another session has it."""

    def __init__(self, engine: Engine, place: str) -> None:
        self._engine = engine
        self._place = place
        self._connection: Connection | None = None

    def __enter__(self) -> Self:
        self._take()
        return self

    def __exit__(self, *_: object) -> None:
        self._let_go()

    @contextmanager
    def watched(
        self, may_take_back: Callable[[], None], lost: Callable[[JournalError], None]
    ) -> Iterator[None]:
        """Within it a cut connection is made anew, if `may_take_back` does not raise then.

        Else `lost` is called with the reason, from a thread of ours.
        """
        stop, stopped = socket.socketpair()
        thread = threading.Thread(
            target=self._watch, args=(stopped, may_take_back, lost), name="hold", daemon=True
        )
        thread.start()
        try:
            yield
        finally:
            stop.close()
            thread.join()
            stopped.close()

    def _watch(
        self,
        stopped: socket.socket,
        may_take_back: Callable[[], None],
        lost: Callable[[JournalError], None],
    ) -> None:
        """Looks after the connection whenever it has news, and every few seconds."""
        while True:
            news, _, _ = select.select([stopped.fileno(), *self._socket()], (), (), _LOOK_SECONDS)
            if stopped.fileno() in news:
                return
            if self._is_alive():
                continue
            try:
                self._take_back(stopped, may_take_back)
            except JournalError as error:
                lost(error)
                return

    def _take_back(self, stopped: socket.socket, may_take_back: Callable[[], None]) -> None:
        """Tries for a while; raises ServerGone or DatabaseHeld."""
        end = time.monotonic() + postgres.PATIENCE_SECONDS
        while True:
            try:
                self._let_go()
                self._take()
                may_take_back()
            except ServerGone:
                if time.monotonic() > end:
                    raise
            else:
                return
            if select.select([stopped], (), (), _TRY_AGAIN_SECONDS)[0]:
                return

    def _take(self) -> None:
        with clear_errors(self._place):
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._connection = connection
            connection.execute(text(_KEEPALIVE))
            lock = f"SELECT pg_try_advisory_lock({lock_key(HOLDING)})"
            if not connection.scalar(text(lock)):
                owner = connection.scalar(text(_WHO), {"room": HOLDING})
                self._let_go()
                by = f" ({owner})" if owner else ""
                raise DatabaseHeld(
                    f"{self._place} is in use: another process{by} plays a tournament in it"
                )

    def _let_go(self) -> None:
        """Ends the session, and the lock with it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError):
                connection.invalidate()
                connection.close()

    def _socket(self) -> tuple[int, ...]:
        """What has news when the connection ends, if there is one."""
        if self._connection is None:
            return ()
        driver: Any = self._connection.connection.driver_connection
        return (driver.fileno(),)

    def _is_alive(self) -> bool:
        if self._connection is None:
            return False
        try:
            self._connection.execute(text("SELECT 1"))
        except SQLAlchemyError:
            return False
        return True
