"""The report as Markdown: its tables, its notes and the boards, for a forum or a repository.

Here belongs Markdown's escaping. Names of strangers come through as the text that they are.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pitch_server.reporting.cells import Cell, Heat, Name, Table, Words
from pitch_server.reporting.hands import Board, TableTold, boards
from pitch_server.reporting.names import isolated, printable
from pitch_server.reporting.notes import notes, verdict
from pitch_server.reporting.numbers import NOTHING, Form, Node, Number
from pitch_server.reporting.tables.every import tables

__all__ = ["markdown"]

_SPECIAL = re.compile(r"([\\`*_\[\]|~$]|#(?=.)|:(?=\S))")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def markdown(document: Mapping[str, Any]) -> str:
    """The report of a document."""
    root = Node(dict(document))
    parts = [*_head(root)]
    parts += [f"**{_plain(answer)}**"] if (answer := verdict(root.value)) else []
    parts += [_bullets(map(_plain, found))] if (found := notes(root.value)) else []
    for table in tables(root.value).values():
        parts += [f"## {table.title}", _table(table)]
        parts += [_plain(text) for text in (table.left_out, table.note) if text]
    if told := boards(root):
        parts.append("## Boards that made the difference")
        for board in told:
            parts += _board(board)
    return "\n\n".join(parts) + "\n"


def _head(root: Node) -> Iterator[str]:
    yield f"# {_plain(printable(root['tournament'].value))}"
    games = root["games"]
    state = "complete" if root["complete"].value else "not complete"
    yield (
        f"{games['played'].number(Form.COUNT).text} of {'at most ' if games['at_most'] else ''}"
        f"{games['planned'].number(Form.COUNT).text} "
        f"games of {_plain(printable(root['variant']['name'].value))} played; {state}."
    )


def _table(table: Table) -> str:
    rule = ["---:" if _numeric(table, column) else ":---" for column in range(len(table.columns))]
    rows = [[_plain(column) for column in table.columns], rule]
    rows += [[_cell(cell) for cell in row] for row in table.shown]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _numeric(table: Table, column: int) -> bool:
    return not any(
        isinstance(row[column], Name | Words) and row[column].text not in ("", NOTHING)
        for row in table.rows
    )


def _cell(cell: Cell) -> str:
    if isinstance(cell, Name | Words):
        return _plain(cell.text)
    if isinstance(cell, Heat):
        return cell.number.text + ("\\*" if cell.marked else "")
    return cell.text


def _bullets(lines: Iterator[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    escaped = _SPECIAL.sub(r"\\\1", "".join(_ENTITIES.get(char, char) for char in text))
    return isolated(escaped)


# --- boards ---------------------------------------------------------------------------------------


def _board(board: Board) -> Iterator[str]:
    margins = ", ".join(f"{_plain(name)} {margin.text}" for name, margin in board.margins)
    hand = f", {board.hand}" if board.hand else ""
    yield f"### Board {board.number.text}{hand}: {margins}"
    yield "\n".join(
        ["| seat | dealt |", "| ---: | :--- |"]
        + [
            f"| {seat.number}{' (dealer)' if seat.dealer else ''} | "
            + " ".join(f"{held.symbol} {held.ranks}" for held in seat.suits)
            + " |"
            for seat in board.seats
        ]
    )
    yield _bullets(_told(told) for told in board.tables)


def _told(told: TableTold) -> str:
    seats = ", ".join(f"{_plain(name)} at {seats}" for name, seats in told.seats)
    parts = [f"Game {told.game.text}: {seats}", " · ".join(map(_plain, told.auction))]
    if told.pitcher:
        made = {True: ": made", False: ": set", None: ""}[told.made]
        trump = f" in {told.trump}" if told.trump else ""
        parts.append(f"{told.pitcher} for {told.bid}{trump}{made}")
    parts.append(_scores(told.points))
    return "; ".join(part for part in parts if part)


def _scores(points: Sequence[tuple[str, Number, Number]]) -> str:
    return ", ".join(f"{_plain(who)} {delta.text}" for who, _, delta in points)
