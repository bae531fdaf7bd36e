"""The steward: what others change in the database while a tournament is played from it.

Here belongs looking, now and then, whether an entrant got another token, was withdrawn, or the
tournament was closed, by a command that found no server to tell. Acting on it is `tournament`'s.
"""

from collections.abc import Mapping
from typing import NamedTuple

from pitch_server.store.journal import Journal
from pitch_server.store.rows import State

__all__ = ["Changes", "Steward"]


class Changes(NamedTuple):
    """What has changed: new hashes of tokens by entrant, who was withdrawn, whether it goes on."""

    tokens: Mapping[str, str | None]
    withdrawn: frozenset[str]
    state: State


class Steward:
    """Compares a tournament's rows with what they were when last looked at."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._rows = {row.name: row for row in journal.entrants()}

    def look(self) -> Changes:
        """What is different now; it may take a while. JournalError if it can't be read."""
        before, self._rows = self._rows, {row.name: row for row in self._journal.entrants()}
        tokens = {
            name: row.token_hash
            for name, row in self._rows.items()
            if row.token_hash != before[name].token_hash
        }
        withdrawn = frozenset(
            name for name, row in self._rows.items() if row.withdrawn and not before[name].withdrawn
        )
        return Changes(tokens, withdrawn, self._journal.state())
