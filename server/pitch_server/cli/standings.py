"""`pitch standings`: the table of a tournament, from plan and journal alone.

Here belongs its choice between people and programs. It may run while another process plays.
"""

import json
from collections.abc import Mapping
from typing import Any

import click

from pitch_server.cli.database import database_argument, open_journal, tournament_option

__all__ = ["standings"]


@click.command(
    epilog="\b\nExamples:\n  pitch standings demo.db\n  pitch standings demo.db --json --analysis"
)
@database_argument
@tournament_option
@click.option(
    "--analysis",
    is_flag=True,
    help="Also ratings that no order changes, chances of ranks, bids, points, times.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def standings(database: str, tournament: int | None, analysis: bool, as_json: bool) -> int:
    """Show the table, the comparisons and the faults of the tournament in DB.

    It reads only, also while the tournament goes on. The seed is told at its end. A star marks
    what is significant after Holm's correction over all pairings. Exit status 1 says that games
    are void or were forfeited by absence.
    """
    from pitch_server.published import (
        exit_status,
        published_analysis,
        published_standings,
        shown_standings,
    )
    from pitch_server.report import write_report
    from pitch_server.result_console import ResultConsole

    with open_journal(database, tournament) as journal:
        table: Mapping[str, Any]
        if analysis:
            table = published_analysis(journal)
        elif as_json:
            table = published_standings(journal)
        else:
            table = shown_standings(journal)
    if as_json:
        click.echo(json.dumps(table, indent=2, allow_nan=False))
    else:
        write_report(table, ResultConsole())
    return exit_status(table)
