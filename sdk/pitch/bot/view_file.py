"""A bot's view as a JSON text and back: what `View.save` writes and `View.load` reads.

Here belongs what a question brings beside the seat's own view: the table, the chance and the
clock. The view itself is written in pitch.records (docs/records.md, "A saved view").
"""

import json

from pitch.bot.seating import Seating
from pitch.records.reading import JsonObject, RecordSyntaxError, read_objects
from pitch.records.view_json import view_json
from pitch.records.view_reading import Fields, ViewError, parse_view
from pitch.rules import Variant, VariantError, parse_variant, variant_fields
from pitch.rules import View as SeatView
from pitch.table.unit import Unit

__all__ = [
    "FORMAT",
    "SavedView",
    "parse_saved_view",
    "read_saved_view",
    "saved_view_json",
    "saved_view_text",
]

FORMAT = "pitch-view/1"
_LONGEST = 1 << 20  # bytes: a view takes some two thousand

SavedView = tuple[SeatView, Seating, int, float, float | None]
"""What a View is made of: the seat's view, the table, chance, time bank and limit."""


def saved_view_json(
    known: SeatView, table: Seating, chance: int, time_bank: float, limit: float | None
) -> JsonObject:
    """A view as JSON; spans in seconds, the chance in hexadecimal digits."""
    return {
        "format": FORMAT,
        "variant": variant_fields(table.variant),
        "first_dealer": table.first_dealer,
        "unit": str(table.unit),
        "max_hands": table.max_hands,
        "names": list(table.names),
        "move_timeout": table.move_timeout,
        "time_bank": table.time_bank,
        "time_bank_left": time_bank,
        "limit": limit,
        "chance": f"{chance:016x}",
        "seen": view_json(known),
    }


def saved_view_text(
    known: SeatView, table: Seating, chance: int, time_bank: float, limit: float | None
) -> str:
    """The same as text, to be read by people too."""
    value = saved_view_json(known, table, chance, time_bank, limit)
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def read_saved_view(data: bytes) -> SavedView:
    """The view that the bytes of a file hold; ViewError says what is wrong with them."""
    try:
        objects = list(read_objects(data.splitlines(keepends=True), max_bytes=_LONGEST))
    except RecordSyntaxError as error:
        raise ViewError(str(error)) from None
    if len(objects) != 1:
        raise ViewError(f"expected one view, got {len(objects)} objects")
    return parse_saved_view(objects[0][1])


def parse_saved_view(value: object) -> SavedView:
    """What a View is made of, from its JSON; ViewError for what is none."""
    fields = Fields(value, "")
    if fields.get("format") != FORMAT:
        fields.fail("format", f'"{FORMAT}"')
    variant = _variant(fields)
    max_hands = fields.nullable("max_hands", lambda key: fields.number(key, 1))
    known = parse_view(fields.get("seen"), variant, "seen")
    table = Seating(
        variant=variant,
        seat=known.seat,
        first_dealer=fields.number("first_dealer", 0, variant.players - 1),
        unit=_unit(fields),
        max_hands=max_hands,
        names=_names(fields, variant.players),
        move_timeout=fields.seconds("move_timeout"),
        time_bank=fields.seconds("time_bank"),
    )
    left = fields.seconds("time_bank_left")
    limit = fields.nullable("limit", fields.seconds)
    chance = _chance(fields)
    fields.close()
    return known, table, chance, left, limit


def _variant(fields: Fields) -> Variant:
    value = fields.get("variant")
    if not isinstance(value, dict):
        fields.fail("variant", "an object with a name")
    try:
        return parse_variant(value)
    except VariantError as error:
        raise ViewError(f"variant: {error}") from None


def _names(fields: Fields, players: int) -> tuple[str, ...]:
    """One for each seat, or none where opponents are hidden."""
    names = fields.texts("names", str)
    if names and len(names) != players:
        fields.fail("names", f"a name for each of {players} seats, or none")
    return tuple(names)


def _unit(fields: Fields) -> Unit:
    text = fields.text("unit")
    if text not in set(Unit):
        fields.fail("unit", '"hand" or "game"')
    return Unit(text)


def _chance(fields: Fields) -> int:
    text = fields.text("chance")
    try:
        value = int(text, 16)
    except ValueError:
        value = -1
    if not 0 <= value < 1 << 64:
        fields.fail("chance", "64 bits in hexadecimal digits")
    return value
