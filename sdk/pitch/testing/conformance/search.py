"""Steers hands into rare decisions.

Here belong the decks, calls and plays that lead there: by chance from a generator handed in,
so the same generator finds the same situations.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from pitch.rules import (
    PASS,
    SUIT_MASKS,
    Action,
    Game,
    Hand,
    Kind,
    Legal,
    Phase,
    Variant,
    View,
    apply_action,
    cards_of,
    legal_actions,
    start_game,
    start_hand,
    view_of,
)
from pitch.testing.conformance.kinds import KINDS, DecisionKind

__all__ = ["Situation", "find_situations"]

_MOST_HANDS = 4_000  # tried for a variant; what is not found then is not there
_MOST_ACTIONS = 200
_LONGEST = 0.7  # how often the longest suit is named trump


class Situation(NamedTuple):
    """One decision with its kind: the game and the hand in which a seat is to act."""

    kind: DecisionKind
    game: Game
    hand: Hand

    @property
    def view(self) -> View:
        """What the seat to act may know."""
        return view_of(self.game, self.hand, self.hand.to_act)

    @property
    def legal(self) -> Legal:
        """What it may do."""
        return legal_actions(self.hand)


def find_situations(variant: Variant, chance: Random, each: int = 1) -> list[Situation]:
    """Decisions of every kind that the variant has, `each` of a kind where they can be found."""
    wanted = {kind.name: each for kind in KINDS if kind.exists(variant)}
    kinds = [kind for kind in KINDS if kind.exists(variant)]
    found: list[Situation] = []
    for number in range(_MOST_HANDS):
        if not wanted:
            break
        game = _a_game(variant, chance, number)
        for hand, legal in _decisions(game, chance, bent=number % 2 == 1):
            for kind in kinds:
                if kind.name in wanted and kind.fits(hand, legal):
                    found.append(Situation(kind, game, hand))
                    wanted[kind.name] -= 1
                    if not wanted[kind.name]:
                        del wanted[kind.name]
    order = {kind.name: place for place, kind in enumerate(KINDS)}
    return sorted(found, key=lambda situation: order[situation.kind.name])


def _a_game(variant: Variant, chance: Random, number: int) -> Game:
    """A game somewhere in its middle: low, high and negative scores."""
    game = start_game(variant, first_dealer=number % variant.players)
    scores = tuple(chance.randrange(-variant.target, variant.target) for _ in range(variant.sides))
    return game._replace(scores=scores, hands_played=variant.players * chance.randrange(3))


def _decisions(game: Game, chance: Random, *, bent: bool) -> Iterator[tuple[Hand, Legal]]:
    """One hand, played on: each decision in which there is something to decide."""
    variant = game.variant
    deck = list(range(variant.deck))
    chance.shuffle(deck)
    if bent:
        deck = _bent(variant, game.dealer, deck, chance)
    hand = start_hand(variant, game.dealer, deck)
    shy = chance.choice((0.0, 0.5, 0.95))
    for _ in range(_MOST_ACTIONS):
        legal = legal_actions(hand)
        if not legal:
            return
        if len(legal) > 1:
            yield hand, legal
        hand = apply_action(hand, _some(hand, legal, chance, shy))


def _some(hand: Hand, legal: Legal, chance: Random, shy: float) -> Action:
    """An action: passes as often as `shy` says, and likes the suit that it has most of."""
    if hand.phase is Phase.AUCTION and legal[0] == PASS and chance.random() < shy:
        return PASS
    if legal[0].kind == Kind.TRUMP and chance.random() < _LONGEST:
        held = hand.hands[hand.to_act]
        return max(legal, key=lambda action: (held & SUIT_MASKS[action.value]).bit_count())
    return legal[chance.randrange(len(legal))]


def _bent(variant: Variant, dealer: int, deck: Sequence[int], chance: Random) -> list[int]:
    """The deck with the cards of one suit dealt to one seat, as far as they go."""
    places = cards_of(
        start_hand(variant, dealer, range(variant.deck)).hands[chance.randrange(variant.players)]
    )
    suit = SUIT_MASKS[chance.randrange(4)]
    wanted = [card for card in deck if suit >> card & 1]
    rest = [card for card in deck if not suit >> card & 1]
    chosen = dict(zip(places, wanted, strict=False))
    rest += wanted[len(chosen) :]
    return [chosen[place] if place in chosen else rest.pop() for place in range(variant.deck)]
