"""`pitch verify`: recomputes a tournament and names the first thing that differs.

Here belongs telling what was found. What must agree with what is for pitch_server.verify.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pitch_server.cli.bar import bar
from pitch_server.cli.database import database_argument, open_journal, tournament_option
from pitch_server.cli.publications import checking, page_drawing, read_published

if TYPE_CHECKING:
    from pitch_server.store.journal import Journal
    from pitch_server.verify import Verification

__all__ = ["verify"]

DIFFERS = 1


@click.command(
    epilog="\b\nExamples:\n  pitch verify demo.db\n  pitch verify demo.db --against public\n"
    "  pitch verify demo.db --against published.json --against demo.md"
)
@database_argument
@tournament_option
@click.option(
    "--against",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="FILE",
    help="Published of it: JSON (pitch standings --json), page, Markdown or CSV (pitch report), or "
    "a directory of these: each number must be so.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def verify(database: str, tournament: int | None, against: tuple[Path, ...], as_json: bool) -> int:
    """Recompute the tournament in DB from its seed and records, and compare.

    Checked are the commitment, then each game (record, decks, replay, result, faults), and
    at the end the digest and the standings, with --against whatever else was published. The
    first thing that differs is named, and the exit status is 1.
    """
    from pitch_server.verify import verify as verified

    published = read_published(against)
    drawn = page_drawing(published)  # without the extra for it nothing is begun
    with (
        open_journal(database, tournament) as journal,
        bar("games", lambda: len(journal.played()), beside_results=False) as tell,
    ):
        check = checking(journal, published, drawn) if published else None
        found = verified(journal, tell, against=check)
        document = _document(journal, found)
    if published:
        document["published"] = [file.name for file in published]
    click.echo(json.dumps(document, indent=2) if as_json else "\n".join(_lines(document)))
    return 0 if found.ok else DIFFERS


def _document(journal: "Journal", found: "Verification") -> dict[str, Any]:
    return {
        "tournament": journal.settings.name,
        "games": {"planned": found.planned, "agreed": found.games},
        "commitment": journal.commitment,
        "digest": found.digest,
        "ok": found.ok,
        "difference": found.difference,
    }


def _lines(document: dict[str, Any]) -> list[str]:
    games = document["games"]
    lines = [
        f"tournament  {document['tournament']}",
        f"games       {games['agreed']:,} of {games['planned']:,} recomputed and equal",
        f"commitment  {document['commitment']}",
    ]
    if document["digest"] is not None:
        lines.append(f"digest      {document['digest']}")
    if "published" in document and document["ok"]:
        lines.append(f"published   {', '.join(document['published'])}: equal")
    return [*lines, _end(document)]


def _end(document: dict[str, Any]) -> str:
    if not document["ok"]:
        return f"differs: {document['difference']}"
    if document["games"]["agreed"]:
        return "ok"
    return "ok, but no game is played yet: the commitment was all there was to check"
