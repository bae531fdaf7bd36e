"""Commands that go on until something happens: as processes, in a pipe or on a terminal."""

import os
import pty
import subprocess
from collections.abc import Callable, Sequence

LIMIT = 60  # seconds
READY = "dan"  # the last line of the status that is shown first


def watch_lines(command: Sequence[str], then: Callable[[], None]) -> tuple[int, list[str], str]:
    """Runs it in pipes and does something when it is ready; status, lines, what it complained."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith(READY):
                break
        then()
        rest, errors = process.communicate(timeout=LIMIT)
    return process.returncode, lines + rest.splitlines(), errors


def watch_in_terminal(command: Sequence[str], then: Callable[[], None]) -> tuple[int, str]:
    """Runs it on a terminal and does something when it is ready; status and all that was drawn."""
    ours, its = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=environment) as process:
        os.close(its)
        shown, is_told = "", False
        while part := _read(ours):
            shown += part
            if not is_told and READY in shown:
                then()
                is_told = True
        process.wait(LIMIT)
    os.close(ours)
    return process.returncode, shown


def _read(terminal: int) -> str:
    try:
        return os.read(terminal, 1 << 16).decode("utf-8", "replace")
    except OSError:  # the other end is closed
        return ""
