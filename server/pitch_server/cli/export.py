"""`pitch export`: every game record of a tournament, as JSON Lines in plan order, or as arrays.

Here belongs where the lines go. What may be told when is for pitch_server.store.export; what an
array holds for pitch.envs.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

import click

from pitch_server.cli.bar import bar
from pitch_server.cli.database import database_argument, open_journal, tournament_option
from pitch_server.cli.group import BadInput
from pitch_server.cli.outputs import output
from pitch_server.written_files import ARRAYS, RECORDS, FileKind

if TYPE_CHECKING:
    from pitch_server.store.journal import Journal

__all__ = ["export"]

_EPILOG = """\b
Examples:
  pitch export demo.db > demo.jsonl
  pitch export demo.db --output demo.jsonl
  pitch export demo.db | pitch replay - --summary
  pitch export demo.db --npz demo.npz
"""


@click.command(epilog=_EPILOG)
@database_argument
@tournament_option
@click.option("--reveal", is_flag=True, help="Export before the end what still is to be secret.")
@click.option(
    "--output", "file", metavar="FILE", help="Write to a file, which appears when it is whole."
)
@click.option("--npz", metavar="FILE", help="Write the decisions as NumPy arrays instead.")
def export(
    database: str, tournament: int | None, reveal: bool, file: str | None, npz: str | None
) -> None:
    """Write the record of every game of the tournament in DB, a line each, in plan order.

    With --npz the decisions of bots are written instead, as vectors to learn from
    (docs/how-to/learning.md). Before the end both are refused without --reveal: all pairings play
    the same boards, so the records tell the cards of games to come.
    """
    from pitch_server.store.export import export_lines

    if npz is not None and file is not None:
        raise BadInput("--output and --npz were both given: say which of them is to be written")
    with open_journal(database, tournament) as journal:
        lines = export_lines(journal, reveal=reveal)
        beside = file is None and npz is None
        with bar("games", lambda: len(journal.played()), beside_results=beside) as tell:
            told = _telling(lines, tell)
            if npz is not None:
                _write_arrays(npz, journal, told)
                return
            with _target(file, RECORDS) as stream:
                for line in told:
                    stream.write(line.encode() + b"\n")


def _telling(lines: Iterable[str], tell: Callable[[int], object]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        yield line
        tell(number)


def _write_arrays(file: str, journal: "Journal", lines: Iterable[str]) -> None:
    from pitch.envs.dataset import write_rows
    from pitch.envs.decisions import rows_of
    from pitch.envs.encoding import Encoding

    settings = journal.settings
    encoding = Encoding(settings.variant, settings.format.unit)
    names = [entrant.name for entrant in settings.entrants]
    numbers = {name: number for number, name in enumerate(names)}
    with _target(file, ARRAYS) as stream:
        count = write_rows(stream, encoding, names, rows_of(lines, encoding, numbers))
    click.echo(f"{file}: {count:,} decisions of {len(names)} bots", err=True)


@contextmanager
def _target(name: str | None, kind: FileKind) -> Iterator[BinaryIO]:
    """Standard output, or a file that appears when it is whole."""
    if name is None or name == "-":
        yield sys.stdout.buffer
        return
    with output(name, kind) as stream:
        yield stream
