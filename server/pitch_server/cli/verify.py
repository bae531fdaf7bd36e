"""`pitch verify`: recomputes a tournament and names the first thing that differs.

Here belongs telling what was found. What must agree with what is for pitch_server.verify.
"""

import json
from typing import TYPE_CHECKING, Any

import click

from pitch_server.cli.bar import bar
from pitch_server.cli.database import database_argument, open_journal, tournament_option

if TYPE_CHECKING:
    from pitch_server.store.journal import Journal
    from pitch_server.verify import Verification

__all__ = ["verify"]

DIFFERS = 1


@click.command(epilog="\b\nExamples:\n  pitch verify demo.db\n  pitch verify demo.db --json")
@database_argument
@tournament_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def verify(database: str, tournament: int | None, as_json: bool) -> int:
    """Recompute the tournament in DB from its seed and records, and compare.

    Checked are the commitment, then each game (record, decks, replay, result, faults), and
    at the end the digest and the standings. The first thing that differs is named, and the
    exit status is 1.
    """
    from pitch_server.verify import verify as verified

    with (
        open_journal(database, tournament) as journal,
        bar("games", lambda: len(journal.played()), beside_results=False) as tell,
    ):
        found = verified(journal, tell)
        document = _document(journal, found)
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
    return [*lines, "ok" if document["ok"] else f"differs: {document['difference']}"]
