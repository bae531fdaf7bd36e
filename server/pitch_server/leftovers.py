"""Processes that bots start while they play in this process, ended with it.

Here belongs what a warden does for bots that are processes of their own: nothing outlives them.
How descendants are found is the warden's `family`.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pitch_server.warden.family import descendants_of

__all__ = ["no_process_left"]


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
