import pytest

from pitch.rules import VARIANTS, BadDeck, Phase, card_text, start_hand
from rules.playing import cards, dealt, text_of, variant

DECK = list(range(52))


def test_packets_go_round_from_the_dealers_left() -> None:
    hand = start_hand(VARIANTS["pitch-ac"], 2, DECK)
    assert [text_of(mask) for mask in hand.hands] == [
        "5C 6C 7C 4D 5D 6D",
        "8C 9C TC 7D 8D 9D",
        "JC QC KC TD JD QD",
        "2C 3C 4C AC 2D 3D",
    ]
    assert hand.exchanged.stock[0] == cards("KD")[0]
    assert len(hand.exchanged.stock) == 28
    assert (hand.phase, hand.to_act, hand.dealer) == (Phase.AUCTION, 3, 2)


def test_the_last_packet_may_be_smaller() -> None:
    hand = start_hand(variant("partnership-six", packet=5, players=2, sides=2), 1, DECK)
    assert [text_of(mask) for mask in hand.hands] == [
        "2C 3C 4C 5C 6C QC KC AC",
        "7C 8C 9C TC JC 2D 3D 4D",
    ]


def test_a_packet_may_be_larger_than_a_hand() -> None:
    hand = start_hand(variant("pitch-ac", packet=54), 3, DECK)
    assert text_of(hand.hands[0]) == "2C 3C 4C 5C 6C 7C"


@pytest.mark.parametrize(
    ("deck", "sentence"),
    [
        (DECK[:-1], "got 51 cards; missing AS"),
        ([*DECK, 3], "got 53 cards; more than once 5C"),
        ([*DECK[:-1], 0], "got 52 cards; missing AS; more than once 2C"),
        ([*DECK[:-1], 52], "card LJ is not in a deck of 52"),
        ([*DECK[:-1], -1], "card -1 is not in a deck of 52"),
        ([], "got 0 cards"),
    ],
)
def test_a_bad_deck_is_refused(deck: list[int], sentence: str) -> None:
    with pytest.raises(BadDeck, match=sentence):
        start_hand(VARIANTS["pitch-ac"], 0, deck)


def test_jokers_belong_to_a_deck_of_54() -> None:
    with pytest.raises(BadDeck, match=f"missing {card_text(52)} {card_text(53)}"):
        start_hand(VARIANTS["ten-point"], 0, DECK)


@pytest.mark.parametrize("dealer", [-1, 4])
def test_the_dealer_is_a_seat(dealer: int) -> None:
    with pytest.raises(ValueError, match="dealer must be a seat below 4"):
        start_hand(VARIANTS["pitch-ac"], dealer, DECK)


def test_hands_of_tests_are_dealt_as_written() -> None:
    hand = dealt(VARIANTS["ten-point"], "HJ LJ", "AS KS QS", stock="2H 3H", dealer=3)
    assert text_of(hand.hands[0]).endswith("LJ HJ")
    assert text_of(hand.hands[1]).endswith("QS KS AS")
    assert hand.exchanged.stock[:2] == tuple(cards("2H 3H"))
