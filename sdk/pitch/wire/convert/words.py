"""Words of the rules and their enums on the wire; spans; variants."""

from dataclasses import fields
from enum import StrEnum
from functools import lru_cache
from typing import Any, Generic, TypeVar

from google.protobuf.duration_pb2 import Duration

from pitch.rules import (
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
from pitch.table.faults import Fault
from pitch.table.unit import Unit
from pitch.wire.frames import RefusalReason
from pitch.wire.v1 import game_pb2, referee_pb2

__all__ = [
    "FAULTS",
    "REASONS",
    "UNITS",
    "WireError",
    "optional",
    "read_seconds",
    "read_variant",
    "variant_message",
    "write_seconds",
]


class WireError(ValueError):
    """Bytes that are no frame; the message says what was expected and what came."""


WordT = TypeVar("WordT", bound=StrEnum)


class _Words(Generic[WordT]):
    """Both directions between a word and its enum value, matched by name."""

    def __init__(self, words: type[WordT], prefix: str, enum: Any) -> None:
        # The numbers are typed loosely: generated enums are no integers to a type checker.
        self.numbers: dict[WordT, Any] = {
            word: enum.Value(f"{prefix}_{word.value.upper()}") for word in words
        }
        self._words = {number: word for word, number in self.numbers.items()}

    def find(self, number: int) -> WordT | None:
        """The word; None for a number that only a newer version knows."""
        return self._words.get(number)

    def read(self, number: int) -> WordT:
        """The word; an unknown number is a WireError."""
        try:
            return self._words[number]
        except KeyError:
            raise WireError(f"enum value {number} is not one of {sorted(self._words)}") from None


UNITS = _Words(Unit, "UNIT", referee_pb2.Unit)
FAULTS = _Words(Fault, "FAULT_KIND", referee_pb2.FaultKind)
REASONS = _Words(RefusalReason, "REFUSAL_REASON", referee_pb2.RefusalReason)
_VARIANT_WORDS: dict[str, _Words[Any]] = {
    "rounds": _Words(Rounds, "ROUNDS", game_pb2.Rounds),
    "stuck": _Words(Stuck, "STUCK", game_pb2.Stuck),
    "trump": _Words(Trump, "TRUMP_CHOICE", game_pb2.TrumpChoice),
    "exchange": _Words(Exchange, "EXCHANGE", game_pb2.Exchange),
    "opening_lead": _Words(OpeningLead, "OPENING_LEAD", game_pb2.OpeningLead),
    "follow": _Words(Follow, "FOLLOW", game_pb2.Follow),
    "low": _Words(Low, "LOW", game_pb2.Low),
    "game": _Words(GamePoint, "GAME_POINT", game_pb2.GamePoint),
    "win": _Words(Win, "WIN", game_pb2.Win),
}


def write_seconds(duration: Duration, seconds: float) -> None:
    """Puts a span into a message's field."""
    duration.FromNanoseconds(round(seconds * 1e9))


def read_seconds(message: Any, name: str) -> float:
    """The span of a message's field, 0 where it is absent."""
    if not message.HasField(name):
        return 0.0
    duration: Duration = getattr(message, name)
    return float(duration.seconds) + float(duration.nanos) / 1e9


def optional(message: Any, name: str) -> int | None:
    """The number of an optional field, None where it is absent."""
    return int(getattr(message, name)) if message.HasField(name) else None


@lru_cache(maxsize=16)
def variant_message(variant: Variant) -> game_pb2.Variant:
    """The message of a variant, made once for all tables that play it."""
    values: dict[str, Any] = {}
    for field in fields(variant):
        value = getattr(variant, field.name)
        words = _VARIANT_WORDS.get(field.name)
        values[field.name] = words.numbers[value] if words else value
    return game_pb2.Variant(**values)


def read_variant(message: game_pb2.Variant) -> Variant:
    """The variant of a message, made once for all tables that play it."""
    return _variant_of(message.SerializeToString(deterministic=True))


@lru_cache(maxsize=16)
def _variant_of(data: bytes) -> Variant:
    message = game_pb2.Variant.FromString(data)
    values: dict[str, Any] = {}
    for field in fields(Variant):
        value = getattr(message, field.name)
        words = _VARIANT_WORDS.get(field.name)
        values[field.name] = words.read(value) if words else value
    try:
        return Variant(**values)
    except VariantError as error:
        raise WireError(f"the variant of a table cannot be played: {error}") from None
