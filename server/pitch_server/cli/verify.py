"""`pitch verify`: recomputes a tournament and names the first thing that differs.

Here belongs telling what was found. What must agree with what is for pitch_server.verify.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pitch_server.cli.bar import bar
from pitch_server.cli.database import database_argument, open_journal, tournament_option
from pitch_server.cli.group import BadInput

if TYPE_CHECKING:
    from pitch_server.store.journal import Journal
    from pitch_server.verify import Verification

__all__ = ["verify"]

DIFFERS = 1


@click.command(
    epilog="\b\nExamples:\n  pitch verify demo.db\n  pitch verify demo.db --against published.json"
)
@database_argument
@tournament_option
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A published JSON document of it (pitch standings --json): each number must be so.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def verify(database: str, tournament: int | None, against: Path | None, as_json: bool) -> int:
    """Recompute the tournament in DB from its seed and records, and compare.

    Checked are the commitment, then each game (record, decks, replay, result, faults), and
    at the end the digest and the standings, with --against whatever else was published. The
    first thing that differs is named, and the exit status is 1.
    """
    from pitch_server.verify import verify as verified

    published = None if against is None else _read(against)
    with (
        open_journal(database, tournament) as journal,
        bar("games", lambda: len(journal.played()), beside_results=False) as tell,
    ):
        found = verified(journal, tell, against=published)
        document = _document(journal, found)
    click.echo(json.dumps(document, indent=2) if as_json else "\n".join(_lines(document)))
    return 0 if found.ok else DIFFERS


def _read(file: Path) -> dict[str, Any]:
    """The published document; BadInput if it is none."""
    from pitch.records import RecordSyntaxError, read_objects

    try:
        ((_, value),) = read_objects([file.read_bytes()])
    except RecordSyntaxError as error:
        raise BadInput(f"{file}: {error}") from None
    except ValueError:
        raise BadInput(f"{file}: holds nothing; expected a JSON document") from None
    return value


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
    return [*lines, "ok" if document["ok"] else f"differs: {document['difference']}"]
