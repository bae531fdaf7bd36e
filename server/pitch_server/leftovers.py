"""Processes and threads that bots start while they play in this process, ended with it.

Here belongs what a warden does for bots that are processes of their own: nothing outlives them.
How descendants are found is the warden's `family`.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import thread as executors
from contextlib import contextmanager, suppress

from pitch_server.warden.family import descendants_of

__all__ = ["end_despite_threads", "no_process_left"]


@contextmanager
def no_process_left() -> Iterator[None]:
    """Ends, after the block, all processes below this one that were not there before."""
    before = set(descendants_of(os.getpid()))
    try:
        yield
    finally:
        for process in descendants_of(os.getpid()):
            if process not in before:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(process, signal.SIGKILL)


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
