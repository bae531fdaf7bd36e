"""Deals that agree with what a seat knows (rules.md 9), drawn by chance.

Here belongs the drawing of the cards. What limits them belongs to unseen.py, voids.py,
courses.py and origins.py; how many of which class go where to counting.py.
"""

from random import Random

from pitch.rules.cards import cards_of, mask_of
from pitch.rules.exchange import legal_exchange
from pitch.rules.state import Exchanged, Hand, Step
from pitch.rules.variant import Exchange, Variant
from pitch.rules.view import View
from pitch.simulation.courses import receiver_of, step_of
from pitch.simulation.layout import Layout
from pitch.simulation.origins import draw_gained
from pitch.simulation.position import hand_at
from pitch.simulation.unseen import unseen_from

__all__ = ["Deals", "sample_hands"]

_FULL = 6  # cards of a hand in play


def sample_hands(view: View, variant: Variant, random: Random, count: int = 1) -> list[Hand]:
    """`count` hands that `view` could be of, drawn independently of one another.

    Each is a whole state that play can go on from, and the seat's view of it is `view` again.
    Every order of the deck that agrees with the view is equally likely, and so is every hidden
    discard among those that its seat might have chosen; nothing else counts, least of all what
    a good player would have done (docs/simulation.md).

    `view` is what the rules hand out (`View.known` of a bot's view), `variant` the rules of
    the table. With a generator in the same state the hands are the same. ValueError if no deal
    agrees with the view.
    """
    deals = Deals(view, variant)
    return [deals.draw(random) for _ in range(count)]


class Deals:
    """All deals that agree with one view; made once, then drawn from."""

    def __init__(self, view: View, variant: Variant) -> None:
        self._view = view
        self._variant = variant
        self._unseen = unseen_from(variant, view)
        self._layout = Layout(self._unseen)
        self._step = step_of(variant, view)
        self._receiver = receiver_of(variant, view)
        self._acted = _acted_in_round(variant, view, self._step)
        # What may be played depends on the cards of the seat to act alone.
        self._settled = view.to_act in (view.seat, -1)
        self._template: Hand | None = None

    def draw(self, random: Random) -> Hand:
        """One of the deals."""
        view = self._view
        hands, discarded, stock = self._layout.draw(random)
        for place in self._unseen.places:
            hands[place.seat] |= place.known
        hands[view.seat] = view.hand
        discarded[view.seat] = view.discarded
        received = self._received(hands, discarded, random) if self._receiver >= 0 else 0
        running = self._discard_unseen(hands, discarded, random) if self._acted else ()
        exchanged = Exchanged(
            stock, tuple(discarded), self._step, view.discard_counts, running, view.leftovers,
            self._receiver, received,
        )  # fmt: skip
        if self._template is not None:
            return self._template._replace(hands=tuple(hands), exchanged=exchanged)
        hand = hand_at(self._variant, view, tuple(hands), exchanged)
        if self._settled:
            self._template = hand
        return hand

    def _received(self, hands: list[int], discarded: list[int], random: Random) -> int:
        """The mask of the widow or the leftovers, which only their receiver has seen."""
        view, variant, seat = self._view, self._variant, self._receiver
        if seat == view.seat:
            return view.received
        hand = hands[seat] | mask_of([card for who, card in view.played if who == seat])
        if variant.exchange is Exchange.WIDOW:
            return mask_of(random.sample(cards_of(hand | discarded[seat]), variant.stock))
        course = self._unseen.courses[seat]
        trumps = self._unseen.suits[0]
        gained = draw_gained(variant, course, hand, discarded[seat], trumps, random)
        leftovers = course._replace(stages=course.stages[:1]).held - _FULL
        return mask_of(random.sample(cards_of(gained), leftovers))

    def _discard_unseen(
        self, hands: list[int], discarded: list[int], random: Random
    ) -> tuple[tuple[int, int], ...]:
        """Let the seats that have acted in the round that goes on discard; their counts.

        Nobody else knows even how many, so that nothing follows about what they held.
        """
        view, running = self._view, []
        for seat in self._acted:
            if seat == view.seat:
                count = self._unseen.courses[seat].held - view.hand.bit_count()
            else:
                exchanged = Exchanged((), tuple(discarded), self._step)
                hand = hand_at(self._variant, view, tuple(hands), exchanged)
                legal = legal_exchange(hand._replace(to_act=seat))
                gone = legal[int(random.random() * len(legal))].value
                hands[seat] ^= gone
                discarded[seat] |= gone
                count = gone.bit_count()
            running.append((seat, count))
        return tuple(running)


def _acted_in_round(variant: Variant, view: View, step: Step) -> list[int]:
    """The seats that have discarded in a round of all seats that is not over."""
    if step is not Step.ALL_DISCARD:
        return []
    first = view.dealer + 1
    return [
        seat % variant.players
        for seat in range(first, first + (view.to_act - first) % variant.players)
    ]
