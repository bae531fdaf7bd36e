"""What a seat is shown at each stage (rules.md 9)."""

import pytest

from pitch.rules import GIVE, PITCHES, Hand, Phase, View, legal_actions, start_game, view_of
from rules.playing import after, dealt, text_of, variant

PITCHED = (
    "9S 3H KC 2D 5C 6C",
    "7H 8H 9H 7D 8D 9D",
    "AS KS 2H 3D 4C 7C",
    "TS 5H QC 6D 8C 9C",
)


def views(hand: Hand) -> list[View]:
    game = start_game(hand.variant, first_dealer=hand.dealer)
    return [view_of(game, hand, seat) for seat in range(hand.variant.players)]


def test_a_seat_sees_its_hand_and_the_calls() -> None:
    hand = after(dealt(variant("pitch-ac"), *PITCHED), "1 bid 3")
    view = views(hand)[2]
    assert text_of(view.hand) == "4C 7C 3D 2H KS AS"
    assert [(seat, action.value) for seat, action in view.auction] == [(1, 3)]
    assert (view.seat, view.dealer, view.to_act, view.phase) == (2, 0, 2, Phase.AUCTION)
    assert (view.bid, view.pitcher, view.trump) == (3, 1, -1)
    assert view.legal == legal_actions(hand)
    assert all(other.legal == () for other in views(hand) if other.seat != 2)


def test_a_pitched_card_stays_known_after_it_went_back() -> None:
    hand = dealt(variant("partnership-pitching"), *PITCHED)
    pitched = after(hand, "1 pass, 2 pitch AS")
    assert all((2, PITCHES[51]) in view.auction for view in views(pitched))
    taken_over = after(pitched, "0 pitch KC")
    for view in views(taken_over):
        assert (2, PITCHES[51]) in view.auction
        assert view.played == ((0, 11),)
    assert views(taken_over)[2].hand.bit_count() == 6


SIX_DISCARDS = "1 bid 4, 2 pass, 3 pass, 4 pass, 5 pass, 0 pass, 1 trump S"


def test_counts_of_discards_are_known_when_the_round_is_over() -> None:
    of = variant("ten-point-six", exchange="discard")
    hand = after(dealt(of, "", "AS 2H 3H 4H 5H 6H 7H 8H"), SIX_DISCARDS, "1 discard 2H 3H")
    assert all(view.discard_counts == () for view in views(hand))
    assert [text_of(view.discarded) for view in views(hand)] == ["", "2H 3H", "", "", "", ""]
    while hand.phase is Phase.EXCHANGE:
        hand = after(hand, f"{hand.to_act} discard {_two_lowest(hand)}")
    counts = tuple((seat % 6, 2) for seat in range(1, 7))
    assert all(view.discard_counts == (counts,) for view in views(hand))


def _two_lowest(hand: Hand) -> str:
    return text_of(legal_actions(hand)[0].value)


def test_the_widow_is_shown_to_the_pitcher_alone() -> None:
    hand = dealt(variant("ten-point-six"), stock="TH JH QH KH AH 2S")
    hand = after(hand, "1 pass, 2 bid 10, 3 pass, 4 pass, 5 pass, 0 pass")
    received = [text_of(view.received) for view in views(hand)]
    assert received == ["", "", "TH JH QH KH AH 2S", "", "", ""]


@pytest.mark.parametrize(("said", "receiver"), [("take", 1), ("give", 3)])
def test_all_know_where_the_leftovers_went_and_one_what_they_are(said: str, receiver: int) -> None:
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
        "0 discard 2H 4H 5H 6H 7H 8H 9H TH",
    )
    assert all(view.leftovers is None for view in views(hand))
    hand = after(hand, f"1 {said}")
    for view in views(hand):
        assert (view.leftovers == GIVE) == (said == "give")
        assert text_of(view.received) == ("LJ" if view.seat == receiver else "")
        assert view.discard_counts == (((1, 7), (2, 6), (3, 8), (0, 8)),)


def test_tricks_and_points_are_shown() -> None:
    hand = dealt(variant("pitch-ac"), "2S", "AS", "3S", "JS TS")
    hand = after(hand, "1 bid 2, 2 pass, 3 pass, 0 pass, 1 play AS, 2 play 3S, 3 play JS")
    view = views(hand)[0]
    assert (view.trump, view.trick_sizes, len(view.played)) == (3, (), 3)
    hand = after(hand, "0 play 2S")
    view = views(hand)[0]
    assert (view.trick_sizes, view.trick_winners, view.points) == ((4,), (1,), None)
    while hand.to_act >= 0:
        hand = after(hand, f"{hand.to_act} play {text_of(hand.playable).split()[0]}")
    view = views(hand)[0]
    assert (view.phase, view.to_act, view.hand) == (Phase.OVER, -1, 0)
    assert view.points is not None
    assert view.points[1] >= 3


def test_scores_and_the_number_of_the_hand_come_from_the_game() -> None:
    hand = dealt(variant("pitch-ac"), *PITCHED)
    game = start_game(hand.variant)._replace(scores=(3, -4), hands_played=7)
    view = view_of(game, hand, 1)
    assert (view.hand_number, view.scores) == (7, (3, -4))


@pytest.mark.parametrize("seat", [-1, 4])
def test_there_is_no_view_of_no_seat(seat: int) -> None:
    hand = dealt(variant("pitch-ac"))
    with pytest.raises(ValueError, match="seat must be below 4"):
        view_of(start_game(hand.variant), hand, seat)
