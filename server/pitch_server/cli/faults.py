"""`pitch faults`: what bots did wrong, whose fault that was, and where to look.

Here belong what is listed and how it looks. What a fault means is for pitch_server.faults, what
may be told before the end is as for `pitch export`: nothing from which a card can be read.
"""

import json
import shlex
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pitch.table.faults import Fault
from pitch_server.cli.database import (
    database_argument,
    open_journal,
    parse_place,
    tournament_option,
)

if TYPE_CHECKING:
    from pitch_server.faults import Charge, Charges, Explained, Group
    from pitch_server.store.journal import Journal
    from pitch_server.store.rows import Crash

__all__ = ["faults"]

_SHOWN = 20  # groups by default
_OUTPUT_LINES = 12
_EPILOG = """\b
Examples:
  pitch faults demo.db
  pitch faults demo.db --entrant rule --kind timeout
  pitch faults demo.db --game 17 --reveal
"""


@click.command(epilog=_EPILOG)
@database_argument
@tournament_option
@click.option("--entrant", metavar="NAME", help="Only those of one entrant.")
@click.option("--kind", type=click.Choice([str(fault) for fault in Fault]), help="Only one kind.")
@click.option("--game", type=click.IntRange(min=0), metavar="N", help="Only those of one game.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Explain so many; {_SHOWN} groups by default, with --json all of them.",
)
@click.option("--reveal", is_flag=True, help="Tell before the end what shows cards.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def faults(
    database: str,
    tournament: int | None,
    entrant: str | None,
    kind: str | None,
    game: int | None,
    limit: int | None,
    reveal: bool,
    as_json: bool,
) -> int:
    """List and explain the faults of the tournament in DB: what came, how late, and whose it was.

    Faults that are much the same are told once, with the first of them. A verdict is what can be
    known from here (bot, network or unclear); it changes no result. Games that were played again
    after an exception of the server follow. Before the end, cards are told only with --reveal.
    """
    from pitch_server.cli.operating import known_entrant
    from pitch_server.store.rows import State

    with open_journal(database, tournament) as journal:
        if entrant is not None:
            entrant = known_entrant(entrant, journal)
        hidden = not reveal and journal.state() is State.RUNNING
        wanted = _charges(journal, entrant, kind, game, hidden=hidden)
        crashes = (each for each in journal.crashes() if game in (None, each.number))
        if as_json:
            _write_json(journal, wanted, crashes, limit, hidden=hidden)
        else:
            logs = _logs(database, journal)
            which = "" if tournament is None else f" --tournament {tournament}"
            named = f"{shlex.quote(database)}{which}"
            _write_text(named, logs, wanted, crashes, limit or _SHOWN, hidden=hidden)
    return 0


def _charges(
    journal: "Journal", entrant: str | None, kind: str | None, game: int | None, *, hidden: bool
) -> Iterator["Charge"]:
    """The faults that are wanted, in plan order."""
    from pitch_server.faults import Charge, veiled
    from pitch_server.planned import known_plan

    plan, names = known_plan(journal), journal.settings.names
    for number, evidence in journal.evidence():
        if game not in (None, number) or kind not in (None, evidence.kind):
            continue
        seats = plan[number].seats if number < len(plan) else ()
        name = names[seats[evidence.seat]] if evidence.seat in range(len(seats)) else "?"
        if entrant in (None, name):
            yield Charge(number, name, veiled(evidence) if hidden else evidence)


# --- for programs ---------------------------------------------------------------------------------


def _write_json(
    journal: "Journal",
    wanted: Iterator["Charge"],
    crashes: Iterator["Crash"],
    limit: int | None,
    *,
    hidden: bool,
) -> None:
    """One document, written as it is read: there may be a million faults."""
    from pitch_server.faults import Charges

    charges, separator = Charges(), "\n"
    head = {"tournament": journal.settings.name, "cards_hidden": hidden}
    click.echo(json.dumps(head, ensure_ascii=False)[:-1] + ', "faults": [', nl=False)
    for number, charge in enumerate(wanted):
        found = charges.add(charge)
        if limit is None or number < limit:
            line = json.dumps(_charge_json(charge, found), ensure_ascii=False, allow_nan=False)
            click.echo(separator + "  " + line, nl=False)
            separator = ",\n"
    tail = {
        "summary": [
            {"entrant": entrant, "kind": kind, "verdict": verdict, "count": count}
            for (entrant, kind, verdict), count in sorted(charges.counts.items())
        ],
        "crashes": [
            {"game": crash.number, "attempt": crash.attempt, "error": crash.error}
            for crash in crashes
        ],
    }
    click.echo("\n], " + json.dumps(tail, ensure_ascii=False)[1:])


def _charge_json(charge: "Charge", found: "Explained") -> dict[str, Any]:
    from pitch_server.faults import explain

    return {
        "game": charge.number,
        "entrant": charge.entrant,
        **charge.evidence._asdict(),
        "verdict": str(found.verdict),
        "reason": found.reason,
        "explanation": explain(charge.evidence),
    }


# --- for people -----------------------------------------------------------------------------------


def _write_text(
    database: str,
    logs: Mapping[str, str],
    wanted: Iterator["Charge"],
    crashes: Iterator["Crash"],
    limit: int,
    *,
    hidden: bool,
) -> None:
    from pitch_server.faults import Charges

    charges = Charges()
    for charge in wanted:
        charges.add(charge)
    _write_summary(charges)
    groups = charges.groups
    for group in groups[:limit]:
        click.echo("\n" + "\n".join(_group_lines(group, database, logs)))
    if len(groups) > limit:
        click.echo(f"\n{len(groups) - limit} more kinds of fault; --limit N shows more of them")
    _write_crashes(crashes, limit)
    if hidden and groups:
        click.echo("\ncards are not told before the tournament's end; --reveal tells them")


def _write_summary(charges: "Charges") -> None:
    from rich.cells import cell_len, set_cell_size

    if not charges.counts:
        click.echo("no faults")
        return
    rows = [["entrant", "fault", "whose", "count"]]
    rows += [[*map(_clean, key), f"{n:,}"] for key, n in sorted(charges.counts.items())]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for *texts, count in rows:
        cells = [set_cell_size(text, width) for text, width in zip(texts, widths, strict=False)]
        click.echo("  ".join([*cells, count.rjust(widths[-1])]))


def _group_lines(group: "Group", database: str, logs: Mapping[str, str]) -> Iterator[str]:
    """A group of faults: what happened, whose it was, the times, where to look."""
    from pitch_server.faults import explain

    first, found = group.first, group.found
    evidence = first.evidence
    often = "once" if group.count == 1 else f"{group.count:,} times"
    yield f"{_clean(first.entrant)}: {_clean(evidence.kind)}, {often}"
    yield f"  {_clean(explain(evidence))}"
    yield f"  {found.verdict}: {_clean(found.reason)}"
    yield f"  {'' if group.count == 1 else 'first '}{_where(group)}{_way(group)}"
    if evidence.legal:
        yield f"  legal was: {_clean(evidence.legal)}"
    lines = (evidence.output or "").splitlines()
    if lines:
        yield "  its last output, or traceback:"
        yield from (f"    {_clean(line)}" for line in lines[-_OUTPUT_LINES:])
    asked = "" if evidence.question is None else f" --decision {evidence.question}"
    yield f"  look at: pitch why {database} {first.number}{asked}{logs.get(first.entrant, '')}"


def _where(group: "Group") -> str:
    first = group.first
    place = f"in game {first.number}, seat {first.evidence.seat}"
    if first.evidence.question is None:
        return place
    return f"{place}, decision {first.evidence.question}"


def _way(group: "Group") -> str:
    """The way of a question: where its time went."""
    from pitch_server.faults import span

    evidence = group.first.evidence
    parts = {
        "in queue": evidence.queued,
        "to the wire": evidence.wire,
        "until the answer or the verdict": evidence.waited,
    }
    told = [f"{span(seconds)} {what}" for what, seconds in parts.items() if seconds is not None]
    return f": {', '.join(told)}" if told else ""


def _logs(database: str, journal: "Journal") -> dict[str, str]:
    """By entrant where the output of its processes is, for those that were launched."""
    from pitch_server.places import log_directory, near

    directory = log_directory(parse_place(database), journal.directory or Path.cwd())
    if not directory.is_dir():
        return {}
    launched = [each.name for each in journal.settings.entrants if each.command is not None]
    return dict.fromkeys(launched, f"; its output is in {near(directory)}")


def _write_crashes(crashes: Iterator["Crash"], limit: int) -> None:
    for crash in islice(crashes, limit):
        click.echo(
            f"\ngame {crash.number} met an exception of the server at attempt {crash.attempt + 1}; "
            "no bot is charged for it:"
        )
        for line in crash.error.rstrip().splitlines()[-_OUTPUT_LINES:]:
            click.echo(f"    {_clean(line)}")


def _clean(text: str) -> str:
    """Text of a bot, with nothing that a terminal would obey."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
