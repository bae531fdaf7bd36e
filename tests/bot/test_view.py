"""What a view says is true of the hand, in every variant and at every decision."""

import copy
import pickle
from random import Random

import pytest
from hypothesis import given, settings

from bot.example_hand import ACTIONS, example_view
from bot.views import views_of
from pitch import Action, Bot, HandResult, Kind, Phase, View, cards_of, parse_card
from pitch.rules import (
    VARIANTS,
    apply_action,
    legal_actions,
)
from pitch.rules.scoring import points_won
from pitch.testing import play_game
from strategies import Playout, named_variants, play_out, playouts

FEW = settings(max_examples=25)  # each is a whole hand, seen by every seat at every step


@FEW
@given(playouts())
def test_points_that_are_not_open_end_with_the_side_that_has_them(played: Playout) -> None:
    seen = list(views_of(played))
    end = dict(points_won(played.hands[-1]))
    for _, view in seen:
        settled = {point.name: point.side for point in view.points if not point.open}
        assert settled == {name: end[name] for name in settled}
    assert not any(view.open_points for hand, view in seen if hand.phase is Phase.OVER)


@FEW
@given(playouts(named_variants))
def test_points_stand_as_the_finished_tricks_have_them(played: Playout) -> None:
    for hand, view in views_of(played):
        if hand.trump >= 0 and hand.phase >= Phase.PLAY:
            over = hand._replace(played=hand.played[: sum(hand.trick_sizes)])
            assert [(p.name, p.side) for p in view.points] == list(points_won(over))


@FEW
@given(playouts())
def test_no_seat_holds_what_a_view_rules_out(played: Playout) -> None:
    for hand, view in views_of(played):
        unseen, shown = set(view.unseen), {card for _, card in view.shown}
        for seat, mask in enumerate(hand.hands):
            assert all(view.can_hold(seat, card) for card in cards_of(mask))
            assert not {view.suit_of(card) for card in cards_of(mask)} & view.voids[seat]
            if seat != view.seat:
                assert set(cards_of(mask)) <= unseen | shown


@FEW
@given(playouts())
def test_the_trick_stands_as_the_rules_have_it(played: Playout) -> None:
    for hand, view in views_of(played):
        if hand.phase is not Phase.PLAY:
            assert (view.leader, view.to_play, view.winning_seat) == (None, (), None)
            continue
        best = (hand.winning, hand.best) if view.trick else (None, None)
        assert (view.leader, view.winning_seat, view.winning_card) == (hand.leader, *best)
        assert view.led_suit == (hand.led if view.trick else None)
        if hand.to_act == view.seat:
            for action in legal_actions(hand):
                after = apply_action(hand, action)
                if len(after.trick_sizes) == len(hand.trick_sizes):
                    assert view.takes(action.value) == (after.winning == view.seat)
                    assert after.to_act in view.to_play
                else:
                    assert after.trick_winners[-1] == view.seat or not view.takes(action.value)


@FEW
@given(playouts())
def test_hand_sizes_are_those_of_the_hands(played: Playout) -> None:
    for hand, view in views_of(played):
        if hand.phase is not Phase.EXCHANGE:  # there a round's discards are told at its end
            assert view.hand_sizes == tuple(mask.bit_count() for mask in hand.hands)


@FEW
@given(playouts(named_variants))
def test_legal_by_kind_is_legal(played: Playout) -> None:
    for hand, view in views_of(played):
        if hand.to_act != view.seat or hand.phase is Phase.EXCHANGE:
            continue
        listed = [view.play(card) for card in view.legal_cards]
        listed += [view.call(bid) for bid in view.legal_bids]
        listed += [view.call(0)] if view.can_pass else []
        others = [a for a in view.legal if a.kind in (Kind.PITCH, Kind.TRUMP)]
        assert sorted(listed + others) == sorted(view.legal)


def test_an_action_that_is_not_legal_is_refused_where_it_is_made() -> None:
    view = example_view(len(ACTIONS))
    with pytest.raises(ValueError, match="play KC is not legal for seat 2 here; legal: play 8D"):
        view.play(parse_card("KC"))


def test_cutthroat_has_opponents_only() -> None:
    _, view = next(views_of(play_out(VARIANTS["cutthroat"], 3, Random(1))))
    assert (view.partner, view.partners, view.opponents) == (None, (), (1, 2, 3))


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))]
)
def test_a_view_can_be_copied_and_sent_to_another_process(duplicate) -> None:  # type: ignore[no-untyped-def]
    view = example_view(len(ACTIONS))
    assert view.points
    again = duplicate(view)
    assert (again.known, again.table, again.points) == (view.known, view.table, view.points)
    assert again.random.random() == view.random.random()


def test_at_a_hands_end_the_same_view_is_told_and_every_property_holds() -> None:
    told: list[View] = []

    class Listening(Bot):
        def choose(self, view: View) -> Action:
            return view.random.choice(view.legal)

        def hand_over(self, view: View, result: HandResult) -> None:
            told.append(view)
            assert view.legal == ()
            assert repr(view)
            assert str(view)

    names = [name for name in dir(View) if not name.startswith("_")]
    for variant, rules in VARIANTS.items():
        play_game([Listening] * rules.sides, variant=variant, seed=3)
        for view in told:
            assert all(getattr(view, name) is not NotImplemented for name in names)
        assert {view.seat for view in told} == set(range(rules.players))
        told.clear()
