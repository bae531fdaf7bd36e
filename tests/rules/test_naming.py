import pytest

from pitch.rules import Phase
from rules.playing import after, dealt, legal, text_of, variant

PASSES = "1 bid 4, 2 pass, 3 pass, 0 pass"


def test_only_a_suit_that_gives_the_pitcher_a_trump_may_be_named() -> None:
    hand = after(dealt(variant("gameweave"), "", "2H 3H 4H 5H 6H 7S"), "1 bid 4")
    assert (hand.phase, hand.to_act) == (Phase.TRUMP, 1)
    assert legal(hand) == "trump H, trump S"


def test_an_off_jack_is_such_a_trump() -> None:
    of = variant("gameweave", off_jack=True)
    hand = after(dealt(of, "", "2H 3H 4H 5H JH 7S"), "1 bid 4")
    assert legal(hand) == "trump D, trump H, trump S"


def test_a_joker_is_a_trump_of_any_suit() -> None:
    of = variant("gameweave", deck=54, max_bid=6)
    hand = after(dealt(of, "", "2H 3H 4H 5H 6H LJ"), "1 bid 6")
    assert legal(hand) == "trump C, trump D, trump H, trump S"


@pytest.mark.parametrize("lead", ["any", "side_free"])
def test_any_suit_may_be_named_where_any_card_may_be_led(lead: str) -> None:
    hand = dealt(variant("gameweave", opening_lead=lead), "", "2H 3H 4H 5H 6H 7H")
    assert legal(after(hand, "1 bid 4")) == "trump C, trump D, trump H, trump S"


def test_the_widow_is_taken_before_trump_is_named() -> None:
    of = variant("ten-point-six")
    hand = dealt(of, "", "2H 3H 4H 5H 6H 7H 8H 9H", stock="TH JH QH KH AH 2S")
    hand = after(hand, "1 bid 10, 2 pass, 3 pass, 4 pass, 5 pass, 0 pass")
    assert text_of(hand.hands[1]) == "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2S"
    assert legal(hand) == "trump D, trump H, trump S"
    assert hand.exchanged.stock == ()


def test_an_empty_widow_is_no_trouble() -> None:
    of = variant("ten-point-six", players=9, sides=3, dealt=6)
    hand = after(dealt(of, "", "2H 3H 4H 5H 6H 7H"), "1 bid 10, 2 pass, 3 pass, 4 pass, 5 pass")
    hand = after(hand, "6 pass, 7 pass, 8 pass, 0 pass, 1 trump H")
    assert (hand.phase, legal(hand)) == (Phase.EXCHANGE, " |  | 0-0")


def test_no_naming_where_the_lead_sets_trump() -> None:
    assert after(dealt(variant("pitch-ac")), PASSES).phase is Phase.PLAY
