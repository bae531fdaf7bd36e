"""What holds in every hand of every variant that can be played."""

from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitch.rules import (
    Action,
    Exchange,
    Follow,
    GamePoint,
    IllegalAction,
    Kind,
    Low,
    OpeningLead,
    apply_action,
    legal_actions,
)
from rules.invariants import (
    check_a_view_is_blind,
    check_actions_read_as_written,
    check_cards_partition_the_deck,
    check_everything,
    check_illegal_actions_raise,
    check_points,
    check_somebody_can_act,
    check_tricks,
    check_views_hold_the_own_cards,
)
from rules.playing import variant
from strategies import Playout, play_out, playouts, seeds


@given(playouts())
@settings(max_examples=100)
def test_cards_partition_the_deck_after_every_action(playout: Playout) -> None:
    check_cards_partition_the_deck(playout)


@given(playouts())
@settings(max_examples=100)
def test_somebody_can_act_until_the_hand_is_over(playout: Playout) -> None:
    check_somebody_can_act(playout)


@given(playouts())
@settings(max_examples=100)
def test_a_hand_has_six_full_tricks_or_as_many_as_trumps_allow(playout: Playout) -> None:
    check_tricks(playout)


@given(playouts())
@settings(max_examples=100)
def test_each_point_is_scored_once_at_most(playout: Playout) -> None:
    check_points(playout)


@given(playouts(), seeds)
@settings(max_examples=60)
def test_an_illegal_action_raises_and_changes_nothing(playout: Playout, seed: int) -> None:
    check_illegal_actions_raise(playout, Random(seed))


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
    check_actions_read_as_written(playout)


@given(playouts(), seeds, st.data())
@settings(max_examples=100)
def test_a_view_is_blind_to_what_its_seat_cannot_know(
    playout: Playout, seed: int, data: st.DataObject
) -> None:
    seat = data.draw(st.integers(0, playout.hands[0].variant.players - 1))
    check_a_view_is_blind(playout, seat, Random(seed))


@given(playouts())
@settings(max_examples=60)
def test_a_view_holds_the_own_cards_and_choices(playout: Playout) -> None:
    check_views_hold_the_own_cards(playout)


# ---- the whole family again, where chance alone might not come by

# Cards dealt, and players that leave stock enough.
_TABLES = {
    Exchange.NONE: (6, 4),
    Exchange.DRAW: (6, 4),
    Exchange.DISCARD: (8, 6),
    Exchange.WIDOW: (8, 6),
    Exchange.PITCHER_DRAW: (9, 4),
    Exchange.TRUMP_REFILL: (9, 4),
}
_NAMED = [
    (follow, exchange)
    for follow, exchange in product(Follow, Exchange)
    if (follow is Follow.TRUMP_ONLY) == (exchange is Exchange.TRUMP_REFILL)
]
_POINTS = list(product(Low, GamePoint, (False, True), (False, True)))


def _points_of(low: Low, game: GamePoint, off_jack: bool, trey: bool) -> dict[str, Any]:
    return {"low": low, "game": game, "off_jack": off_jack, "trey": trey}


@pytest.mark.parametrize("deck", [52, 54])
@pytest.mark.parametrize(("follow", "exchange"), _NAMED)
def test_the_family_holds_for_every_follow_rule_and_exchange(
    follow: Follow, exchange: Exchange, deck: int
) -> None:
    chance = Random(f"{follow}{exchange}{deck}")
    dealt, players = _TABLES[exchange]
    leads = [lead for lead in OpeningLead if lead is not OpeningLead.SETS_TRUMP]
    for number, points in enumerate(_POINTS):
        refill = exchange is Exchange.TRUMP_REFILL
        of = variant(
            "gameweave",
            follow=follow,
            exchange=exchange,
            deck=deck,
            dealt=dealt,
            players=players,
            opening_lead=OpeningLead.TRUMP if refill else leads[number % 3],
            keep_trumps=number % 2 == 0,
            **_points_of(*points),
        )
        check_everything(play_out(of, number % players, chance), chance)


@pytest.mark.parametrize("players", [2, 3, 4, 8])
@pytest.mark.parametrize("follow", [each for each in Follow if each is not Follow.TRUMP_ONLY])
def test_the_family_holds_where_the_lead_sets_trump(follow: Follow, players: int) -> None:
    chance = Random(f"{follow}{players}")
    for number, points in enumerate(_POINTS):
        of = variant(
            "cutthroat", smudge=False, follow=follow, players=players, **_points_of(*points)
        )
        check_everything(play_out(of, number % players, chance), chance)
