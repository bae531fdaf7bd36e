"""The named variants and their form in JSON and TOML: a name and the fields that differ.

Here belong the rows of rules.md 8 and the reading and writing of variants. What a combination
of fields means, or whether it can be played, belongs to variant.py.
"""

import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from pitch.rules.variant import (
    Exchange,
    Follow,
    GamePoint,
    Low,
    OpeningLead,
    Rounds,
    Stuck,
    Trump,
    Variant,
    VariantError,
    Win,
)

__all__ = ["VARIANTS", "all_fields", "parse_variant", "variant_fields"]

_Row = dict[str, Any]

_PAIRS: _Row = {"players": 4, "sides": 2, "target": 21, "win": Win.BIDDER_ONLY}
_BASIC: _Row = {**_PAIRS, "smudge": True, "steal": True}
_NAMED: _Row = {"trump": Trump.NAMED, "opening_lead": OpeningLead.TRUMP}
_TEN_POINT: _Row = {
    **_PAIRS,
    **_NAMED,
    "deck": 54,
    "dealt": 9,
    "max_bid": 10,
    "off_jack": True,
    "trey": True,
    "exchange": Exchange.PITCHER_DRAW,
    "follow": Follow.MUST_FOLLOW_OR_TRUMP,
    "low": Low.HELD,
}
_TO_ELEVEN: _Row = {**_PAIRS, "target": 11}

# The table of rules.md 8, row by row.
_ROWS: dict[str, _Row] = {
    "partnership": _BASIC,
    "partnership-draw": {**_BASIC, **_NAMED, "exchange": Exchange.DRAW},
    "partnership-pitching": {**_BASIC, "pitching": True},
    "partnership-six": {
        **_BASIC,
        **_NAMED,
        "players": 6,
        "sides": 3,
        "dealt": 8,
        "exchange": Exchange.DISCARD,
    },
    "no-trump-first": {**_BASIC, "trump": Trump.NAMED, "opening_lead": OpeningLead.SIDE_FREE},
    "cutthroat": {**_BASIC, "sides": 4},
    "ten-point": _TEN_POINT,
    "ten-point-six": {
        **_TEN_POINT,
        "players": 6,
        "sides": 3,
        "dealt": 8,
        "exchange": Exchange.WIDOW,
    },
    "seven-point": {**_TEN_POINT, "trey": False, "max_bid": 7},
    "six-point": {**_TEN_POINT, "off_jack": False, "trey": False, "max_bid": 6},
    "trump-only": {
        **_TEN_POINT,
        "min_bid": 4,
        "moon": True,
        "exchange": Exchange.TRUMP_REFILL,
        "follow": Follow.TRUMP_ONLY,
        "target": 52,
        "win": Win.BIDDER_FIRST,
    },
    "pitch-ac": {**_TO_ELEVEN, "win": Win.BIDDER_FIRST},
    "gameweave": {
        **_TO_ELEVEN,
        **_NAMED,
        "win": Win.HIGHEST,
        "rounds": Rounds.UNTIL_PASSED,
        "stuck": Stuck.PASS_IS_MIN,
        "top_bid_ends": True,
    },
}

VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {name: Variant(name=name, **row) for name, row in _ROWS.items()}
)
"""The named variants, in the order of rules.md 8."""

_WORDS: dict[str, type[StrEnum]] = {
    "win": Win,
    "rounds": Rounds,
    "stuck": Stuck,
    "trump": Trump,
    "exchange": Exchange,
    "opening_lead": OpeningLead,
    "follow": Follow,
    "low": Low,
    "game": GamePoint,
}
_FIELDS = tuple(field.name for field in fields(Variant) if field.name != "name")
_TYPES: dict[str, type] = {name: type(getattr(VARIANTS["pitch-ac"], name)) for name in _FIELDS}


def parse_variant(given: Mapping[str, object]) -> Variant:
    """The variant that a name and the fields that differ from its row describe.

    Raises VariantError for an unknown name, field or word, a value of a wrong type, and a
    combination that cannot be played.
    """
    name = _name_of(given)
    row: _Row = dict(_ROWS[name])
    for field, value in given.items():
        if field != "name":
            row[field] = _parse_field(field, value)
    # rules.md 8: in cutthroat the sides follow the players
    if name == "cutthroat" and "sides" not in given:
        row["sides"] = row["players"]
    return Variant(name=name, **row)


def _name_of(given: Mapping[str, object]) -> str:
    if "name" not in given:
        raise VariantError(f"a variant needs a name, one of {', '.join(_ROWS)}", ("name",))
    name = given["name"]
    if not isinstance(name, str) or name not in _ROWS:
        raise VariantError(_unknown("variant", name, _ROWS), ("name",))
    return name


def _parse_field(field: str, value: object) -> object:
    if field not in _TYPES:
        raise VariantError(_unknown("field of a variant", field, _FIELDS), (field,))
    if field in _WORDS:
        words = [str(word) for word in _WORDS[field]]
        if not isinstance(value, str) or value not in words:
            raise VariantError(_unknown(f"word for {field}", value, words), (field,))
        return _WORDS[field](value)
    wanted = _TYPES[field]
    if type(value) is not wanted:  # a bool is an int in Python, but not here
        expected = "true or false" if wanted is bool else "a whole number"
        raise VariantError(f"{field} must be {expected}, got {reprlib.repr(value)}", (field,))
    return value


def _unknown(what: str, got: object, known: Iterable[str]) -> str:
    known = tuple(known)
    near = get_close_matches(got[:40].lower(), known, 1) if isinstance(got, str) else []
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"unknown {what} {reprlib.repr(got)}, known are {', '.join(known)}{hint}"


def variant_fields(variant: Variant) -> dict[str, object]:
    """The variant as JSON values: its name and the fields that differ from the named row.

    `parse_variant` reads it back. Raises VariantError if no row has the variant's name.
    """
    if variant.name not in _ROWS:
        raise VariantError(_unknown("variant", variant.name, _ROWS), ("name",))
    base: dict[str, object] = dict(all_fields(VARIANTS[variant.name]))
    if variant.name == "cutthroat":
        base["sides"] = variant.players
    own = all_fields(variant)
    return {field: own[field] for field in own if field == "name" or own[field] != base[field]}


def all_fields(variant: Variant) -> dict[str, object]:
    """Every field of the variant as JSON values, the name first."""
    values: dict[str, object] = {"name": variant.name}
    for field in _FIELDS:
        value = getattr(variant, field)
        values[field] = str(value) if field in _WORDS else value
    return values
