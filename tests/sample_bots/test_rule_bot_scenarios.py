"""What a player would call obvious, asked of the sample rule bot in hands written out."""

import pytest

from pitch.rules import Kind
from rule_bot import RuleBot
from rules.playing import after, dealt, play_tricks, variant
from sample_bots.seen_hands import choice

PLAIN = ("2C 3C 4C 2D 3D 4D", "2H 3H 4H 5D 6D 7D", "5C 6C 7C 5H 6H 7H", "8C 9C TC 8D 9D TD")


@pytest.mark.parametrize("low", ["2S", "3S"])
def test_a_low_trump_goes_under_the_partners_ace(low: str) -> None:
    """Seat 1 leads the ace; seat 3, its partner, holds what may be Low and a middle trump."""
    hand = dealt(variant("pitch-ac"), PLAIN[0], "AS KC", PLAIN[2], f"{low} 8S 9C TC 8D 9D")
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 play AS, 2 play 5C")
    assert choice(RuleBot(), hand) == f"play {low}"


@pytest.mark.parametrize("worth", ["JS", "TS"])
def test_what_counts_goes_under_the_partners_ace(worth: str) -> None:
    hand = dealt(variant("pitch-ac"), PLAIN[0], "AS KC", PLAIN[2], f"{worth} 8S 9C TC 8D 9D")
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 play AS, 2 play 5C")
    assert choice(RuleBot(), hand) == f"play {worth}"


@pytest.mark.parametrize("kept", ["2S", "JS", "TS"])
def test_nothing_that_counts_goes_under_the_others_ace(kept: str) -> None:
    hand = dealt(variant("pitch-ac"), PLAIN[0], "AS KC", f"{kept} 8S 5C 6C 5H 6H", PLAIN[3])
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 play AS")
    assert choice(RuleBot(), hand) == "play 8S"


def test_the_last_to_play_takes_a_trick_that_counts() -> None:
    """The others' jack is on the table."""
    hand = dealt(variant("pitch-ac"), "QS 3S 4C 2D 3D 4D", "JS KC", "5S 5C", "8S 9C")
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 play JS, 2 play 5S, 3 play 8S")
    assert choice(RuleBot(), hand) == "play QS"


def test_a_low_trump_is_brought_home_in_a_plain_trick() -> None:
    """Last to play to a plain trick, void: the two of trump takes it, and itself."""
    hand = dealt(
        variant("pitch-ac", low="taken"),
        "2S 3C 4C 5C 6C 4S",
        "AS AH 7C 8C 9C TC",
        "5S 2H 3D 4D 5D 6D",
        "6S 3H 7D 8D 9D TD",
    )
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass")
    hand = play_tricks(hand, "AS 5S 6S 4S")
    hand = after(hand, "1 play AH, 2 play 2H, 3 play 3H")
    assert choice(RuleBot(), hand) == "play 2S"


@pytest.mark.parametrize("name", ["pitch-ac", "partnership", "gameweave", "cutthroat"])
def test_a_hand_without_an_ace_does_not_bid_the_most(name: str) -> None:
    for held in (
        "KS 9S 4D 7H 8C 3C",
        "QS JS 6D 7H 8C 9C",
        "KS KH KD KC 2D 5C",
        "TS 8S 7S 3H 4D 5C",
    ):
        hand = dealt(variant(name), "", held)
        assert choice(RuleBot(), hand) in ("pass", "bid 2", "bid 3")


@pytest.mark.parametrize("name", ["pitch-ac", "partnership", "gameweave", "cutthroat"])
def test_nothing_is_bid_on_nothing(name: str) -> None:
    hand = dealt(variant(name), "", "5C 6C 7D 8D 5H 6H")
    assert choice(RuleBot(), hand) == "pass"


@pytest.mark.parametrize("name", ["pitch-ac", "partnership", "gameweave"])
def test_the_best_hand_there_is_is_bid(name: str) -> None:
    hand = dealt(variant(name), "", "AS KS QS JS TS 2S")
    word, _, value = choice(RuleBot(), hand).partition(" ")
    assert word == Kind.BID.name.lower()
    assert int(value) >= 2


def test_trump_is_the_suit_of_the_bid() -> None:
    hand = dealt(variant("gameweave"), "", "AS KS QS JS 3H 4D")
    assert choice(RuleBot(), after(hand, "1 bid 4")) == "trump S"
