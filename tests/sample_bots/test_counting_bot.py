"""What the counting bot knows by counting, asked in hands written out."""

import pytest

from counting_bot import CountingBot, cards_under, worth_now
from pitch import parse_card
from pitch.rules import VARIANTS
from pitch.testing import play_board
from rule_bot import RuleBot
from rules.playing import after, dealt, play_tricks, variant
from sample_bots.seen_hands import choice, view_at

PLAIN = ("2C 3C 4C 2D 3D 4D", "2H 3H 4H 5D 6D 7D", "5C 6C 7C 5H 6H 7H", "8C 9C TC 8D 9D TD")


def test_who_did_not_follow_a_trump_is_not_feared() -> None:
    """Seat 1 leads the jack: one rival has shown out of trumps, the other is last of all."""
    safe = dealt(variant("pitch-ac"), "3C 4C 5C 6C 7C 8C", "AS JS", "9S 2D", "4D 5D 6D 7D 8D 9D")
    safe = after(safe, "1 bid 4, 2 pass, 3 pass, 0 pass")
    safe = play_tricks(safe, "AS 9S 4D 3C")
    view = view_at(safe)
    assert all(not view.can_hold(seat, card) for seat in (0,) for card in view.unseen_trumps)
    assert choice(CountingBot(), safe) == "play JS"


def test_the_lowest_trump_left_goes_home_with_the_partner() -> None:
    """The two is not seen: the three may be Low, and the partner's ace stands."""
    hand = dealt(variant("pitch-ac"), PLAIN[0], "AS KC", PLAIN[2], "3S 8S 9C TC 8D 9D")
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 play AS, 2 play 5C")
    assert choice(CountingBot(), hand) == "play 3S"


def test_a_three_may_be_low_until_the_two_has_shown() -> None:
    hand = dealt(variant("pitch-ac"), "3S 9S TC 2D 3D 4D", "AS KS", "2S 4S", "5S 6S")
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 play AS")
    three = parse_card("3S")
    worths = []
    for second in ("4S", "2S"):
        view = view_at(after(hand, f"2 play {second}, 3 play 5S"))
        worths.append(worth_now(view, cards_under(view.variant, 3))[three])
    assert worths[0] > worths[1] == 0


def test_a_ten_counts_as_long_as_game_is_open() -> None:
    """Four tricks with three tens are with one side: the last ten decides nothing."""
    own, ten = "TH 2H 2D 3D 4D 5D", parse_card("TH")
    hand = dealt(
        variant("pitch-ac"), "2C 3C 4C 5C 6C 7C", "AS KS QS TS TD TC", own, "3H 4H 5H 6H 7H 8H"
    )
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass")
    early = view_at(after(hand, "1 play AS"))
    hand = play_tricks(hand, "AS 2D 3H 2C", "TS 3D 4H 3C", "TD 4D 5H 4C", "TC 2H 6H 5C")
    late = view_at(after(hand, "1 play KS"))
    cards = cards_under(hand.variant, hand.trump)
    assert worth_now(early, cards)[ten] > 0 == worth_now(late, cards)[ten]


@pytest.mark.parametrize("kept", ["2S", "JS", "TS"])
def test_nothing_that_counts_goes_under_the_others_ace(kept: str) -> None:
    hand = dealt(variant("pitch-ac"), PLAIN[0], "AS KC", f"{kept} 8S 5C 6C 5H 6H", PLAIN[3])
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 play AS")
    assert choice(CountingBot(), hand) == "play 8S"


def test_the_last_to_play_takes_the_others_jack() -> None:
    hand = dealt(variant("pitch-ac"), "QS 3S 4C 2D 3D 4D", "JS KC", "5S 5C", "8S 9C")
    hand = after(hand, "1 bid 4, 2 pass, 3 pass, 0 pass, 1 play JS, 2 play 5S, 3 play 8S")
    assert choice(CountingBot(), hand) == "play QS"


@pytest.mark.parametrize(
    ("held", "calls"),
    [
        pytest.param("5C 6C 7D 8D 5H 6H", {"pass"}, id="nothing"),
        pytest.param("AS 9S 4D 7H 8C 3C", {"bid 2"}, id="an ace"),
        pytest.param("AS KS QS JS TS 2S", {"bid 2", "bid 3", "bid 4"}, id="everything"),
    ],
)
def test_it_bids_what_its_cards_bring(held: str, calls: set[str]) -> None:
    assert choice(CountingBot(), dealt(variant("pitch-ac"), "", held)) in calls


def test_it_goes_higher_with_more() -> None:
    others = "2C 3C 4C 5C 6C 7C"
    strong = dealt(variant("pitch-ac"), "", others, "AS KS QS JS TS 2S")
    assert choice(CountingBot(), after(strong, "1 bid 3")) == "bid 4"
    weak = dealt(variant("pitch-ac"), "", others, "AS 9S 4D 7H 8C 2H")
    assert choice(CountingBot(), after(weak, "1 bid 3")) == "pass"


@pytest.mark.parametrize("name", ["pitch-ac", "ten-point", "cutthroat"])
def test_it_beats_the_rule_bot(name: str) -> None:
    bots = [CountingBot, *[RuleBot] * (VARIANTS[name].sides - 1)]
    margins = [
        play_board(bots, variant=name, seed=board, first_dealer=board % 4)[0]
        for board in range(120)
    ]
    assert sum(margins) / len(margins) > 0
