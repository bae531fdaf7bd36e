"""The report: standings drawn for people, as cli.md's JSON holds them.

Here belong the tables and sentences, on a terminal of any width and for a file. Nothing is
computed but what the drawing needs, nothing is read and no clock is asked: the same standings
give the same bytes wherever output is not a terminal.
"""

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from pitch_server.report_analysis import analysis_parts, measured_parts
from pitch_server.report_crosstable import crosstables
from pitch_server.report_tables import (
    NOTHING,
    add_names,
    add_numbers,
    boards_were_fixed,
    empty_table,
    interval,
    least_width,
    one_line,
    side_name,
    signed,
    title,
)
from pitch_server.reporting.notes import notes

__all__ = ["write_report"]

_LUCK_ADDED = (
    "luck removed: by how much less margins vary as all have the same cards; below 0 they "
    "happened to vary more"
)

Json = Mapping[str, Any]

PLAIN_WIDTH = 100_000  # for files: every table as wide as it is, no line is wrapped


def write_report(
    standings: Json, console: Console, *, logs: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Draw the standings; `logs` are the log files of each launched entrant, by its name.

    On a terminal the tables fit its width. Elsewhere they are plain text, one line a row.
    """
    if console.is_terminal:
        _draw(_parts(standings, logs or {}, console), console)
        return
    plain = Console(
        file=io.StringIO(), width=PLAIN_WIDTH, color_system=None, force_terminal=False, _environ={}
    )
    with plain.capture() as drawn:
        _draw(_parts(standings, logs or {}, plain), plain)
    for line in drawn.get().splitlines():
        console.file.write(line.rstrip() + "\n")


def _draw(parts: Sequence[RenderableType], console: Console) -> None:
    for part in parts:
        unbroken = isinstance(part, Text) and bool(part.no_wrap)
        shown = _Uncut(part) if isinstance(part, Table) else part
        console.print(shown, crop=False, soft_wrap=unbroken)


class _Uncut:
    """A table that runs over the edge where it can't be narrower: no digit is ever cut off."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max(options.max_width, least_width(self._table))
        yield from console.render(self._table, options.update_width(width))


def _parts(
    standings: Json, logs: Mapping[str, Sequence[str]], console: Console
) -> list[RenderableType]:
    """Everything to draw, from the top; an empty text is an empty line."""
    parts: list[RenderableType] = [*_heading(standings), Text(), *_ranking(standings, console)]
    if "swiss" in standings:
        parts += [Text(), *_swiss(standings, console)]
    for cross in crosstables(standings, console):
        parts += [Text(), *cross]
    parts += [Text(), *_pairings(standings, console), Text()]
    if "analysis" in standings:
        parts += analysis_parts(standings["analysis"], console)
    if "measured" in standings:
        parts += measured_parts(standings["measured"], console)
    parts += _faults(standings, logs, console)
    if told := notes(dict(standings)):
        parts += [Text(), *map(Text, told)]
    return [*parts, Text(), *_proofs(standings)]


def _heading(standings: Json) -> list[Text]:
    variant = dict(standings["variant"])
    rules = [str(variant.pop("name"))]
    rules += [f"{field} = {json.dumps(value)}" for field, value in variant.items()]
    games = standings["games"]
    state = "complete" if standings["complete"] else "not complete"
    return [
        Text(one_line(standings["tournament"]), style="bold"),
        Text(f"variant {', '.join(rules)}; isolation {standings['isolation']}"),
        Text(f"{games['played']:,} of {_planned(games)} games played; {state}"),
    ]


def _planned(games: Json) -> str:
    return f"{'at most ' if games.get('at_most') else ''}{games['planned']:,}"


def _ranking(standings: Json, console: Console) -> list[RenderableType]:
    table = empty_table(console)
    add_numbers(table, "#")
    add_names(table, "entrant")
    add_numbers(table, "rating", "\u03bc \u00b1 \u03c3", "per board", "games", "W", "D", "L")
    for row in standings["entrants"]:
        skill = row["trueskill"]
        table.add_row(
            str(row["rank"]),
            Text(one_line(row["name"])),
            f"{skill['conservative']:z.2f}",
            f"{skill['mu']:z.1f} \u00b1 {skill['sigma']:z.1f}",
            signed(row["points_per_board"]),
            *(f"{row[key]:,}" for key in ("games", "wins", "draws", "losses")),
        )
    return [title("Standings, by rating (\u03bc \u2212 3\u03c3)"), table]


def _swiss(standings: Json, console: Console) -> list[RenderableType]:
    """The order of a Swiss, and who had a bye when."""
    table = empty_table(console)
    add_numbers(table, "#")
    add_names(table, "entrant")
    add_numbers(table, "points", "margins", "byes")
    for row in standings["swiss"]:
        table.add_row(
            str(row["place"]),
            Text(one_line(row["name"])),
            f"{row['points']:.1f}",
            signed(row["margin"]),
            f"{row['byes']:,}",
        )
    rounds = standings["rounds"]
    byes = [
        f"round {number}: {', '.join(map(one_line, each['byes']))}"
        for number, each in enumerate(rounds, 1)
        if each["byes"]
    ]
    told = [Text(f"byes (a point each): {'; '.join(byes)}")] if byes else []
    over = sum(each["complete"] for each in rounds)
    return [title(f"Order after {_count(over, 'round')}"), table, *told]


def _pairings(standings: Json, console: Console) -> list[RenderableType]:
    """A line for each pairing; with more than two sides one for each of its entrants."""
    table = empty_table(console)
    add_names(table, "entrant")
    add_names(table, "against")
    fixed = boards_were_fixed(standings)
    add_numbers(table, "mean", *(["95 % interval"] if fixed else []), "boards", "W", "D", "L")
    if separating := any("separation" in pairing for pairing in standings["pairings"]):
        add_names(table, "better")
    said = iter(standings["analysis"]["pairings"] if "analysis" in standings else ())
    if "analysis" in standings:
        add_numbers(table, *(["sure"] if fixed else []), "luck removed")
    for pairing in standings["pairings"]:
        two = len(pairing["margins"]) == 2
        for margin in pairing["margins"][: 1 if two else None]:
            others = [name for name in pairing["entrants"] if name != margin["name"]]
            table.add_row(
                Text(side_name(margin["name"])),
                Text(", ".join(map(side_name, others))),
                signed(margin["mean"]),
                *([interval(margin["ci95"])] if fixed else []),
                f"{pairing['boards']:,}",
                *(f"{margin[key]:,}" for key in ("wins", "draws", "losses")),
                *([Text(_better(pairing))] if separating else []),
                *_sureness(next(said, None))[0 if fixed else 1 :],
            )
    notes = []
    if "analysis" in standings:
        rate = f"{100 * standings['analysis']['alpha']:g} %"
        if fixed:
            marks = f"* differs from 0 after Holm's correction over all pairings, at {rate}"
            notes.append(Text(marks))
        if any((row["luck_removed"] or 0) < 0 for row in standings["analysis"]["pairings"]):
            notes.append(Text(_LUCK_ADDED))
    return [title("Pairings: margin per board of the first named"), table, *notes]


def _sureness(row: Json | None) -> tuple[str, ...]:
    """Whether a difference is significant among all of them, and the luck removed."""
    if row is None:
        return ()
    luck = row["luck_removed"]
    mark = "*" if row["holm"]["significant"] else ""
    return (mark, NOTHING if luck is None else f"{100 * luck:.0f} %")


def _better(pairing: Json) -> str:
    better = pairing["separation"]["better"]
    return "undecided" if better is None else one_line(better)


def _faults(
    standings: Json, logs: Mapping[str, Sequence[str]], console: Console
) -> list[RenderableType]:
    """Who was at fault how often, and where to read why."""
    faulted = [row for row in standings["entrants"] if any(row["faults"].values())]
    if not faulted:
        return [Text("No faults.")]
    kinds = [
        kind for kind in faulted[0]["faults"] if any(row["faults"].get(kind) for row in faulted)
    ]
    table = empty_table(console)
    add_names(table, "entrant")
    add_numbers(table, *kinds)
    for row in faulted:
        counts = (f"{row['faults'].get(kind, 0):,}" for kind in kinds)
        table.add_row(Text(one_line(row["name"])), *counts)
    paths = [
        _unbroken(f"log of {one_line(row['name'])}: {path}")
        for row in faulted
        for path in logs.get(row["name"], ())
    ]
    return [title("Faults"), table, *paths]


def _proofs(standings: Json) -> list[Text]:
    """What others need to check the results."""
    seed = standings["seed"]
    lines = {
        "seed": "secret until the end" if seed is None else one_line(seed),
        "commitment": standings["commitment"],
        "digest": standings["digest"],
    }
    return [_unbroken(f"{key:<11}{value}") for key, value in lines.items()]


def _unbroken(line: str) -> Text:
    """A line that the terminal may wrap, but we do not: it can be copied whole."""
    return Text(line, no_wrap=True)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
