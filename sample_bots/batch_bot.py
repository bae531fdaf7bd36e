"""A bot that answers all its tables in one step: the counting bot, in arrays.

Whatever waits comes to `choose_many` at once. Hands, cards that are out and chances become
arrays with a row for each question and a column for each card, and a few NumPy operations do
for all rows what the counting bot does card by card. A policy on a graphics card would be asked
in the same way. What is rare (discards, pitches) is left to the counting bot itself.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidding import ACES, call, share_of_points, worth_of_holding
from counting_bot import RESCUE, RUFFS, THE_LEAD, CountingBot, cards_under, seats_to_come, worth_now
from pitch import TRUMP_TABLES, Action, Bot, Kind, Phase, Variant, View, cards_of, run

Floats = NDArray[np.float64]
CARDS, LEAD = 54, 4


class BatchBot(Bot):
    """Draws no chance at all, so that its games can be repeated exactly."""

    @classmethod
    def choose_many(cls, views: Sequence[View]) -> Sequence[Action]:
        """The actions for all questions that wait."""
        answers: dict[int, Action] = {}
        for wanted, choose in ((is_card, choose_cards), (is_call, choose_calls)):
            places = [place for place, view in enumerate(views) if wanted(view)]
            if places:
                answers.update(zip(places, choose([views[at] for at in places]), strict=True))
        rest = CountingBot()
        return [answers.get(at) or rest.choose(view) for at, view in enumerate(views)]


def is_card(view: View) -> bool:
    """Whether a card is asked for, under a trump that is known."""
    return view.phase is Phase.PLAY and view.trump is not None


def is_call(view: View) -> bool:
    """Whether a bid or a pass is asked for, and no pitch."""
    return view.phase is Phase.AUCTION and view.legal[-1].kind is Kind.BID


# --- bids: one product of the hands with what each card is worth -----------------------------


def choose_calls(views: Sequence[View]) -> list[Action]:
    """A call for each view."""
    hands = bits([view.known.hand for view in views])
    worths, trumps, shares = zip(*(holdings(view.variant) for view in views), strict=True)
    points = np.einsum("vc,vcs->vs", hands, np.stack(worths))
    has_trump = np.einsum("vc,vcs->vs", hands, np.stack(trumps)) > 0
    points = np.where(has_trump, points + np.array(shares)[:, None], 0.0)
    suits = points.argmax(axis=1)
    return [
        call(view.variant, list(view.legal), int(suit), float(row[suit]))
        for view, suit, row in zip(views, suits, points, strict=True)
    ]


@lru_cache(maxsize=64)
def holdings(variant: Variant) -> tuple[Floats, Floats, float]:
    """By card and suit what holding it adds if that suit is trump, whether it is trump then."""
    worth, is_trump = np.zeros((CARDS, 4)), np.zeros((CARDS, 4))
    for suit, table in enumerate(TRUMP_TABLES[variant.off_jack]):
        worth[:, suit] = 0.2 * bits([ACES])[0]
        for card in cards_of(table.trumps & (1 << variant.deck) - 1):
            worth[card, suit] = worth_of_holding(variant, suit, card)
            is_trump[card, suit] = 1
    return worth, is_trump, share_of_points(variant)


# --- cards: how likely each would take its trick, for all questions at once ------------------


class Arrays(NamedTuple):
    """What the cards are under one trump."""

    beaten_by: Floats  # by suit led, or LEAD; by card and card: 1 where the second beats it
    trumps: Floats
    keep: Floats


@lru_cache(maxsize=256)
def arrays_under(variant: Variant, trump: int) -> Arrays:
    """What the cards are when `trump` is trump."""
    cards = cards_under(variant, trump)
    by_suit = [bits(masks) for masks in cards.beaten_by]
    led = np.stack([by_suit[suit][card] for card, suit in enumerate(cards.suit_of)])
    return Arrays(np.stack([*by_suit, led]), bits([cards.trumps])[0], np.array(cards.keep))


def choose_cards(views: Sequence[View]) -> list[Action]:
    """A card for each view: what its trick holds times the chance of it, less its later use."""
    rows = np.arange(len(views))
    under = [arrays_under(view.variant, view.known.trump) for view in views]
    led = [LEAD if view.led_suit is None else view.led_suit for view in views]
    beaten_by = np.stack([each.beaten_by[suit] for each, suit in zip(under, led, strict=True)])
    trumps = np.stack([each.trumps for each in under]) > 0
    # The best card so far is beaten by a card of ours, or stands with what beats it to come.
    leads = np.array([view.is_leading for view in views])
    best = np.array([0 if view.winning_card is None else view.winning_card for view in views])
    takes = (beaten_by[rows, best] > 0) | leads[:, None]
    stands = np.exp(np.where(trumps, *log_chances(views, beaten_by, trumps)))
    ours = np.array([view.partner_winning for view in views])
    lost = np.where(ours, stands[rows, best], RESCUE * (1 - stands[rows, best]))
    won = np.where(takes, stands, lost[:, None])
    worth = np.array(
        [worth_now(view, cards_under(view.variant, view.known.trump)) for view in views]
    )
    tricks = bits([sum(1 << card for _, card in view.trick) for view in views])
    at_stake = THE_LEAD + (tricks * worth).sum(axis=1)
    value = (2 * won - 1) * (at_stake[:, None] + worth) - np.stack([each.keep for each in under])
    legal = bits([sum(1 << card for card in view.legal_cards) for view in views])
    chosen = np.where(legal > 0, value, -np.inf).argmax(axis=1)
    return [view.play(int(card)) for view, card in zip(views, chosen, strict=True)]


def log_chances(
    views: Sequence[View], beaten_by: Floats, trumps: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """By view and card: the logarithm of the chance that no rival beats it, a trump and a plain.

    A logarithm for each card that is out; what the cards that beat a card have is summed up.
    """
    strict, ruffed = np.zeros((2, len(views), CARDS))
    for row, view in enumerate(views):
        for seat in seats_to_come(view):
            if not seat.ours:
                there, chance = list(cards_of(seat.may_hold)), min(0.999, seat.chance)
                strict[row, there] += np.log(1 - chance)
                ruffed[row, there] += np.log(1 - chance * RUFFS)
    plain = np.where(trumps, ruffed, strict)
    return tuple(np.einsum("vcd,vd->vc", beaten_by, each) for each in (strict, plain))


def bits(masks: Sequence[int]) -> Floats:
    """A row for each mask, a column for each card."""
    columns = np.arange(CARDS, dtype=np.uint64)
    return (np.array(masks, dtype=np.uint64)[:, None] >> columns & np.uint64(1)).astype(float)


if __name__ == "__main__":
    run(BatchBot, capacity=256)
