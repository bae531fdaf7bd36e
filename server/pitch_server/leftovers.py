"""Processes and threads that bots start while they play in this process, ended with it.

Here belongs what a warden does for bots that are processes of their own: nothing outlives them.
How descendants are found is the warden's `family`.
"""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import thread as executors
from contextlib import contextmanager, suppress
from functools import partial

from pitch.testing.containment import LAST_DEEDS
from pitch_server.warden.family import descendants_of
from pitch_server.warden.system import LINUX, PR_SET_CHILD_SUBREAPER

__all__ = ["end_despite_threads", "no_process_left"]


@contextmanager
def no_process_left() -> Iterator[None]:
    """Ends, after the block, all processes below this one that were not there before."""
    end_them = partial(_end_all_but, frozenset(descendants_of(os.getpid())))
    LAST_DEEDS.append(end_them)
    _adopt(True)
    try:
        yield
    finally:
        end_them()
        _adopt(False)
        LAST_DEEDS.remove(end_them)


def _adopt(orphans: bool) -> None:
    """Whether a descendant whose parent ends, as a daemon's does, stays below this process."""
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(orphans), 0, 0, 0)


def _end_all_but(spared: frozenset[int]) -> None:
    """Ends all processes below this one, those too that are forked meanwhile."""
    ended: set[int] = set()
    while found := set(descendants_of(os.getpid())) - spared - ended:
        for process in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        ended |= found


def end_despite_threads(status: int) -> None:
    """Ends the program now if a bot's thread goes on, which Python would wait for without an end.

    Nothing happens where none does; those of executors end by themselves.
    """
    known = {threading.main_thread(), *executors._threads_queues}
    left = [each for each in threading.enumerate() if not each.daemon and each not in known]
    if not left:
        return
    names = ", ".join(each.name for each in left[:3])
    sys.stderr.write(f"a thread that a bot has started still runs ({names}); it ends here\n")
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)
