"""A bar on standard error for what takes long.

Here belongs whether one is shown: on a terminal only, and not where it would stand among
results on the same terminal, be it what another program makes of them at the end of a pipe.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

__all__ = ["bar"]

_STEPS = 500  # as often as a bar is moved at most: drawing costs more than most work


@contextmanager
def bar(
    what: str, total: Callable[[], int], *, beside_results: bool, least: int = 0
) -> Iterator[Callable[[int], None]]:
    """A function to tell how much is done; `total` is asked where there is a bar only.

    Below a total of `least` everything is done before a bar would help.
    """
    shared = beside_results and _may_reach_a_terminal(sys.stdout)
    if shared or not sys.stderr.isatty() or (whole := total()) < least:
        yield lambda _done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True) as display, _cursor_back(console.show_cursor):
        task = display.add_task(what, total=whole)
        step = whole // _STEPS
        shown = 0

        def move(done: int) -> None:
            nonlocal shown
            if done - shown >= step:
                shown = done
                display.update(task, completed=done)

        yield move


@contextmanager
def _cursor_back(show: Callable[[], object]) -> Iterator[None]:
    """Within it the cursor, which a bar hides, comes back should a bot end the process."""
    from pitch.testing.containment import LAST_DEEDS

    LAST_DEEDS.append(show)
    try:
        yield
    finally:
        LAST_DEEDS.remove(show)


def _may_reach_a_terminal(stream: TextIO) -> bool:
    if stream.isatty():
        return True
    try:
        return stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # it is no file of the system
        return False
