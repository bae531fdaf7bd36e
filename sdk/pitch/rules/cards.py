"""Cards as small integers, sets of cards as bit masks, and both as text (rules.md 1).

Here belong the numbering of cards and their text. What a card is worth, or what beats what,
depends on trump and does not belong here: see trumps.py.
"""

import reprlib
from collections.abc import Iterable

__all__ = [
    "CARD_COUNT",
    "HIGH_JOKER",
    "JOKERS",
    "LOW_JOKER",
    "RANKS",
    "SUITS",
    "SUIT_MASKS",
    "card_text",
    "cards_of",
    "cards_text",
    "mask_of",
    "parse_card",
    "parse_suit",
    "rank_of",
    "suit_of",
    "suit_text",
]

SUITS = "CDHS"
RANKS = "23456789TJQKA"
CARD_COUNT = 54
LOW_JOKER = 52
HIGH_JOKER = 53

SUIT_MASKS: tuple[int, ...] = tuple(0x1FFF << 13 * suit for suit in range(4))
JOKERS = 1 << LOW_JOKER | 1 << HIGH_JOKER

_TEXTS = (*(rank + suit for suit in SUITS for rank in RANKS), "LJ", "HJ")
_CARDS = {text: card for card, text in enumerate(_TEXTS)}


def card_text(card: int) -> str:
    """The card as rank then suit ("TS"), "LJ" or "HJ"."""
    return _TEXTS[card]


def cards_text(cards: Iterable[int]) -> str:
    """The cards one after another, as "TS 9D HJ"."""
    return " ".join([_TEXTS[card] for card in cards])


def parse_card(text: str) -> int:
    """The card that `text` names; ValueError if it names none."""
    card = _CARDS.get(text)
    if card is None:
        raise ValueError(f"expected a card such as TS, HJ or LJ, got {reprlib.repr(text)}")
    return card


def rank_of(card: int) -> int:
    """The rank of a card, 2 to 14 (ace); 0 for a joker."""
    return card % 13 + 2 if card < LOW_JOKER else 0


def suit_of(card: int) -> int:
    """The printed suit of a card, 0 to 3 (clubs, diamonds, hearts, spades); -1 for a joker."""
    return card // 13 if card < LOW_JOKER else -1


def suit_text(suit: int) -> str:
    """The suit as one letter."""
    return SUITS[suit]


def parse_suit(text: str) -> int:
    """The suit that one of the letters C, D, H and S names; ValueError for another text."""
    if len(text) != 1 or text not in SUITS:
        raise ValueError(f"expected a suit (C, D, H or S), got {reprlib.repr(text)}")
    return SUITS.index(text)


def cards_of(mask: int) -> tuple[int, ...]:
    """The cards of a mask in ascending order."""
    cards = []
    while mask:
        cards.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return tuple(cards)


def mask_of(cards: Iterable[int]) -> int:
    """The mask that holds `cards`."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask
