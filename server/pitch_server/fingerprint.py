"""Fingerprints: which files a bot's command named, and what was in them.

Here belongs telling whether a bot is still the one that a tournament began with, as far as its
command names its files: what those import is not seen.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from pitch_server.bot_command import bot_files

__all__ = ["changed_files", "fingerprint"]


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
