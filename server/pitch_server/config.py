"""CONFIG.toml: read, checked to the last key, and made into settings before anything starts.

Here belong the keys of the file, their defaults and what must fit together. How a value is read
and how a wrong one is told belongs to `toml_table`, the checks of single values to
`plan.settings`, the entrants to `entrant_tables`, the question to `question_table`, the server's
own to `server_table`.

    ValueError
    └── ConfigError    the file can't be used: all of its problems at once
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from sqlalchemy import URL

from pitch.rules.catalog import parse_variant
from pitch.rules.variant import Variant, VariantError
from pitch.table.faults import FaultPolicy, OnFault
from pitch_server.bot_command import resolve_command
from pitch_server.certificates_asked import read_checks
from pitch_server.entrant_tables import Use, name_problem, read_entrants
from pitch_server.places import log_directory, parse_database
from pitch_server.plan.format_settings import MAX_BATCH, MAX_ROUNDS
from pitch_server.plan.settings import (
    MAX_BOARDS,
    MAX_HANDS,
    MAX_NAME,
    ClockSettings,
    Deals,
    EntrantSettings,
    FormatKind,
    FormatSettings,
    Isolation,
    Opponents,
    RatingSettings,
    SeatOrders,
    Settings,
    SettingsError,
    Unit,
)
from pitch_server.question_table import read_question
from pitch_server.server_table import ServerSettings, read_server
from pitch_server.toml_table import Problem, Table, shown

__all__ = ["Config", "ConfigError", "read_config"]

DEFAULT_TABLES = 8
MAX_TABLES = 4096
MAX_SEED = 1000  # characters
MIN_SERVED_SEED = 22  # characters: a shorter one could be guessed from its hash
MAX_FILE = 1 << 20  # bytes
UNTIL_SEPARATED = "until-separated"

Made = TypeVar("Made")


class ConfigError(ValueError):
    """A configuration that can't be used; its text has a line for each problem."""

    def __init__(self, path: Path, problems: list[Problem]) -> None:
        super().__init__("\n".join(f"{path}: {problem}" for problem in problems))
        self.path = path
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """A checked configuration: the settings that are frozen, and what may change on resuming."""

    path: Path
    settings: Settings
    seed: str | None  # None: to be drawn
    database: URL
    tables: int
    commands: Mapping[str, tuple[str, ...]]  # by entrant: ready to run in `directory`
    server: ServerSettings

    @property
    def directory(self) -> Path:
        """Where the file is, and where its bots run."""
        return self.path.parent

    @property
    def log_directory(self) -> Path:
        """Where the output of launched bots goes."""
        return log_directory(self.database, self.directory)


def read_config(path: Path, *, use: Use = "run") -> Config:
    """Read and check the file; ConfigError names all that is wrong with it.

    `run` needs a command for every entrant, `serve` a seed that can't be guessed.
    """
    problems: list[Problem] = []
    root = Table(_document(path), problems)
    config = _config(root, path.absolute(), use)
    root.refuse_unknown()
    if problems or config is None:
        raise ConfigError(path, problems)
    return config


def _document(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE + 1)
        if len(content) <= MAX_FILE:
            text = content.decode("utf-8-sig")
            return tomllib.loads(text)
        problem = f"longer than {MAX_FILE:,} bytes; expected a configuration"
    except OSError as error:
        problem = f"can't be read: {error.strerror}"
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        problem = f"not UTF-8: byte 0x{error.object[error.start]:02x} in line {line}"
    except RecursionError:
        problem = "not TOML: nested too deeply"
    except ValueError as error:
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
        problem = f"not TOML: {error}".replace(
            "at end of document", f"at the end, line {line}, column {column}"
        )
    raise ConfigError(path, [Problem("", problem)])


def _config(root: Table, path: Path, use: Use) -> Config | None:
    """The configuration, or None with problems noted. Every part is read, whatever came before."""
    name = _name(root)
    seed = _seed(root, use)
    database = _database(root, path)
    tables = root.whole("tables", 1, MAX_TABLES) or DEFAULT_TABLES
    variant = _variant(root)
    form = _format(root)
    clock = _clock(root)
    rating = _rating(root)
    faults = _faults(root)
    checks = read_checks(root, path.parent, variant, clock.move_timeout)
    entrants = read_entrants(root, path.parent, variant, use, checks.judge)
    server = read_server(root, path.parent)
    if root.problems or name is None or database is None or variant is None:
        return None
    try:
        settings = Settings(
            name=name,
            variant=variant,
            format=form,
            clock=clock,
            rating=rating,
            faults=faults,
            entrants=entrants,
        )
    except SettingsError as error:  # what does not fit together
        root.problems.append(Problem(error.key, error.reason))
        return None
    return Config(
        path=path,
        settings=settings,
        seed=seed,
        database=database,
        tables=tables,
        commands=_commands(entrants, path.parent),
        server=server,
    )


def _name(root: Table) -> str | None:
    name = root.text("name", required=True)
    if name is not None and (problem := name_problem(name, MAX_NAME)):
        root.wrong("name", problem)
    return name


def _seed(root: Table, use: Use) -> str | None:
    seed = root.text("seed")
    # The seed is a secret, even one that we refuse.
    if seed is not None and not 1 <= len(seed) <= MAX_SEED:
        root.refuse("seed", f"got {len(seed)} characters; expected 1 to {MAX_SEED}, or no seed")
    elif seed is not None and use == "serve" and len(seed) < MIN_SERVED_SEED:
        root.refuse(
            "seed",
            f"got {len(seed)} characters; expected {MIN_SERVED_SEED} or more, as the hash of a "
            "shorter one, which is published, could be guessed from; or no seed: one is drawn",
        )
    return seed


def _database(root: Table, path: Path) -> URL | None:
    given = root.text("database")
    if given is None:
        return None if root.has("database") else parse_database(f"{path.stem}.db", path.parent)
    try:
        return parse_database(given, path.parent)
    except ValueError as error:
        root.refuse("database", str(error))
        return None


def _variant(root: Table) -> Variant | None:
    table = root.table("variant", required='a table [variant] with a name, such as "pitch-ac"')
    given = table.rest()
    if not table.valid or not _are_plain(table, given):
        return None
    alone = True  # so far, every problem was one of a single field
    while True:
        try:
            variant = parse_variant(given)
        except VariantError as error:
            single = len(error.fields) == 1
            if not single and not alone:
                return None  # may follow from a field that we took away
            key = next((field for field in error.fields if field in given), error.fields[0])
            table.refuse(key, str(error))
            if not single or key == "name" or key not in given:
                return None
            del given[key]
            alone = False
        else:
            return variant


def _are_plain(table: Table, given: Mapping[str, object]) -> bool:
    """Whether the parser of variants can be given these values, and can quote them."""
    odd = [
        key
        for key, value in given.items()
        if isinstance(value, list | dict) or (type(value) is int and abs(value) >= 10**9)
    ]
    for key in odd:
        table.wrong(key, "a word, true or false, or a whole number of this field")
    return not odd


def _made(table: Table, make: Callable[..., Made], values: Mapping[str, object]) -> Made:
    """Make settings of the values that are there, noting those that are refused by themselves."""
    good: dict[str, object] = {}
    for key, value in values.items():
        if value is None:
            continue
        try:
            make(**{key: value})
            good[key] = value
        except SettingsError as error:
            table.refuse(key, error.reason)
    return make(**good)


def _format(root: Table) -> FormatSettings:
    table = root.table("format")
    form = _made(
        table,
        FormatSettings,
        {
            "kind": table.word("kind", FormatKind),
            "deals": table.word("deals", Deals),
            "unit": table.word("unit", Unit),
            **_boards(table),
            "max_hands": table.whole("max_hands", 1, MAX_HANDS),
            "isolation": table.word("isolation", Isolation),
            "opponents": table.word("opponents", Opponents),
            "seatings": table.word("seatings", SeatOrders),
            "challengers": table.words("challengers"),
            "rounds": table.whole("rounds", 1, MAX_ROUNDS),
            "batch": table.whole("batch", 1, MAX_BATCH),
            "error_rate": table.number("error_rate"),
        },
    )
    return read_question(root, form, boards=table.has("boards"))


def _boards(table: Table) -> dict[str, object]:
    """A number of boards, or how many at most until all pairings are separated."""
    boards = table.whole_or_word("boards", 1, MAX_BOARDS, UNTIL_SEPARATED)
    most = table.whole("max_boards", 1, MAX_BOARDS)
    if boards != UNTIL_SEPARATED:
        if table.has("max_boards"):
            table.refuse("max_boards", f"is for boards = {shown(UNTIL_SEPARATED)} only")
        return {"boards": boards}
    if not table.has("max_boards"):
        table.refuse("max_boards", "missing; expected the most boards that a pairing may play")
    return {"boards": most, "until_separated": True}


def _clock(root: Table) -> ClockSettings:
    table = root.table("clock")
    slow = _slow(table)
    clock = _made(
        table,
        ClockSettings,
        {
            "move_timeout": table.span("move_timeout", zero=False),
            "time_bank": table.span("time_bank", zero=True),
            "start_timeout": table.span("start_timeout", zero=False),
            "reconnect_grace": table.span("reconnect_grace", zero=True),
        },
    )
    try:
        return replace(clock, slow=slow)
    except SettingsError as error:
        table.refuse("slow", error.reason)
        return clock


def _slow(clock: Table) -> tuple[tuple[float, int], ...]:
    """The rows of slow answers that a seat may give in a game."""
    expected = 'a list of tables such as { over = "500ms", times = 10 }'
    tables = clock.tables("slow", expected=expected, required=False)
    rows = []
    for table in tables or ():
        over, times = table.span("over", zero=False), table.whole("times", 0, MAX_HANDS)
        for key, value in (("over", over), ("times", times)):
            if value is None and not table.has(key):
                table.refuse(key, f"missing; expected {expected}")
        if over is not None and times is not None:
            rows.append((over, times))
    return tuple(rows)


def _rating(root: Table) -> RatingSettings:
    table = root.table("rating")
    values = {"tau": table.number("tau"), "draw_probability": table.number("draw_probability")}
    return _made(table, RatingSettings, values)


def _faults(root: Table) -> FaultPolicy:
    table = root.table("faults")
    values = {
        "on_fault": table.word("on_fault", OnFault),
        "max_faults": table.whole("max_faults", 1, MAX_HANDS),
    }
    return _made(table, FaultPolicy, values)


def _commands(
    entrants: tuple[EntrantSettings, ...], directory: Path
) -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType(
        {
            entrant.name: resolve_command(entrant.command, directory)
            for entrant in entrants
            if entrant.command is not None
        }
    )
