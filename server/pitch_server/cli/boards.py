"""`pitch boards`: what each pairing bid and took at every table of a board, and the swing.

Here belongs how travellers look. Which boards they are of is for pitch_server.travellers.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from pitch_server.cli.database import database_argument, open_journal, tournament_option
from pitch_server.cli.group import BadInput

__all__ = ["boards"]

_LIMIT = 10
_EPILOG = """\b
Examples:
  pitch boards demo.db
  pitch boards demo.db --worst-for careful --limit 3
  pitch boards demo.db --board 17 --json
"""


@click.command(epilog=_EPILOG)
@database_argument
@tournament_option
@click.option("--board", type=click.IntRange(min=0), metavar="N", help="All pairings at one board.")
@click.option("--worst-for", metavar="NAME", help="The boards that cost an entrant most.")
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help=f"So many boards; {_LIMIT} by default."
)
@click.option("--reveal", is_flag=True, help="Tell before the end what still is to be secret.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def boards(
    database: str,
    tournament: int | None,
    board: int | None,
    worst_for: str | None,
    limit: int | None,
    reveal: bool,
    as_json: bool,
) -> int:
    """Show boards of the tournament in DB table by table: who bid what, what they took.

    By default those of the largest swing: what a pairing's tables gave one side together. A
    game's number is what pitch why explains and pitch rerun plays again. Before the end it is
    refused without --reveal, as it tells cards of games to come.
    """
    from pitch_server.cli.operating import known_entrant
    from pitch_server.store.export import check_revealed
    from pitch_server.travellers.boards import travellers

    with open_journal(database, tournament) as journal:
        if worst_for is not None:
            worst_for = known_entrant(worst_for, journal)
        check_revealed(journal, reveal=reveal, verb="show")
        most = limit if limit is not None or board is not None else _LIMIT
        rows = travellers(journal, board=board, worst_for=worst_for, limit=most)
        name = journal.settings.name
        if board is not None and not rows:
            raise BadInput(
                f"{journal.place} has no whole board {board} that counts; {_what_there_is(journal)}"
            )
    if as_json:
        click.echo(json.dumps({"tournament": name, "boards": rows}, indent=2, allow_nan=False))
    else:
        click.echo("\n".join(_lines(rows)) if rows else "No whole board counts yet.")
    return 0


def _what_there_is(journal: Any) -> str:
    planned = journal.settings.format.boards
    return f"a pairing plays boards 0 to {planned - 1:,} at most"


def _lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    from pitch_server.report_tables import one_line, side_name

    for at, row in enumerate(rows):
        if at:
            yield ""
        yield click.style(
            f"Board {row['board']}: {' against '.join(map(side_name, row['entrants']))}, "
            f"{_swing(row)}",
            bold=True,
        )
        ends = zip(row["entrants"], row["margins"], strict=True)
        yield "  margin a table: " + ", ".join(
            f"{side_name(side)} {margin:+g}" for side, margin in ends
        )
        shared = row["tables"][0]["dealt"]
        if all(table["dealt"] == shared for table in row["tables"]):
            yield from _dealt_lines(shared)
        else:
            shared = None
        for table in row["tables"]:
            seats = ", ".join(f"{at} {one_line(name)}" for at, name in enumerate(table["seats"]))
            yield f"  game {table['game']}: {seats}; dealer {table['dealer']}"
            if shared is None:
                yield from (f"  {line}" for line in _dealt_lines(table["dealt"]))
            yield from (f"    {line}" for line in _table_lines(table))


def _swing(row: Mapping[str, Any]) -> str:
    """To whom the tables together gave how much."""
    from pitch_server.report_tables import side_name

    sides = zip(row["entrants"], row["margins"], strict=True)
    most = max(row["margins"])
    winners = [side_name(side) for side, margin in sides if margin == most]
    if not row["swing"] or len(winners) != 1:
        return f"swing {row['swing']:g}"
    return f"swing {row['swing']:g} to {winners[0]}, its {len(row['tables'])} tables together"


def _dealt_lines(dealt: Sequence[Sequence[str]] | None) -> Iterator[str]:
    """What each seat was dealt in the first hand."""
    for seat, cards in enumerate(dealt or ()):
        yield f"  seat {seat} dealt {' '.join(cards)}"


def _table_lines(table: Mapping[str, Any]) -> Iterator[str]:
    for hand in table["hands"]:
        yield _hand_line(hand)
    for forfeit in table["forfeits"]:
        yield f"side {forfeit['side']} forfeited: {forfeit['cause']}"
    yield f"scores {' '.join(map(str, table['scores']))}"


def _hand_line(hand: Mapping[str, Any]) -> str:
    auction = " · ".join(hand["auction"]) or "no bid"
    if hand["made"] is None:
        return f"{auction}; not finished"
    won = ", ".join(
        f"{kind.replace('_', ' ')} {'nobody' if side is None else f'side {side}'}"
        for kind, side in hand["won"].items()
    )
    made = "made" if hand["made"] else "set"
    return (
        f"{auction}; seat {hand['pitcher']} for {hand['bid']} in {hand['trump']}, {made}; {won}; "
        f"delta {' '.join(f'{delta:+d}' for delta in hand['delta'])}"
    )
