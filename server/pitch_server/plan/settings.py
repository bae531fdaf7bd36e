"""Settings: everything in CONFIG.toml that is frozen when a tournament begins.

Here belong the values, their defaults, the checks that need no file, and their form in JSON.
Reading TOML does not (`pitch_server.config`), nor does what may change when a tournament is
resumed: tables, database, listen address. The seed is kept beside, as it is a secret for a while.
"""

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pitch.rules.catalog import parse_variant, variant_fields
from pitch.rules.variant import Variant
from pitch.table.faults import FaultPolicy, OnFault
from pitch.table.unit import Unit
from pitch_server.guest import GuestSettings
from pitch_server.plan.errors import SettingsError, require
from pitch_server.plan.format_fit import check_format
from pitch_server.plan.format_settings import (
    MAX_BOARDS,
    MAX_HANDS,
    Deals,
    FormatKind,
    FormatSettings,
    Isolation,
    Opponents,
    SeatOrders,
    format_json,
    parse_format_json,
)

__all__ = [
    "MAX_BOARDS",
    "MAX_HANDS",
    "MAX_NAME",
    "MAX_PROCESSES",
    "ClockSettings",
    "Deals",
    "EntrantSettings",
    "FormatKind",
    "FormatSettings",
    "Isolation",
    "Opponents",
    "RatingSettings",
    "SeatOrders",
    "Settings",
    "SettingsError",
    "Unit",
    "differing_keys",
    "parse_settings_json",
    "settings_json",
]

MAX_NAME = 64
MAX_TAU = 1000
MAX_PROCESSES = 64
LEAST_DRAW = 1e-6


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
            require(math.isfinite(span) and span > 0, f"clock.{name}", span, "a time above 0s")
        for name in ("time_bank", "reconnect_grace"):
            span = getattr(self, name)
            require(math.isfinite(span) and span >= 0, f"clock.{name}", span, "a time, 0s or more")
        self._check_slow()

    def _check_slow(self) -> None:
        """Longer answers must be rarer, and none may last longer than any answer may."""
        require(
            not (self.slow and self.time_bank),
            "clock.slow",
            [list(row) for row in self.slow],
            "no table of slow answers where there is a time bank",
        )
        before, most = 0.0, MAX_HANDS + 1
        for over, times in self.slow:
            require(
                before < over < self.move_timeout,
                "clock.slow",
                over,
                "times that rise from row to row, each below move_timeout",
            )
            require(0 <= times < most, "clock.slow", times, "counts that fall from row to row")
            before, most = over, times


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingSettings:
    """The `[rating]` table; without a draw probability it follows from variant and unit."""

    tau: float = 0.0
    draw_probability: float | None = None

    def __post_init__(self) -> None:
        # The arithmetic of an update breaks down where a drift dwarfs every skill, and where
        # draws are next to impossible or certain (comparison.md).
        require(
            0 <= self.tau <= MAX_TAU, "rating.tau", self.tau, f"a number, 0 or more, to {MAX_TAU:,}"
        )
        chance = self.draw_probability
        require(
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
        require(1 <= len(self.name) <= MAX_NAME, "name", self.name, f"1 to {MAX_NAME} characters")
        bad = next((c for c in self.name if unicodedata.category(c) in ("Cc", "Cs")), None)
        require(bad is None, "name", self.name, "a name without control characters")
        require(
            self.name.strip() == self.name, "name", self.name, "no space at its beginning or end"
        )
        require(self.command != (), "command", [], "a program and its arguments, or no command")
        require(
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
        require(bool(self.name.strip()), "name", self.name, "a text that is not empty")
        require(
            1 <= self.faults.max_faults <= MAX_HANDS,
            "faults.max_faults",
            self.faults.max_faults,
            f"1 to {MAX_HANDS:,}",
        )
        names = self.names
        for name in names:
            require(names.count(name) == 1, "entrants", name, "every name once")
        check_format(self.format, self.variant, names)

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names, in the order of the settings; plans refer to them by index."""
        return tuple(entrant.name for entrant in self.entrants)


def settings_json(settings: Settings) -> dict[str, Any]:
    """The settings as JSON, for freezing in a database: all of them but the entrants' commands."""
    clock, rating = settings.clock, settings.rating
    return {
        "name": settings.name,
        "variant": dict(variant_fields(settings.variant)),
        "format": format_json(settings.format),
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
        return Settings(
            name=document["name"],
            variant=parse_variant(document["variant"]),
            format=parse_format_json(document["format"]),
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
