"""How often each deal is drawn: beside full enumeration, and beside hands dealt by chance."""

from collections import defaultdict
from collections.abc import Callable
from random import Random

import pytest
from scipy import stats

from pitch.rules import (
    TRUMP_TABLES,
    TRUMPS,
    Hand,
    Kind,
    Phase,
    Variant,
    apply_action,
    legal_actions,
    start_game,
    start_hand,
    view_of,
)
from pitch.simulation import random_policy, sample_hands
from rules.playing import variant
from simulation.reference import Position, state_of, weights_by_trying
from strategies import play_out, shuffled

BINS = 40
SAMPLES = 6000


def find(of: Variant, wanted: Callable[[Position], bool]) -> Position:
    """The first position that is wanted, of hands played by chance."""
    chance = Random(2)
    for _ in range(20000):
        playout = play_out(of, chance.randrange(of.players), chance)
        for at, hand in enumerate(playout.hands):
            for seat in range(of.players):
                position = Position(playout, at, seat)
                if hand.phase is not Phase.AUCTION and wanted(position):
                    return position
    raise AssertionError("no hand of chance has such a position")


def others(position: Position) -> list[int]:
    """The cards in hand and the discards of the other seats, as numbers."""
    hand = position.hand
    return [
        masks[seat].bit_count()
        for masks in (hand.hands, hand.exchanged.discarded)
        for seat in range(position.variant.players)
        if seat != position.seat
    ]


def to_act_holds(*counts: int) -> Callable[[Position], bool]:
    """The seat to act has a choice, the others hold and have discarded as many cards."""
    return lambda position: (
        position.seat == position.hand.to_act
        and others(position) == list(counts)
        and len(legal_actions(position.hand)) > 1
    )


def shown_void(*counts: int) -> Callable[[Position], bool]:
    """The same, and another seat has shown what it does not hold."""

    def wanted(position: Position) -> bool:
        hand = position.hand
        if not to_act_holds(*counts)(position):
            return False
        table = TRUMP_TABLES[position.variant.off_jack][hand.trump]
        (_, led), *following = hand.played[: hand.trick_sizes[0]]
        suits = {table.suit_of[card] for seat, card in following if seat != position.seat}
        return not suits & {table.suit_of[led], hand.trump}

    return wanted


def pitched_card_is_back(position: Position) -> bool:
    """The dealer has taken a pitch over; the first card is in its owner's hand to the last."""
    hand = position.hand
    first = [action.value for _, action in hand.auction if action.kind is Kind.PITCH][:1]
    return (
        others(position) == [1, 1, 0, 0]
        and hand.pitcher == hand.dealer == position.seat
        and any(hand.hands[seat] >> card & 1 for seat in (0, 1, 2) for card in first)
        and not any(hand.hands[position.seat] >> card & 1 for card in first)
    )


def drew_in_refill(position: Position) -> bool:
    """The other seat has drawn for the last of its places, and may hold a dead card."""
    hand, seat = position.hand, 1 - position.seat
    if not hand.exchanged.rounds:
        return False
    kept = position.variant.dealt - dict(hand.exchanged.rounds[0])[seat]
    return kept < 6 and hand.hands[seat].bit_count() in (1, 2) and hand.pitcher == position.seat


def opponent_pitches(*counts: int) -> Callable[[Position], bool]:
    return lambda position: (
        others(position) == list(counts) and position.hand.pitcher != position.seat
    )


REFILL = {"deck": 52, "off_jack": False, "trey": False, "min_bid": 1, "max_bid": 4}
NAMED = {"trump": "named", "opening_lead": "trump"}
POSITIONS = [
    pytest.param(
        variant("pitch-ac", players=2, **fields), shown_void(2, 0), id=f"{fields['follow']}"
    )
    for fields in (
        {"follow": "follow_or_trump"},
        {"follow": "strict"},
        {"follow": "must_follow_or_trump"},
        {"follow": "strict_then_trump"},
    )
] + [
    pytest.param(variant("cutthroat", players=3), shown_void(1, 1, 0, 0), id="two-unknown-hands"),
    pytest.param(variant("no-trump-first", players=2), shown_void(2, 0), id="side-free"),
    pytest.param(
        variant("gameweave", players=2, opening_lead="any"), shown_void(2, 0), id="named-any"
    ),
    pytest.param(
        variant("partnership-draw", players=2, sides=2), opponent_pitches(1, 1), id="draw-pitcher"
    ),
    pytest.param(variant("partnership-draw", players=2, sides=2), to_act_holds(2, 1), id="draw"),
    pytest.param(
        variant("pitch-ac", players=2, exchange="discard", dealt=7, **NAMED),
        opponent_pitches(2, 1),
        id="discard",
    ),
    pytest.param(
        variant("pitch-ac", players=2, exchange="discard", dealt=7, keep_trumps=False, **NAMED),
        opponent_pitches(2, 1),
        id="discard-any",
    ),
    pytest.param(
        variant("pitch-ac", players=2, exchange="widow", dealt=25, **NAMED),
        opponent_pitches(2, 21),
        id="widow-pitcher",
    ),
    pytest.param(
        variant("pitch-ac", players=2, exchange="widow", dealt=24, off_jack=True, **NAMED),
        lambda position: others(position) == [3, 18] and position.hand.pitcher == position.seat,
        id="widow-other",
    ),
    pytest.param(
        variant("pitch-ac", players=2, exchange="pitcher_draw", dealt=7, **NAMED),
        opponent_pitches(1, 2),
        id="pitcher-draw",
    ),
    pytest.param(
        variant("partnership-pitching", players=3, sides=3), pitched_card_is_back, id="pitching"
    ),
    pytest.param(variant("trump-only", players=2, dealt=25, **REFILL), drew_in_refill, id="refill"),
]


@pytest.mark.parametrize(("of", "wanted"), POSITIONS)
def test_deals_are_as_frequent_as_full_enumeration_says(
    of: Variant, wanted: Callable[[Position], bool]
) -> None:
    position = find(of, wanted)
    weights = weights_by_trying(position)
    # Bins of states that weigh about the same, each with about as much to expect.
    total = sum(weights.values())
    expected = [0.0] * min(BINS, len(weights))
    bin_of = {}
    so_far = 0.0
    for state in sorted(weights, key=lambda state: (weights[state], state)):
        bin_of[state] = min(int(so_far / total * len(expected) + 1e-9), len(expected) - 1)
        expected[bin_of[state]] += weights[state] / total * SAMPLES
        so_far += weights[state]
    assert min(expected) > 5
    hands = sample_hands(position.view, of, Random(1), SAMPLES)
    observed = [0] * len(expected)
    for hand in hands:
        observed[bin_of[state_of(hand)]] += 1
    assert stats.chisquare(observed, expected).pvalue > 0.001


SUBJECTS = [
    pytest.param(variant("gameweave", opening_lead="any"), id="none"),
    pytest.param(variant("gameweave"), id="named-a-trump"),
    pytest.param(variant("partnership-draw"), id="draw"),
    pytest.param(variant("partnership-six"), id="discard"),
    pytest.param(variant("ten-point-six"), id="widow"),
    pytest.param(variant("ten-point"), id="pitcher-draw"),
    pytest.param(variant("ten-point", keep_trumps=False), id="pitcher-draw-any"),
    pytest.param(variant("trump-only"), id="refill"),
    pytest.param(variant("trump-only", players=2, dealt=16), id="refill-crowded"),
]


def deal_by_chance(of: Variant, chance: Random) -> list[Hand]:
    """A hand from naming to the first lead; nothing in it is by choice but the discards.

    Trump is a suit of chance: where it can't be named the deck is dealt again. So the calls
    tell nothing but what they tell by the rules.
    """
    while True:
        hand = start_hand(of, 0, shuffled(of, chance))
        while hand.phase is Phase.AUCTION:
            hand = apply_action(hand, random_policy(hand, chance))
        trump = TRUMPS[chance.randrange(4)]
        if trump not in legal_actions(hand):
            continue
        hands = [apply_action(hand, trump)]
        while hands[-1].phase is Phase.EXCHANGE:
            hands.append(apply_action(hands[-1], random_policy(hands[-1], chance)))
        return hands


def trumps_by_place(hand: Hand) -> list[int]:
    """How many trumps lie where: the pitcher's hand first, then hands and discards by seat."""
    trumps = TRUMP_TABLES[hand.variant.off_jack][hand.trump].trumps
    _, discarded, *_, received = hand.exchanged
    masks = (hand.hands[hand.pitcher], *hand.hands, *discarded, received)
    return [(mask & trumps).bit_count() for mask in masks]


@pytest.mark.parametrize("of", SUBJECTS)
def test_hidden_trumps_are_as_many_as_in_hands_dealt_by_chance(of: Variant) -> None:
    # The true hand is one more deal from the same urn as the sampled ones: the difference of
    # any number has a mean of nothing. Asked from one seat, at each step of the exchange.
    chance = Random(3)
    differences: dict[tuple[int, ...], list[list[int]]] = defaultdict(list)
    for _ in range(250):
        hands = deal_by_chance(of, chance)
        seat = chance.randrange(of.players)
        for hand in (chance.choice(hands), hands[-1]):
            (sampled,) = sample_hands(view_of(start_game(of), hand, seat), of, chance)
            true = trumps_by_place(hand)
            found = trumps_by_place(sampled)
            differences[hand.phase, hand.exchanged.step].append(
                [a - b for a, b in zip(true, found, strict=True)]
            )
    for rows in differences.values():
        for column in zip(*rows, strict=True):
            if any(column) and len(rows) > 20:
                assert stats.ttest_1samp(column, 0).pvalue > 1e-4
