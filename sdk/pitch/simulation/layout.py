"""The unseen cards dealt to their places.

Here belongs how places become shares that can be counted, and how counts become cards. Places
without limits take what is left, whatever it is, and so does the stock.
"""

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from pitch.rules.cards import cards_of
from pitch.simulation.counting import Choice, Counting, Share
from pitch.simulation.unseen import Place, Unseen

__all__ = ["Layout"]

_BITS = tuple(1 << card for card in range(54))


class _Group(NamedTuple):
    """Places with the same limits, dealt as one; those with weights stand alone."""

    share: Share
    places: tuple[Place, ...]


class _Dealt(NamedTuple):
    """What has been dealt so far: masks by seat."""

    hands: list[int]
    discarded: list[int]


class Layout:
    """Every way to put the unseen cards into their places; made once, then drawn from."""

    def __init__(self, unseen: Unseen) -> None:
        self._players = len(unseen.courses)
        weighted = any(place.weights is not None for place in unseen.places)
        classes = _classes(unseen, weighted)
        self._weighted = weighted
        self._piles = [cards_of(mask) for mask in classes]
        self._groups = _groups(unseen, classes, weighted)
        limited = {place.seat for group in self._groups for place in group.places}
        # Where the weights are equal the discards are any cards, whatever limits the hand.
        self._free_hands = [
            (place.seat, place.size) for place in unseen.places if place.seat not in limited
        ]
        self._free_discards = [
            (place.seat, place.discards)
            for place in unseen.places
            if place.weights is None and place.discards
        ]
        shares = [group.share for group in self._groups]
        taken = sum([share.size + share.discards for share in shares])
        rest = unseen.cards.bit_count() - taken
        self._counting = Counting(shares, tuple(map(len, self._piles)), rest)

    def draw(self, random: Random) -> tuple[list[int], list[int], tuple[int, ...]]:
        """One way: hands and discards as masks by seat, and the stock, the top first."""
        dealt = _Dealt([0] * self._players, [0] * self._players)
        piles = [_shuffled(pile, random) for pile in self._piles]
        if self._groups:
            self._deal_groups(piles, dealt, random)
            piles = [_shuffled([card for pile in piles for card in pile], random)]
        rest = piles[0] if piles else []
        top = 0
        for masks, places in (
            (dealt.hands, self._free_hands),
            (dealt.discarded, self._free_discards),
        ):
            for seat, size in places:
                masks[seat] |= _mask(rest[top : top + size])
                top += size
        return dealt.hands, dealt.discarded, tuple(rest[top:])

    def _deal_groups(self, piles: list[list[int]], dealt: _Dealt, random: Random) -> None:
        """Deal to every group what a choice of its counts says, from shuffled piles."""
        choices = self._counting.draw(random)
        hands = [_take_classes(piles, choice) for choice in choices]
        for group, choice in zip(self._groups, choices, strict=True):
            if choice.discarded_trumps:
                (place,) = group.places
                dealt.discarded[place.seat] = _mask(_take(piles[0], choice.discarded_trumps))
        if self._weighted:
            # From here on nothing tells apart what is not a trump: it becomes one pile.
            piles[1:] = [_shuffled([card for pile in piles[1:] for card in pile], random)]
            self._deal_others(piles[1], choices, hands, dealt)
        for group, hand in zip(self._groups, hands, strict=True):
            if len(group.places) == 1:
                dealt.hands[group.places[0].seat] = _mask(hand)
                continue
            cards = _shuffled(hand, random)
            for place in group.places:
                dealt.hands[place.seat] = _mask(_take(cards, place.size))

    def _deal_others(
        self, pile: list[int], choices: list[Choice], hands: list[list[int]], dealt: _Dealt
    ) -> None:
        """Deal what is missing in hands that are not apart, and in the discards."""
        for group, choice, hand in zip(self._groups, choices, hands, strict=True):
            share = group.share
            hand.extend(_take(pile, share.size - len(hand)))
            seat = group.places[0].seat
            dealt.discarded[seat] |= _mask(_take(pile, share.discards - choice.discarded_trumps))


def _classes(unseen: Unseen, weighted: bool) -> list[int]:
    """The masks of cards that no share tells apart; where there are weights, trumps first."""
    suits = [suit & unseen.cards for suit in unseen.suits]
    trumps = suits[0] if weighted else 0
    apart = [place.possible for place in unseen.places if _is_apart(place, unseen.cards & ~trumps)]
    merged: dict[tuple[bool, ...], int] = {}
    for suit in suits[weighted:]:
        if suit:
            key = tuple([possible & suit != 0 for possible in apart])
            merged[key] = merged.get(key, 0) | suit
    return [*([trumps] if weighted else []), *merged.values()]


def _is_apart(place: Place, cards: int) -> bool:
    """Whether some of `cards` can't be in the hand."""
    return place.size > 0 and cards & ~place.possible != 0


def _groups(unseen: Unseen, classes: list[int], weighted: bool) -> list[_Group]:
    """The places that have limits or weights, those that tell classes apart first."""
    trumps = classes[0] if weighted else 0
    alike: dict[tuple[bool, tuple[int, ...], int], list[Place]] = {}
    for place in unseen.places:
        if place.weights is None and not _is_apart(place, unseen.cards):
            continue
        apart = _is_apart(place, unseen.cards & ~trumps)
        allowed = tuple([at for at, mask in enumerate(classes) if mask & place.possible])
        own = -1 if place.weights is None else place.seat
        alike.setdefault((not apart, allowed, own), []).append(place)
    groups = []
    for (joined, allowed, _), places in sorted(alike.items()):
        weights = places[0].weights
        size = sum([place.size for place in places])
        discards = 0 if weights is None else places[0].discards
        share = Share(size, allowed, discards, weights, not joined)
        groups.append(_Group(share, tuple(places)))
    return groups


def _take_classes(piles: list[list[int]], choice: Choice) -> list[int]:
    """The cards of a hand as far as its choice tells the classes."""
    taken: list[int] = []
    for number, count in enumerate(choice.by_class):
        taken += _take(piles[number], count)
    return taken


def _shuffled(cards: Iterable[int], random: Random) -> list[int]:
    """The cards in an order of chance, quicker than by `Random.shuffle`."""
    draw = random.random
    return sorted(cards, key=lambda _: draw())


def _take(pile: list[int], count: int) -> list[int]:
    """The last `count` cards of a pile, taken off it."""
    if count <= 0:
        return []
    taken = pile[-count:]
    del pile[-count:]
    return taken


def _mask(cards: Iterable[int]) -> int:
    return sum([_BITS[card] for card in cards])
