"""The vectors: what stands where, that it is within its bounds, and that it gives nothing away."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitch.envs.actions import ACTION_COUNT, action_index
from pitch.envs.encoding import Encoding, reward_of
from pitch.rules import (
    VARIANTS,
    Discards,
    Hand,
    View,
    apply_action,
    card_text,
    discard,
    legal_actions,
    parse_action,
    start_game,
    start_hand,
    view_of,
)
from pitch.simulation import sample_hands
from pitch.table.unit import Unit
from strategies import Playout, play_out, playouts


def view(hand: Hand, seat: int, scores: tuple[int, ...] | None = None) -> View:
    game = start_game(hand.variant, first_dealer=hand.dealer)
    return view_of(game if scores is None else game._replace(scores=scores), hand, seat)


def played(variant: str, *actions: str) -> Hand:
    """A hand of cards in order (dealer 3, so seat 0 has the first three) after these actions."""
    rules = VARIANTS[variant]
    hand = start_hand(rules, rules.players - 1, range(rules.deck))
    for text in actions:
        hand = apply_action(hand, parse_action(text))
    return hand


def part(name: str, encoding: Encoding, known: View, putting: int = 0) -> list[int]:
    return [int(n) for n in encoding.observation(known, putting)[encoding.layout[name]]]


def cards(name: str, encoding: Encoding, known: View, putting: int = 0) -> list[str]:
    """The cards of a part, a text for each row of 54."""
    rows = np.reshape(part(name, encoding, known, putting), (-1, 54))
    return [" ".join(card_text(int(card)) for card in np.flatnonzero(row)) for row in rows]


AUCTION = ("bid 2", "bid 3", "pass", "pass")


def test_cards_stand_where_the_layout_says_seats_counted_from_the_own() -> None:
    hand = played("pitch-ac", *AUCTION, "play 5C", "play 8C", "play JC", "play 2C", "play QC")
    encoding = Encoding(hand.variant)
    seat_0 = view(hand, 0)
    assert cards("hand", encoding, seat_0) == ["3C 4C AC 2D 3D"]
    assert cards("played", encoding, seat_0) == ["2C", "5C", "8C", "JC"]
    assert cards("trick", encoding, seat_0) == ["", "", "", "QC"]
    assert cards("taken", encoding, seat_0) == ["", "2C 5C 8C JC"]
    assert cards("trick", encoding, view(hand, 3)) == ["QC", "", "", ""]
    assert cards("taken", encoding, view(hand, 3)) == ["2C 5C 8C JC", ""]


def test_calls_bid_seats_trump_and_phase_stand_as_ones_among_zeros() -> None:
    hand = played("pitch-ac", *AUCTION, "play 5C")
    encoding = Encoding(hand.variant)
    seat_2 = view(hand, 2)
    assert part("bid", encoding, seat_2) == [0, 0, 1, *[0] * 9]
    calls = np.reshape(part("calls", encoding, seat_2), (4, 14))
    assert [int(row.argmax()) for row in calls] == [0, 0, 2, 3]  # seats 2 and 3 passed
    assert calls.sum() == 4
    assert part("dealer", encoding, seat_2) == [0, 1, 0, 0]
    assert part("pitcher", encoding, seat_2) == [0, 0, 0, 1]
    assert part("to_act", encoding, seat_2) == [1, 0, 0, 0]
    assert part("trump", encoding, seat_2) == [1, 0, 0, 0]
    assert part("phase", encoding, seat_2) == [0, 0, 0, 1, 0]


def test_before_anything_is_known_nothing_is_set() -> None:
    hand = played("pitch-ac")
    encoding = Encoding(hand.variant)
    known = view(hand, 1)
    for name in ("bid", "calls", "pitcher", "trump", "played", "taken", "trick", "voids"):
        assert not any(part(name, encoding, known)), name
    assert part("to_act", encoding, known) == [0, 0, 0, 1]


def test_scores_are_per_cent_of_the_target_own_side_first() -> None:
    hand = played("cutthroat")
    encoding = Encoding(hand.variant)
    assert part("scores", encoding, view(hand, 2, (21, -7, 7, -40))) == [33, -120, 100, -34]


def test_a_pitched_card_is_shown_to_all() -> None:
    hand = played("partnership-pitching", "pitch 2C")
    encoding = Encoding(hand.variant)
    assert cards("pitched", encoding, view(hand, 3)) == ["2C"]
    assert part("calls", encoding, view(hand, 3))[14 + 13] == 1


def test_a_discard_that_is_being_made_shows_in_the_vector_and_the_mask() -> None:
    hand = played("ten-point", "bid 2", "pass", "pass", "pass", "trump C")
    encoding = Encoding(hand.variant)
    known = view(hand, 0)
    putting = discard([13, 14]).value
    assert cards("putting", encoding, known, putting) == ["2D 3D"]
    assert encoding.mask(known).sum() == 6  # five cards, or none
    assert list(np.flatnonzero(encoding.mask(known, putting))) == [
        127 + 24,
        127 + 25,
        127 + 26,
        181,
    ]


def test_counts_of_discards_come_with_the_end_of_their_round() -> None:
    hand = played("ten-point", "bid 2", "pass", "pass", "pass", "trump C", "discard 2D 3D")
    encoding = Encoding(hand.variant)
    assert part("discard_counts", encoding, view(hand, 1)) == [0, 0, 0, 0, 0, 0, 2, 0]
    assert cards("discarded", encoding, view(hand, 0)) == ["2D 3D"]
    assert cards("discarded", encoding, view(hand, 1)) == [""]


def test_a_seat_that_did_not_follow_is_out_of_the_suit() -> None:
    hand = played(
        "pitch-ac", *AUCTION, "play 4D", "play 7D", "play TD", "play 2D",
        "play JD", "play 3D", "play 5D", "play 8D", "play QD", "play 2C",
    )  # fmt: skip
    voids = np.reshape(part("voids", Encoding(hand.variant), view(hand, 1)), (4, 4))
    assert voids.tolist() == [[0] * 4, [0] * 4, [0] * 4, [0, 1, 0, 0]]


@given(playouts(), st.integers(-200, 200))
def test_every_vector_of_any_variant_is_within_its_bounds(hands: Playout, score: int) -> None:
    variant = hands.hands[0].variant
    encoding = Encoding(variant)
    scores = (score,) * variant.sides
    for hand in hands.hands[::3]:
        for seat in range(variant.players):
            known = view(hand, seat, scores)
            vector = encoding.observation(known)
            assert vector.dtype == np.int8
            assert vector.shape == (encoding.size,)
            assert bool((encoding.low <= vector).all() and (vector <= encoding.high).all())
            assert bool(encoding.mask(known).any()) == (seat == hand.to_act)


@pytest.mark.parametrize("name", VARIANTS)
def test_what_is_hidden_changes_nothing(name: str) -> None:
    """Other cards in the other hands, the stock and the discards: the same vector and mask."""
    chance = Random(name)
    encoding = Encoding(VARIANTS[name])
    for _ in range(3):
        hand = chance.choice(play_out(VARIANTS[name], 0, chance).hands)
        for seat in range(hand.variant.players):
            known = view(hand, seat)
            (other,) = sample_hands(known, hand.variant, chance)
            again = view(other, seat)
            assert np.array_equal(encoding.observation(known), encoding.observation(again))
            assert np.array_equal(encoding.mask(known), encoding.mask(again))


@given(playouts(), st.randoms(use_true_random=False))
def test_a_pick_of_any_legal_index_makes_a_legal_action(hands: Playout, chance: Random) -> None:
    encoding = Encoding(hands.hands[0].variant)
    for hand in hands.hands:
        legal = legal_actions(hand)
        if len(legal) > 1:
            action = encoding.choose(
                view(hand, hand.to_act), lambda _, mask: chance.choice(np.flatnonzero(mask))
            )
            assert action in legal


def test_the_mask_of_a_decision_holds_what_is_legal() -> None:
    hand = played("pitch-ac", "bid 2")
    mask = Encoding(hand.variant).mask(view(hand, 1))
    legal = legal_actions(hand)
    assert not isinstance(legal, Discards)
    assert mask.shape == (ACTION_COUNT,)
    assert list(np.flatnonzero(mask)) == sorted(map(action_index, legal))


def test_layout_covers_the_vector_without_a_gap() -> None:
    for variant in VARIANTS.values():
        encoding, end = Encoding(variant), 0
        for place in encoding.layout.values():
            assert place.start == end
            end = place.stop
        assert end == encoding.size


@pytest.mark.parametrize(
    ("unit", "scores", "winner", "rewards"),
    [
        pytest.param(Unit.HAND, (3, -2), 0, (5.0, -5.0), id="a hand is its margin"),
        pytest.param(Unit.HAND, (4, 1, 0, -2), None, (4 + 1 / 3, 1 / 3, -1, -11 / 3), id="four"),
        pytest.param(Unit.GAME, (21, 20), 0, (1.0, -1.0), id="a game is won or lost"),
        pytest.param(Unit.GAME, (21, 3, 4, 5), 0, (1.0, *[-1 / 3] * 3), id="others share it"),
        pytest.param(Unit.GAME, (7, 7), None, (0.0, 0.0), id="a draw"),
    ],
)
def test_rewards(
    unit: Unit, scores: tuple[int, ...], winner: int | None, rewards: tuple[float, ...]
) -> None:
    sides = range(len(scores))
    assert [reward_of(unit, scores, winner, side) for side in sides] == pytest.approx(rewards)
