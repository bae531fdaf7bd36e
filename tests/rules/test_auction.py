"""Auctions call by call (rules.md 4.1). Seat 0 deals unless a case says otherwise."""

import pytest

from pitch.rules import SMUDGE, IllegalAction, Phase
from rules.playing import after, dealt, legal, variant

CASES = [
    # name, fields, calls so far, who acts, what is legal
    pytest.param("pitch-ac", {}, "", 1, "pass, bid 2, bid 3, bid 4", id="first call"),
    pytest.param("pitch-ac", {}, "1 bid 3", 2, "pass, bid 4", id="only higher bids"),
    pytest.param(
        "pitch-ac", {}, "1 bid 4", 2, "pass", id="a pass may be all there is, and still is asked"
    ),
    pytest.param(
        "pitch-ac", {}, "1 pass, 2 bid 2, 3 pass", 0, "pass, bid 3, bid 4", id="no steal, no equal"
    ),
    pytest.param(
        "pitch-ac",
        {"steal": True},
        "1 pass, 2 bid 2, 3 pass",
        0,
        "pass, bid 2, bid 3, bid 4",
        id="a dealer may steal",
    ),
    pytest.param(
        "pitch-ac", {"steal": True}, "1 bid 3, 2 pass", 3, "pass, bid 4", id="others may not steal"
    ),
    pytest.param(
        "pitch-ac", {}, "1 pass, 2 pass, 3 pass", 0, "bid 2, bid 3, bid 4", id="stuck: must bid"
    ),
    pytest.param(
        "pitch-ac",
        {"stuck": "pass_is_min"},
        "1 pass, 2 pass, 3 pass",
        0,
        "pass, bid 2, bid 3, bid 4",
        id="stuck: may pass",
    ),
    pytest.param(
        "partnership", {}, "1 bid 4", 2, "pass, bid smudge", id="a smudge is above four"
    ),
    pytest.param(
        "partnership",
        {},
        "1 bid smudge, 2 pass, 3 pass",
        0,
        "pass, bid smudge",
        id="smudge over smudge is a steal",
    ),
    pytest.param(
        "trump-only", {}, "1 bid 10", 2, "pass, bid moon", id="a moon is above every number"
    ),
    pytest.param("trump-only", {}, "1 bid moon", 2, "pass", id="nothing is above a moon"),
    pytest.param(
        "trump-only",
        {"steal": True},
        "1 bid moon, 2 pass, 3 pass",
        0,
        "pass, bid moon",
        id="moon over moon is a steal",
    ),
    pytest.param(
        "pitch-ac", {"min_bid": 3}, "", 1, "pass, bid 3, bid 4", id="bids begin at min_bid"
    ),
    # until_passed
    pytest.param(
        "gameweave", {}, "1 bid 2, 2 pass, 3 bid 3, 0 pass", 1, "pass, bid 4", id="outbid: asked"
    ),
    pytest.param(
        "gameweave",
        {},
        "1 pass, 2 bid 2, 3 pass, 0 bid 3",
        2,
        "pass, bid 4",
        id="who has passed does not act again",
    ),
    pytest.param(
        "gameweave",
        {"top_bid_ends": False},
        "1 bid 2, 2 bid 3, 3 pass, 0 bid 4",
        1,
        "pass",
        id="at the top the others still pass",
    ),
    pytest.param(
        "gameweave",
        {},
        "1 pass, 2 pass, 3 pass",
        0,
        "pass, bid 2, bid 3, bid 4",
        id="the dealer's pass is a bid",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "fields", "calls", "seat", "expected"), CASES)
def test_what_may_be_called(
    name: str, fields: dict[str, object], calls: str, seat: int, expected: str
) -> None:
    hand = dealt(variant(name, **fields))
    hand = after(hand, calls) if calls else hand
    assert (hand.phase, hand.to_act) == (Phase.AUCTION, seat)
    assert legal(hand) == expected


ENDS = [
    # name, fields, all calls, pitcher, bid
    pytest.param("pitch-ac", {}, "1 bid 2, 2 bid 3, 3 pass, 0 pass", 2, 3, id="one round"),
    pytest.param("pitch-ac", {}, "1 pass, 2 pass, 3 pass, 0 bid 2", 0, 2, id="stuck dealer"),
    pytest.param(
        "pitch-ac",
        {"stuck": "pass_is_min", "min_bid": 3},
        "1 pass, 2 pass, 3 pass, 0 pass",
        0,
        3,
        id="a stuck dealer's pass bids the least",
    ),
    pytest.param(
        "partnership", {}, "1 bid 3, 2 pass, 3 pass, 0 bid 3", 0, 3, id="the latest after a steal"
    ),
    pytest.param(
        "partnership",
        {},
        "1 bid smudge, 2 pass, 3 pass, 0 bid smudge",
        0,
        SMUDGE,
        id="a stolen smudge",
    ),
    pytest.param(
        "pitch-ac", {"top_bid_ends": True, "steal": True}, "1 bid 4", 1, 4, id="the top bid ends"
    ),
    pytest.param(
        "partnership",
        {"top_bid_ends": True},
        "1 bid 4, 2 bid smudge",
        2,
        SMUDGE,
        id="with a smudge, four is not the top",
    ),
    pytest.param("gameweave", {}, "1 bid 2, 2 pass, 3 pass, 0 pass", 1, 2, id="all others passed"),
    pytest.param(
        "gameweave",
        {},
        "1 bid 2, 2 pass, 3 bid 3, 0 pass, 1 pass",
        3,
        3,
        id="all others passed, in the second round",
    ),
    pytest.param("gameweave", {}, "1 pass, 2 pass, 3 pass, 0 pass", 0, 2, id="gameweave, all pass"),
    pytest.param("gameweave", {}, "1 pass, 2 bid 4", 2, 4, id="gameweave, the top bid ends"),
    pytest.param(
        "gameweave",
        {"top_bid_ends": False},
        "1 bid 4, 2 pass, 3 pass, 0 pass",
        1,
        4,
        id="the top bidder is not asked again",
    ),
]


@pytest.mark.parametrize(("name", "fields", "calls", "pitcher", "bid"), ENDS)
def test_how_the_auction_ends(
    name: str, fields: dict[str, object], calls: str, pitcher: int, bid: int
) -> None:
    hand = after(dealt(variant(name, **fields)), calls)
    assert hand.phase in (Phase.TRUMP, Phase.PLAY)
    assert (hand.pitcher, hand.bid, hand.to_act) == (pitcher, bid, pitcher)


HANDS = (
    "9S 3H KC 2D 5C 6C",  # the dealer
    "7H 8H 9H 7D 8D 9D",
    "AS KS 2H 3D 4C 7C",
    "TS 5H QC 6D 8C 9C",
)

PITCHING = [
    pytest.param(
        {},
        "1 bid 3",
        2,
        "pass, bid 4, bid smudge, pitch 4C, pitch 7C, pitch 3D, pitch 2H, pitch KS, pitch AS",
        id="any card of the hand",
    ),
    pytest.param({}, "1 bid 4", 2, "pass, bid smudge", id="not over a four"),
    pytest.param(
        {},
        "1 pass, 2 pitch AS",
        0,
        "pass, bid smudge, pitch 5C, pitch 6C, pitch KC, pitch 2D, pitch 3H",
        id="the dealer is next, and may pitch another suit",
    ),
    pytest.param(
        {"smudge": False, "top_bid_ends": True},
        "1 pass, 2 pitch AS",
        0,
        "pass, pitch 5C, pitch 6C, pitch KC, pitch 2D, pitch 3H",
        id="top_bid_ends leaves the dealer this choice",
    ),
    pytest.param(
        {},
        "1 bid 4, 2 pass, 3 pass",
        0,
        "pass, bid 4, bid smudge, pitch 5C, pitch 6C, pitch KC, pitch 2D, pitch 3H, pitch 9S",
        id="a stealing dealer may pitch over a four",
    ),
    pytest.param(
        {"steal": False}, "1 bid 4, 2 pass, 3 pass", 0, "pass, bid smudge", id="no steal, no pitch"
    ),
    pytest.param(
        {"steal": False},
        "1 bid 3, 2 pass, 3 pass",
        0,
        "pass, bid 4, bid smudge, pitch 5C, pitch 6C, pitch KC, pitch 2D, pitch 3H, pitch 9S",
        id="a dealer pitches over a three",
    ),
    pytest.param(
        {},
        "1 pass, 2 pass, 3 pass",
        0,
        "bid 2, bid 3, bid 4, bid smudge, "
        "pitch 5C, pitch 6C, pitch KC, pitch 2D, pitch 3H, pitch 9S",
        id="a stuck dealer may pitch",
    ),
    pytest.param({}, "1 bid smudge, 2 pass", 3, "pass", id="not over a smudge"),
]


@pytest.mark.parametrize(("fields", "calls", "seat", "expected"), PITCHING)
def test_when_a_card_may_be_pitched(
    fields: dict[str, object], calls: str, seat: int, expected: str
) -> None:
    hand = after(dealt(variant("partnership-pitching", **fields), *HANDS), calls)
    assert (hand.phase, hand.to_act) == (Phase.AUCTION, seat)
    assert legal(hand) == expected


def test_a_pitch_that_stands_is_led_at_once() -> None:
    hand = after(dealt(variant("partnership-pitching"), *HANDS), "1 pass, 2 pitch AS, 0 pass")
    assert (hand.phase, hand.to_act, hand.pitcher, hand.bid) == (Phase.PLAY, 3, 2, 4)
    assert hand.trump == 3
    assert hand.played == ((2, 51),)
    assert legal(hand) == "play TS"


def test_a_pitch_taken_over_goes_back_to_the_hand() -> None:
    hand = dealt(variant("partnership-pitching"), *HANDS)
    hand = after(hand, "1 pass, 2 pitch AS, 0 pitch KC")
    assert (hand.phase, hand.to_act, hand.pitcher, hand.bid) == (Phase.PLAY, 1, 0, 4)
    assert hand.trump == 0
    assert hand.hands[2].bit_count() == 6
    assert legal(after(hand, "1 play 7H")) == "play 4C, play 7C"


def test_a_dealer_who_takes_over_by_smudge_leads_as_usual() -> None:
    hand = dealt(variant("partnership-pitching"), *HANDS)
    hand = after(hand, "1 pass, 2 pitch AS, 0 bid smudge")
    assert (hand.phase, hand.to_act, hand.pitcher, hand.bid) == (Phase.PLAY, 0, 0, SMUDGE)
    assert (hand.trump, hand.played) == (-1, ())
    assert legal(hand) == "play 5C, play 6C, play KC, play 2D, play 3H, play 9S"


def test_another_suit_means_the_printed_one() -> None:
    of = variant("partnership-pitching", smudge=False, off_jack=True)
    hand = dealt(of, "JC 2S 3S 4S 5S 6S", "7H 8H 9H 7D 8D 9D", "AS KS 2H 3D 4C 7C")
    assert legal(after(hand, "1 pass, 2 pitch AS")) == "pass, pitch JC"


def test_two_hands_play_with_a_dealer_and_one_other() -> None:
    hand = dealt(variant("cutthroat", players=2))
    assert legal(after(hand, "1 bid 2")) == "pass, bid 2, bid 3, bid 4, bid smudge"
    assert after(hand, "1 bid 2, 0 bid 2").pitcher == 0


@pytest.mark.parametrize(
    "calls", ["1 bid 1", "1 bid 5", "1 bid smudge", "1 bid moon", "1 pitch 2C", "1 play 2C"]
)
def test_what_the_variant_lacks_cannot_be_called(calls: str) -> None:
    with pytest.raises(IllegalAction, match="legal is: pass, bid 2, bid 3, bid 4"):
        after(dealt(variant("pitch-ac")), calls)
