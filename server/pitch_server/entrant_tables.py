"""The `[[entrants]]` tables of CONFIG.toml: who plays, by which command and within which limits.

Here belong their keys and what must fit together among them. A name is checked here as that of
the tournament is; a bot's command is `bot_command`'s, what a guest may be `guest`'s.
"""

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from pitch.rules.variant import Variant
from pitch_server.accounts import guest_problem
from pitch_server.bot_command import command_problem
from pitch_server.guest import GuestSettings
from pitch_server.plan.settings import MAX_NAME, MAX_PROCESSES, EntrantSettings
from pitch_server.toml_table import Table, shown

__all__ = ["Use", "name_problem", "read_entrants"]

MAX_ENTRANTS = 1000
MAX_COUNT = 1_000_000

Use = Literal["run", "serve"]
Judge = Callable[[Table, tuple[str, ...] | None], None]

# Characters that turn the text around them about: a table of names must stay as it is read.
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})
_GUEST_KEYS = ("limits", "user", "restarts", "environment")


def name_problem(name: str, limit: int) -> str | None:
    """What is expected of a name that is not one."""
    if not 1 <= len(name) <= limit:
        return f"1 to {limit} characters, not {len(name)}"
    if name.strip() != name:
        return "no space at its beginning or end"
    for char in name:
        if unicodedata.category(char) in _CONTROLS or char in _BIDI:
            return f"no control characters, such as U+{ord(char):04X}"
    return None


def read_entrants(
    root: Table, directory: Path, variant: Variant | None, use: Use, judge: Judge
) -> tuple[EntrantSettings, ...]:
    """The entrants of the file, as far as they can be read; there must be enough for a game.

    `judge` is handed each with its command and looks at its certificate.
    """
    expected = "[[entrants]], a table for each bot with its name and command"
    tables = root.tables("entrants", expected=expected)
    if tables is None:
        return ()
    found = [(table, _entrant(table, directory, use, judge)) for table in tables]
    _refuse_same_names(found)
    least = max(2, variant.sides if variant else 2)
    if not least <= len(tables) <= MAX_ENTRANTS:
        sides = f", as {variant.name} has {variant.sides} sides" if variant else ""
        root.refuse(
            "entrants", f"got {len(tables)}; expected {least} to {MAX_ENTRANTS:,} entrants{sides}"
        )
    return tuple(entrant for _, entrant in found if entrant is not None)


def _entrant(table: Table, directory: Path, use: Use, judge: Judge) -> EntrantSettings | None:
    name = table.text("name", required=True)
    if name is not None and (problem := name_problem(name, MAX_NAME)):
        table.wrong("name", problem)
        name = None
    command = table.words("command")
    whose = f" (entrant {shown(name)})" if name else ""
    if command is not None and (trouble := command_problem(command, directory)):
        table.refuse("command", f"got {shown(command)}; {trouble}{whose}")
    if use == "run" and not table.has("command"):
        table.refuse(
            "command",
            'missing; expected a list of texts such as ["{python}", "bot.py"], as pitch run '
            f"launches every bot{whose}",
        )
    judge(table, command)
    processes = table.whole("processes", 1, MAX_PROCESSES) or 1
    guest = _guest(table, has_command=table.has("command"), use=use)
    if name is None:
        return None
    return EntrantSettings(name=name, command=command, processes=processes, guest=guest)


def _guest(table: Table, *, has_command: bool, use: Use) -> GuestSettings:
    """What the entrant's processes may use of this machine: for those that we launch."""
    given = [key for key in _GUEST_KEYS if table.has(key)]
    limits = table.table("limits")
    values: dict[str, tuple[Table, Any]] = {
        "memory": (limits, limits.size("memory")),
        "cpu_time": (limits, _whole_seconds(limits, "cpu_time")),
        "open_files": (limits, limits.whole("open_files", 16, MAX_COUNT)),
        "processes": (limits, limits.whole("processes", 1, MAX_COUNT)),
        "nice": (limits, limits.whole("nice", 0, 19)),
        "user": (table, table.text("user")),
        "restarts": (table, table.whole("restarts", 0, MAX_COUNT)),
        "environment": (table, tuple(table.texts("environment").items()) or None),
    }
    if not has_command and use == "serve":
        for key in given:
            table.refuse(key, "is for an entrant with a command, as only those are launched here")
    good: dict[str, Any] = {}
    for key, (where, value) in values.items():
        if value is None:
            continue
        try:
            GuestSettings(**{key: value})
            good[key] = value
        except ValueError as error:
            where.refuse(key, getattr(error, "reason", str(error)))
    guest = GuestSettings(**good)
    if problem := guest_problem(guest):
        table.refuse("user" if guest.user else "limits", problem)
    return guest


def _whole_seconds(table: Table, key: str) -> int | None:
    seconds = table.span(key, zero=False)
    return None if seconds is None else max(1, round(seconds))


def _refuse_same_names(found: list[tuple[Table, EntrantSettings | None]]) -> None:
    """Two names that look the same are the same, however their accents are written."""
    first: dict[str, str] = {}
    for table, entrant in found:
        if entrant is None:
            continue
        seen = first.setdefault(unicodedata.normalize("NFC", entrant.name), table.path)
        if seen != table.path:
            table.wrong("name", f"every name once, and {seen} has it already")
