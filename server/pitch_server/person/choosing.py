"""What the person may choose from at a turn, and what is chosen so far.

Here belong keys, the cursor and discards of several cards. It knows no terminal.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pitch.bot.view import View
from pitch.rules import MOON, SMUDGE, Action, Discards, Kind, discard
from pitch.rules.cards import cards_of, mask_of, rank_of
from pitch_server.person.words import choice_label

__all__ = ["Choosing", "Option", "hand_order"]

# Of the cards, by their place in the hand; of the letters none has another meaning.
_DIGITS, _LETTERS = "1234567890abcdef", "abcdefijklnoruvwxyz"
_KEYS = {Kind.PASS: "p", Kind.TAKE: "t", Kind.GIVE: "g"}
_BID_KEYS = {SMUDGE: "s", MOON: "m"}


class Option(NamedTuple):
    """Something to choose: its key, how it is called, what it does; `card` if it is a card."""

    key: str
    label: str
    action: Action
    card: int | None


def hand_order(view: View) -> tuple[int, ...]:
    """The person's cards as they are held: trumps first, each suit from its strongest card."""
    trump = view.trump
    suits = sorted(view.by_suit, key=lambda suit: (suit != trump, suit < 0, -suit))
    return tuple(
        card
        for suit in suits
        for card in sorted(
            view.by_suit[suit], key=lambda card: (view.strength(card), rank_of(card)), reverse=True
        )
    )


class Choosing:
    """The choice of one turn. `press` and `confirm` give the action once there is one."""

    def __init__(self, view: View) -> None:
        self.hand = hand_order(view)
        legal = view.legal
        self.discards = legal if isinstance(legal, Discards) else None
        self.marked: frozenset[int] = frozenset()
        if self.discards is not None:
            self.marked = frozenset(cards_of(self.discards.required))
            self.options = self._of_cards(cards_of(self.discards.optional))
        else:
            self.options = self._of_actions(legal)
        self.cursor = 0

    @property
    def keys(self) -> dict[int, str]:
        """The key of each card that can be chosen."""
        return {option.card: option.key for option in self.options if option.card is not None}

    def _of_cards(self, cards: Sequence[int]) -> tuple[Option, ...]:
        return tuple(
            Option(_DIGITS[at], choice_label(Action(Kind.PLAY, card)), discard([card]), card)
            for at, card in enumerate(self.hand)
            if card in cards
        )

    def _of_actions(self, legal: Sequence[Action]) -> tuple[Option, ...]:
        """Cards in the order of the hand, then the others in the order of the rules."""
        cards = {a.value: a for a in legal if a.kind in (Kind.PLAY, Kind.PITCH)}
        bidding = any(action.kind is Kind.BID for action in legal)  # then digits are bids
        keys = _LETTERS if bidding else _DIGITS
        of_cards = [
            Option(keys[at], choice_label(cards[card]), cards[card], card)
            for at, card in enumerate(self.hand)
            if card in cards
        ]
        others = [
            Option(_key(action), choice_label(action), action, None)
            for action in legal
            if action.kind not in (Kind.PLAY, Kind.PITCH)
        ]
        return (*of_cards, *others)

    # --- what the person does -----------------------------------------------------------------

    def move(self, step: int) -> None:
        """Moves the cursor along the options, around the ends."""
        self.cursor = (self.cursor + step) % len(self.options)

    def press(self, key: str) -> Action | None:
        """What an option's key gives; of a discard it marks the card, or no longer."""
        for at, option in enumerate(self.options):
            if option.key == key:
                self.cursor = at
                return self.pick()
        return None

    def pick(self) -> Action | None:
        """What the option at the cursor gives; of a discard it marks the card, or no longer."""
        option = self.options[self.cursor]
        if self.discards is None:
            return option.action
        if option.card is not None:
            self.marked ^= {option.card}
        return None

    def confirm(self) -> Action | None:
        """The action that is chosen now, if one is."""
        if self.discards is None:
            return self.pick()
        chosen = discard(mask_of(self.marked))
        return chosen if chosen in self.discards else None

    def mark(self, action: Action) -> None:
        """Goes to an action as if the person had: the cursor, or the marks of a discard."""
        if self.discards is not None:
            self.marked = frozenset(cards_of(action.value))
            return
        for at, option in enumerate(self.options):
            if option.action == action:
                self.cursor = at

    # --- what is shown ------------------------------------------------------------------------

    @property
    def card(self) -> int | None:
        """The card at the cursor, if it is at one."""
        return self.options[self.cursor].card

    @property
    def cards(self) -> frozenset[int]:
        """The cards that can be chosen."""
        return frozenset(option.card for option in self.options if option.card is not None)

    def explained(self) -> str:
        """What is to be done."""
        if self.discards is None:
            return "Your turn" if self.card is None else "Your card"
        low, high = self.discards.minimum, self.discards.maximum
        count = f"{low}" if low == high else f"{low} to {high}"
        return f"Discard {count} cards: {len(self.marked)} marked, Enter discards them"


def _key(action: Action) -> str:
    """The key of an option that is no card: of a bid its number."""
    kind, value = action
    if kind is Kind.BID:
        return _BID_KEYS.get(value, str(value))
    return str(value + 1) if kind is Kind.TRUMP else _KEYS[kind]
