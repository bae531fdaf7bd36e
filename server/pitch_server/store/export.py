"""Export: every game record of a tournament as JSON Lines, in plan order (records.md).

Here belongs what may be told when. The records, with their x_ keys, are as the tournament wrote
them.
"""

from collections.abc import Iterator

from pitch_server.store.errors import ExportRefused
from pitch_server.store.journal import Journal
from pitch_server.store.rows import State

__all__ = ["check_revealed", "export_lines"]


def export_lines(journal: Journal, *, reveal: bool = False) -> Iterator[str]:
    """The lines, without line ends, one in memory at a time.

    Raises ExportRefused at once while the tournament runs, unless `reveal` is said: all pairings
    share the boards.
    """
    check_revealed(journal, reveal=reveal, verb="export")
    return (stored.record for stored in journal.records())


def check_revealed(journal: Journal, *, reveal: bool, verb: str) -> None:
    """ExportRefused while the tournament runs, unless `reveal` is said."""
    if not reveal and journal.state() is State.RUNNING:
        raise ExportRefused(
            f"{journal.place}: the tournament is not over, and its records would reveal boards "
            f"that are still to be played; say --reveal to {verb} them all the same"
        )
