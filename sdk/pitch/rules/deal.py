"""The deal (rules.md 3).

Here belongs how an ordered deck becomes hands and a stock. Where decks come from does not:
chance enters the rules as a deck already in order.
"""

from collections.abc import Sequence

from pitch.rules.cards import card_text, mask_of
from pitch.rules.state import BadDeck, Exchanged, Hand, Phase, hand_before_play
from pitch.rules.variant import Variant

__all__ = ["start_hand"]


_AUCTION = Phase.AUCTION
_FULL_DECKS = {size: frozenset(range(size)) for size in (52, 54)}


def start_hand(variant: Variant, dealer: int, deck: Sequence[int]) -> Hand:
    """A hand just dealt, the seat left of the dealer to act.

    `deck` holds every card of the variant in the order dealt; BadDeck says what is wrong.
    """
    players = variant.players
    if not 0 <= dealer < players:
        raise ValueError(f"the dealer must be a seat below {players}, got {dealer}")
    _check_deck(variant, deck)
    hands, stock = _deal(variant, dealer, deck)
    exchanged = Exchanged(stock, (0,) * players)
    to_act = dealer + 1 if dealer + 1 < players else 0
    return hand_before_play(variant, dealer, _AUCTION, to_act, hands, -1, -1, 0, (), exchanged)


def _deal(
    variant: Variant, dealer: int, deck: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The hands as masks and the stock, the top first."""
    players, dealt = variant.players, variant.dealt
    hands = [0] * players
    top = 0
    for start in range(0, dealt, variant.packet):
        packet = min(variant.packet, dealt - start)
        for step in range(1, players + 1):
            hands[(dealer + step) % players] |= mask_of(deck[top : top + packet])
            top += packet
    return tuple(hands), tuple(deck[top:])


def _check_deck(variant: Variant, deck: Sequence[int]) -> None:
    size = variant.deck
    cards = set(deck)
    if len(deck) == size and cards == _FULL_DECKS[size]:
        return
    foreign = [card for card in deck if not 0 <= card < size]
    if foreign:
        raise BadDeck(f"card {_name(foreign[0])} is not in a deck of {size}")
    missing = [card_text(card) for card in range(size) if card not in cards]
    twice = [card_text(card) for card in sorted(cards) if list(deck).count(card) > 1]
    parts = [f"a deck of {size} holds every card once, got {len(deck)} cards"]
    if missing:
        parts.append(f"missing {' '.join(missing)}")
    if twice:
        parts.append(f"more than once {' '.join(twice)}")
    raise BadDeck("; ".join(parts))


def _name(card: int) -> str:
    return card_text(card) if 0 <= card < 54 else str(card)
