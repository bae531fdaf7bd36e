"""Legal, default and illegal actions of a hand, whatever its phase."""

import pickle
from random import Random

import pytest
from hypothesis import given, settings

from pitch.rules import (
    TRUMP_TABLES,
    VARIANTS,
    Action,
    Discards,
    Exchange,
    Follow,
    Hand,
    IllegalAction,
    Kind,
    Phase,
    action_text,
    apply_action,
    cards_of,
    default_action,
    legal_actions,
    parse_action,
)
from rules.playing import after, dealt, variant
from strategies import Playout, play_out, playouts

PASSES = "1 bid 4, 2 pass, 3 pass, 0 pass"

ILLEGAL = [
    # name, actions before, the illegal one, its error
    ("pitch-ac", "1 bid 3", "bid 3", "seat 2 tried bid 3, legal is: pass, bid 4"),
    ("pitch-ac", "1 bid 3", "play 2C", "seat 2 tried play 2C, legal is: pass, bid 4"),
    (
        "pitch-ac",
        PASSES,
        "play AC",
        "seat 1 tried play AC, legal is: play QD, play KD, play AD, play 5H, play 6H, play 7H",
    ),
    ("gameweave", "1 bid 4", "trump C", "seat 1 tried trump C, legal is: trump D, trump H"),
    (
        "partnership-draw",
        f"{PASSES}, 1 trump D",
        "discard AD",
        "seat 1 tried discard AD, legal is: discard with 0 to 3 cards, any of 5H 6H 7H",
    ),
    (
        "partnership-six",
        "1 bid 4, 2 pass, 3 pass, 4 pass, 5 pass, 0 pass, 1 trump D",
        "discard AD KD",
        "seat 1 tried discard KD AD, legal is: discard 5H 6H",
    ),
    (
        "partnership-six",
        "1 bid 4, 2 pass, 3 pass, 4 pass, 5 pass, 0 pass, 1 trump D, 1 discard 5H 6H",
        "discard",
        (
            "seat 2 tried discard, legal is: discard with 2 cards, all of 2C and any of "
            "2D 3D 4D 5D 6D 7D 8D"
        ),
    ),
]


@pytest.mark.parametrize(("name", "before", "tried", "sentence"), ILLEGAL)
def test_an_illegal_action_says_what_was_tried_and_what_is_legal(
    name: str, before: str, tried: str, sentence: str
) -> None:
    six = name == "partnership-six"
    held = "5H 6H 9D TD JD QD KD AD" if six else "5H 6H 7H QD KD AD"
    hand = dealt(variant(name), "", held, "2C 2D 3D 4D 5D 6D 7D 8D" if six else "")
    hand = after(hand, before)
    with pytest.raises(IllegalAction) as caught:
        apply_action(hand, parse_action(tried))
    assert str(caught.value) == sentence


def test_nothing_is_legal_when_the_hand_is_over() -> None:
    hand = after(dealt(variant("pitch-ac")), PASSES)
    while hand.to_act >= 0:
        hand = apply_action(hand, default_action(hand))
    assert legal_actions(hand) == ()
    with pytest.raises(IllegalAction, match="pass was tried, but the hand is over"):
        apply_action(hand, parse_action("pass"))


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Action(Kind.PLAY, 99), "play of value 99"),
        (Action(Kind.PLAY, -1), "play of value -1"),
        (Action(Kind.DISCARD, -1), "discard of value -1"),
        (Action(Kind.BID, 55), "bid 55"),
    ],
)
def test_an_action_that_no_record_can_write_is_named_too(action: Action, words: str) -> None:
    with pytest.raises(IllegalAction, match=f"seat 1 tried {words}, legal is"):
        apply_action(dealt(variant("pitch-ac")), action)


@given(playouts())
@settings(max_examples=40)
def test_the_default_action_is_the_first(playout: Playout) -> None:
    for hand in playout.hands[:-1]:
        legal = legal_actions(hand)
        assert default_action(hand) == legal[0]
        if isinstance(legal, Discards):
            spare = legal.minimum - legal.required.bit_count()
            lowest = cards_of(legal.optional)[:spare]
            assert cards_of(legal[0].value & ~legal.required) == lowest


@given(playouts())
@settings(max_examples=40)
def test_legal_actions_stand_in_the_order_of_records(playout: Playout) -> None:
    order = [Kind.PASS, Kind.BID, Kind.PITCH, Kind.PLAY, Kind.TRUMP, Kind.TAKE, Kind.GIVE]
    for hand in playout.hands[:-1]:
        legal = legal_actions(hand)
        if not isinstance(legal, Discards):
            assert list(legal) == sorted(legal, key=lambda a: (order.index(a.kind), a.value))


@given(playouts())
@settings(max_examples=20)
def test_a_hand_goes_on_from_any_saved_state(playout: Playout) -> None:
    middle = len(playout.actions) // 2
    hand = pickle.loads(pickle.dumps(playout.hands[middle]))
    for seat, action in playout.actions[middle:]:
        assert seat == hand.to_act
        hand = apply_action(hand, parse_action(action_text(action)))
    assert hand == playout.hands[-1]
    assert hand.phase is Phase.OVER


@given(playouts())
@settings(max_examples=20)
def test_a_kind_may_be_a_plain_number(playout: Playout) -> None:
    for hand, (_, action), following in zip(
        playout.hands, playout.actions, playout.hands[1:], strict=False
    ):
        plain = Action(int(action.kind), action.value)  # type: ignore[arg-type]
        assert apply_action(hand, plain) == following


def _exchange_begins(hand: Hand) -> int:
    by_pitcher = hand.variant.exchange is Exchange.PITCHER_DRAW
    return hand.pitcher if by_pitcher else (hand.dealer + 1) % hand.variant.players


@pytest.mark.parametrize("name", VARIANTS)
def test_who_acts_first_in_each_phase(name: str) -> None:
    of, chance = VARIANTS[name], Random(name)
    pitched = set()
    for number in range(40):
        dealer = number % of.players
        hands = play_out(of, dealer, chance).hands
        first = {hand.phase: hand for hand in reversed(hands)}
        assert first[Phase.AUCTION].to_act == (dealer + 1) % of.players
        if Phase.TRUMP in first:
            assert first[Phase.TRUMP].to_act == first[Phase.TRUMP].pitcher
        if Phase.EXCHANGE in first:
            assert first[Phase.EXCHANGE].to_act == _exchange_begins(first[Phase.EXCHANGE])
        play = first[Phase.PLAY]
        pitched.add(bool(play.played))
        if of.follow is not Follow.TRUMP_ONLY:
            assert (play.played or ((play.to_act, 0),))[0][0] == play.pitcher
        else:
            trumps = TRUMP_TABLES[True][play.trump].trumps
            seats = [(play.pitcher + step) % of.players for step in range(of.players)]
            assert play.to_act == next(seat for seat in seats if play.hands[seat] & trumps)
    assert pitched == ({True, False} if of.pitching else {False})


@given(playouts())
@settings(max_examples=100)
def test_everybody_goes_into_the_play_with_six_cards_or_fewer_by_refill(playout: Playout) -> None:
    begin = next(hand for hand in playout.hands if hand.phase is Phase.PLAY)
    counts = [mask.bit_count() for mask in begin.hands]
    for seat, _ in begin.played:
        counts[seat] += 1
    if begin.variant.exchange is Exchange.TRUMP_REFILL:
        assert max(counts) <= 6
    else:
        assert set(counts) == {6}
