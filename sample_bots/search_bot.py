"""A bot that imagines: it deals out the cards that it can't see, again and again, and plays on.

For every decision it draws deals that agree with all it knows, keeps each as often as the
others would have bid with it as they did, tries all its actions on the same deals and has the
counting bot's rules of thumb play them to the end. It does what comes out best on average.
`--playouts 200` makes it think for a quarter of that time.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from math import exp, inf, sqrt
from random import Random
from statistics import fmean, stdev
from time import monotonic

from bidding import best_suit, call, needed, power_under, strength
from counting_bot import ToCome, best_card, cards_under
from pitch import (
    TAKE,
    Action,
    Bot,
    Deals,
    Discards,
    Hand,
    Kind,
    Phase,
    Unit,
    View,
    apply_action,
    cards_of,
    legal_actions,
    play_out,
    run,
    score_hand,
)
from rule_bot import throw_away

PLAYOUTS = 800  # hands played to their end for one decision
ROUND = 12  # deals, after which actions that have fallen behind are dropped
BEHIND = 2.5  # by so many standard errors
TIME_SHARE = 0.5  # of the limit; on any usual machine the playouts are done long before
SHARPNESS = 4.0  # how strictly the others are thought to bid by their cards
DRAWS = 6  # deals drawn at most for one that is kept

PLAYS = [Action(Kind.PLAY, card) for card in range(54)]


class SearchBot(Bot):
    """Draws from the question's chance alone: where its clock never stops it, it repeats itself."""

    def __init__(self, playouts: int = PLAYOUTS) -> None:
        self.playouts = playouts

    def choose(self, view: View) -> Action:
        """The action that does best on the imagined deals."""
        until = monotonic() + TIME_SHARE * view.time_limit if view.time_limit else inf
        search = Search(view, self.playouts)
        while not search.done and monotonic() < until:
            search.step()
        return search.best


class Search:
    """The thinking about one decision, deal by deal: at any time there is a best action."""

    def __init__(self, view: View, playouts: int = PLAYOUTS) -> None:
        self.view = view
        self.left = playouts
        self.results: dict[Action, list[float]] = {each: [] for each in candidates(view)}
        self.deals = Deals(view.known, view.variant)

    @property
    def done(self) -> bool:
        """Whether nothing is left to find out, or no playout to find it out with."""
        return self.left <= 0 or len(self.results) < 2

    @property
    def best(self) -> Action:
        """The action that has done best so far; before the first deal the first there is."""
        return max(self.results, key=lambda action: sum(self.results[action]))

    def step(self) -> None:
        """Tries all actions on one more deal."""
        view = self.view
        hand = self.imagine()
        for action, results in self.results.items():
            end = play_out(apply_action(hand, action), by_the_thumb, view.random)
            results.append(value(view, end))
        self.left -= len(self.results)
        best = self.results[self.best]
        if len(best) % ROUND == 0:
            self.results = {
                action: results
                for action, results in self.results.items()
                if results is best or not is_behind(results, best)
            }

    def imagine(self) -> Hand:
        """A deal that agrees with what is known, and most likely with how was bid."""
        random = self.view.random
        for _ in range(DRAWS):
            hand = self.deals.draw(random)
            if is_plausible(self.view, hand):
                break
        return hand


def candidates(view: View) -> Sequence[Action]:
    """The actions worth a thought; what comes to the same as another is left out."""
    legal, variant = view.legal, view.variant
    if isinstance(legal, Discards):
        return [throw_away(power_under(variant, view.known.trump), legal)]
    if view.phase is Phase.AUCTION:
        suit = best_suit(variant, view.known.hand)
        most = strength(variant, view.known.hand, suit) + 2
        sensible = [
            action
            for action in legal
            if (action.kind is Kind.BID and needed(variant, action.value) <= most)
            or (action.kind is Kind.PITCH and action.value // 13 == suit)
        ]
        return [legal[0], *[action for action in sensible if action != legal[0]]]
    if view.phase is not Phase.PLAY or view.trump is None:
        return legal
    cards = cards_under(variant, view.trump)
    others = sum(1 << card for card in (*view.unseen, *(card for _, card in view.trick)))
    different = {}
    for action in reversed(legal):  # of equals the lowest
        card = action.value
        suit = view.suit_of(card)
        over = cards.beaten_by[suit][card] & others
        low = card if cards.trumps >> card & 1 and card % 13 < 4 else -1
        different[suit, over, cards.points[card], cards.pips[card], low] = action
    return list(different.values())


def is_behind(results: Sequence[float], best: Sequence[float]) -> bool:
    """Whether an action has done so much worse on the same deals that it is no chance."""
    lost = [ours - theirs for ours, theirs in zip(best, results, strict=True)]
    return fmean(lost) > BEHIND * (stdev(lost) + 0.1) / sqrt(len(lost))


# --- how likely a deal is, and what its end is worth ---------------------------------------


def is_plausible(view: View, hand: Hand) -> bool:
    """Says yes as often as the others would have called as they did with these cards."""
    variant, bid = view.variant, 0
    for seat, action in view.auction:
        passes = action.kind is Kind.PASS
        if not passes:
            bid = action.value if action.kind is Kind.BID else 4
        if seat != view.seat:
            held = hand.hands[seat] | hand.exchanged.discarded[seat]
            held |= sum(1 << card for who, card in hand.played if who == seat)
            known = seat == view.pitcher and view.trump is not None
            suit = hand.trump if known else best_suit(variant, held)
            spare = strength(variant, held, suit)
            spare -= needed(variant, max(bid + passes, variant.min_bid))
            doubt = SHARPNESS * max(-5.0, min(5.0, spare if passes else -spare))
            if view.random.random() > 1 / (1 + exp(doubt)):
                return False
    return True


def value(view: View, end: Hand) -> float:
    """What a finished hand is worth: its margin, or where games count the chance to win."""
    side, delta = view.side, score_hand(end, view.scores)
    if view.unit is Unit.HAND:
        return delta[side] - (sum(delta) - delta[side]) / (len(delta) - 1)
    after = [score + change for score, change in zip(view.scores, delta, strict=True)]
    rival = max(score for other, score in enumerate(after) if other != side)
    target, pitching = view.target, view.side_of(end.pitcher)
    if delta[pitching] > 0 and after[pitching] >= target and view.variant.win != "highest":
        return float(pitching == side)
    if max(after) >= target and view.variant.win != "bidder_only":
        return float(after[side] > rival)
    to_go = max(target - max(after), 1)
    return 1 / (1 + exp((rival - after[side]) / (1.5 * sqrt(to_go + 2))))


# --- how imagined hands are played on ------------------------------------------------------


def by_the_thumb(hand: Hand, _chance: Random) -> Action:
    """The counting bot's action for the seat to act, from what that seat may know."""
    variant, trump, seat = hand.variant, hand.trump, hand.to_act
    own = hand.hands[seat]
    if hand.phase is not Phase.PLAY:
        legal = legal_actions(hand)
        if isinstance(legal, Discards):
            return throw_away(power_under(variant, trump), legal)
        if hand.phase is Phase.EXCHANGE:
            return TAKE
        suit = best_suit(variant, own)
        if hand.phase is Phase.TRUMP:
            return next(action for action in legal if action.value == suit)
        return call(variant, legal, suit, strength(variant, own, suit))
    playable = hand.playable
    if not playable & playable - 1:
        return PLAYS[playable.bit_length() - 1]
    if trump < 0:
        power = power_under(variant, best_suit(variant, own))
        return PLAYS[max(cards_of(playable), key=power.__getitem__)]
    cards = cards_under(variant, trump)
    discarded = hand.exchanged.discarded
    unseen = (1 << variant.deck) - 1 & ~own & ~discarded[seat]
    for _, card in hand.played:
        unseen ^= 1 << card
    trick = [card for _, card in hand.played[sum(hand.trick_sizes) :]]
    gone = sum([mask.bit_count() for mask in discarded]) - discarded[seat].bit_count()
    chance = min(1.0, own.bit_count() / max(unseen.bit_count() - gone, 1))
    sides = variant.sides
    to_come = [
        ToCome(each % variant.players % sides == seat % sides, unseen, chance)
        for each in range(seat + 1, seat + variant.players - len(trick))
    ]
    ours = hand.winning >= 0 and (hand.winning - seat) % sides == 0
    playables = cards_of(playable)
    return PLAYS[best_card(cards, cards.worth, playables, trick, hand.best, ours, to_come)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--playouts", type=int, default=PLAYOUTS, help="for a decision")
    own, rest = parser.parse_known_args()
    run(partial(SearchBot, own.playouts), arguments=rest)
