"""A bot that counts: the cards that are out, who can't have them, and what is still to win.

It knows which cards it has not seen and what the others have shown to be out of, so it knows
when its king is the highest trump left, whether a two may still come, and when Game is decided.
It bids what hands like its own have brought on average, a little boldly: who does not pitch
helps the others to do it.

Most functions take plain values, so that search_bot.py can ask them about imagined hands.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from pitch import (
    MOON,
    PASS,
    SMUDGE,
    TAKE,
    TRUMP_TABLES,
    Action,
    Bot,
    Discards,
    Kind,
    Variant,
    View,
    cards_of,
    off_jack_of,
    rank_of,
    run,
)
from rule_bot import GAME_VALUES, throw_away

SAFETY, RAISE = 0.2, 0.8  # a bid of 2 needs so much less, each point more so many points
GAME_POINT = 0.03  # points that one pip of Game is worth while Game is open
ACES = sum(1 << suit * 13 + 12 for suit in range(4))
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


# --- what a hand is worth ------------------------------------------------------------------


def strength(variant: Variant, hand: int, suit: int) -> float:
    """The points that a side wins on average if it pitches with this hand and this trump."""
    trumps = TRUMP_TABLES[variant.off_jack][suit].trumps
    if not hand & trumps:
        return 0.0
    return trump_strength(variant, hand & trumps, suit) + 0.2 * (hand & ~trumps & ACES).bit_count()


@lru_cache(maxsize=1 << 16)
def trump_strength(variant: Variant, trumps: int, suit: int) -> float:
    """The part of it that the trumps in the hand bring, at least one."""
    worths = [worth_of_holding(variant, suit, card) for card in cards_of(trumps)]
    return share_of_points(variant) + sum(worths)


def share_of_points(variant: Variant) -> float:
    """What comes to a pitcher with any hand.

    This and what each card adds was fitted to some thousand hands of each variant that the
    rule bot played.
    """
    share = 0.37 if variant.sides == 2 else 0.05
    if variant.exchange == "widow":
        share += 0.5
    return share * (variant.total_points - 0.5)


@lru_cache(maxsize=1 << 12)
def worth_of_holding(variant: Variant, suit: int, card: int) -> float:
    """What a trump adds to that: the high ones, those that score, and each by its length."""
    order = [c for c in TRUMP_TABLES[variant.off_jack][suit].high_to_low if c < variant.deck]
    worth = 0.13 if variant.sides == 2 else 0.28
    if card in order[:3]:
        worth += (1.05, 0.35, 0.2)[order.index(card)]
    if scores(variant, suit, card):
        worth += 0.5
    if variant.trey and card == suit * 13 + 1:
        worth += 0.6
    if card == order[-1]:
        worth += 0.55 if variant.low == "held" else 0.1
    return worth


def power_under(variant: Variant, trump: int) -> Sequence[int]:
    """How high the cards are if a trump is led, by card: other suits are 0."""
    return TRUMP_TABLES[variant.off_jack][trump].power[trump]


def scores(variant: Variant, trump: int, card: int) -> bool:
    """Whether a card is a jack or a joker that scores."""
    jack = card == trump * 13 + 9
    return jack or rank_of(card) == 0 or (variant.off_jack and card == off_jack_of(trump))


@lru_cache(maxsize=1 << 14)
def best_suit(variant: Variant, hand: int) -> int:
    """The suit that the hand is worth most in."""
    return max(range(4), key=lambda suit: strength(variant, hand, suit))


def call(variant: Variant, legal: Sequence[Action], suit: int, points: float) -> Action:
    """The lowest bid that wins for now, if the hand is worth so many points; else a pass."""
    if points >= needed(variant, 4):
        power = power_under(variant, suit)
        own = [each for each in legal if each.kind is Kind.PITCH and each.value // 13 == suit]
        if own:
            return max(own, key=lambda action: power[action.value])
    bids = [action for action in legal if action.kind is Kind.BID]
    if bids and points >= needed(variant, bids[0].value):
        return bids[0]
    return PASS if PASS in legal else bids[0]


def needed(variant: Variant, bid: int) -> float:
    """The strength that a bid asks for."""
    if bid == SMUDGE:
        return 4.7
    if bid == MOON:
        return 0.95 * variant.total_points
    return variant.min_bid - SAFETY + RAISE * (bid - variant.min_bid)


# --- which cards to keep, which to play ----------------------------------------------------


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
    seats = []
    for seat in view.to_play:
        cards_there = [card for card in view.unseen if view.can_hold(seat, card)]
        chance = min(1.0, view.hand_sizes[seat] / max(len(cards_there), 1))
        seats.append(ToCome(view.is_ours(seat), sum(1 << c for c in cards_there), chance))
    return best_card(
        cards,
        worth_now(view, cards),
        view.legal_cards,
        [card for _, card in view.trick],
        -1 if view.winning_card is None else view.winning_card,
        view.partner_winning,
        seats,
    )


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
