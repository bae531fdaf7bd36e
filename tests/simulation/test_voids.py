import pytest

from pitch.rules import Variant, apply_action, parse_action, start_game, view_of
from pitch.rules.cards import SUIT_MASKS, SUITS
from pitch.simulation.voids import possible_cards
from rules.playing import dealt, variant

# Seat 0 deals and seat 1 pitches, so seat 1 leads; seat 2 follows with what it has left.
LEADS = {"trump": "named", "opening_lead": "any"}
FOLLOWS = ("follow_or_trump", "strict", "must_follow_or_trump", "strict_then_trump")


def suits_gone(of: Variant, hands: tuple[str, str, str], *plays: str) -> str:
    """The suits that seat 2 is known not to hold after `plays`, hearts being trump."""
    hand = dealt(of, *hands)
    for text in ("bid 2", "pass", "pass", "trump H", *(f"play {card}" for card in plays)):
        hand = apply_action(hand, parse_action(text))
    possible = possible_cards(of, view_of(start_game(of), hand, 0))[2]
    return "".join(
        letter for letter, mask in zip(SUITS, SUIT_MASKS, strict=True) if not possible & mask
    )


def three(follow: str, **fields: object) -> Variant:
    return variant("pitch-ac", players=3, sides=3, follow=follow, **{**LEADS, **fields})


HANDS = {
    "follows": "AC KC QC JC TH 9H",
    "trumps": "AH KH QH JH TH 9H",
    "other": "AS KS QS JS TS 9S",
}


@pytest.mark.parametrize("follow", FOLLOWS)
def test_following_tells_nothing(follow: str) -> None:
    hands = ("5C", "2C 3C 4C 2H 3H 4H", HANDS["follows"])
    assert suits_gone(three(follow), hands, "2C", "AC") == ""


@pytest.mark.parametrize(
    ("follow", "gone"), list(zip(FOLLOWS, ("", "C", "", "C"), strict=True)), ids=FOLLOWS
)
def test_trumping_a_plain_lead_tells_of_the_suit_where_it_had_to_be_followed(
    follow: str, gone: str
) -> None:
    hands = ("5C", "2C 3C 4C 2H 3H 4H", HANDS["trumps"])
    assert suits_gone(three(follow), hands, "2C", "AH") == gone


@pytest.mark.parametrize(
    ("follow", "gone"), list(zip(FOLLOWS, ("C", "C", "CH", "CH"), strict=True)), ids=FOLLOWS
)
def test_throwing_off_tells_of_the_suit_and_of_trumps_where_these_had_to_be_played(
    follow: str, gone: str
) -> None:
    hands = ("5C", "2C 3C 4C 2H 3H 4H", HANDS["other"])
    assert suits_gone(three(follow), hands, "2C", "AS") == gone


@pytest.mark.parametrize("follow", FOLLOWS)
def test_throwing_off_under_a_lead_of_trumps_tells_that_there_are_none(follow: str) -> None:
    hands = ("5C", "2C 3C 4C 2H 3H 4H", HANDS["other"])
    assert suits_gone(three(follow), hands, "2H", "AS") == "H"


@pytest.mark.parametrize("follow", FOLLOWS)
def test_a_trump_to_a_side_free_opening_tells_that_there_is_nothing_else(follow: str) -> None:
    of = three(follow, opening_lead="side_free")
    hands = ("5C", "2C 3C 4C 2H 3H 4H", HANDS["trumps"])
    assert suits_gone(of, hands, "2C", "AH") == "CDS"
    assert suits_gone(of, hands, "2H", "AH") == ""


@pytest.mark.parametrize("follow", FOLLOWS)
def test_throwing_off_on_a_side_free_opening_tells_of_the_suit_alone(follow: str) -> None:
    of = three(follow, opening_lead="side_free")
    hands = ("5C", "2C 3C 4C 2H 3H 4H", "AS KS QS JS TS 9H")
    assert suits_gone(of, hands, "2C", "AS") == "C"


def test_the_bar_holds_for_the_first_trick_alone() -> None:
    of = three("follow_or_trump", opening_lead="side_free")
    hands = ("5C 6C", "9C TC 4D 2H 3H 4H", "8C 7C TD TH 9H 8H")
    assert suits_gone(of, hands, "9C", "8C", "5C", "TC", "TH") == ""


def test_an_opening_lead_that_is_no_trump_tells_that_there_is_none() -> None:
    of = variant(
        "pitch-ac", players=3, sides=3, dealt=7, exchange="discard", keep_trumps=False,
        trump="named", opening_lead="trump",
    )  # fmt: skip
    hand = dealt(of, "5C", "2C 3C 4C 5D 6D 7D 2H", "AS")
    for text in ("bid 2", "pass", "pass", "trump H", "discard 2H"):
        hand = apply_action(hand, parse_action(text))
    for seat in (2, 0):
        hand = apply_action(hand, parse_action("discard " + ("AS" if seat == 2 else "5C")))
    hand = apply_action(hand, parse_action("play 2C"))
    possible = possible_cards(of, view_of(start_game(of), hand, 0))[1]
    assert not possible & SUIT_MASKS[2]
    assert possible & SUIT_MASKS[0]
