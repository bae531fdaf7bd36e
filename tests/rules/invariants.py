"""What must hold in every hand of every variant, as checks of a hand that was played out."""

from random import Random

import pytest

from pitch.rules import (
    BIDS,
    GIVE,
    PASS,
    PITCHES,
    PLAYS,
    TAKE,
    TRUMPS,
    Discards,
    Follow,
    Hand,
    IllegalAction,
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
from strategies import Playout

EVERY_SINGLE = (PASS, TAKE, GIVE, *BIDS, *PITCHES, *TRUMPS, *PLAYS)


def places(hand: Hand) -> list[int]:
    """The masks of everywhere that a card can be."""
    exchanged = hand.exchanged
    played = mask_of(card for _, card in hand.played)
    return [*hand.hands, *exchanged.discarded, mask_of(exchanged.stock), played]


def check_cards_partition_the_deck(playout: Playout) -> None:
    for hand in playout.hands:
        masks = places(hand)
        assert sum(masks) == (1 << hand.variant.deck) - 1
        assert sum(mask.bit_count() for mask in masks) == hand.variant.deck


def check_somebody_can_act(playout: Playout) -> None:
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


def check_tricks(playout: Playout) -> None:
    last = playout.hands[-1]
    players = last.variant.players
    assert sum(last.trick_sizes) == len(last.played)
    assert len(last.trick_sizes) == len(last.trick_winners)
    if last.variant.follow is not Follow.TRUMP_ONLY:
        assert last.trick_sizes == (players,) * 6
        assert not any(last.hands)
    assert all(1 <= size <= players for size in last.trick_sizes)


def check_points(playout: Playout) -> None:
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


def check_illegal_actions_raise(playout: Playout, chance: Random, states: int = 5) -> None:
    for hand in chance.sample(playout.hands, states):
        copy = Hand(*hand)
        legal = legal_actions(hand)
        tried = [*EVERY_SINGLE, *(discard(chance.getrandbits(54)) for _ in range(5))]
        for action in tried:
            if action not in legal:
                with pytest.raises(IllegalAction):
                    apply_action(hand, action)
        assert hand == copy


def check_actions_read_as_written(playout: Playout) -> None:
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


def check_a_view_is_blind(playout: Playout, seat: int, chance: Random) -> None:
    """What `seat` is shown is the same wherever the cards are that it cannot know."""
    game = start_game(playout.hands[0].variant)
    for hand in playout.hands:
        changed = exchange_unknown(hand, seat, chance)
        assert view_of(game, hand, seat) == view_of(game, changed, seat)


def check_views_hold_the_own_cards(playout: Playout) -> None:
    game = start_game(playout.hands[0].variant)
    for hand in playout.hands:
        for seat in range(hand.variant.players):
            view = view_of(game, hand, seat)
            assert view.hand == hand.hands[seat]
            assert view.discarded == hand.exchanged.discarded[seat]
            assert view.legal == (legal_actions(hand) if seat == hand.to_act else ())


def check_everything(playout: Playout, chance: Random) -> None:
    """The whole family for one hand."""
    check_cards_partition_the_deck(playout)
    check_somebody_can_act(playout)
    check_tricks(playout)
    check_points(playout)
    check_illegal_actions_raise(playout, chance, states=1)
    check_actions_read_as_written(playout)
    check_a_view_is_blind(playout, chance.randrange(playout.hands[0].variant.players), chance)
    check_views_hold_the_own_cards(playout)
