"""`pitch rate`: several tournaments rated together, as a running ladder.

Here belong reading them and the table. The ratings are for pitch_server.analysis.together.
"""

import json
import unicodedata
from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from pitch_server.cli.database import open_journal, refusing
from pitch_server.cli.group import BadInput

if TYPE_CHECKING:
    from pitch_server.store.journal import Journal

__all__ = ["rate"]

_PLAIN_WIDTH = 10_000  # for files: no line is wrapped
_EPILOG = """\b
Examples:
  pitch rate monday.db tuesday.db wednesday.db
  pitch rate *.db --json
"""


@click.command(epilog=_EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILES...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def rate(files: tuple[str, ...], as_json: bool) -> int:
    """Rate the tournaments in FILES together, the latest of each database, in their order.

    Entrants are the same where their names are. TrueSkill goes on from each tournament to the
    next, so that the order of FILES counts; the order-free rating takes the boards of all of them
    alike that count margins in one unit, and names those that do not. Whether bots of one name are
    one bot is for you to know; those whose files differ are named in a warning. Which number to
    trust for what: docs/ratings.md.
    """
    from pitch_server.analysis.together import Together
    from pitch_server.planned import within_plan

    with ExitStack() as stack:
        journals = [stack.enter_context(open_journal(file, None)) for file in files]
        _refuse_twice(files, journals)
        together = Together([journal.settings for journal in journals], files)
        with refusing():
            others = _other_bots(files, journals)
        for at, journal in enumerate(journals):
            with refusing(), within_plan(journal):
                together.add(at, journal.results())
        found = {
            "tournaments": [
                {
                    "name": each.settings.name,
                    "commitment": each.commitment,
                    "order_free": counted,
                }
                for each, counted in zip(journals, together.counted, strict=True)
            ],
            **together.document(),
        }
    for warning in others:
        click.echo(warning, err=True)
    if as_json:
        click.echo(json.dumps(found, indent=2, allow_nan=False))
    else:
        _write(found)
    return 0


def _refuse_twice(files: tuple[str, ...], journals: "list[Journal]") -> None:
    """A tournament that is given twice would count twice."""
    seen: dict[tuple[Any, ...], str] = {}
    for file, journal in zip(files, journals, strict=True):
        key = (journal.commitment, journal.settings)
        before = next((name for known, name in seen.items() if known == key), None)
        if before is not None:
            raise BadInput(f"{file} is the same tournament as {before}; expected each once")
        seen[key] = file


def _other_bots(files: tuple[str, ...], journals: "list[Journal]") -> list[str]:
    """Entrants of one name whose files were not the same ones."""
    from pitch_server.fingerprint import changed_files

    warnings = []
    latest: dict[str, tuple[str, str]] = {}
    for file, journal in zip(files, journals, strict=True):
        for row in journal.entrants():
            if row.fingerprint is None:  # it connected by itself: nothing is known of it
                continue
            name = unicodedata.normalize("NFC", row.name)
            before = latest.get(name)
            if before is not None and (changed := changed_files(before[1], row.fingerprint)):
                warnings.append(
                    f"{row.name}: {', '.join(changed)} of {file} is another file than in "
                    f"{before[0]}; they are rated as one entrant"
                )
            latest[name] = file, row.fingerprint
    return warnings


def _write(found: Mapping[str, Any]) -> None:
    from rich.text import Text

    from pitch_server.report_tables import (
        NOTHING,
        add_names,
        add_numbers,
        empty_table,
        one_line,
        signed,
    )
    from pitch_server.result_console import ResultConsole

    console = ResultConsole()
    if not console.is_terminal:
        console = ResultConsole(width=_PLAIN_WIDTH)
    table = empty_table(console)
    add_numbers(table, "#")
    add_names(table, "entrant")
    add_numbers(table, "rating", "μ ± σ", "tournaments", "boards", "order-free", "error", "group")
    for row in found["entrants"]:
        skill, error, group = row["trueskill"], row["standard_error"], row["group"]
        table.add_row(
            str(row["rank"]),
            Text(one_line(row["name"])),
            f"{skill['conservative']:z.2f}",
            f"{skill['mu']:z.1f} ± {skill['sigma']:z.1f}",
            f"{row['tournaments']:,}",
            f"{row['boards']:,}",
            signed(row["rating"]),
            NOTHING if error is None else f"±{error:.2f}",
            NOTHING if group is None else str(group),
        )
    count = len(found["tournaments"])
    what = f"{count:,} tournament{'' if count == 1 else 's'}, by μ − 3σ"
    console.print(Text(what, style="bold"))
    console.print(table, crop=False)
    told = [found["note"]] if found["note"] else []
    if found["measure"] is not None:
        told.append(
            f"order-free: {found['measure']}; only entrants of one group can be compared by it"
        )
    for line in told:
        console.print(one_line(line), markup=False, soft_wrap=True)
