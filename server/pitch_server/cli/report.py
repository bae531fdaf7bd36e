"""`pitch report`: a tournament's report to publish, as a page, as Markdown or as CSV.

Here belongs where the files go. What is in them is for pitch_server.reporting. It may run while
another process plays: then no card and no seed is told.
"""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pitch_server.cli.database import (
    database_argument,
    open_journal,
    refusing,
    tournament_option,
)
from pitch_server.cli.group import BadInput
from pitch_server.cli.outputs import check_output, write_output
from pitch_server.written_files import MARKDOWN, PAGE, FileKind, csv_kind

if TYPE_CHECKING:
    from pitch_server.store.journal import Journal

__all__ = ["report"]

_PAGE = "index.html"
_STDOUT = "-"
_EPILOG = """\b
Examples:
  pitch report demo.db --html public
  pitch report demo.db --markdown demo.md --csv tables
  pitch report demo.db --markdown -
"""


@click.command(epilog=_EPILOG)
@database_argument
@tournament_option
@click.option("--html", metavar="DIR", help=f"Write the page to DIR/{_PAGE}.")
@click.option("--markdown", metavar="FILE", help="Write Markdown; - is standard output.")
@click.option("--csv", metavar="DIR", help="Write each table to a file in DIR.")
def report(
    database: str,
    tournament: int | None,
    html: str | None,
    markdown: str | None,
    csv: str | None,
) -> None:
    """Write the report of the tournament in DB, to publish.

    The page holds everything: tables, charts, boards and the document that they are made of. It
    has no script and asks for nothing. While the tournament goes on it tells no card and no seed.
    """
    if html is None and markdown is None and csv is None:
        raise click.UsageError("expected --html DIR, --markdown FILE or --csv DIR")
    for option, given in (("--html", html), ("--markdown", markdown), ("--csv", csv)):
        if given == "":
            raise BadInput(f"{option}: expected a name; got an empty one")
    with open_journal(database, tournament) as journal:
        files = _files(journal, html, markdown, csv)
    for file in files:  # before the first is written
        if file.name != _STDOUT:
            _prepare(file)
    for name, kind, text in files:
        if name == _STDOUT:
            click.echo(text, nl=False)
        else:
            write_output(name, kind, text)
            click.echo(f"wrote {name}", err=True)


class _File(NamedTuple):
    name: str
    kind: FileKind
    text: str


def _files(
    journal: "Journal", html: str | None, markdown: str | None, csv: str | None
) -> list[_File]:
    """The text of all files that are wanted; all of them are made before any is written."""
    from pitch_server.published import published_analysis
    from pitch_server.reporting.document import report_document

    if html is not None:  # without the extra for it nothing is begun
        from pitch_server.reporting.drawing import draw
        from pitch_server.reporting.page import page
    with refusing():
        document = report_document(journal, published_analysis)
    files: list[_File] = []
    if html is not None:
        from pitch_server.reporting.charts import charts

        drawn = page(document, draw(charts(document)))
        files.append(_File(str(Path(html) / _PAGE), PAGE, drawn))
    if markdown is not None:
        from pitch_server.reporting.markdown import markdown as as_markdown

        files.append(_File(markdown, MARKDOWN, as_markdown(document)))
    if csv is not None:
        from pitch_server.reporting.csv_files import csv_files

        for name, text in csv_files(document).items():
            files.append(_File(str(Path(csv) / name), csv_kind(text), text))
    return files


def _prepare(file: _File) -> None:
    """Makes the folder it goes to; BadInput if the file could not be written there."""
    folder = Path(file.name).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise BadInput(f"{folder} is a file; expected a folder, there or to be made") from None
    except OSError as error:
        raise BadInput(f"{folder}: cannot be made: {error.strerror}") from error
    check_output(file.name, file.kind)
