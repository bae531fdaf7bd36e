"""The cards: the own hand, trumps, what beats what, and what is not seen yet.

Cards are indexes (suit * 13 + rank - 2; jokers 52 and 53). Here belongs what single cards are
and where they may be. What tricks and points they make belongs to the files after it.
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache

from pitch.bot.seen.calls import CallsSeen
from pitch.rules import TRUMP_TABLES, Kind, TrumpTable, cards_of, off_jack_of
from pitch.rules.cards import rank_of, suit_of
from pitch.rules.trumps import JACK
from pitch.simulation.courses import courses_of
from pitch.simulation.voids import possible_cards

__all__ = ["CardsSeen"]

_GAME_VALUES = (0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 2, 3, 4) * 4 + (0, 0)


class CardsSeen(CallsSeen):
    """The cards: the own hand, trumps, what beats what, and what is not seen yet."""

    # --- the own cards ------------------------------------------------------------------------

    @cached_property
    def hand(self) -> tuple[int, ...]:
        """The bot's cards, ascending by index.

        >>> cards_text(view.hand)
        'KC 8D TD QS HJ'
        """
        return cards_of(self.known.hand)

    @cached_property
    def by_suit(self) -> Mapping[int, tuple[int, ...]]:
        """The bot's cards by suit, the strongest first, as they count under this trump.

        All four suits are there. Jokers stand under -1 while trump is not known.

        >>> {suit: cards_text(cards) for suit, cards in calling.by_suit.items()}
        {0: 'KC 9C', 1: 'TD 8D', 2: '8H', 3: 'QS JS', -1: 'HJ LJ'}
        """
        held: dict[int, list[int]] = {suit: [] for suit in range(4)}
        for card in self.hand:
            held.setdefault(self.suit_of(card), []).append(card)
        return {
            suit: tuple(sorted(cards, key=lambda card: (self.strength(card), card), reverse=True))
            for suit, cards in held.items()
        }

    @property
    def trumps(self) -> tuple[int, ...]:
        """The trumps in the bot's hand, the strongest first; none while trump is not known.

        >>> cards_text(view.trumps)
        'HJ TD 8D'
        """
        return () if self.known.trump < 0 else self.trumps_if(self.known.trump)

    def trumps_if(self, suit: int) -> tuple[int, ...]:
        """What would be trump in the bot's hand if `suit` were, the strongest first.

        >>> cards_text(calling.trumps_if(3))
        'QS JS HJ LJ'
        """
        held = self.known.hand
        return tuple([card for card in self.trump_order_if(suit) if held >> card & 1])

    @property
    def discarded(self) -> tuple[int, ...]:
        """The cards that the bot has discarded in this hand.

        >>> cards_text(view.discarded)
        '9C 8H JS'
        """
        return cards_of(self.known.discarded)

    # --- trump, and what beats what -----------------------------------------------------------

    @property
    def trump(self) -> int | None:
        """The trump suit, 0 to 3 for clubs, diamonds, hearts and spades; None until known.

        >>> view.trump
        1
        """
        return self.known.trump if self.known.trump >= 0 else None

    @property
    def trump_order(self) -> tuple[int, ...]:
        """Every trump of the deck, the strongest first; none while trump is not known.

        >>> cards_text(view.trump_order)
        'AD KD QD JD JH HJ LJ TD 9D 8D 7D 6D 5D 4D 3D 2D'
        """
        return () if self.known.trump < 0 else self.trump_order_if(self.known.trump)

    def trump_order_if(self, suit: int) -> tuple[int, ...]:
        """Every card that would be trump if `suit` were, the strongest first.

        >>> cards_text(calling.trump_order_if(3)[:7])
        'AS KS QS JS JC HJ LJ'
        """
        return _trump_order(self.variant.off_jack, self.variant.deck, suit)

    def is_trump(self, card: int) -> bool:
        """Whether a card is trump: jokers and the off-jack are, where the variant has them.

        >>> view.is_trump(parse_card("JH")), view.is_trump(parse_card("JS"))
        (True, False)
        """
        table = self._trump_table
        return table is not None and bool(table.trumps >> card & 1)

    def suit_of(self, card: int) -> int:
        """The suit that a card counts as: trump for jokers and the off-jack once it is known.

        >>> view.suit_of(parse_card("JH")), calling.suit_of(parse_card("JH"))
        (1, 2)
        """
        table = self._trump_table
        return suit_of(card) if table is None else table.suit_of[card]

    def strength(self, card: int) -> int:
        """How strong a card is in this trick; the highest takes it, 0 can't take it.

        Where nothing is led yet: as the card that is led. While trump is not known: its rank.

        >>> view.strength(parse_card("HJ")) > view.strength(parse_card("TD")) > 0
        True
        >>> view.strength(parse_card("KC"))
        0
        """
        table = self._trump_table
        if table is None:
            return rank_of(card)
        led = self.led_suit
        return table.power[table.suit_of[card] if led is None else led][card]

    def beats(self, card: int, other: int) -> bool:
        """Whether `card` beats `other` in this trick; where nothing is led, one led by `other`.

        >>> view.beats(parse_card("8D"), parse_card("AC"))
        True
        """
        table = self._trump_table
        if table is None:
            return suit_of(card) == suit_of(other) and rank_of(card) > rank_of(other)
        led = self.led_suit
        power = table.power[table.suit_of[other] if led is None else led]
        return power[card] > power[other]

    @property
    def led_suit(self) -> int | None:
        """The suit led to this trick, as it counts under this trump; None before the lead.

        >>> view.led_suit
        1
        """
        start = sum(self.known.trick_sizes)
        return self.suit_of(self.known.played[start][1]) if start < len(self.known.played) else None

    @property
    def off_jack(self) -> int | None:
        """The other jack of trump's colour, where it is a trump; None without trump.

        >>> card_text(view.off_jack)
        'JH'
        """
        known = self.variant.off_jack and self.known.trump >= 0
        return off_jack_of(self.known.trump) if known else None

    @property
    def jack(self) -> int | None:
        """The jack of trump; None while trump is not known.

        >>> card_text(view.jack)
        'JD'
        """
        return self.known.trump * 13 + JACK if self.known.trump >= 0 else None

    @staticmethod
    def game_value(card: int) -> int:
        """What a card counts for Game: ten 10, ace 4, king 3, queen 2, jack 1, others 0.

        >>> view.game_value(parse_card("TH"))
        10
        """
        return _GAME_VALUES[card]

    @cached_property
    def _trump_table(self) -> TrumpTable | None:
        trump = self.known.trump
        return TRUMP_TABLES[self.table.variant.off_jack][trump] if trump >= 0 else None

    # --- what is not seen, and where it may be ------------------------------------------------

    @property
    def unseen(self) -> tuple[int, ...]:
        """The cards that the bot can't place: with other seats, in the stock or discarded.

        A pitched card that went back to its owner is not among them: see `shown`.

        >>> len(view.unseen)
        40
        """
        return cards_of(self._unseen)

    @property
    def unseen_trumps(self) -> tuple[int, ...]:
        """The trumps among the unseen cards, the strongest first.

        >>> cards_text(view.unseen_trumps)
        'KD QD JD JH 9D 7D 5D 3D'
        """
        unseen = self._unseen
        return tuple([card for card in self.trump_order if unseen >> card & 1])

    @property
    def shown(self) -> tuple[tuple[int, int], ...]:
        """Pitched cards that went back to a hand and are there still, as (seat, card).

        >>> view.shown
        ()
        """
        return tuple(
            [
                (seat, action.value)
                for seat, action in self.known.auction
                if action.kind == Kind.PITCH and not self._placed >> action.value & 1
            ]
        )

    @cached_property
    def _placed(self) -> int:
        """The mask of all cards of the own hand, the own discards, and all played."""
        placed = self.known.hand | self.known.discarded
        for _, card in self.known.played:
            placed |= 1 << card
        return placed

    @cached_property
    def _unseen(self) -> int:
        unseen = (1 << self.variant.deck) - 1 & ~self._placed
        for _, card in self.shown:
            unseen &= ~(1 << card)
        return unseen

    @cached_property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds.

        >>> view.hand_sizes
        (4, 4, 5, 5)
        """
        sizes = [course.held for course in courses_of(self.variant, self.known)]
        for seat, _ in self.known.played:
            sizes[seat] -= 1
        sizes[self.known.seat] = self.known.hand.bit_count()
        return tuple(sizes)

    def can_hold(self, seat: int, card: int) -> bool:
        """Whether a seat may have a card in hand, as far as all plays and calls tell.

        >>> view.can_hold(1, parse_card("KD")), view.can_hold(3, parse_card("KD"))
        (False, True)
        """
        return bool(self._holdable[seat] >> card & 1)

    @cached_property
    def _holdable(self) -> tuple[int, ...]:
        """By seat, the mask of the cards that may be in its hand."""
        unseen = self._unseen
        sizes = self.hand_sizes
        masks = [
            mask & unseen if size else 0
            for mask, size in zip(possible_cards(self.variant, self.known), sizes, strict=True)
        ]
        for seat, card in self.shown:
            masks[seat] |= 1 << card
        masks[self.known.seat] = self.known.hand
        return tuple(masks)

    @cached_property
    def voids(self) -> tuple[frozenset[int], ...]:
        """By seat, the suits that it can't have any more, as its plays have shown.

        Of the bot's own seat: the suits that it has none of. Empty while trump is not known.

        >>> view.voids[1], view.voids[3]
        (frozenset({1}), frozenset())
        """
        table = self._trump_table
        if table is None:
            return (frozenset(),) * self.variant.players
        possible = possible_cards(self.variant, self.known)
        possible[self.known.seat] = self.known.hand
        return tuple(
            [
                frozenset([suit for suit in range(4) if not mask & table.suits[suit]])
                for mask in possible
            ]
        )


@lru_cache(maxsize=16)
def _trump_order(off_jack: bool, deck: int, suit: int) -> tuple[int, ...]:
    order = TRUMP_TABLES[off_jack][suit].high_to_low
    return tuple([card for card in order if card < deck])
