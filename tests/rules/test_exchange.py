"""Exchanges discard by discard (rules.md 4.3): "required | optional | min-max"."""

import pytest

from pitch.rules import IllegalAction, Phase
from rules.playing import after, dealt, legal, text_of, variant

ALL_PASS = "1 bid 4, 2 pass, 3 pass, 0 pass"


def test_draw_discards_non_trumps_and_refills_from_own_piles() -> None:
    hand = dealt(
        variant("partnership-draw"),
        "2D 3D 4D 5D 6D 7D",
        "AS KS 2H 3H 4H 5H",
        "QS JS 2C 3C 4C 5C",
        "TS 9S 8S 7S 6S 5S",
        stock="6H 7H 8H 9H TH JH 6C 7C 8C 9C TC JC QH KH AH QC KC AC 8D 9D TD JD QD KD",
    )
    hand = after(hand, ALL_PASS, "1 trump S")
    assert legal(hand) == " | 2H 3H 4H 5H | 0-4"
    hand = after(hand, "1 discard 2H 3H")
    assert text_of(hand.hands[1]) == "4H 5H KS AS"
    assert legal(hand) == " | 2C 3C 4C 5C | 0-4"
    hand = after(hand, "2 discard 2C 3C 4C 5C")
    assert legal(hand) == " |  | 0-0"
    hand = after(hand, "3 discard")
    assert legal(hand) == " | 2D 3D 4D 5D 6D 7D | 0-6"
    hand = after(hand, "0 discard 7D")
    assert [text_of(mask) for mask in hand.hands] == [
        "2D 3D 4D 5D 6D 8D",
        "4H 5H 6H 7H KS AS",
        "6C 7C 8C 9C JS QS",
        "5S 6S 7S 8S 9S TS",
    ]
    assert hand.exchanged.rounds == (((1, 2), (2, 4), (3, 0), (0, 1)),)
    assert (hand.phase, legal(hand)) == (Phase.PLAY, "play KS, play AS")


@pytest.mark.parametrize("keep", [True, False])
def test_draw_never_discards_a_trump(keep: bool) -> None:
    hand = dealt(variant("partnership-draw", keep_trumps=keep), "", "AS KS 2H 3H 4H 5H")
    hand = after(hand, ALL_PASS, "1 trump S")
    assert legal(hand) == " | 2H 3H 4H 5H | 0-4"
    with pytest.raises(IllegalAction, match="any of 2H 3H 4H 5H"):
        after(hand, "1 discard AS")


DOWN_TO_SIX = [
    # the hand of the seat to act, keep_trumps, what is legal with spades trump
    pytest.param("AS KS 2H 3H 4H 5H 6H 7H", True, " | 2H 3H 4H 5H 6H 7H | 2-2", id="enough others"),
    pytest.param("AS KS QS JS TS 9S 6H 7H", True, "6H 7H |  | 2-2", id="just enough others"),
    pytest.param(
        "AS KS QS JS TS 9S 8S 7H", True, "7H | 8S 9S TS JS QS KS AS | 2-2", id="too few others"
    ),
    pytest.param(
        "AS KS QS JS TS 9S 8S 7S", True, " | 7S 8S 9S TS JS QS KS AS | 2-2", id="nothing but trumps"
    ),
    pytest.param(
        "AS KS 2H 3H 4H 5H 6H 7H", False, " | 2H 3H 4H 5H 6H 7H KS AS | 2-2", id="any card"
    ),
]


@pytest.mark.parametrize(("cards", "keep", "expected"), DOWN_TO_SIX)
def test_discards_down_to_six(cards: str, keep: bool, expected: str) -> None:
    hand = dealt(variant("partnership-six", keep_trumps=keep), "", cards)
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 4 pass, 5 pass, 0 pass, 1 trump S")
    assert (hand.to_act, legal(hand)) == (1, expected)


def test_a_discard_without_a_choice_is_an_action_still() -> None:
    of = variant("partnership-six", dealt=6, players=4, sides=2)
    hand = after(dealt(of, "", "AS"), ALL_PASS, "1 trump S")
    hand = after(hand, "1 discard, 2 discard, 3 discard")
    assert (hand.phase, hand.to_act, legal(hand)) == (Phase.EXCHANGE, 0, " |  | 0-0")
    assert after(hand, "0 discard").phase is Phase.PLAY


def test_who_takes_the_widow_discards_with_the_others() -> None:
    hand = dealt(
        variant("ten-point-six"),
        *("", "", "2H 3H 4H 5H 6H 7H 8H HJ"),
        stock="TH JH QH KH AH 2S",
    )
    hand = after(hand, "1 pass, 2 bid 10, 3 pass, 4 pass, 5 pass, 0 pass, 2 trump H")
    assert hand.to_act == 1
    hand = after(hand, f"1 discard {text_of(hand.hands[1]).rsplit(' ', 6)[0]}")
    assert legal(hand) == "2S | 2H 3H 4H 5H 6H 7H 8H TH JH QH KH AH HJ | 8-8"
    hand = after(hand, "2 discard 2S 2H 3H 4H 5H 6H 7H 8H")
    assert text_of(hand.hands[2]) == "TH JH QH KH AH HJ"


TEN = (
    "2D 3D 4D 5D 6D 7D 8D 9D TD",
    "AS KS QS JS TS 9S 8S 7H 8H",
    "2C 3C 4C 5C 6C 7C 8C 9C TC",
    "2H 3H 4H 5H 6H 2S 3S 4S 5S",
)


def test_the_pitcher_draws_before_all_discard() -> None:
    hand = dealt(variant("ten-point"), *TEN, stock="KC AC QC")
    hand = after(hand, "1 pass, 2 pass, 3 bid 10, 0 pass, 3 trump S")
    assert (hand.to_act, legal(hand)) == (3, " | 2H 3H 4H 5H 6H | 0-3")
    hand = after(hand, "3 discard 2H 3H")
    assert text_of(hand.hands[3]) == "KC AC 4H 5H 6H 2S 3S 4S 5S"
    assert hand.exchanged.rounds == (((3, 2),),)
    assert (hand.to_act, legal(hand)) == (1, "7H 8H | 8S 9S TS JS QS KS AS | 3-3")
    hand = after(hand, "1 discard 7H 8H 8S, 2 discard 2C 3C 4C")
    assert legal(hand) == " | KC AC 4H 5H 6H | 3-3"
    hand = after(hand, "3 discard KC AC 4H, 0 discard 2D 3D 4D")
    assert hand.exchanged.rounds[1] == ((1, 3), (2, 3), (3, 3), (0, 3))
    assert (hand.phase, hand.to_act) == (Phase.PLAY, 3)
    assert legal(hand) == "play 2S, play 3S, play 4S, play 5S"


def test_the_pitcher_draws_for_few_non_trumps_or_for_none() -> None:
    hand = after(dealt(variant("ten-point"), *TEN), "1 bid 10, 2 pass, 3 pass, 0 pass, 1 trump S")
    assert legal(hand) == " | 7H 8H | 0-2"
    hand = dealt(variant("ten-point"), "", "AS KS QS JS TS 9S 8S HJ LJ")
    hand = after(hand, "1 bid 10, 2 pass, 3 pass, 0 pass, 1 trump S")
    assert legal(hand) == " |  | 0-0"


def test_a_pitcher_who_may_discard_every_trump_leads_any_card() -> None:
    of = variant("ten-point", keep_trumps=False)
    hand = dealt(of, "", "AS KS 2H 3H 4H 5H 6H 7H 8H", stock="9H TH KH")
    hand = after(hand, "1 bid 10, 2 pass, 3 pass, 0 pass, 1 trump S")
    assert legal(hand) == " | 2H 3H 4H 5H 6H 7H 8H KS AS | 0-3"
    hand = after(hand, "1 discard AS KS 2H")
    assert legal(hand) == " | 3H 4H 5H 6H 7H 8H 9H TH KH | 3-3"
    hand = after(hand, "1 discard 3H 4H 5H")
    while hand.phase is Phase.EXCHANGE:
        lowest = text_of(hand.hands[hand.to_act])[:8]
        hand = after(hand, f"{hand.to_act} discard {lowest}")
    assert legal(hand) == "play 6H, play 7H, play 8H, play 9H, play TH, play KH"


REFILL = (
    "AS KS QS JS JC HJ LJ TS 2H",  # eight trumps: the off-jack and jokers are some
    "9S 8S 7S 2C 3C 4C 5C 6C 7C",
    "8C 9C TC QC KC AC 2D 3D 4D",
    "6S 5S 4S 3H 4H 5H 6H 7H 8H",
)
REFILL_STOCK = "5D 6D 7D 8D 9D TD JD QD KD AD 9H TH JH QH KH AH 2S 3S"


def test_refill_keeps_trumps_alone_and_serves_the_pitcher_last() -> None:
    hand = dealt(variant("trump-only"), *REFILL, stock=REFILL_STOCK)
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 trump S")
    assert legal(hand) == "2C 3C 4C 5C 6C 7C |  | 6-6"
    hand = after(hand, "1 discard 2C 3C 4C 5C 6C 7C")
    assert legal(hand) == "8C 9C TC QC KC AC 2D 3D 4D |  | 9-9"
    hand = after(hand, "2 discard 8C 9C TC QC KC AC 2D 3D 4D")
    hand = after(hand, "3 discard 3H 4H 5H 6H 7H 8H")
    assert legal(hand) == "2H | JC TS JS QS KS AS LJ HJ | 3-3"
    hand = after(hand, "0 discard 2H TS LJ")
    assert [text_of(mask) for mask in hand.hands] == [
        "JC JS QS KS AS HJ",
        "AD 9H TH 7S 8S 9S",
        "5D 6D 7D 8D 9D TD",
        "JD QD KD 4S 5S 6S",
    ]
    assert (hand.phase, hand.to_act, legal(hand)) == (Phase.EXCHANGE, 1, "take, give")


TO_LEFTOVERS = (
    "1 bid 4, 2 pass, 3 pass, 0 pass, 1 trump S, 1 discard 2C 3C 4C 5C 6C 7C, "
    "2 discard 8C 9C TC QC KC AC 2D 3D 4D, 3 discard 3H 4H 5H 6H 7H 8H, 0 discard 2H TS LJ"
)


def test_the_pitcher_takes_the_leftovers() -> None:
    hand = after(dealt(variant("trump-only"), *REFILL, stock=REFILL_STOCK), TO_LEFTOVERS)
    hand = after(hand, "1 take")
    assert hand.to_act == 1
    assert legal(hand) == "AD 9H TH JH QH KH AH |  | 7-7"
    hand = after(hand, "1 discard AD 9H TH JH QH KH AH")
    assert text_of(hand.hands[1]) == "2S 3S 7S 8S 9S"
    assert hand.exchanged.rounds[1:] == (((1, 7),),)
    assert (hand.phase, hand.to_act) == (Phase.PLAY, 1)


def test_the_partner_is_given_the_leftovers() -> None:
    hand = after(dealt(variant("trump-only"), *REFILL, stock=REFILL_STOCK), TO_LEFTOVERS)
    hand = after(hand, "1 give")
    assert (hand.phase, hand.to_act) == (Phase.EXCHANGE, 3)
    assert legal(hand) == "JD QD KD JH QH KH AH |  | 7-7"
    assert text_of(hand.exchanged.received) == "JH QH KH AH 2S 3S"


def test_give_needs_a_side_of_exactly_two_seats() -> None:
    of = variant("trump-only", sides=4, moon=False)
    hand = after(dealt(of, *REFILL, stock=REFILL_STOCK), TO_LEFTOVERS)
    assert legal(hand) == "take"
    of = variant("trump-only", players=2)
    hand = dealt(of, "2C 3C 4C 5C 6C 7C 8C 9C TC", "2D 3D 4D 5D 6D 7D 8D 9D TD")
    hand = after(hand, "1 bid moon, 0 pass, 1 trump D")
    hand = after(hand, "1 discard 2D 3D 4D, 0 discard 2C 3C 4C 5C 6C 7C 8C 9C TC")
    assert legal(hand) == "take"


def test_where_the_stock_is_used_up_nobody_is_asked() -> None:
    of = variant("trump-only", dealt=13)
    hand = dealt(
        of,
        "2C 3C 4C 5C 6C 7C 8C 9C TC QC KC AC 2D",
        "AS KS QS JS TS 9S 8S 3D 4D 5D 6D 7D 8D",
        "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
        "7S 6S 5S 4S 3S 2S JC 9D TD JD QD KD AD",
        stock="HJ LJ",
    )
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 trump S")
    assert legal(hand) == "3D 4D 5D 6D 7D 8D | 8S 9S TS JS QS KS AS | 7-7"
    hand = after(hand, "1 discard 3D 4D 5D 6D 7D 8D 8S", "2 discard " + text_of(hand.hands[2]))
    hand = after(hand, "3 discard 2S 9D TD JD QD KD AD", "0 discard " + text_of(hand.hands[0]))
    assert text_of(hand.hands[2]) == "LJ HJ"  # seat 0, served after it, gets nothing
    assert (hand.exchanged.stock, hand.exchanged.leftovers) == ((), None)
    assert (hand.phase, hand.to_act) == (Phase.PLAY, 1)
