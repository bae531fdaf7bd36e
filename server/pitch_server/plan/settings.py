"""Settings: everything in CONFIG.toml that is frozen when a tournament begins.

Here belong the values, their defaults, the checks that need no file, and their form in JSON.
Reading TOML does not (`pitch_server.config`), nor does what may change when a tournament is
resumed: tables, database, listen address. The seed is kept beside, as it is a secret for a while.
"""

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pitch.rules.catalog import parse_variant, variant_fields
from pitch.rules.variant import Variant
from pitch.table.faults import FaultPolicy, OnFault
from pitch.table.unit import Unit
from pitch_server.guest import GuestSettings

__all__ = [
    "MAX_BOARDS",
    "MAX_HANDS",
    "MAX_NAME",
    "MAX_PAIRINGS",
    "MAX_PROCESSES",
    "ClockSettings",
    "Deals",
    "EntrantSettings",
    "FormatKind",
    "FormatSettings",
    "Isolation",
    "Opponents",
    "RatingSettings",
    "Settings",
    "SettingsError",
    "Unit",
    "differing_keys",
    "parse_settings_json",
    "settings_json",
]

MAX_NAME = 64
MAX_HANDS = 1_000_000
MAX_BOARDS = 1_000_000_000
MAX_TAU = 1000
MAX_PROCESSES = 64
LEAST_DRAW = 1e-6
MAX_PAIRINGS = 500_000  # each has a row in the standings: two sides of a thousand entrants


class SettingsError(ValueError):
    """A setting that can't be: `key` is its dotted path, `reason` what came and what can."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason


class FormatKind(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"


class Deals(StrEnum):
    """Whether the pairings share their boards, each in every seating, or each game has its own."""

    DUPLICATE = "duplicate"
    INDEPENDENT = "independent"


class Isolation(StrEnum):
    """What an instance may be given (docs/config.md, "Isolation")."""

    SEATS = "seats"
    BOARDS = "boards"
    NONE = "none"


class Opponents(StrEnum):
    """Whether bots are told the names of the others."""

    HIDDEN = "hidden"
    SHOWN = "shown"


def _require(ok: bool, key: str, came: object, possible: str) -> None:
    if not ok:
        raise SettingsError(key, f"{came!r} is not possible; expected {possible}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSettings:
    """The `[format]` table."""

    kind: FormatKind = FormatKind.ROUND_ROBIN
    deals: Deals = Deals.DUPLICATE
    unit: Unit = Unit.HAND
    boards: int = 100
    max_hands: int = 100
    isolation: Isolation = Isolation.SEATS
    opponents: Opponents = Opponents.HIDDEN

    def __post_init__(self) -> None:
        _require(
            1 <= self.boards <= MAX_BOARDS, "format.boards", self.boards, f"1 to {MAX_BOARDS:,}"
        )
        _require(
            1 <= self.max_hands <= MAX_HANDS,
            "format.max_hands",
            self.max_hands,
            f"1 to {MAX_HANDS:,}",
        )

    @property
    def hands_a_game(self) -> int:
        """The limit on hands that a game is played with: by the hand it has one."""
        return 1 if self.unit is Unit.HAND else self.max_hands


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSettings:
    """The `[clock]` table, in seconds."""

    move_timeout: float = 1.0
    time_bank: float = 0.0
    start_timeout: float = 30.0
    reconnect_grace: float = 10.0
    slow: tuple[tuple[float, int], ...] = ()
    """Rows (over, times), the strictest last: of a seat's answers in a game so many may take
    longer than `over` seconds; an alternative to the time bank."""

    def __post_init__(self) -> None:
        for name in ("move_timeout", "start_timeout"):
            span = getattr(self, name)
            _require(math.isfinite(span) and span > 0, f"clock.{name}", span, "a time above 0s")
        for name in ("time_bank", "reconnect_grace"):
            span = getattr(self, name)
            _require(math.isfinite(span) and span >= 0, f"clock.{name}", span, "a time, 0s or more")
        self._check_slow()

    def _check_slow(self) -> None:
        """Longer answers must be rarer, and none may last longer than any answer may."""
        _require(
            not (self.slow and self.time_bank),
            "clock.slow",
            [list(row) for row in self.slow],
            "no table of slow answers where there is a time bank",
        )
        before, most = 0.0, MAX_HANDS + 1
        for over, times in self.slow:
            _require(
                before < over < self.move_timeout,
                "clock.slow",
                over,
                "times that rise from row to row, each below move_timeout",
            )
            _require(0 <= times < most, "clock.slow", times, "counts that fall from row to row")
            before, most = over, times


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingSettings:
    """The `[rating]` table; without a draw probability it follows from variant and unit."""

    tau: float = 0.0
    draw_probability: float | None = None

    def __post_init__(self) -> None:
        # The arithmetic of an update breaks down where a drift dwarfs every skill, and where
        # draws are next to impossible or certain (comparison.md).
        _require(
            0 <= self.tau <= MAX_TAU, "rating.tau", self.tau, f"a number, 0 or more, to {MAX_TAU:,}"
        )
        chance = self.draw_probability
        _require(
            chance is None or LEAST_DRAW <= chance <= 1 - LEAST_DRAW,
            "rating.draw_probability",
            chance,
            f"a number above 0 and below 1, by at least {LEAST_DRAW:f}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantSettings:
    """One of `[[entrants]]`; without a command it connects by itself.

    `processes` counts how often it is there: each can sit at tables of its own, so that a slow
    bot plays at several at once. Only name and order are frozen, the rest may be given anew.
    """

    name: str
    command: tuple[str, ...] | None = None
    processes: int = 1
    guest: GuestSettings = field(default_factory=GuestSettings)

    def __post_init__(self) -> None:
        _require(1 <= len(self.name) <= MAX_NAME, "name", self.name, f"1 to {MAX_NAME} characters")
        bad = next((c for c in self.name if unicodedata.category(c) in ("Cc", "Cs")), None)
        _require(bad is None, "name", self.name, "a name without control characters")
        _require(
            self.name.strip() == self.name, "name", self.name, "no space at its beginning or end"
        )
        _require(self.command != (), "command", [], "a program and its arguments, or no command")
        _require(
            1 <= self.processes <= MAX_PROCESSES,
            "processes",
            self.processes,
            f"1 to {MAX_PROCESSES}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A tournament's settings, checked: a plan can be made of them."""

    name: str
    variant: Variant
    format: FormatSettings = field(default_factory=FormatSettings)
    clock: ClockSettings = field(default_factory=ClockSettings)
    rating: RatingSettings = field(default_factory=RatingSettings)
    faults: FaultPolicy = field(default_factory=FaultPolicy)
    entrants: tuple[EntrantSettings, ...]

    def __post_init__(self) -> None:
        _require(bool(self.name.strip()), "name", self.name, "a text that is not empty")
        _require(
            1 <= self.faults.max_faults <= MAX_HANDS,
            "faults.max_faults",
            self.faults.max_faults,
            f"1 to {MAX_HANDS:,}",
        )
        names = self.names
        for name in names:
            _require(names.count(name) == 1, "entrants", name, "every name once")
        sides = self.variant.sides
        _require(
            len(names) >= sides,
            "entrants",
            list(names),
            f"at least {sides} entrants, as {self.variant.name} has {sides} sides",
        )
        pairings = math.comb(len(names), sides)
        _require(
            pairings <= MAX_PAIRINGS,
            "entrants",
            len(names),
            f"fewer: {len(names)} entrants at {sides} sides make {pairings:,} pairings, "
            f"at most {MAX_PAIRINGS:,} are possible",
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names, in the order of the settings; plans refer to them by index."""
        return tuple(entrant.name for entrant in self.entrants)


def settings_json(settings: Settings) -> dict[str, Any]:
    """The settings as JSON, for freezing in a database: all of them but the entrants' commands."""
    form, clock, rating = settings.format, settings.clock, settings.rating
    return {
        "name": settings.name,
        "variant": dict(variant_fields(settings.variant)),
        "format": {
            "kind": str(form.kind),
            "deals": str(form.deals),
            "unit": str(form.unit),
            "boards": form.boards,
            "max_hands": form.max_hands,
            "isolation": str(form.isolation),
            "opponents": str(form.opponents),
        },
        "clock": {
            "move_timeout": clock.move_timeout,
            "time_bank": clock.time_bank,
            "start_timeout": clock.start_timeout,
            "reconnect_grace": clock.reconnect_grace,
            "slow": [list(row) for row in clock.slow],
        },
        "rating": {"tau": rating.tau, "draw_probability": rating.draw_probability},
        "faults": {
            "on_fault": str(settings.faults.on_fault),
            "max_faults": settings.faults.max_faults,
        },
        "entrants": list(settings.names),
    }


def parse_settings_json(
    document: Mapping[str, Any], commands: Mapping[str, Sequence[str] | None] | None = None
) -> Settings:
    """The settings that `settings_json` wrote, with the entrants' commands put back by name.

    Raises SettingsError if the document is not one of ours.
    """
    given = commands or {}
    try:
        form = document["format"]
        return Settings(
            name=document["name"],
            variant=parse_variant(document["variant"]),
            format=FormatSettings(
                kind=FormatKind(form["kind"]),
                deals=Deals(form["deals"]),
                unit=Unit(form["unit"]),
                boards=form["boards"],
                max_hands=form["max_hands"],
                isolation=Isolation(form["isolation"]),
                opponents=Opponents(form["opponents"]),
            ),
            clock=_clock(document["clock"]),
            rating=RatingSettings(**document["rating"]),
            faults=FaultPolicy(
                on_fault=OnFault(document["faults"]["on_fault"]),
                max_faults=document["faults"]["max_faults"],
            ),
            entrants=tuple(_entrant(name, given.get(name)) for name in document["entrants"]),
        )
    except SettingsError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SettingsError("settings", f"the stored settings can't be read: {error}") from error


def _clock(document: Mapping[str, Any]) -> ClockSettings:
    slow = tuple((float(over), int(times)) for over, times in document.get("slow", ()))
    return ClockSettings(**{**document, "slow": slow})


def _entrant(name: str, command: Sequence[str] | None) -> EntrantSettings:
    return EntrantSettings(name=name, command=None if command is None else tuple(command))


def differing_keys(one: Settings, other: Settings) -> tuple[str, ...]:
    """The dotted keys in which two settings differ, sorted; commands may differ freely."""
    left, right = _flat(settings_json(one)), _flat(settings_json(other))
    return tuple(
        sorted(
            key
            for key in left.keys() | right.keys()
            if key not in left or key not in right or left[key] != right[key]
        )
    )


def _flat(document: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in document.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{prefix}{key}.")
        else:
            found[f"{prefix}{key}"] = value
    return found
