"""What a tournament takes anew when it goes on: where its bots run, their commands and files.

Here belongs what may change beside the frozen settings, and telling that it did.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pitch_server.bot_command import command_problem
from pitch_server.fingerprint import changed_files, fingerprint
from pitch_server.store.journal import Journal
from pitch_server.store.rows import EntrantRow

__all__ = ["changed_bots", "command_problems", "renew_bots"]


def command_problems(
    journal: Journal, directory: Path, commands: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Why entrants can't be started, as far as that can be known: a sentence each."""
    return tuple(_problems(journal, directory, commands))


def _problems(
    journal: Journal, directory: Path, commands: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    for row in journal.entrants():
        command = commands.get(row.name, row.command)
        if row.withdrawn or command is None:
            continue
        if problem := command_problem(command, directory):
            yield f"{row.name}: {problem}"


def renew_bots(
    journal: Journal, directory: Path, commands: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Keeps directory, commands and fingerprints as they are now; a warning for each change."""
    if journal.directory != directory:
        journal.set_directory(directory)
    warnings = changed_bots(journal, directory, commands)
    for row, command, files in _bots(journal, directory, commands):
        if (tuple(command), files) != (row.command, row.fingerprint):
            journal.set_command(row.name, command, files)
    return warnings


def changed_bots(
    journal: Journal, directory: Path, commands: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """A warning for each bot that is not what it was; nothing is written."""
    return tuple(
        warning
        for row, command, files in _bots(journal, directory, commands)
        for warning in _changes(row, command, files)
    )


def _bots(
    journal: Journal, directory: Path, commands: Mapping[str, Sequence[str]]
) -> Iterator[tuple[EntrantRow, Sequence[str], str]]:
    """Each entrant that has a command, with that and the fingerprint of its files now."""
    for row in journal.entrants():
        command = commands.get(row.name, row.command)
        if command is not None:
            yield row, command, fingerprint(command, directory)


def _changes(row: EntrantRow, command: Sequence[str], files: str) -> Iterator[str]:
    if row.command not in (None, tuple(command)):
        yield f"warning: {row.name} is started by another command now: {shlex.join(command)}"
    elif changed := changed_files(row.fingerprint, files):
        yield (
            f"warning: {row.name} may be another bot than the one that began: "
            f"{', '.join(changed)} changed since"
        )
