"""The bot and all its descendants: finding, signalling and reaping them.

Here belongs what is asked of the system about processes. When they are to end is for `watch`.
"""

import os
import signal
from collections.abc import Callable, Iterator

from pitch_server.warden.system import LINUX

FREEZE_ROUNDS = 50


class Family:
    """The bot and all its descendants, as far as the system lets us find them."""

    def __init__(self, bot: int) -> None:
        self.bot = bot
        self.status: int | None = None  # as os.wait4 gives it, once the bot ended
        self.cpu_time = 0.0  # seconds, its ended children's too
        self.gone = False  # no child of ours is left, thus no descendant

    def reap(self) -> None:
        """Take the status of every child that ended, adopted ones too."""
        try:
            while True:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
                if pid == 0:
                    return
                if pid == self.bot:
                    self.status = status
                    self.cpu_time = usage.ru_utime + usage.ru_stime
        except ChildProcessError:
            self.gone = True

    def kill(self) -> None:
        """End everyone, after stopping them.

        Who is stopped forks no more, and holds its place in the number of processes, which
        another one that forks on would take.
        """
        stopped: set[int] = set()
        for _ in range(FREEZE_ROUNDS if LINUX else 0):
            found = set(self._found()) - stopped
            if not found:
                break
            for pid in found:
                _send(os.kill, pid, signal.SIGSTOP)
            stopped |= found
        self.signal(signal.SIGKILL)

    def _found(self) -> list[int]:
        return descendants_of(os.getpid())

    def signal(self, number: int) -> None:
        """Send a signal to everyone."""
        found = self._found()
        for pid in found:
            _send(os.kill, pid, number)
        # Without /proc there is the group; on Linux only while its number can't be a stranger's.
        if self.bot not in found and (self.status is None or not LINUX):
            _send(os.killpg, self.bot, number)


def _send(kill: Callable[[int, int], None], target: int, number: int) -> None:
    try:
        kill(target, number)
    except (ProcessLookupError, PermissionError):
        return


def descendants_of(pid: int) -> list[int]:
    """Everything below a process, parents first; nothing where the system has no /proc."""
    if not LINUX:
        return []
    listed = os.path.exists("/proc/thread-self/children")  # noqa: PTH110 (no pathlib: slow)
    return list(descendants(pid, _children_listed if listed else _children_searched))


def descendants(pid: int, children: Callable[[int], list[int]]) -> Iterator[int]:
    """Everything below `pid`, parents first."""
    seen = {pid}
    waiting = [pid]
    while waiting:
        for child in children(waiting.pop()):
            if child not in seen:
                seen.add(child)
                waiting.append(child)
                yield child


def _children_listed(pid: int) -> list[int]:
    """Return the direct children of a process, of all its threads, as the kernel lists them."""
    found: list[int] = []
    for thread in _entries(f"/proc/{pid}/task"):
        found += map(int, _content(f"/proc/{pid}/task/{thread}/children").split())
    return found


def _children_searched(pid: int) -> list[int]:
    """Return the same by looking at every process, for kernels that keep no list."""
    found = []
    for entry in filter(str.isdigit, _entries("/proc")):
        # pid (name, which may hold brackets and spaces) state parent ...
        words = _content(f"/proc/{entry}/stat").rpartition(b")")[2].split()
        if len(words) > 1 and int(words[1]) == pid:
            found.append(int(entry))
    return found


def _entries(directory: str) -> list[str]:
    try:
        return os.listdir(directory)  # noqa: PTH208
    except OSError:  # the process is gone
        return []


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return b""
