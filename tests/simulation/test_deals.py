from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitch.rules import (
    PASS,
    VARIANTS,
    Exchange,
    Hand,
    Phase,
    Trump,
    apply_action,
    cards_of,
    mask_of,
    start_game,
    start_hand,
    view_of,
)
from pitch.simulation import Deals, sample_hands
from pitch.simulation.unseen import unseen_from
from rules.playing import variant
from simulation.reference import deck_of
from strategies import Playout, play_out, playouts, seeds, variants


def assert_agrees(hand: Hand, sampled: Hand, seat: int) -> None:
    """The sample is a state like the true one in all that the seat knows, and whole."""
    game = start_game(hand.variant)
    assert view_of(game, sampled, seat) == view_of(game, hand, seat)
    # What nobody hides, and the shape of what is hidden.
    known = ("hands", "exchanged", "playable")
    assert sampled._replace(**{name: getattr(hand, name) for name in known}) == hand
    places, true = sampled.exchanged, hand.exchanged
    assert places.step is true.step
    assert (places.rounds, places.leftovers) == (true.rounds, true.leftovers)
    assert places.receiver == true.receiver
    assert len(places.stock) == len(true.stock)
    assert [seat for seat, _ in places.running] == [seat for seat, _ in true.running]
    assert places.received.bit_count() == true.received.bit_count()
    held = (*sampled.hands, *places.discarded)
    cards = [card for mask in held for card in cards_of(mask)]
    cards += [*places.stock, *(card for _, card in sampled.played)]
    assert sorted(cards) == list(range(hand.variant.deck))


def assert_true_hand_is_possible(hand: Hand, seat: int) -> None:
    """What a seat holds in truth is never ruled out."""
    unseen = unseen_from(hand.variant, view_of(start_game(hand.variant), hand, seat))
    before = dict(hand.exchanged.running)  # not known to have been discarded
    for place in unseen.places:
        if place.seat in before:
            continue
        own = hand.hands[place.seat] & ~place.known
        gone = hand.exchanged.discarded[place.seat]
        assert not own & ~place.possible
        assert (own.bit_count(), gone.bit_count()) == (place.size, place.discards)
        if place.weights is not None:
            trumps = unseen.suits[0]
            assert place.weights[(own & trumps).bit_count()][(gone & trumps).bit_count()] > 0


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_samples_agree_with_the_view_at_every_step_of_whole_hands(name: str) -> None:
    of = VARIANTS[name]
    chance = Random(6)
    for number in range(2):
        for hand in play_out(of, number, chance).hands:
            for seat in range(of.players):
                view = view_of(start_game(of), hand, seat)
                for sampled in sample_hands(view, of, chance, 2):
                    assert_agrees(hand, sampled, seat)
                assert_true_hand_is_possible(hand, seat)


@settings(max_examples=40)
@given(playouts(), seeds, st.data())
def test_samples_agree_with_the_view_in_any_variant(
    playout: Playout, seed: int, data: st.DataObject
) -> None:
    chance = Random(seed)
    for hand in playout.hands:
        seat = data.draw(st.integers(0, hand.variant.players - 1)) if chance.random() < 0.1 else 0
        view = view_of(start_game(hand.variant), hand, seat)
        for sampled in sample_hands(view, hand.variant, chance, 2):
            assert_agrees(hand, sampled, seat)
        assert_true_hand_is_possible(hand, seat)


def test_a_seat_that_has_seen_every_card_gets_the_true_hand() -> None:
    # With two players the widow is all that was not dealt: its pitcher sees every card in the end.
    of = variant(
        "pitch-ac", players=2, deck=54, trump="named", exchange="widow", opening_lead="any"
    )
    chance = Random(3)
    for number in range(20):
        last = play_out(of, number % of.players, chance).hands[-1]
        view = view_of(start_game(of), last, last.pitcher)
        assert list(sample_hands(view, of, chance, 2)) == [last, last]


@settings(max_examples=30)
@given(playouts(variants().filter(lambda of: of.exchange is Exchange.NONE)), seeds)
def test_a_sampled_deal_can_be_played_from_its_start_to_the_view(
    playout: Playout, seed: int
) -> None:
    # Without an exchange nothing but the deal is hidden: the same actions must lead there.
    chance = Random(seed)
    of = playout.hands[0].variant
    for at, hand in enumerate(playout.hands):
        seat = chance.randrange(of.players)
        (sampled,) = sample_hands(view_of(start_game(of), hand, seat), of, chance)
        dealt = [
            held | mask_of(card for who, card in sampled.played if who == owner)
            for owner, held in enumerate(sampled.hands)
        ]
        again = start_hand(
            of, hand.dealer, deck_of(of, hand.dealer, dealt, sampled.exchanged.stock)
        )
        for _, action in playout.actions[:at]:
            again = apply_action(again, action)
        assert again == sampled


@pytest.mark.parametrize("name", ["pitch-ac", "ten-point-six", "trump-only", "partnership-draw"])
def test_what_is_hidden_makes_no_difference(name: str) -> None:
    # Another hand with the same view, and a generator in the same state: the same samples.
    of = VARIANTS[name]
    chance = Random(7)
    playout = play_out(of, 1, chance)
    for hand in playout.hands[:: max(1, len(playout.hands) // 12)]:
        view = view_of(start_game(of), hand, 0)
        (other,) = sample_hands(view, of, chance)
        swapped = view_of(start_game(of), other, 0)
        assert sample_hands(swapped, of, Random(8), 5) == sample_hands(view, of, Random(8), 5)


def test_samples_differ_from_one_another_and_from_the_truth() -> None:
    of = VARIANTS["pitch-ac"]
    hand = play_out(of, 0, Random(9)).hands[8]
    hands = sample_hands(view_of(start_game(of), hand, 0), of, Random(1), 50)
    assert len(set(hands)) == 50
    assert hand not in hands


def test_a_pitched_card_stays_with_its_owner_until_it_is_played() -> None:
    of = variant("partnership-pitching")
    chance = Random(10)
    found = 0
    while found < 30:
        playout = play_out(of, 0, chance)
        first, *_ = [at for at, (_, action) in enumerate(playout.actions) if action != PASS]
        seat, call = playout.actions[first]
        if call.kind.name != "PITCH" or seat == 0 or len(playout.hands) < first + 4:
            continue
        hand = playout.hands[first + 1]
        for sampled in sample_hands(view_of(start_game(of), hand, 0), of, chance, 3):
            assert sampled.hands[seat] >> call.value & 1
            found += 1


def test_a_view_that_can_t_be_is_refused() -> None:
    of = VARIANTS["gameweave"]
    hand = next(hand for hand in play_out(of, 0, Random(11)).hands if hand.phase is Phase.PLAY)
    seat = (hand.pitcher + 1) % of.players
    view = view_of(start_game(of), hand, seat)
    trumps = 0x1FFF << 13 * hand.trump
    # All trumps in one hand of 13 cards: then the pitcher had none to name.
    with pytest.raises(ValueError, match="some deal agrees"):
        Deals(view._replace(hand=trumps), of)


def test_trump_found_by_the_lead_leaves_every_suit_open_before_it() -> None:
    of = VARIANTS["pitch-ac"]
    assert of.trump is Trump.LEAD
    hand = play_out(of, 0, Random(12)).hands[0]
    view = view_of(start_game(of), hand, 0)
    seen = 0
    for sampled in sample_hands(view, of, Random(13), 200):
        seen |= sampled.hands[1]
    assert seen == (1 << 52) - 1 & ~view.hand
