"""Group commit: finished games go to the journal in a thread, many in one transaction.

Here belongs the way from the event loop to the disk and back; what is counted on the way is counted
in the same thread, and kept with the games that come after. Nothing is told before its commit; a
journal that fails stops the tournament, with what is in kept. A server that is gone is given some
time to come back, while games go on.
"""

import asyncio
import logging
import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Generic, Protocol, TypeVar

from pitch_server.store import postgres
from pitch_server.store.checkpoints import Checkpoint
from pitch_server.store.errors import DatabaseBusy, JournalError, ServerGone
from pitch_server.store.journal import Journal
from pitch_server.store.rows import JournalEntry

__all__ = ["Committer"]

_GROUP = 500  # games in one transaction at most
# The thread gives way to the event loop after so many seconds; Python's own 5 ms are a long time
# for a bot that waits.
_SWITCH_INTERVAL = 0.0005
# A transaction costs what a dozen games do: others may join it for so many seconds.
_LINGER = 0.05
# A database that can't be written at the moment is tried again after so many seconds.
_TRY_AGAIN = 0.5

# So many games are followed together: a query for each commit would cost more than counting.
_FOLLOWED = 500

Item = TypeVar("Item")

log = logging.getLogger(__name__)


class Follower(Protocol):
    """What counts the games that are on disk, and makes checkpoints of it."""

    def follow(self) -> None:
        """Counts games that have come since."""

    def checkpoint(self, *, at_end: bool = False) -> Checkpoint | None:
        """What is to be kept of it now, or `at_end`."""


def _untimed(_items: int, _waited: float) -> None:
    """Nobody wants to know."""


class Committer(Generic[Item]):
    """Turns finished items into entries and commits them, off the event loop.

    `committed` is called on the loop with the items of a transaction that is on disk, `failed`
    once with the exception that stops everything: the journal can't be written, or its hold is
    lost. Close it to wait for all that was handed in.
    """

    def __init__(
        self,
        journal: Journal,
        entry_of: Callable[[Item], JournalEntry],
        committed: Callable[[Sequence[Item]], None],
        failed: Callable[[Exception], None],
        timed: Callable[[int, float], None] = _untimed,
        follower: Follower | None = None,
    ) -> None:
        """`timed` gets, of each transaction, its number of items and how long the oldest waited.

        `follower` is called in the thread of the commits. It makes things quicker and no more: what
        goes wrong there is logged, and it is not called again.
        """
        self.backlog = 0
        self._timed = timed
        self._put_at: deque[float] = deque()
        self._journal = journal
        self._entry_of = entry_of
        self._committed = committed
        self._failed = failed
        self._follower = follower
        self._unfollowed = 0
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._has_failed = False
        sys.setswitchinterval(_SWITCH_INTERVAL)
        self._thread = threading.Thread(target=self._run, name="journal")
        self._thread.start()
        if journal.hold is not None:
            journal.hold.on_loss(self._stop)

    def put(self, item: Item) -> None:
        """Hands in a finished item."""
        self.backlog += 1
        self._put_at.append(time.monotonic())
        self._queue.put(item)

    async def close(self) -> None:
        """Returns when everything is on disk, or has failed."""
        self._closing.set()
        self._queue.put(None)
        if self._journal.hold is not None:
            self._journal.hold.on_loss(None)
        await asyncio.to_thread(self._thread.join)
        await asyncio.sleep(0)  # lets the last `committed` be called

    def _run(self) -> None:
        end = False
        while not end:
            group, end = self._next_group()
            if not group:
                continue
            try:
                self._append([self._entry_of(item) for item in group])
            except Exception as error:  # noqa: BLE001 - handed to the loop, which stops
                self._stop(error)
                return
            self._loop.call_soon_threadsafe(self._done, group)
            self._unfollowed += len(group)
            if self._unfollowed >= _FOLLOWED:
                self._follow()
        self._keep_last()

    def _follow(self) -> None:
        """Has the follower count what is on disk now."""
        self._unfollowed = 0
        if self._follower is not None:
            with self._following():
                self._follower.follow()

    def _checkpoint(self, *, at_end: bool = False) -> Checkpoint | None:
        if self._follower is not None:
            with self._following():
                return self._follower.checkpoint(at_end=at_end)
        return None

    def _keep_last(self) -> None:
        """Whoever goes on, or asks for standings, has less to count."""
        self._follow()
        checkpoint = self._checkpoint(at_end=True)
        if checkpoint is not None:
            with self._following():
                self._journal.keep_checkpoint(checkpoint)

    @contextmanager
    def _following(self) -> Iterator[None]:
        """Within it nothing that goes wrong stops anything; a database may be back next time."""
        try:
            yield
        except (ServerGone, DatabaseBusy):
            return
        except Exception as error:
            self._follower = None
            trace = None if isinstance(error, JournalError) else error
            log.warning("no more checkpoints are made: %s", error, exc_info=trace)

    def _append(self, entries: Sequence[JournalEntry]) -> None:
        """Commits; what may pass is tried again for a while, until we are to close.

        What a server may have taken before it went is left out then, as any game that is in.
        """
        end = time.monotonic() + postgres.PATIENCE_SECONDS
        checkpoint = self._checkpoint()
        while True:
            try:
                self._journal.append(entries, checkpoint)
            except (ServerGone, DatabaseBusy):
                if self._closing.is_set() or time.monotonic() > end:
                    raise
                self._closing.wait(_TRY_AGAIN)
            else:
                return

    def _stop(self, error: Exception) -> None:
        """Tells the loop what stops everything; from any thread."""
        with suppress(RuntimeError):  # a loop that is closed needs to know nothing any more
            self._loop.call_soon_threadsafe(self._fail, error)

    def _fail(self, error: Exception) -> None:
        if not self._has_failed:
            self._has_failed = True
            self._failed(error)

    def _next_group(self) -> tuple[list[Item], bool]:
        """What gathers in a moment, at most a group of it; whether the end was reached."""
        item = self._queue.get()
        if item is None:
            return [], True
        self._closing.wait(_LINGER)
        group = [item]
        while len(group) < _GROUP:
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                break
            if item is None:
                return group, True
            group.append(item)
        return group, False

    def _done(self, group: Sequence[Item]) -> None:
        self.backlog -= len(group)
        waited = time.monotonic() - self._put_at[0]
        for _ in group:
            self._put_at.popleft()
        self._timed(len(group), waited)
        self._committed(group)
