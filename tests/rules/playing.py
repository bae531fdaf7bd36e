"""Hands for tests, in the notation of records."""

from collections.abc import Sequence

from pitch.rules import (
    Discards,
    Hand,
    Variant,
    action_text,
    apply_action,
    card_text,
    cards_of,
    legal_actions,
    parse_action,
    parse_card,
    parse_variant,
    start_hand,
)


def variant(name: str, **fields: object) -> Variant:
    """A named variant with fields that differ."""
    return parse_variant({"name": name, **fields})


def cards(text: str) -> list[int]:
    """The cards of a text such as "AS 2C"."""
    return [parse_card(card) for card in text.split()]


def text_of(mask: int) -> str:
    """The cards of a mask, by card index."""
    return " ".join(map(card_text, cards_of(mask)))


def deck_for(of: Variant, dealer: int, hands: Sequence[str], stock: str = "") -> list[int]:
    """The deck that deals `hands` (by seat) and leaves `stock` on top of the stock.

    A hand with cards to spare is filled with the lowest cards that nobody was given.
    """
    seats = [cards(text) for text in hands] + [[] for _ in range(of.players - len(hands))]
    top = cards(stock)
    given = {card for hand in (*seats, top) for card in hand}
    rest = [card for card in range(of.deck) if card not in given]
    for hand in seats:
        while len(hand) < of.dealt:
            hand.append(rest.pop(0))
    deck: list[int] = []
    for start in range(0, of.dealt, of.packet):
        for step in range(1, of.players + 1):
            hand = seats[(dealer + step) % of.players]
            deck += hand[start : min(start + of.packet, of.dealt)]
    return deck + top + rest


def dealt(of: Variant, *hands: str, stock: str = "", dealer: int = 0) -> Hand:
    """A hand just dealt, see `deck_for`."""
    return start_hand(of, dealer, deck_for(of, dealer, hands, stock))


def after(hand: Hand, *actions: str) -> Hand:
    """The hand after actions such as "1 bid 3"; several may stand in one text, by commas."""
    for text in ",".join(actions).split(","):
        seat, action = text.strip().split(" ", 1)
        assert int(seat) == hand.to_act, f"{text}: seat {hand.to_act} is to act"
        hand = apply_action(hand, parse_action(action))
    return hand


def legal(hand: Hand) -> str:
    """What is legal, as "pass, bid 2"; of a discard "required | optional | min-max"."""
    actions = legal_actions(hand)
    if isinstance(actions, Discards):
        sizes = f"{actions.minimum}-{actions.maximum}"
        return f"{text_of(actions.required)} | {text_of(actions.optional)} | {sizes}"
    return ", ".join(map(action_text, actions))


def play_tricks(hand: Hand, *tricks: str) -> Hand:
    """The hand after tricks such as "AS 2S 3S 4S", each in order from whoever leads it."""
    for trick in tricks:
        for card in trick.split():
            hand = after(hand, f"{hand.to_act} play {card}")
    return hand


def dealt_for_tricks(of: Variant, *tricks: str, leaders: Sequence[int]) -> Hand:
    """A hand just dealt in which `leaders` can lead `tricks`, cards in order of play."""
    seats: list[list[str]] = [[] for _ in range(of.players)]
    for leader, trick in zip(leaders, tricks, strict=True):
        for step, card in enumerate(trick.split()):
            seats[(leader + step) % of.players].append(card)
    return dealt(of, *map(" ".join, seats))
