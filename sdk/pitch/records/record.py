"""The record of a game: dataclasses to JSON and back (records.md).

Here belongs the form: which keys a record has, of what types, how decks and actions are
written. What the rules say about them does not: replay.py plays a record and finds what is
illegal in it. The parsers take one part each, so that replay can go hand by hand and
report the first fault in the order that records.md gives.

RecordError(ValueError)   a record that is not one, or does not replay; says where
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from pitch.records.reading import JsonObject, kind_of
from pitch.rules import (
    Action,
    Variant,
    VariantError,
    action_text,
    card_text,
    parse_action,
    parse_card,
    parse_variant,
    variant_fields,
)

__all__ = [
    "FORMAT",
    "MAX_HANDS",
    "Flaw",
    "GameRecord",
    "HandRecord",
    "RecordError",
    "SeatAction",
    "deck_text",
    "parse_deck",
    "parse_hand",
    "parse_header",
    "parse_record",
    "parse_seat_action",
    "parse_seat_actions",
    "quoted",
    "record_json",
    "seat_action_text",
]

FORMAT = "pitch-record/1"
MAX_HANDS = 1_000_000  # the highest limit of hands that a record may name

_RECORD_KEYS = ("format", "variant", "seats", "hands")
_RECORD_OPTIONS = ("first_dealer", "max_hands", "result")
_HAND_KEYS = ("deck", "actions")
_HAND_OPTIONS = ("result",)
_NOTE = "x_"  # keys that begin so are anybody's notes: ignored and kept


class Flaw(StrEnum):
    """What kind of fault a record has, for counting."""

    HEADER = "bad header"
    HAND_KEYS = "bad keys of a hand"
    DECK = "bad deck"
    MALFORMED = "malformed action"
    ILLEGAL = "illegal action"
    AFTER_HAND = "action after the hand's end"
    UNFINISHED = "unfinished hand before the last"
    AFTER_GAME = "hand after the game's end"
    HAND_RESULT = "wrong result of a hand"
    GAME_RESULT = "wrong result of the record"


class RecordError(ValueError):
    """A fault of a record: its kind, the indexes where it sits, and a sentence.

    `action` is None where no one action is at fault, `hand` where no one hand is.
    """

    def __init__(self, flaw: Flaw, hand: int | None, action: int | None, reason: str) -> None:
        super().__init__(reason)
        self.flaw = flaw
        self.hand = hand
        self.action = action
        self.reason = reason


class SeatAction(NamedTuple):
    """An action and the seat that takes it, as "2 bid 3" says."""

    seat: int
    action: Action


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """One hand: the deck in the order dealt and every action.

    `result` is the stored result as JSON, None where none is stored; `extra` are the keys
    that begin with x_.
    """

    deck: tuple[int, ...]
    actions: tuple[SeatAction, ...]
    result: Mapping[str, object] | None = None
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """One game: all that is needed to replay and to check it."""

    variant: Variant
    seats: tuple[str, ...]
    first_dealer: int = 0
    max_hands: int | None = 100
    hands: tuple[HandRecord, ...] = ()
    result: Mapping[str, object] | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    variant_extra: Mapping[str, object] = field(default_factory=dict)


# ---- writing


def record_json(record: GameRecord) -> JsonObject:
    """The JSON object of a record; keys in the order of records.md, x_ keys last."""
    value: JsonObject = {
        "format": FORMAT,
        "variant": {**variant_fields(record.variant), **record.variant_extra},
        "seats": list(record.seats),
        "first_dealer": record.first_dealer,
        "max_hands": record.max_hands,
        "hands": [_hand_json(hand) for hand in record.hands],
    }
    if record.result is not None:
        value["result"] = dict(record.result)
    return {**value, **record.extra}


def _hand_json(hand: HandRecord) -> JsonObject:
    value: JsonObject = {
        "deck": deck_text(hand.deck),
        "actions": [seat_action_text(seat, action) for seat, action in hand.actions],
    }
    if hand.result is not None:
        value["result"] = dict(hand.result)
    return {**value, **hand.extra}


def deck_text(deck: Sequence[int]) -> str:
    """A deck as text: its cards in order, single spaces between them."""
    return " ".join(map(card_text, deck))


def seat_action_text(seat: int, action: Action) -> str:
    """An action of a seat as text: "2 bid 3"."""
    return f"{seat} {action_text(action)}"


# ---- reading


def parse_record(value: object) -> GameRecord:
    """A record from its JSON object; RecordError for what is not in the form of one.

    Only the form is checked: whether the cards make a deck and the actions are legal is
    for replay to say.
    """
    header = parse_header(value)
    hands = tuple(_parse_whole_hand(hand, at) for at, hand in enumerate(_hands_of(value)))
    result = _stored_result(value, Flaw.GAME_RESULT, None)
    return replace(header, hands=hands, result=result)


def parse_header(value: object) -> GameRecord:
    """All of a record but its hands and its result, which stay empty."""
    if not isinstance(value, dict):
        raise _header(f"expected a record, a JSON object, got {kind_of(value)}")
    trouble = _key_trouble(value, "the record", _RECORD_KEYS, _RECORD_OPTIONS)
    if trouble:
        raise _header(trouble)
    if value["format"] != FORMAT:
        raise _header(f'format is {quoted(value["format"])}, expected "{FORMAT}"')
    variant, notes = _parse_variant(value["variant"])
    seats = _parse_seats(value["seats"], variant)
    first_dealer = value.get("first_dealer", 0)
    if type(first_dealer) is not int or not 0 <= first_dealer < variant.players:
        last = variant.players - 1
        raise _header(f"first_dealer is {quoted(first_dealer)}, expected a seat, 0 to {last}")
    max_hands = value.get("max_hands", 100)
    if max_hands is not None and (type(max_hands) is not int or not 1 <= max_hands <= MAX_HANDS):
        raise _header(
            f"max_hands is {quoted(max_hands)}, expected 1 to {MAX_HANDS:,} or null for no limit"
        )
    if not isinstance(value["hands"], list):
        raise _header(f"hands is {kind_of(value['hands'])}, expected a list")
    return GameRecord(
        variant=variant,
        seats=seats,
        first_dealer=first_dealer,
        max_hands=max_hands,
        extra=_notes(value),
        variant_extra=notes,
    )


def _hands_of(value: object) -> list[object]:
    hands = value["hands"] if isinstance(value, dict) else None
    return hands if isinstance(hands, list) else []


def _parse_variant(value: object) -> tuple[Variant, JsonObject]:
    if not isinstance(value, dict):
        raise _header(f"variant is {kind_of(value)}, expected an object with a name")
    notes = _notes(value)
    fields = {key: item for key, item in value.items() if key not in notes}
    try:
        return parse_variant(fields), notes
    except VariantError as error:
        raise _header(f"variant: {error}") from None


def _parse_seats(value: object, variant: Variant) -> tuple[str, ...]:
    expected = f"expected a list of {variant.players} names, one a seat"
    if not isinstance(value, list):
        raise _header(f"seats is {kind_of(value)}, {expected}")
    if len(value) != variant.players:
        raise _header(f"seats has {len(value)} entries, {expected}")
    for seat, name in enumerate(value):
        if not isinstance(name, str):
            raise _header(f"seats[{seat}] is {quoted(name)}, {expected}")
    return tuple(value)


def parse_hand(value: object, at: int) -> tuple[str, list[object]]:
    """The deck's text and the list of actions of hand `at`, not read any further."""
    if not isinstance(value, dict):
        raise RecordError(Flaw.HAND_KEYS, at, None, f"hand {at} is not an object: {quoted(value)}")
    trouble = _key_trouble(value, f"hand {at}", _HAND_KEYS, _HAND_OPTIONS)
    deck, actions = value.get("deck"), value.get("actions")
    if not trouble and not isinstance(deck, str):
        trouble = f"the deck of hand {at} is {kind_of(deck)}, expected a text"
    if not trouble and not isinstance(actions, list):
        trouble = f"the actions of hand {at} are {kind_of(actions)}, expected a list"
    if trouble or not isinstance(deck, str) or not isinstance(actions, list):
        raise RecordError(Flaw.HAND_KEYS, at, None, trouble)
    return deck, actions


def _parse_whole_hand(value: object, at: int) -> HandRecord:
    deck, actions = parse_hand(value, at)
    return HandRecord(
        deck=parse_deck(deck, at),
        actions=tuple(parse_seat_actions(actions, at)),
        result=_stored_result(value, Flaw.HAND_RESULT, at),
        extra=_notes(value),
    )


def parse_deck(text: str, at: int | None = None) -> tuple[int, ...]:
    """The cards of a deck's text; `at` is the hand that an error names."""
    try:
        return tuple([_card(token) for token in text.split(" ")])
    except ValueError as error:
        where = "the deck" if at is None else f"the deck of hand {at}"
        raise RecordError(Flaw.DECK, at, None, f"{where}: {error}") from None


def parse_seat_actions(values: Sequence[object], at: int) -> Iterator[SeatAction]:
    """The actions of hand `at`, one by one, up to the first that is malformed."""
    for index, value in enumerate(values):
        if not isinstance(value, str):
            reason = f"expected an action as a text, got {quoted(value)}"
            raise RecordError(Flaw.MALFORMED, at, index, reason)
        try:
            yield parse_seat_action(value)
        except ValueError as error:
            reason = f"malformed action {quoted(value)}: {error}"
            raise RecordError(Flaw.MALFORMED, at, index, reason) from None


@lru_cache(maxsize=8192)
def parse_seat_action(text: str) -> SeatAction:
    """The seat and action of "2 bid 3"; ValueError for any other form."""
    seat, space, action = text.partition(" ")
    if seat not in _SEATS or not space:
        raise ValueError('expected "SEAT ACTION", as in "2 bid 3"')
    return SeatAction(int(seat), parse_action(action))


_card = lru_cache(maxsize=64)(parse_card)
_SEATS = frozenset(map(str, range(10)))  # nine seats of six cards empty the largest deck


def _stored_result(value: object, flaw: Flaw, hand: int | None) -> JsonObject | None:
    if not isinstance(value, dict) or "result" not in value:
        return None
    result = value["result"]
    if not isinstance(result, dict):
        what = "the record" if hand is None else f"hand {hand}"
        reason = f"the stored result of {what} is {kind_of(result)}, expected an object"
        raise RecordError(flaw, hand, None, reason)
    return result


# ---- keys and quotes


def quoted(value: object, length: int = 60) -> str:
    """A JSON value as a message quotes it: its JSON text, cut where it is long."""
    if isinstance(value, (dict, list)):
        return kind_of(value)
    if isinstance(value, int) and abs(value) >= 10**18:
        return "a huge number"
    if isinstance(value, str):
        value = value[: length + 1]
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= length else text[: length - 1] + "…"


def _notes(value: object) -> JsonObject:
    if not isinstance(value, dict):
        return {}
    return {key: item for key, item in value.items() if key.startswith(_NOTE)}


def _key_trouble(
    value: Mapping[str, object], where: str, required: tuple[str, ...], optional: tuple[str, ...]
) -> str:
    """What is wrong with the keys of an object, as a sentence; empty if nothing is."""
    for key in required:
        if key not in value:
            return f'{where} has no "{key}"; it needs {", ".join(required)}'
    for key in value:
        if key not in required and key not in optional and not key.startswith(_NOTE):
            known = ", ".join(required + optional)
            return f"{where} has an unknown key {quoted(key)}; known are {known}, and x_…"
    return ""


def _header(reason: str) -> RecordError:
    return RecordError(Flaw.HEADER, None, None, reason)
