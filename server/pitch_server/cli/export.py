"""`pitch export`: every game record of a tournament, as JSON Lines in plan order.

Here belongs where the lines go. What may be told when is for pitch_server.store.export.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import click

from pitch_server.cli.bar import bar
from pitch_server.cli.database import database_argument, open_journal, tournament_option
from pitch_server.cli.group import BadInput

__all__ = ["export"]

_EPILOG = """\b
Examples:
  pitch export demo.db > demo.jsonl
  pitch export demo.db --output demo.jsonl
  pitch export demo.db | pitch replay - --summary
"""


@click.command(epilog=_EPILOG)
@database_argument
@tournament_option
@click.option("--reveal", is_flag=True, help="Export before the end what still is to be secret.")
@click.option("--output", metavar="FILE", help="Write to a file, which appears when it is whole.")
def export(database: str, tournament: int | None, reveal: bool, output: str | None) -> None:
    """Write the record of every game of the tournament in DB, a line each, in plan order.

    Before the end it is refused without --reveal: all pairings play the same boards, so the
    records tell the cards of games to come.
    """
    from pitch_server.store.export import export_lines

    with open_journal(database, tournament) as journal:
        lines = export_lines(journal, reveal=reveal)
        games = bar("games", lambda: len(journal.played()), beside_results=output is None)
        with _target(output) as stream, games as tell:
            for number, line in enumerate(lines, 1):
                stream.write(line.encode() + b"\n")
                tell(number)


@contextmanager
def _target(output: str | None) -> Iterator[BinaryIO]:
    """Standard output, or a file that is written beside its place and moved there in the end."""
    if output is None or output == "-":
        yield sys.stdout.buffer
        return
    path = Path(output)
    whole = path.exists() and not path.is_file()  # a pipe or device can't be moved to
    part = path if whole else path.with_name(path.name + ".part")
    try:
        with part.open("wb") as stream:
            yield stream
        if not whole:
            part.replace(path)
    except BaseException as error:
        if not whole:
            with suppress(OSError):
                part.unlink()
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            raise BadInput(f"{output}: cannot be written: {error.strerror}") from error
        raise
