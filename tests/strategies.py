"""Hypothesis strategies that every room's tests share: variants, decks, hands as played.

Chance inside a hand comes from a drawn seed: a hand holds too many choices to draw one by one.
"""

from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st

from pitch.rules import (
    VARIANTS,
    Action,
    Exchange,
    Follow,
    GamePoint,
    Hand,
    Low,
    OpeningLead,
    Rounds,
    Stuck,
    Trump,
    Variant,
    Win,
    apply_action,
    legal_actions,
    parse_variant,
    start_hand,
)

seeds = st.integers(0, 2**32 - 1)
named_variants = st.sampled_from(sorted(VARIANTS)).map(VARIANTS.__getitem__)

_FREE_FOLLOW = [follow for follow in Follow if follow is not Follow.TRUMP_ONLY]
_FREE_LEAD = [lead for lead in OpeningLead if lead is not OpeningLead.SETS_TRUMP]


@st.composite
def _cards(draw: st.DrawFn) -> dict[str, Any]:
    """How trump is found, and what goes with it: deck, exchange, lead, follow."""
    if draw(st.booleans()):
        return {"trump": Trump.LEAD, "follow": draw(st.sampled_from(_FREE_FOLLOW))}
    exchange = draw(st.sampled_from(Exchange))
    refill = exchange is Exchange.TRUMP_REFILL
    return {
        "trump": Trump.NAMED,
        "deck": draw(st.sampled_from([52, 54])),
        "exchange": exchange,
        "keep_trumps": draw(st.booleans()),
        "opening_lead": OpeningLead.TRUMP if refill else draw(st.sampled_from(_FREE_LEAD)),
        "follow": Follow.TRUMP_ONLY if refill else draw(st.sampled_from(_FREE_FOLLOW)),
    }


@st.composite
def _table(draw: st.DrawFn, deck: int, exchange: Exchange) -> dict[str, Any]:
    """Players, sides and cards dealt that the deck is large enough for."""
    exact = exchange in (Exchange.NONE, Exchange.DRAW)
    dealt = 6 if exact else draw(st.integers(6, 10))
    stock = 3 if exchange is Exchange.PITCHER_DRAW else 0
    most = deck // 12 if exchange is Exchange.DRAW else (deck - stock) // dealt
    players = draw(st.integers(2, most))
    sides = draw(st.sampled_from([n for n in range(2, players + 1) if players % n == 0]))
    packet = draw(st.integers(1, 10))
    return {"players": players, "sides": sides, "dealt": dealt, "packet": packet}


@st.composite
def _auction(draw: st.DrawFn, by_lead: bool, sides: int, total: int) -> dict[str, Any]:
    """Bids and how the auction goes."""
    rounds = draw(st.sampled_from(Rounds))
    once = rounds is Rounds.ONE
    pitching = by_lead and once and draw(st.booleans())
    highest = 4 if pitching else draw(st.integers(1, total))
    smudge = total == 4 and highest == 4 and draw(st.booleans())
    return {
        "rounds": rounds,
        "pitching": pitching,
        "takeover_doubles": pitching and draw(st.booleans()),
        "steal": once and draw(st.booleans()),
        "min_bid": draw(st.integers(1, highest)),
        "max_bid": highest,
        "smudge": smudge,
        "moon": sides == 2 and not smudge and not pitching and draw(st.booleans()),
        "stuck": draw(st.sampled_from(Stuck)),
        "top_bid_ends": draw(st.booleans()),
    }


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """Any variant that can be played, most of them far from every named row."""
    cards = draw(_cards())
    deck = cards.get("deck", 52)
    table = draw(_table(deck, cards.get("exchange", Exchange.NONE)))
    off_jack, trey = draw(st.booleans()), draw(st.booleans())
    total = 4 + off_jack + 3 * trey + 2 * (deck == 54)
    auction = draw(_auction(cards["trump"] is Trump.LEAD, table["sides"], total))
    return parse_variant(
        {
            "name": "pitch-ac",
            **cards,
            **table,
            **auction,
            "off_jack": off_jack,
            "trey": trey,
            "low": draw(st.sampled_from(Low)),
            "game": draw(st.sampled_from(GamePoint)),
            "target": draw(st.integers(1, 60)),
            "win": draw(st.sampled_from(Win)),
        }
    )


class Playout(NamedTuple):
    """A whole hand as played: `hands[i + 1]` is what `actions[i]` made of `hands[i]`."""

    hands: tuple[Hand, ...]
    actions: tuple[tuple[int, Action], ...]


def shuffled(variant: Variant, chance: Random) -> list[int]:
    """A deck of the variant in an order of chance."""
    return chance.sample(range(variant.deck), variant.deck)


def play_out(variant: Variant, dealer: int, chance: Random) -> Playout:
    """A hand of legal actions of chance from a deck of chance."""
    hand = start_hand(variant, dealer, shuffled(variant, chance))
    hands, actions = [hand], []
    while legal := legal_actions(hand):
        action = chance.choice(legal)
        actions.append((hand.to_act, action))
        hand = apply_action(hand, action)
        hands.append(hand)
    return Playout(tuple(hands), tuple(actions))


@st.composite
def playouts(draw: st.DrawFn, of: st.SearchStrategy[Variant] | None = None) -> Playout:
    """Whole hands of any variant, or of those that `of` gives."""
    variant = draw(variants() if of is None else of)
    dealer = draw(st.integers(0, variant.players - 1))
    return play_out(variant, dealer, Random(draw(seeds)))
