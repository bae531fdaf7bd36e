"""`pitch report`: a tournament's report to publish, as a page, as Markdown or as CSV.

Here belongs where the files go. What is in them is for pitch_server.reporting. It may run while
another process plays: then no card and no seed is told.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pitch_server.cli.database import (
    database_argument,
    open_journal,
    refusing,
    tournament_option,
)
from pitch_server.cli.group import BadInput

if TYPE_CHECKING:
    from pitch_server.store.journal import Journal

__all__ = ["report"]

_PAGE = "index.html"
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
    with open_journal(database, tournament) as journal:
        files = _files(journal, html, markdown, csv)
    for path, text in files.items():
        if str(path) == "-":
            click.echo(text, nl=False)
        else:
            _write(path, text)
            click.echo(f"wrote {path}", err=True)


def _files(
    journal: "Journal", html: str | None, markdown: str | None, csv: str | None
) -> Mapping[Path, str]:
    """The text of all files that are wanted; all of them are made before any is written."""
    from pitch_server.published import published_analysis
    from pitch_server.reporting.document import report_document

    if html is not None:  # without the extra for it nothing is begun
        from pitch_server.reporting.drawing import draw
        from pitch_server.reporting.page import page
    with refusing():
        document = report_document(journal, published_analysis)
    files: dict[Path, str] = {}
    if html is not None:
        from pitch_server.reporting.charts import charts

        files[Path(html) / _PAGE] = page(document, draw(charts(document)))
    if markdown is not None:
        from pitch_server.reporting.markdown import markdown as as_markdown

        files[Path(markdown)] = as_markdown(document)
    if csv is not None:
        from pitch_server.reporting.csv_files import csv_files

        files |= {Path(csv) / name: text for name, text in csv_files(document).items()}
    return files


def _write(path: Path, text: str) -> None:
    """A file that appears when it is whole."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8", newline="")
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from error
