"""Running the command: in this process with click's runner, or as a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from pitch_server.cli import cli

LIMIT = 60  # seconds that a process may take


def pitch(*arguments: str, stdin: str | bytes | None = None) -> Result:
    """`pitch` in this process."""
    return CliRunner().invoke(cli, arguments, input=stdin, prog_name="pitch")


def command(*arguments: str) -> list[str]:
    """The command line of a `pitch` process."""
    return [sys.executable, "-c", "from pitch_server.cli import main; main()", *arguments]


def pitch_process(
    *arguments: str, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """`pitch` as a process of its own, run to its end."""
    return subprocess.run(
        command(*arguments),
        input=stdin,
        capture_output=True,
        timeout=LIMIT,
        check=False,
        env={**os.environ, **environment},
    )


def write_lines(path: Path, *values: Any) -> str:
    """A JSON Lines file of the values; its path as text."""
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return str(path)
