"""Tricks card by card (rules.md 4.4)."""

import pytest
from hypothesis import given, settings

from pitch.rules import Hand, Phase, card_text, cards_of
from rules.playing import after, dealt, legal, play_tricks, text_of, variant
from strategies import Playout, playouts

# gameweave with any opening lead: seat 1 names spades and leads as the case says.
BOTH, TRUMPS, NEITHER = "7H KH 2S AS 3C 4D", "2S AS 3C 4C 4D 5D", "2C 3C 4C 5C 4D 5D"

FOLLOWS = [
    ("follow_or_trump", BOTH, "7H KH 2S AS"),
    ("follow_or_trump", TRUMPS, "3C 4C 4D 5D 2S AS"),
    ("follow_or_trump", NEITHER, "2C 3C 4C 5C 4D 5D"),
    ("strict", BOTH, "7H KH"),
    ("strict", TRUMPS, "3C 4C 4D 5D 2S AS"),
    ("strict", NEITHER, "2C 3C 4C 5C 4D 5D"),
    ("must_follow_or_trump", BOTH, "7H KH 2S AS"),
    ("must_follow_or_trump", TRUMPS, "2S AS"),
    ("must_follow_or_trump", NEITHER, "2C 3C 4C 5C 4D 5D"),
    ("strict_then_trump", BOTH, "7H KH"),
    ("strict_then_trump", TRUMPS, "2S AS"),
    ("strict_then_trump", NEITHER, "2C 3C 4C 5C 4D 5D"),
]


def plays(cards: str) -> str:
    return ", ".join(f"play {card}" for card in cards.split())


@pytest.mark.parametrize(("follow", "held", "expected"), FOLLOWS)
def test_a_side_suit_is_followed_as_the_variant_says(follow: str, held: str, expected: str) -> None:
    of = variant("gameweave", opening_lead="any", follow=follow)
    hand = after(dealt(of, "", "5H", held), "1 bid 4, 1 trump S, 1 play 5H")
    assert legal(hand) == plays(expected)


@pytest.mark.parametrize(
    "follow", ["follow_or_trump", "strict", "must_follow_or_trump", "strict_then_trump"]
)
def test_a_trump_is_followed_by_trumps_alone(follow: str) -> None:
    of = variant("gameweave", follow=follow)
    void = "5C 6C 7C 2D 3D 5D"
    hand = after(dealt(of, "", "5S", BOTH, void), "1 bid 4, 1 trump S, 1 play 5S")
    assert legal(hand) == plays("2S AS")
    assert legal(after(hand, "2 play 2S")) == plays(void)


OFF_JACK = [
    # trump, led, the hand that follows, follow, what it may play
    pytest.param("S", "5C", "JC 3C 2H 3H 4H 5H", "strict", "3C", id="is not of its printed suit"),
    pytest.param("S", "5C", "JC 3C 2H 3H 4H 5H", "follow_or_trump", "3C JC", id="is a trump"),
    pytest.param("S", "5C", "JC 2H 3H 4H 5H 6H", "strict_then_trump", "JC", id="trumps a void"),
    pytest.param("S", "JC", "3C 4C 2S 2H 3H 4H", "strict", "2S", id="led, it asks for trumps"),
    pytest.param("S", "JC", "3C 4C 5C 2H 3H 4H", "strict", "3C 4C 5C 2H 3H 4H", id="led, no trump"),
    pytest.param("S", "5S", "JC 4C 5C 2H 3H 4H", "strict", "JC", id="has to follow a trump"),
    pytest.param("C", "5C", "JS 4S 5S 2H 3H 4H", "strict", "JS", id="spades with clubs"),
    pytest.param("D", "5D", "JH 4S 5S 2H 3H 4H", "strict", "JH", id="hearts with diamonds"),
    pytest.param("H", "5H", "JD 4S 5S 2D 3D 4D", "strict", "JD", id="diamonds with hearts"),
]


@pytest.mark.parametrize(("trump", "led", "held", "follow", "expected"), OFF_JACK)
def test_the_off_jack_is_a_trump_in_every_respect(
    trump: str, led: str, held: str, follow: str, expected: str
) -> None:
    of = variant("gameweave", opening_lead="any", follow=follow, off_jack=True)
    hand = after(dealt(of, "", led, held), f"1 bid 4, 1 trump {trump}, 1 play {led}")
    assert legal(hand) == plays(expected)


@pytest.mark.parametrize(
    ("led", "held", "expected"),
    [
        ("5H", "LJ HJ 2H 3C 4C 5C", "2H"),
        ("5S", "LJ HJ 2H 3C 4C 5C", "LJ HJ"),
        ("LJ", "HJ 2S 2H 3C 4C 5C", "2S HJ"),
    ],
)
def test_jokers_obey_the_rule_of_following(led: str, held: str, expected: str) -> None:
    of = variant("gameweave", opening_lead="any", follow="strict", deck=54)
    hand = after(dealt(of, "", led, held), f"1 bid 4, 1 trump S, 1 play {led}")
    assert legal(hand) == plays(expected)


def test_the_first_card_sets_trump() -> None:
    hand = dealt(variant("pitch-ac"), "", "5H AS 2C 3C 4C 5C", "7H KS 2D 3D 4D 5D")
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass")
    assert legal(hand) == plays("2C 3C 4C 5C 5H AS")
    hand = after(hand, "1 play 5H")
    assert hand.trump == 2
    assert legal(hand) == plays("7H")


def test_the_opening_lead_may_have_to_be_a_trump() -> None:
    hand = dealt(variant("gameweave"), "", "5H AS 2C 3C 4C 5C")
    assert legal(after(hand, "1 bid 4, 1 trump C")) == plays("2C 3C 4C 5C")


SIDE_FREE = [
    pytest.param("5H", BOTH, "7H KH", id="holds the suit: follows, whatever else it might"),
    pytest.param("5H", TRUMPS, "3C 4C 4D 5D", id="void: no trump"),
    pytest.param("5H", "2S 3S 4S 6S 7S AS", "2S 3S 4S 6S 7S AS", id="nothing but trumps"),
    pytest.param("5S", BOTH, "2S AS", id="a trump led is followed"),
]


@pytest.mark.parametrize(("led", "held", "expected"), SIDE_FREE)
@pytest.mark.parametrize(
    "follow", ["follow_or_trump", "strict", "must_follow_or_trump", "strict_then_trump"]
)
def test_side_free_bars_trumps_from_a_first_trick(
    follow: str, led: str, held: str, expected: str
) -> None:
    hand = dealt(variant("no-trump-first", follow=follow), "", led, held)
    hand = after(hand, f"1 bid 4, 2 pass, 3 pass, 0 pass, 1 trump S, 1 play {led}")
    assert legal(hand) == plays(expected)


def test_side_free_bars_nothing_from_the_second_trick() -> None:
    hand = dealt(
        variant("no-trump-first"),
        "2H 6C 7C 8C 9C TC",
        "AH QD KC 2C 3C 4C",
        "7H KH 2S AS 3D 4D",
        "3H 8D 9D TD JD 5D",
    )
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 trump S, 1 play AH, 2 play 7H")
    hand = after(hand, "3 play 3H, 0 play 2H, 1 play QD")
    assert legal(hand) == plays("3D 4D 2S AS")


def test_a_trump_forced_into_a_side_free_trick_counts_as_a_trump() -> None:
    hand = dealt(variant("no-trump-first"), "4H", "AH", "2S 3S 4S 6S 7S AS", "3H")
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 trump S, 1 play AH, 2 play 2S")
    hand = after(hand, "3 play 3H, 0 play 4H")
    assert hand.trick_winners == (2,)


TRICKS = [
    # deck, trump, cards in order from seat 1, the place of the winner
    (52, "S", "5H KH 2H QH", 1),
    (52, "S", "5H KD AD QH", 3),
    (52, "S", "5H 2S AH KH", 1),
    (52, "S", "5H 2S 3S AH", 2),
    (52, "S", "TS JS QS KS", 3),
    (52, "S", "AS JS QS KS", 0),
    (54, "S", "TS LJ 9S 8S", 1),
    (54, "S", "LJ HJ TS 9S", 1),
    (54, "S", "HJ JC LJ TS", 1),
    (54, "S", "JC JS HJ LJ", 1),
    (54, "S", "JS JC QS HJ", 2),
    (54, "S", "5H AH JC KH", 2),
    (54, "H", "2C JD AC KC", 1),
    (54, "H", "5H JD TH 9H", 1),
    (54, "H", "5S JD AS KS", 1),
    (54, "D", "5S 6S JH AS", 2),
]


@pytest.mark.parametrize(("deck", "trump", "trick", "place"), TRICKS)
def test_who_takes_a_trick_leads_the_next(deck: int, trump: str, trick: str, place: int) -> None:
    seats = trick.split()
    of = variant("gameweave", opening_lead="any", deck=deck, off_jack=deck == 54)
    hand = dealt(of, seats[3], *seats[:3])
    hand = after(hand, f"1 bid 4, 1 trump {trump}")
    for card in seats:
        hand = after(hand, f"{hand.to_act} play {card}")
    winner = (1 + place) % 4
    assert hand.trick_winners == (winner,)
    assert (hand.to_act, hand.leader) == (winner, winner)
    assert text_of(hand.playable) == text_of(hand.hands[winner])  # later leads are free


@pytest.mark.parametrize("leader", range(4))
def test_the_lead_goes_round_from_every_seat(leader: int) -> None:
    hands = ["2H 2D", "3H 3D", "4H 4D", "5H 5D"]
    hand = dealt(variant("gameweave", opening_lead="any"), *hands, dealer=(leader - 1) % 4)
    hand = after(hand, f"{leader} bid 4, {leader} trump S")
    order = [(leader + step) % 4 for step in range(4)]
    hand = play_tricks(hand, " ".join(hands[seat].split()[0] for seat in order))
    assert [seat for seat, _ in hand.played] == order
    assert hand.trick_winners == (3,)
    hand = play_tricks(hand, "5D 2D 3D 4D")
    assert [seat for seat, _ in hand.played[4:]] == [3, 0, 1, 2]


def test_trump_only_skips_seats_without_a_trump_and_ends_with_the_last() -> None:
    hand = dealt(
        variant("trump-only"),
        "HJ 2H 4H 5H 6H 7H 8H 9H TH",
        "AS 2S 3H 2C 3C 4C 5C 6C 7C",
        "KS QS JS 8C 9C TC QC KC AC",
        "3S JH QH KH AH 2D 3D 4D 5D",
        stock="6D 7D 8D 9D TD JD QD KD AD 4S 5S 6S 7S 8S 9S TS JC LJ",
    )
    hand = after(
        hand,
        "1 bid 4, 2 pass, 3 pass, 0 pass, 1 trump S, 1 discard 2C 3C 4C 5C 6C 7C 3H",
        "2 discard 8C 9C TC QC KC AC, 3 discard JH QH KH AH 2D 3D 4D 5D",
        "0 discard 2H 4H 5H 6H 7H 8H 9H TH, 1 take, 1 discard 2S",
    )
    assert [text_of(mask) for mask in hand.hands] == [
        "AD 4S 5S 6S 7S HJ",
        "JC 8S 9S TS AS LJ",
        "6D 7D 8D JS QS KS",
        "9D TD JD QD KD 3S",
    ]
    assert legal(hand) == plays("JC 8S 9S TS AS LJ")
    hand = after(hand, "1 play AS, 2 play JS, 3 play 3S")
    assert legal(hand) == plays("4S 5S 6S 7S HJ")  # AD is dead
    hand = after(hand, "0 play 4S, 1 play 8S, 2 play QS, 0 play 5S")  # seat 3 is out
    hand = after(hand, "2 play KS, 0 play 6S, 1 play 9S")
    hand = after(hand, "0 play 7S, 1 play TS")  # seat 2 took the trick and has no trump to lead
    hand = after(hand, "1 play JC, 0 play HJ, 1 play LJ")
    assert (hand.phase, hand.to_act) == (Phase.OVER, -1)
    assert hand.trick_sizes == (4, 3, 3, 2, 2, 1)
    assert hand.trick_winners == (1, 2, 2, 1, 1, 1)
    assert text_of(hand.hands[3]) == "9D TD JD QD KD"


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("leader", range(4))
@pytest.mark.parametrize("suit", ["S", "H"], ids=["trump", "plain"])
def test_whoever_takes_a_trick_leads_whoever_led_it(suit: str, leader: int, place: int) -> None:
    ranks = ["5", "7", "9", "6"]
    ranks[place] = "K"
    order = [(leader + step) % 4 for step in range(4)]
    held = {seat: f"{rank}{suit}" for seat, rank in zip(order, ranks, strict=True)}
    if leader and suit == "H":
        held[leader] += " 2S"
    of = variant("gameweave", opening_lead="any")
    hand = dealt(of, *(held[seat] for seat in range(4)), dealer=(leader - 1) % 4)
    hand = after(hand, f"{leader} bid 4, {leader} trump S")
    hand = play_tricks(hand, " ".join(f"{rank}{suit}" for rank in ranks))
    assert hand.trick_winners == (order[place],)
    assert hand.to_act == hand.leader == order[place]


@pytest.mark.parametrize(("led", "suit"), [("JC", 3), ("LJ", 3), ("5C", 0), ("JD", 1)], ids=str)
def test_the_suit_led_is_what_the_card_counts_as(led: str, suit: int) -> None:
    of = variant("gameweave", opening_lead="any", off_jack=True, deck=54)
    hand = after(dealt(of, "", led), f"1 bid 4, 1 trump S, 1 play {led}")
    assert hand.led == suit


def allowed(hand: Hand) -> set[str]:
    """What the table of rules.md 4.4 lets the seat to act play, worked out card by card."""
    variant, trump = hand.variant, hand.trump
    held = [card_text(card) for card in cards_of(hand.hands[hand.to_act])]
    if hand.led < 0:
        return set(held)
    other = {"C": "S", "S": "C", "D": "H", "H": "D"}["CDHS"[trump]]

    def suit_of(card: str) -> str:
        off_jack = variant.off_jack and card == f"J{other}"
        return "CDHS"[trump] if off_jack or card in ("HJ", "LJ") else card[1]

    led = "CDHS"[hand.led]
    suit = {card for card in held if suit_of(card) == led}
    trumps = {card for card in held if suit_of(card) == "CDHS"[trump]}
    if variant.opening_lead == "side_free" and not hand.trick_winners and hand.led != trump:
        return suit or set(held) - trumps or trumps
    if suit:
        return suit | trumps if variant.follow.endswith("follow_or_trump") else suit
    if variant.follow in ("must_follow_or_trump", "strict_then_trump", "trump_only") and trumps:
        return trumps
    return set(held)


@given(playouts())
@settings(max_examples=200)
def test_what_may_be_played_agrees_with_the_table_card_by_card(playout: Playout) -> None:
    for hand in playout.hands:
        if hand.phase is Phase.PLAY and hand.led >= 0:
            assert {card_text(card) for card in cards_of(hand.playable)} == allowed(hand)
