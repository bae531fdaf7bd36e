"""A bot that counts: the cards that are out, who can't have them, and what is still to win.

It knows which cards it has not seen and what the others have shown to be out of, so it knows
when its king is the highest trump left, whether a two may still come, and when Game is decided.
It bids what hands like its own have brought on average (bidding.py).

`best_card` takes plain values, so that search_bot.py can ask it about imagined hands.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from bidding import best_suit, call, power_under, scores, strength
from pitch import (
    TAKE,
    TRUMP_TABLES,
    Action,
    Bot,
    Discards,
    Kind,
    Variant,
    View,
    rank_of,
    run,
)
from rule_bot import GAME_VALUES, throw_away

GAME_POINT = 0.03  # points that one pip of Game is worth while Game is open
LOW_COMES = 0.8  # how likely the two brings Low to whoever takes it
KEEP_TRUMP, KEEP_PLAIN = 0.02, 0.004  # what a step of strength is worth later on
THE_LEAD = 0.1  # what taking a trick is worth by itself
RUFFS = 0.4  # how often a trump falls on a plain trick if it can
RESCUE = 0.3  # how often a partner saves a trick that goes to the others


class CountingBot(Bot):
    """Draws no chance at all, so that its games can be repeated exactly."""

    def choose(self, view: View) -> Action:
        """The action for what is asked."""
        variant, legal = view.variant, view.legal
        if isinstance(legal, Discards):
            return throw_away(power_under(variant, view.known.trump), legal)
        kind = legal[-1].kind
        if kind is Kind.PLAY:
            return view.play(card_to_play(view))
        if kind not in (Kind.TRUMP, Kind.BID, Kind.PITCH):
            return TAKE
        suit = best_suit(variant, view.known.hand)
        if kind is Kind.TRUMP:
            return view.name_trump(suit)
        return call(variant, legal, suit, strength(variant, view.known.hand, suit))


class Cards(NamedTuple):
    """What the cards are under one trump; each list goes by card."""

    trumps: int
    suit_of: Sequence[int]
    beaten_by: Sequence[Sequence[int]]  # by suit led: the mask of the cards that beat a card
    points: Sequence[float]  # that go to whoever takes the card, without Low and Game
    pips: Sequence[int]  # what it counts for Game
    worth: Sequence[float]  # all together, as it stands at the start
    keep: Sequence[float]  # what it is still good for, if it is not played now


@lru_cache(maxsize=256)
def cards_under(variant: Variant, trump: int) -> Cards:
    """What the cards are when `trump` is trump."""
    table = TRUMP_TABLES[variant.off_jack][trump]
    deck, by_ten = range(54), variant.game == "ten"
    beaten_by = [
        [sum(1 << c for c in range(variant.deck) if power[c] > power[card]) for card in deck]
        for power in table.power
    ]
    points = [float(scores(variant, trump, card)) for card in deck]
    points[trump * 13 + 1] += 3.0 * variant.trey
    points[trump * 13 + 8] += by_ten
    pips = [0 if by_ten else GAME_VALUES.get(rank_of(card), 0) for card in deck]
    worth = [points[card] + GAME_POINT * pips[card] for card in deck]
    worth[trump * 13] += LOW_COMES * (variant.low == "taken")
    power = table.power[trump]
    keep = [KEEP_TRUMP * power[c] if power[c] > 13 else KEEP_PLAIN * rank_of(c) for c in deck]
    return Cards(table.trumps, table.suit_of, beaten_by, points, pips, worth, keep)


class ToCome(NamedTuple):
    """A seat that is still to play to the trick: what it may hold, and how likely each card."""

    ours: bool
    may_hold: int
    chance: float


def card_to_play(view: View) -> int:
    """The card that brings the most by all that the view tells."""
    variant, trump = view.variant, view.trump
    if trump is None:  # this lead makes its suit trump: the best suit, from the top
        suit = best_suit(variant, view.known.hand)
        return next(card for card in view.trumps_if(suit) if card in view.legal_cards)
    cards = cards_under(variant, trump)
    return best_card(
        cards,
        worth_now(view, cards),
        view.legal_cards,
        [card for _, card in view.trick],
        -1 if view.winning_card is None else view.winning_card,
        view.partner_winning,
        seats_to_come(view),
    )


def seats_to_come(view: View) -> list[ToCome]:
    """The seats that play to this trick after the bot, by all that they have shown."""
    # What others have thrown away is unseen too, but hardly any of it would matter.
    rounds = view.known.discard_counts
    gone = sum(count for counts in rounds for seat, count in counts if seat != view.seat)
    seats = []
    for seat in view.to_play:
        there = [card for card in view.unseen if view.can_hold(seat, card)]
        chance = min(1.0, view.hand_sizes[seat] / max(len(there) - gone, 1))
        seats.append(ToCome(view.is_ours(seat), sum(1 << card for card in there), chance))
    return seats


def worth_now(view: View, cards: Cards) -> Sequence[float]:
    """What each card is worth to whoever takes it, by what has been played."""
    game_point = GAME_POINT * ("game" in view.open_points)
    worth = [
        point + game_point * pips for point, pips in zip(cards.points, cards.pips, strict=True)
    ]
    if view.variant.low == "taken":
        others = sum(view.hand_sizes) - len(view.hand)
        stays_out = 1 - min(1.0, others / max(len(view.unseen), 1))
        chance = 1.0  # that no lower trump is in play
        unseen, played = set(view.unseen), {card for _, card in view.played}
        for card in reversed(view.trump_order):
            if card in unseen:
                chance *= stays_out
            else:
                worth[card] += chance
                if card in played or card in view.hand:
                    break
    return worth


def best_card(
    cards: Cards,
    worth: Sequence[float],
    playable: Iterable[int],
    trick: Sequence[int],
    best: int,
    ours: bool,
    to_come: Sequence[ToCome],
) -> int:
    """The card with the best prospects; `best` takes the trick so far, for a partner if `ours`."""
    keep = cards.keep
    at_stake = THE_LEAD
    for card in trick:
        at_stake += worth[card]
    over = cards.beaten_by[cards.suit_of[trick[0]]] if trick else ()
    not_taken = None
    chosen, highest = -1, -1e9
    for card in playable:
        if not trick:
            won = chance_to_win(
                cards.beaten_by[cards.suit_of[card]][card], card, True, cards.trumps, to_come
            )
        elif over[best] >> card & 1:
            won = chance_to_win(over[card], card, True, cards.trumps, to_come)
        else:
            if not_taken is None:
                not_taken = chance_to_win(over[best], best, ours, cards.trumps, to_come)
            won = not_taken
        value = (2 * won - 1) * (at_stake + worth[card]) - keep[card]
        if value > highest:
            chosen, highest = card, value
    return chosen


def chance_to_win(
    over: int, best: int, ours: bool, trumps: int, to_come: Sequence[ToCome]
) -> float:
    """How likely our side takes a trick that only the cards of `over` can still turn."""
    plain = not trumps >> best & 1
    stands = 1.0
    for partner, may_hold, chance in to_come:
        if not partner:
            higher = may_hold & over
            ruffs = (higher & trumps).bit_count() if plain else 0
            stands *= (1 - chance) ** (higher.bit_count() - ruffs)
            if ruffs:
                stands *= (1 - chance * RUFFS) ** ruffs
    return stands if ours else RESCUE * (1 - stands)


if __name__ == "__main__":
    run(CountingBot)
