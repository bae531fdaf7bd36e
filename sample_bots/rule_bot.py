"""A bot that plays by a few rules of thumb, in every variant.

It bids the points that it sees in its hand, and plays the card that is worth most to its side
on average: what the trick holds, times how likely it is to be won, less what the card would
still be good for. `--caution 1` makes it bid a point less than it sees.
"""

import argparse
from collections.abc import Sequence
from functools import partial

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
    TrumpTable,
    Variant,
    View,
    cards_of,
    discard,
    off_jack_of,
    rank_of,
    run,
)

GAME_VALUES = {10: 10, 11: 1, 12: 2, 13: 3, 14: 4}
SMUDGE_POINTS, MOON_SHARE = 4.7, 0.95


class RuleBot(Bot):
    """Draws no chance at all, so that its games can be repeated exactly."""

    def __init__(self, caution: float = 0.0) -> None:
        self.caution = caution

    def choose(self, view: View) -> Action:
        """The action of the rule for what is asked."""
        legal = view.legal
        if isinstance(legal, Discards):
            return throw_away(table_of(view).power[trump_of(view)], legal)
        kinds = {action.kind for action in legal}
        if Kind.PLAY in kinds:
            return max(legal, key=partial(worth_of_playing, view, table_of(view)))
        if Kind.TRUMP in kinds:
            return max(legal, key=lambda action: points_seen(view, action.value))
        if Kind.TAKE in kinds:
            return TAKE
        return self.call(view, legal)

    def call(self, view: View, legal: Sequence[Action]) -> Action:
        """The lowest bid that wins for now, if the hand is worth it; else a pass."""
        suit = max(range(4), key=partial(points_seen, view))
        points = points_seen(view, suit) - self.caution
        total = view.variant.total_points
        needs = {SMUDGE: SMUDGE_POINTS, MOON: total * MOON_SHARE}
        power = TRUMP_TABLES[view.variant.off_jack][suit].power[suit]
        pitches = [a for a in legal if a.kind is Kind.PITCH and a.value // 13 == suit]
        if pitches and points >= 4:
            return max(pitches, key=lambda action: power[action.value])
        bids = [action for action in legal if action.kind is Kind.BID]
        for bid in bids:
            if points >= needs.get(bid.value, bid.value):
                return bid
        return PASS if PASS in legal else bids[0]


# --- what a hand is worth ------------------------------------------------------------------


def points_seen(view: View, suit: int) -> float:
    """The points that the bot's side may expect with this suit as trump."""
    variant = view.variant
    trumps = [c for c in TRUMP_TABLES[variant.off_jack][suit].high_to_low if c < variant.deck]
    places = [place for place, card in enumerate(trumps) if card in view.hand]
    if not places:
        return 0.0
    # How likely a card that others may hold is in play at all.
    in_play = min(1.0, variant.players * variant.dealt / variant.deck + 0.2 * draws(variant))
    length = len(places) + (1.5 if draws(variant) else 0.0)
    # Of the cards that are fought for, the part that goes to the bot's side.
    control = 0.05 + 0.11 * length + sum(0.15 - 0.04 * place for place in places if place < 3)
    control = min(control, 0.95)
    high = (1 - 0.7 * in_play) ** places[0]
    low = (1 - in_play) ** (len(trumps) - 1 - places[-1])
    # A point often comes by itself; drawn cards are counted above.
    others_help = 0.0 if draws(variant) else 0.5
    seen = others_help + high + (low if variant.low == "held" else low * control) + control
    for place, card in enumerate(trumps):
        worth = point_worth(variant, suit, card)
        if worth >= 1 and rank_of(card) != 10:  # Game is in `control` already
            seen += worth * (0.3 + 0.7 * control if place in places else in_play * control)
    return seen


def draws(variant: Variant) -> bool:
    """Whether bad cards can be changed for others."""
    return variant.exchange not in ("none", "discard")


def point_worth(variant: Variant, suit: int, card: int) -> float:
    """The points that go to whoever takes this card, Game's share of it included."""
    rank, trump = rank_of(card), card // 13 == suit
    worth = 0.03 * GAME_VALUES.get(rank, 0) if variant.game == "count" else 0.0
    if trump and rank == 10 and variant.game == "ten":
        worth = 1.0
    if rank == 0 or (trump and rank == 11) or (variant.off_jack and card == off_jack_of(suit)):
        worth += 1.0
    if trump and rank == 3 and variant.trey:
        worth += 3.0
    if trump and rank == 2 and variant.low == "taken":
        worth += 0.8
    return worth


# --- which cards to keep, which to play ----------------------------------------------------


def throw_away(power: Sequence[int], legal: Discards) -> Action:
    """Keeps what has power, and an ace where there is room; lets everything else go."""
    optional = sorted(cards_of(legal.optional), key=lambda card: (power[card], rank_of(card)))
    fewest = legal.minimum - legal.required.bit_count()
    most = legal.maximum - legal.required.bit_count()
    useless = [card for card in optional if not power[card] and rank_of(card) < 14]
    gone = optional[: min(max(len(useless), fewest), most)]
    return discard([*cards_of(legal.required), *gone])


def trump_of(view: View) -> int:
    """Trump; before the first lead the suit that the bot would choose."""
    if view.trump is not None:
        return view.trump
    return max(range(4), key=partial(points_seen, view))


def table_of(view: View) -> TrumpTable:
    """What is trump and what beats what."""
    return TRUMP_TABLES[view.variant.off_jack][trump_of(view)]


def worth_of_playing(view: View, table: TrumpTable, action: Action) -> float:
    """What a card brings on average, in points for the bot's side."""
    card, trick, variant = action.value, view.trick, view.variant
    trump = trump_of(view)
    if view.trump is None:  # this lead makes its suit trump
        return table.power[trump][card]
    power = table.power[table.suit_of[trick[0][1] if trick else card]]
    seat, best = max(trick, key=lambda play: power[play[1]], default=(view.seat, card))
    if power[card] >= power[best]:
        seat, best = view.seat, card
    ours = variant.side_of(seat) == view.side
    stands = chance_to_stand(view, table, power, best, variant.side_of(seat))
    held = sum(point_worth(variant, trump, each) for each in (card, *(c for _, c in trick)))
    won = stands if ours else 0.3 * (1 - stands)
    is_trump = bool(table.trumps >> card & 1)
    keep = 0.012 * power[card] if is_trump else 0.004 * rank_of(card)
    return (2 * won - 1) * (held + 0.1) - keep


def chance_to_stand(
    view: View, table: TrumpTable, power: Sequence[int], best: int, side: int
) -> float:
    """How likely nobody who is still to play beats the best card of the trick, `side`'s."""
    variant = view.variant
    to_come = range(1, variant.players - len(view.trick))
    others = sum(variant.side_of(view.seat + step) != side for step in to_come)
    seen = view.known.hand | view.known.discarded | sum(1 << card for _, card in view.played)
    unseen = [card for card in range(variant.deck) if not seen >> card & 1]
    each = min(1.0, others * len(view.hand) / max(len(unseen), 1))
    ruff = 1.0 if table.trumps >> best & 1 else 0.4  # trumps over a plain suit are rarer
    stands = 1.0
    for card in unseen:
        if power[card] > power[best]:
            stands *= 1 - each * (ruff if table.trumps >> card & 1 else 1.0)
    return stands


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--caution", type=float, default=0.0, help="points to be sure of")
    own, rest = parser.parse_known_args()
    run(partial(RuleBot, own.caution), arguments=rest)
