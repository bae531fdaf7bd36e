"""What holds in every hand of every variant that can be played."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitch.rules import (
    BIDS,
    GIVE,
    PASS,
    PITCHES,
    PLAYS,
    TAKE,
    TRUMPS,
    Action,
    Discards,
    Follow,
    Hand,
    IllegalAction,
    Kind,
    Phase,
    action_text,
    apply_action,
    cards_of,
    default_action,
    discard,
    finish_hand,
    legal_actions,
    mask_of,
    parse_action,
    start_game,
    view_of,
)
from strategies import Playout, playouts, seeds

EVERY_SINGLE = (PASS, TAKE, GIVE, *BIDS, *PITCHES, *TRUMPS, *PLAYS)


def places(hand: Hand) -> list[int]:
    """The masks of everywhere that a card can be."""
    exchanged = hand.exchanged
    played = mask_of(card for _, card in hand.played)
    return [*hand.hands, *exchanged.discarded, mask_of(exchanged.stock), played]


@given(playouts())
@settings(max_examples=100)
def test_cards_partition_the_deck_after_every_action(playout: Playout) -> None:
    for hand in playout.hands:
        masks = places(hand)
        assert sum(masks) == (1 << hand.variant.deck) - 1
        assert sum(mask.bit_count() for mask in masks) == hand.variant.deck


@given(playouts())
@settings(max_examples=100)
def test_somebody_can_act_until_the_hand_is_over(playout: Playout) -> None:
    for hand in playout.hands[:-1]:
        legal = legal_actions(hand)
        assert len(legal) > 0
        assert 0 <= hand.to_act < hand.variant.players
        assert default_action(hand) in legal
        if not isinstance(legal, Discards):
            assert len(set(legal)) == len(legal)
    last = playout.hands[-1]
    assert last.phase is Phase.OVER
    assert last.to_act == -1
    assert legal_actions(last) == ()


@given(playouts())
@settings(max_examples=100)
def test_a_hand_has_six_full_tricks_or_as_many_as_trumps_allow(playout: Playout) -> None:
    last = playout.hands[-1]
    players = last.variant.players
    assert sum(last.trick_sizes) == len(last.played)
    assert len(last.trick_sizes) == len(last.trick_winners)
    if last.variant.follow is not Follow.TRUMP_ONLY:
        assert last.trick_sizes == (players,) * 6
        assert not any(last.hands)
    assert all(1 <= size <= players for size in last.trick_sizes)


@given(playouts())
@settings(max_examples=100)
def test_each_point_is_scored_once_at_most(playout: Playout) -> None:
    last = playout.hands[-1]
    variant = last.variant
    game = start_game(variant, first_dealer=last.dealer, max_hands=None)
    after, result = finish_hand(game, last)
    assert tuple(name for name, _ in result.won) == variant.points
    assert sum(result.points) <= variant.total_points
    scored = sum(3 if name == "trey" else 1 for name, side in result.won if side is not None)
    assert sum(result.points) == scored
    assert after.scores == result.scores == result.delta
    others = [side for side in range(variant.sides) if side != variant.side_of(result.pitcher)]
    assert all(result.delta[side] == result.points[side] for side in others)


@given(playouts(), seeds)
@settings(max_examples=60)
def test_an_illegal_action_raises_and_changes_nothing(playout: Playout, seed: int) -> None:
    chance = Random(seed)
    for hand in chance.sample(playout.hands, 5):
        copy = Hand(*hand)
        legal = legal_actions(hand)
        tried = [*EVERY_SINGLE, *(discard(chance.getrandbits(54)) for _ in range(5))]
        for action in tried:
            if action not in legal:
                with pytest.raises(IllegalAction):
                    apply_action(hand, action)
        assert hand == copy


@pytest.mark.parametrize("value", [-1, 54, 2**40, -(2**60)])
@pytest.mark.parametrize("kind", list(Kind))
@given(playouts())
@settings(max_examples=3)
def test_no_value_of_an_action_is_too_odd_to_refuse(
    kind: Kind, value: int, playout: Playout
) -> None:
    for hand in playout.hands:
        action = Action(kind, value)
        if action not in legal_actions(hand):
            with pytest.raises(IllegalAction):
                apply_action(hand, action)


@given(playouts())
@settings(max_examples=100)
def test_every_action_is_the_same_after_writing_and_reading(playout: Playout) -> None:
    for _, action in playout.actions:
        assert parse_action(action_text(action)) == action


def exchange_unknown(hand: Hand, seat: int, chance: Random) -> Hand:
    """The same hand but for cards that `seat` cannot know, dealt anew to where they lay."""
    exchanged = hand.exchanged
    others = [other for other in range(hand.variant.players) if other != seat]
    masks = [hand.hands[other] for other in others]
    masks += [exchanged.discarded[other] for other in others]
    unknown = [*exchanged.stock, *(card for mask in masks for card in cards_of(mask))]
    chance.shuffle(unknown)
    stock = tuple(unknown.pop() for _ in exchanged.stock)
    hands, discarded = list(hand.hands), list(exchanged.discarded)
    for places_of in (hands, discarded):
        for other in others:
            places_of[other] = mask_of(unknown.pop() for _ in cards_of(places_of[other]))
    received = exchanged.received if exchanged.receiver == seat else chance.getrandbits(52)
    exchanged = exchanged._replace(stock=stock, discarded=tuple(discarded), received=received)
    playable = hand.playable if hand.to_act == seat else chance.getrandbits(52)
    return hand._replace(hands=tuple(hands), exchanged=exchanged, playable=playable)


@given(playouts(), seeds, st.data())
@settings(max_examples=100)
def test_a_view_is_blind_to_what_its_seat_cannot_know(
    playout: Playout, seed: int, data: st.DataObject
) -> None:
    variant = playout.hands[0].variant
    game = start_game(variant)
    seat = data.draw(st.integers(0, variant.players - 1))
    chance = Random(seed)
    for hand in playout.hands:
        assert view_of(game, hand, seat) == view_of(
            game, exchange_unknown(hand, seat, chance), seat
        )


@given(playouts())
@settings(max_examples=60)
def test_a_view_holds_the_own_cards_and_choices(playout: Playout) -> None:
    game = start_game(playout.hands[0].variant)
    for hand in playout.hands:
        for seat in range(hand.variant.players):
            view = view_of(game, hand, seat)
            assert view.hand == hand.hands[seat]
            assert view.discarded == hand.exchanged.discarded[seat]
            assert view.legal == (legal_actions(hand) if seat == hand.to_act else ())
