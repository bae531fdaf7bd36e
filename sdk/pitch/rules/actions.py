"""Actions: everything that a seat can do, as values and as text (records.md).

Here belong the shapes of actions, their text and the lazy list of legal discards. When an
action is legal belongs to the sections of the rules: auction.py, exchange.py and play.py.
"""

import reprlib
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import combinations
from math import comb
from typing import NamedTuple, TypeAlias, overload

from pitch.rules.cards import (
    CARD_COUNT,
    card_text,
    cards_of,
    mask_of,
    parse_card,
    parse_suit,
    suit_text,
)

__all__ = [
    "BIDS",
    "GIVE",
    "MOON",
    "PASS",
    "PITCHES",
    "PLAYS",
    "SMUDGE",
    "TAKE",
    "TRUMPS",
    "Action",
    "Discards",
    "Kind",
    "Legal",
    "action_text",
    "bid_text",
    "discard",
    "parse_action",
]


class Kind(IntEnum):
    """What an action does; the name in lower case is its word in a record."""

    PASS = 0
    BID = 1
    PITCH = 2
    TRUMP = 3
    DISCARD = 4
    TAKE = 5
    GIVE = 6
    PLAY = 7


class Action(NamedTuple):
    """One action of a seat.

    `value` is, by kind: BID a number, SMUDGE or MOON; PITCH and PLAY a card; TRUMP a suit;
    DISCARD the mask of the cards; otherwise 0.
    """

    kind: Kind
    value: int = 0


_DISCARDING = Kind.DISCARD

# Above every number, in this order, so that bids compare as integers (rules.md 4.1).
SMUDGE = 101
MOON = 102

PASS = Action(Kind.PASS)
TAKE = Action(Kind.TAKE)
GIVE = Action(Kind.GIVE)
BIDS: tuple[Action, ...] = tuple(Action(Kind.BID, value) for value in range(MOON + 1))
PITCHES: tuple[Action, ...] = tuple(Action(Kind.PITCH, card) for card in range(CARD_COUNT))
TRUMPS: tuple[Action, ...] = tuple(Action(Kind.TRUMP, suit) for suit in range(4))
PLAYS: tuple[Action, ...] = tuple(Action(Kind.PLAY, card) for card in range(CARD_COUNT))


def discard(cards: int | Iterable[int]) -> Action:
    """The discard of `cards`, given as a mask or one by one."""
    return Action(_DISCARDING, cards if isinstance(cards, int) else mask_of(cards))


class Discards(Sequence[Action]):
    """All legal discards of a seat, as a sequence that is never written out.

    A discard holds all of `required` and any of `optional` (masks), `minimum` to `maximum`
    cards in all. They stand in order of their number of cards, then of the optional cards
    (ascending) as a list; so the first is the default action. What is handed in is brought
    to the form of records.md: a card that every discard must hold counts as required, and
    one that none can hold is left out.
    """

    __slots__ = ("_count", "maximum", "minimum", "optional", "required")

    required: int
    optional: int
    minimum: int
    maximum: int

    def __init__(self, required: int, optional: int, minimum: int, maximum: int) -> None:
        held = required.bit_count()
        if minimum == held + optional.bit_count():
            required, optional, held = required | optional, 0, minimum
        if maximum == held:
            optional = 0
        self.required = required
        self.optional = optional
        self.minimum = minimum
        self.maximum = maximum
        choice = optional.bit_count()
        if minimum == maximum:
            self._count = comb(choice, minimum - held)
        else:
            self._count = sum([comb(choice, size) for size in self._sizes()])

    def _sizes(self) -> range:
        """How many optional cards a discard may hold."""
        held = self.required.bit_count()
        return range(self.minimum - held, self.maximum - held + 1)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        count = self._count
        if isinstance(index, slice):
            return tuple(self[each] for each in range(*index.indices(count)))
        rank = index + count if index < 0 else index
        if not 0 <= rank < count:
            raise IndexError(f"discard {index} of {count}")
        choice = self.optional.bit_count()
        for size in self._sizes():
            block = comb(choice, size)
            if rank < block:
                return discard(self.required | _combination(self.optional, size, rank))
            rank -= block
        raise AssertionError("unreachable: the rank is below the number of discards")

    def __iter__(self) -> Iterator[Action]:
        optional = cards_of(self.optional)
        for size in self._sizes():
            for cards in combinations(optional, size):
                yield discard(self.required | mask_of(cards))

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action) or action.kind != _DISCARDING or action.value < 0:
            return False
        mask = action.value
        return (
            mask & self.required == self.required
            and mask & ~(self.required | self.optional) == 0
            and self.minimum <= mask.bit_count() <= self.maximum
        )

    def _key(self) -> tuple[int, int, int, int]:
        return self.required, self.optional, self.minimum, self.maximum

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Discards) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return "Discards(required={:#x}, optional={:#x}, minimum={}, maximum={})".format(
            *self._key()
        )


Legal: TypeAlias = tuple[Action, ...] | Discards
"""The legal actions in the order of records.md, the default action first."""


def _combination(mask: int, size: int, rank: int) -> int:
    """The mask of the `rank`-th combination of `size` cards of `mask` in lexicographic order."""
    chosen = 0
    left = mask.bit_count()
    while size:
        left -= 1
        card = mask & -mask
        mask ^= card
        with_card = comb(left, size - 1)
        if rank < with_card:
            chosen |= card
            size -= 1
        else:
            rank -= with_card
    return chosen


def bid_text(value: int) -> str:
    """A bid's value as text: the number, "smudge" or "moon"."""
    return _BID_WORDS.get(value) or str(value)


def action_text(action: Action) -> str:
    """The action as a record writes it, such as "bid 3" or "discard 2C 3C"."""
    kind, value = action
    word = _WORDS[kind]
    if kind == Kind.BID:
        return f"{word} {bid_text(value)}"
    if kind == Kind.TRUMP:
        return f"{word} {suit_text(value)}"
    if kind == Kind.DISCARD:
        return " ".join((word, *map(card_text, cards_of(value))))
    if kind in (Kind.PITCH, Kind.PLAY):
        return f"{word} {card_text(value)}"
    return word


def parse_action(text: str) -> Action:
    """The action that `text` writes; ValueError says what is wrong with it.

    Whether the action is legal anywhere is another question.
    """
    word, *rest = text.split(" ")
    if word == "discard":
        return _parse_discard(rest)
    if word in _PLAIN and not rest:
        return _PLAIN[word]
    if word not in ("bid", "pitch", "trump", "play") or len(rest) != 1:
        raise ValueError(
            "expected pass, bid N, bid smudge, bid moon, pitch CARD, trump SUIT, discard CARD..., "
            f"take, give or play CARD, got {reprlib.repr(text)}"
        )
    if word == "bid":
        return _parse_bid(rest[0])
    if word == "trump":
        return TRUMPS[parse_suit(rest[0])]
    return (PITCHES if word == "pitch" else PLAYS)[parse_card(rest[0])]


def _parse_bid(text: str) -> Action:
    bid = _BIDS_BY_TEXT.get(text)
    if bid is None:
        raise ValueError(f"expected a bid (a number, smudge or moon), got {reprlib.repr(text)}")
    return bid


def _parse_discard(texts: list[str]) -> Action:
    mask = 0
    for text in texts:
        bit = 1 << parse_card(text)
        if mask & bit:
            raise ValueError(f"expected every card of a discard once, got {text} twice")
        mask |= bit
    return discard(mask)


_WORDS = tuple(kind.name.lower() for kind in Kind)
_PLAIN = {"pass": PASS, "take": TAKE, "give": GIVE}
_BID_WORDS = {SMUDGE: "smudge", MOON: "moon"}
_BIDS_BY_TEXT = {bid_text(bid.value): bid for bid in BIDS[1:]}
