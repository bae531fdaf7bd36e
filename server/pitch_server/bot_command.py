"""A bot's command: the words of `command = [...]` made ready to run, and checked beforehand.

Here belong `{python}`, files beside the configuration and what can be known to fail. Running
the command is for `launch`.
"""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = ["PYTHON", "bot_files", "command_problem", "resolve_command"]

PYTHON = "{python}"


def resolve_command(command: Sequence[str], directory: Path) -> tuple[str, ...]:
    """Return the command to run in `directory`, its program as an absolute path.

    A program without a slash is looked for on PATH, then in the directory. One that is not
    found stays as it is, and `command_problem` says so.
    """
    program, *rest = (word.replace(PYTHON, sys.executable) for word in command)
    beside = directory / program
    if "/" in program or (shutil.which(program) is None and beside.is_file()):
        return (os.path.abspath(beside), *rest)  # noqa: PTH100 (a venv's link must stay a link)
    return (shutil.which(program) or program, *rest)


def command_problem(command: Sequence[str], directory: Path) -> str | None:
    """Say why the command can't run, as far as that can be known without running it."""
    if any("\0" in word for word in command):
        return "a word holds a NUL character; expected words that a program can be given"
    try:
        return _file_problem(command, directory)
    except OSError as error:  # a name that no file can have, or a directory that we may not enter
        return f"the program or its script can't be looked at: {error.strerror}"


def _file_problem(command: Sequence[str], directory: Path) -> str | None:
    program = Path(resolve_command(command, directory)[0])
    if not program.is_absolute() or not program.exists():
        return f"the program {command[0]!r} is {_not_found(command, directory)}"
    if program.is_dir():
        return f"the program {command[0]!r} is a directory; expected an executable file"
    if not os.access(program, os.X_OK):
        mend = f'; write ["{PYTHON}", "{command[0]}"]' if program.suffix == ".py" else ""
        return f"the program {command[0]!r} is a file that is not executable{mend}"
    script = _script(command)
    if script is not None and not (directory / script).is_file():
        return f"the script {script!r} is not a file in {directory}"
    return None


def _not_found(command: Sequence[str], directory: Path) -> str:
    program = command[0]
    if "/" in program:
        return f"not a file (looked for beside the configuration, in {directory})"
    mend = f"; write a word each: {program.split()}" if len(program.split()) > 1 else ""
    return f"neither on PATH nor a file in {directory}{mend}"


def _script(command: Sequence[str]) -> str | None:
    """The first word that is no option, if it looks like a script."""
    for option, word in zip(("", *command[1:]), command[1:], strict=False):
        if option in ("-c", "-m"):
            return None
        if not word.startswith("-"):
            return word if word.endswith(".py") else None
    return None


def bot_files(command: Sequence[str], directory: Path) -> tuple[Path, ...]:
    """Return the files that the command names, wherever they are: the bot's own code."""
    words = [directory / word for word in command if PYTHON not in word and "\0" not in word]
    # not path.is_file(), which raises for a word that is too long for a name, such as code
    return tuple(path for path in words if os.path.isfile(path))  # noqa: PTH113
