"""Fingerprints: which files a bot's command named, and what was in them.

Here belongs telling whether a bot is still the one that a tournament began with, as far as its
command names its files: what those import is not seen.
"""

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from pitch_server.bot_command import PYTHON, bot_files

__all__ = ["changed_files", "fingerprint", "portable_command", "portable_fingerprint"]


def fingerprint(command: Sequence[str], directory: Path) -> str:
    """The SHA-256 of each file that the command names, by its path, as JSON text."""
    files = {_name(path, directory): _digest(path) for path in bot_files(command, directory)}
    return json.dumps(files, sort_keys=True, ensure_ascii=False)


def changed_files(before: str | None, now: str) -> tuple[str, ...]:
    """The files of two fingerprints that are not what they were, sorted; none if unknown."""
    if before is None:
        return ()
    old, new = json.loads(before), json.loads(now)
    return tuple(sorted(name for name in old | new if old.get(name) != new.get(name)))


def portable_command(command: Sequence[str], directory: Path) -> tuple[str, ...]:
    """The command with what is in its files in place of where they are.

    So a bot is known again in another folder or on another machine. The program itself is told by
    its name where it is one of the system's.
    """
    words = (_portable_word(word, directory) for word in command[1:])
    return (_portable_program(command[0], directory), *words)


def portable_fingerprint(command: Sequence[str], directory: Path) -> str:
    """The SHA-256, in hex, of the portable command."""
    words = json.dumps(portable_command(command, directory), ensure_ascii=False)
    return hashlib.sha256(words.encode()).hexdigest()


def _portable_program(word: str, directory: Path) -> str:
    if word in (PYTHON, sys.executable):
        return PYTHON
    name = os.path.basename(word)  # noqa: PTH119 (a name, not a file)
    found = shutil.which(name)
    if found is not None and ("/" not in word or os.path.realpath(found) == os.path.realpath(word)):
        return name
    return _portable_word(word, directory)


def _portable_word(word: str, directory: Path) -> str:
    """A file's digest; of FILE:CLASS the file's, and the class."""
    for path, rest in ((word, ""), (word.rpartition(":")[0], ":" + word.rpartition(":")[2])):
        if path and "\0" not in path and os.path.isfile(directory / path):  # noqa: PTH113
            return f"sha256:{_digest(directory / path)}{rest}"
    return word


def _name(path: Path, directory: Path) -> str:
    """The path as in the command: a tournament may move with its directory."""
    return str(path.relative_to(directory) if path.is_relative_to(directory) else path)


def _digest(path: Path) -> str | None:
    """None for a file that can't be read, which its bot may not need to."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
