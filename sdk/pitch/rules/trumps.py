"""What a trump suit makes of the cards (rules.md 1): what is trump, and what beats what.

Here belong the tables that follow from a trump and from having an off-jack, made once when
the module is read. Which card may be played belongs to play.py.
"""

from typing import NamedTuple

from pitch.rules.cards import CARD_COUNT, HIGH_JOKER, JOKERS, LOW_JOKER, SUIT_MASKS, cards_of

__all__ = ["JACK", "TEN", "THREE", "TRUMP_TABLES", "TrumpTable", "off_jack_of"]

# The place of a card in its suit: card = suit * 13 + place.
THREE = 1
TEN = 8
JACK = 9


class TrumpTable(NamedTuple):
    """The cards under one trump."""

    trumps: int  # the mask of all trumps
    suits: tuple[int, ...]  # masks by suit; the trump suit's is `trumps`
    suit_of: tuple[int, ...]  # by card, as it counts under this trump
    high_to_low: tuple[int, ...]  # the trumps
    power: tuple[tuple[int, ...], ...]  # by led suit and card: the highest takes the trick


def off_jack_of(trump: int) -> int:
    """The jack of the other suit of trump's colour."""
    return (3 - trump) * 13 + JACK  # clubs with spades, diamonds with hearts


def _table(trump: int, off_jack: bool) -> TrumpTable:
    first = trump * 13
    jacks = (off_jack_of(trump),) if off_jack else ()
    high_to_low = (
        *range(first + 12, first + JACK - 1, -1),
        *jacks,
        HIGH_JOKER,
        LOW_JOKER,
        *range(first + TEN, first - 1, -1),
    )
    trumps = SUIT_MASKS[trump] | JOKERS | sum(1 << jack for jack in jacks)
    suits = tuple(trumps if suit == trump else SUIT_MASKS[suit] & ~trumps for suit in range(4))
    suit_of = [trump] * CARD_COUNT
    for suit in range(4):
        for card in cards_of(suits[suit]):
            suit_of[card] = suit
    power = tuple(_power(suits[led], high_to_low) for led in range(4))
    return TrumpTable(trumps, suits, tuple(suit_of), high_to_low, power)


def _power(led: int, trumps: tuple[int, ...]) -> tuple[int, ...]:
    """What takes a trick: any trump above the suit led, that above the rest (rules.md 4.4)."""
    power = [(card % 13 + 1) * (led >> card & 1) for card in range(CARD_COUNT)]
    for rank, card in enumerate(reversed(trumps), start=14):
        power[card] = rank
    return tuple(power)


TRUMP_TABLES: tuple[tuple[TrumpTable, ...], ...] = tuple(
    tuple(_table(trump, off_jack) for trump in range(4)) for off_jack in (False, True)
)
"""By whether there is an off-jack, and by trump."""
