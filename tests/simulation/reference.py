"""Every deal that agrees with a view, found the slow way: by trying all of them.

Shares nothing with pitch.simulation: each candidate is dealt from a deck and played again,
action by action, through the rules. What a candidate weighs is the chance of its hidden
discards, if all legal ones are equally likely, added up over all ways to have come to it.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from pitch.rules import (
    TRUMP_TABLES,
    Action,
    Hand,
    IllegalAction,
    Kind,
    Variant,
    View,
    apply_action,
    cards_of,
    discard,
    legal_actions,
    mask_of,
    start_game,
    start_hand,
    view_of,
)
from strategies import Playout

State = tuple[tuple[int, ...], tuple[int, ...]]
"""Hands and discards by seat, as masks. The stock is the rest; its order is left aside."""


class Position(NamedTuple):
    """A place in a hand that was played, as one seat sees it."""

    playout: Playout
    at: int  # the number of actions before it
    seat: int

    @property
    def hand(self) -> Hand:
        return self.playout.hands[self.at]

    @property
    def variant(self) -> Variant:
        return self.hand.variant

    @property
    def view(self) -> View:
        return view_of(start_game(self.variant), self.hand, self.seat)

    @property
    def actions(self) -> Sequence[tuple[int, Action]]:
        return self.playout.actions[: self.at]


class _Origin(NamedTuple):
    """One way that a seat can have come to its cards; masks, by stage."""

    dealt: int
    discarded: tuple[int, ...]
    gained: tuple[int, ...]  # one more: before the first discard comes the widow


def state_of(hand: Hand) -> State:
    return hand.hands, hand.exchanged.discarded


def weights_by_trying(position: Position) -> dict[State, float]:
    """What every possible state weighs; those that can't be are left out.

    States with the same number of cards of each suit in the same places weigh the same, so
    that one of them is tried for all. Trump must be known.
    """
    # A pitched card is like no other.
    own = mask_of(action.value for _, action in position.actions if action.kind is Kind.PITCH)
    known: dict[tuple[object, ...], float] = {}
    weights = {}
    for state in _all_states(position):
        kind = tuple((_suits(position, mask), mask & own) for masks in state for mask in masks)
        if kind not in known:
            known[kind] = _weight(position, state)
        if known[kind]:
            weights[state] = known[kind]
    return weights


def _suits(position: Position, mask: int) -> tuple[int, ...]:
    variant, trump = position.variant, position.hand.trump
    suit = TRUMP_TABLES[variant.off_jack][trump].suit_of
    of = [suit[card] for card in cards_of(mask)]
    return tuple(map(of.count, range(4)))


def _all_states(position: Position) -> Iterator[State]:
    """All ways to put the unseen cards where as many are in truth."""
    hand, seat = position.hand, position.seat
    view = position.view
    seen = view.hand | view.discarded | mask_of(card for _, card in view.played)
    unseen = (1 << position.variant.deck) - 1 & ~seen
    hands, discarded = list(hand.hands), list(hand.exchanged.discarded)
    places = [(hands, each) for each in range(len(hands)) if each != seat]
    places += [(discarded, each) for each in range(len(hands)) if each != seat]
    sizes = [masks[each].bit_count() for masks, each in places]

    def fill(at: int, left: int) -> Iterator[State]:
        if at == len(places):
            yield tuple(hands), tuple(discarded)
            return
        masks, each = places[at]
        for cards in combinations(cards_of(left), sizes[at]):
            masks[each] = mask_of(cards)
            yield from fill(at + 1, left & ~masks[each])

    return fill(0, unseen)


def _weight(position: Position, state: State) -> float:
    others = [seat for seat in range(position.variant.players) if seat != position.seat]
    ways = [list(_origins(position, seat, state)) for seat in others]
    return sum(
        _chance(position, state, dict(zip(others, origins, strict=True)))
        for origins in product(*ways)
    )


def _gained(position: Position, seat: int) -> list[int]:
    """What came into a hand in truth: before its first discard, and after each."""
    gained = [0]
    hands = position.playout.hands
    for at, (who, action) in enumerate(position.actions):
        if who == seat and action.kind == Kind.DISCARD:
            gained.append(0)
        gained[-1] |= hands[at + 1].hands[seat] & ~hands[at].hands[seat]
    return gained


def _origins(position: Position, seat: int, state: State) -> Iterator[_Origin]:
    played = mask_of(card for who, card in position.hand.played if who == seat)
    widow, *gains = [mask.bit_count() for mask in _gained(position, seat)]
    sizes = [
        action.value.bit_count()
        for who, action in position.actions
        if who == seat and action.kind == Kind.DISCARD
    ]

    def undo(stage: int, held: int, gone: int, origin: _Origin) -> Iterator[_Origin]:
        if stage < 0:
            # Which cards were the widow makes no difference: the lowest ones will do.
            first = mask_of(cards_of(held)[:widow])
            yield _Origin(held & ~first, origin.discarded, (first, *origin.gained))
            return
        for thrown, new in product(
            combinations(cards_of(gone), sizes[stage]), combinations(cards_of(held), gains[stage])
        ):
            out, came = mask_of(thrown), mask_of(new)
            yield from undo(
                stage - 1,
                held & ~came | out,
                gone & ~out,
                _Origin(0, (out, *origin.discarded), (came, *origin.gained)),
            )

    return undo(len(sizes) - 1, state[0][seat] | played, state[1][seat], _Origin(0, (), ()))


def _chance(position: Position, state: State, origins: dict[int, _Origin]) -> float:
    """The chance of the hidden discards; 0 if the rules don't lead from there to the view."""
    variant = position.variant
    hand = start_hand(variant, position.hand.dealer, _deck(position, origins))
    hidden = {seat: iter(origin.discarded) for seat, origin in origins.items()}
    chances = []
    try:
        for seat, public in position.actions:
            action = public
            if public.kind == Kind.DISCARD and seat in hidden:
                action = discard(next(hidden[seat]))
                chances.append(1 / len(legal_actions(hand)))
            if hand.to_act != seat:
                return 0.0
            hand = apply_action(hand, action)
    except IllegalAction:
        return 0.0
    if view_of(start_game(variant), hand, position.seat) != position.view:
        return 0.0
    assert state_of(hand) == state
    return prod(chances)


def _deck(position: Position, origins: dict[int, _Origin]) -> list[int]:
    """The deck that deals what `origins` say, and the stock that gives what they gained."""
    variant, start = position.variant, position.playout.hands[0]
    dealt = [
        origins[seat].dealt if seat in origins else start.hands[seat]
        for seat in range(variant.players)
    ]
    stock = list(start.exchanged.stock)
    own = sum(_gained(position, position.seat))
    fixed = {at: card for at, card in enumerate(stock) if own >> card & 1}
    for seat, origin in origins.items():
        for real, supposed in zip(_gained(position, seat), origin.gained, strict=True):
            places = [at for at, card in enumerate(stock) if real >> card & 1]
            fixed |= dict(zip(places, cards_of(supposed), strict=True))
    used = sum(dealt) | mask_of(fixed.values())
    rest = iter(cards_of((1 << variant.deck) - 1 & ~used))
    order = [fixed[at] if at in fixed else next(rest) for at in range(len(stock))]
    return deck_of(variant, start.dealer, dealt, order)


def deck_of(variant: Variant, dealer: int, dealt: Sequence[int], stock: Sequence[int]) -> list[int]:
    """The deck that deals these hands (masks by seat) and leaves this stock."""
    hands = [cards_of(mask) for mask in dealt]
    deck: list[int] = []
    for start in range(0, variant.dealt, variant.packet):
        for step in range(1, variant.players + 1):
            deck += hands[(dealer + step) % variant.players][start : start + variant.packet]
    return [*deck, *stock]
