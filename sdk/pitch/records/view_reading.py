"""A seat's view read from JSON: the way back from view_json.py.

Here belongs the check of the form, field by field, and that no card is in two places. Whether
a game could come to such a view is not asked: a view may be made up to try a bot on.

ViewError(ValueError)   what is no view; says where, what was expected and what came
"""

from collections.abc import Callable, Iterable
from typing import NoReturn, TypeVar

from pitch.records.reading import JsonObject, kind_of
from pitch.records.record import parse_seat_action, quoted
from pitch.rules import (
    MOON,
    SMUDGE,
    Action,
    Discards,
    Kind,
    Legal,
    Phase,
    Variant,
    View,
    card_text,
    mask_of,
    parse_action,
    parse_card,
    parse_suit,
)

__all__ = ["Fields", "ViewError", "parse_view"]

_PHASES = {phase.name.lower(): phase for phase in Phase}
_BIDS = {"smudge": SMUDGE, "moon": MOON}
_Read = TypeVar("_Read")


class ViewError(ValueError):
    """JSON that is no view: where it fails, what was expected there and what came."""


class Fields:
    """An object of JSON whose keys are read one by one; all of them have to be."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise ViewError(f"{where}: expected an object, got {kind_of(value)}")
        self._value: JsonObject = value
        self._where = where
        self._read: set[str] = set()

    def path(self, key: str) -> str:
        """How messages name what stands under a key."""
        return f"{self._where}.{key}" if self._where else key

    def get(self, key: str) -> object:
        """What stands under a key, which must be there."""
        self._read.add(key)
        if key not in self._value:
            raise ViewError(f"{self._where or 'the view'}: expected a key {quoted(key)}")
        return self._value[key]

    def fail(self, key: str, expected: str) -> NoReturn:
        """Says that something else was expected under a key."""
        raise ViewError(f"{self.path(key)}: expected {expected}, got {quoted(self.get(key))}")

    def number(self, key: str, low: int, high: int | None = None) -> int:
        """A whole number within limits."""
        value = self.get(key)
        if type(value) is not int or value < low or (high is not None and value > high):
            self.fail(key, f"a whole number, {low} {'or more' if high is None else f'to {high}'}")
        return value

    def seconds(self, key: str) -> float:
        """A span in seconds, 0 or more."""
        value = self.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            self.fail(key, "a number of seconds, 0 or more")
        return float(value)

    def text(self, key: str) -> str:
        """A text."""
        value = self.get(key)
        if not isinstance(value, str):
            self.fail(key, "a text")
        return value

    def nullable(self, key: str, read: Callable[[str], _Read]) -> _Read | None:
        """What `read` makes of a key, None for null."""
        return None if self.get(key) is None else read(key)

    def items(self, key: str) -> list[object]:
        """A list, its items not looked at."""
        value = self.get(key)
        if not isinstance(value, list):
            self.fail(key, "a list")
        return value

    def texts(self, key: str, read: Callable[[str], _Read]) -> list[_Read]:
        """A list of texts, each as `read` has it."""
        return read_texts(self.items(key), self.path(key), read)

    def close(self) -> None:
        """Refuses keys that were not read; notes, which begin with x_, may stand."""
        for key in self._value:
            if key not in self._read and not key.startswith("x_"):
                known = ", ".join(sorted(self._read))
                raise ViewError(f"{self.path(key)}: unknown key; known are {known}, and x_…")


def read_texts(values: Iterable[object], where: str, read: Callable[[str], _Read]) -> list[_Read]:
    """Each of a list of texts as `read` has it."""
    done = []
    for at, value in enumerate(values):
        if not isinstance(value, str):
            raise ViewError(f"{where}[{at}]: expected a text, got {quoted(value)}")
        try:
            done.append(read(value))
        except ValueError as error:
            raise ViewError(f"{where}[{at}]: {error}") from None
    return done


def parse_view(value: object, variant: Variant, where: str = "") -> View:
    """The view that `view_json` wrote; ViewError for what is none. `where` leads its messages."""
    fields = Fields(value, where)
    last = variant.players - 1
    seat = fields.number("seat", 0, last)
    to_act = fields.nullable("to_act", lambda key: fields.number(key, 0, last))
    sizes, winners, played = _tricks(fields, variant)
    points = fields.nullable("points", lambda key: _numbers(fields, key, variant.sides))
    pitcher = fields.nullable("pitcher", lambda key: fields.number(key, 0, last))
    trump = fields.nullable("trump", lambda key: _one(fields, key, parse_suit))
    view = View(
        seat=seat,
        dealer=fields.number("dealer", 0, last),
        hand_number=fields.number("hand_number", 0),
        scores=_numbers(fields, "scores", variant.sides),
        phase=_phase(fields),
        to_act=-1 if to_act is None else to_act,
        hand=_cards(fields, "hand"),
        discarded=_cards(fields, "discarded"),
        auction=tuple(fields.texts("auction", lambda text: _seat_action(text, last))),
        pitcher=-1 if pitcher is None else pitcher,
        bid=fields.nullable("bid", lambda key: _bid(fields, key, variant)) or 0,
        trump=-1 if trump is None else trump,
        discard_counts=_discard_counts(fields, last),
        leftovers=fields.nullable("leftovers", lambda key: _one(fields, key, parse_action)),
        received=_cards(fields, "received"),
        played=played,
        trick_sizes=sizes,
        trick_winners=winners,
        points=points,
        legal=_legal(fields),
    )
    fields.close()
    _check(view, variant, fields)
    return view


# ---- parts


def _one(fields: Fields, key: str, read: Callable[[str], _Read]) -> _Read:
    return read_texts([fields.get(key)], fields.path(key), read)[0]


def _phase(fields: Fields) -> Phase:
    phase = _PHASES.get(fields.text("phase"))
    if phase is None:
        fields.fail("phase", f"one of {', '.join(_PHASES)}")
    return phase


def _bid(fields: Fields, key: str, variant: Variant) -> int:
    value = fields.get(key)
    if isinstance(value, str) and value in _BIDS:
        return _BIDS[value]
    return fields.number(key, variant.min_bid, variant.highest_number)


def _numbers(fields: Fields, key: str, count: int) -> tuple[int, ...]:
    values = fields.items(key)
    numbers = tuple([value for value in values if type(value) is int])
    if len(numbers) != count or len(values) != count:
        raise ViewError(
            f"{fields.path(key)}: expected {count} whole numbers, one a side, got {values}"
        )
    return numbers


def _cards(fields: Fields, key: str) -> int:
    cards = fields.texts(key, parse_card)
    if twice := [card for card in cards if cards.count(card) > 1]:
        raise ViewError(f"{fields.path(key)}: expected every card once, got {card_text(twice[0])}")
    return mask_of(cards)


def _seat_of(text: str, last: int) -> int:
    if not text.isdecimal() or int(text) > last:
        raise ValueError(f"expected a seat, 0 to {last}, got {quoted(text)}")
    return int(text)


def _seat_action(text: str, last: int) -> tuple[int, Action]:
    seat, action = parse_seat_action(text)
    return _seat_of(str(seat), last), action


def _seat_card(text: str, last: int) -> tuple[int, int]:
    seat, _, card = text.partition(" ")
    return _seat_of(seat, last), parse_card(card)


def _seat_count(text: str, last: int) -> tuple[int, int]:
    seat, _, count = text.partition(" ")
    if not count.isdecimal() or len(count) > 2:
        raise ValueError(f'expected "SEAT COUNT", as in "2 3", got {quoted(text)}')
    return _seat_of(seat, last), int(count)


def _discard_counts(fields: Fields, last: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    rounds = []
    for at, each in enumerate(fields.items("discard_counts")):
        where = f"{fields.path('discard_counts')}[{at}]"
        if not isinstance(each, list):
            raise ViewError(f"{where}: expected a list, got {kind_of(each)}")
        rounds.append(tuple(read_texts(each, where, lambda text: _seat_count(text, last))))
    return tuple(rounds)


def _tricks(
    fields: Fields, variant: Variant
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, int], ...]]:
    """Sizes and winners of the finished tricks, and every card that was played."""
    last = variant.players - 1
    played: list[tuple[int, int]] = []
    sizes, winners = [], []
    for at, each in enumerate(fields.items("tricks")):
        trick = Fields(each, f"{fields.path('tricks')}[{at}]")
        plays = trick.texts("cards", lambda text: _seat_card(text, last))
        winners.append(trick.number("winner", 0, last))
        trick.close()
        if not plays:
            trick.fail("cards", "a card at least")
        sizes.append(len(plays))
        played += plays
    played += fields.texts("trick", lambda text: _seat_card(text, last))
    return tuple(sizes), tuple(winners), tuple(played)


def _legal(fields: Fields) -> Legal:
    if isinstance(fields.get("legal"), list):
        return tuple(fields.texts("legal", parse_action))
    both = Fields(fields.get("legal"), fields.path("legal"))
    discard = Fields(both.get("discard"), both.path("discard"))
    both.close()
    required, optional = _cards(discard, "required"), _cards(discard, "optional")
    fewest, most = required.bit_count(), (required | optional).bit_count()
    minimum = discard.number("min", fewest, most)
    legal = Discards(required, optional, minimum, discard.number("max", minimum, most))
    discard.close()
    return legal


# ---- the whole


def _check(view: View, variant: Variant, fields: Fields) -> None:
    """Every card in one place, legal actions of the own cards, and trump where it is needed."""
    places = [
        ("hand", view.hand),
        ("discarded", view.discarded),
        *[("tricks and trick", 1 << card) for _, card in view.played],
    ]
    seen = 0
    for name, mask in places:
        where = fields.path(name)
        if mask >> variant.deck:
            raise ViewError(f"{where}: expected cards of a deck of {variant.deck}, got a joker")
        if both := seen & mask:
            card = card_text(both.bit_length() - 1)
            raise ViewError(f"{where}: expected every card in one place, got {card} once more")
        seen |= mask
    if view.played and view.trump < 0:
        fields.fail("trump", "a suit, since cards were played")
    if (view.to_act == view.seat) != bool(view.legal):
        fields.fail("legal", f"actions for the seat to act and none for others (seat {view.seat})")
    if strange := _named(view.legal) & ~view.hand:
        card = card_text(strange.bit_length() - 1)
        raise ViewError(f"{fields.path('legal')}: expected cards of the hand, got {card}")


def _named(legal: Legal) -> int:
    """The mask of the cards that legal actions name."""
    if isinstance(legal, Discards):
        return legal.required | legal.optional
    return mask_of([value for kind, value in legal if kind in (Kind.PLAY, Kind.PITCH)])
