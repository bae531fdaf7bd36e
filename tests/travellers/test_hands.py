"""Hands told from records."""

from typing import Any

from pitch.records import GameRecord, hands_of, parse_record
from pitch_server.travellers.hands import told_hand

DECK = (
    "QH AS 2H JC TH TD JS 2D 4S 3D AD 4H 2S 8H 6C QS 8S 5S 9D 6H 4C KD 7S AH 8C 5H 7H 3S 9S JH "
    "7D 6S AC TS 5C 7C QC 8D QD 9H JD 5D 2C KS 4D KC TC 3H 9C 3C KH 6D"
)
ACTIONS = (
    "1 pass / 2 bid 4 / 3 pass / 0 pass / 2 play 5S / 3 play JS / 0 play 7S / 1 play 2S / 3 "
    "play 2D / 0 play AD / 1 play AS / 2 play TD / 1 play 2H / 2 play TH / 3 play 4S / 0 play "
    "4H / 3 play 9D / 0 play KD / 1 play 6C / 2 play QS / 2 play 8S / 3 play 4C / 0 play AH / 1 "
    "play 8H / 2 play JC / 3 play 6H / 0 play 3D / 1 play QH"
)


def a_record(actions: list[str], **notes: Any) -> GameRecord:
    return parse_record(
        {
            "format": "pitch-record/1",
            "variant": {"name": "pitch-ac"},
            "seats": ["a", "b", "a", "b"],
            "first_dealer": 0,
            "max_hands": 1,
            "hands": [{"deck": DECK, "actions": actions, **notes}],
        }
    )


def test_a_hand_is_told_as_it_was_played() -> None:
    record = a_record(ACTIONS.split(" / "), x_substituted=[3])
    (hand,) = hands_of(record)
    table = told_hand(hand, record.seats)
    assert table["dealer"] == 0
    assert table["dealt"][2] == ["QS", "8S", "5S", "TH", "TD", "JC"]
    assert table["auction"] == ["1 pass", "2 bid 4", "3 pass", "0 pass"]
    assert (table["pitcher"], table["entrant"], table["bid"]) == (2, "a", 4)
    assert (table["trump"], table["exchange"]) == ("S", [])
    assert (table["made"], table["points"], table["delta"]) == (False, [0, 4], [-4, 4])
    assert table["won"] == {"high": 1, "low": 1, "jack": 1, "game": 1}
    assert table["tricks"][0] == {
        "cards": [[2, "5S"], [3, "JS"], [0, "7S"], [1, "2S"]],
        "winner": 3,
    }
    assert table["substituted"] == 1


def test_of_an_unfinished_hand_is_told_what_there_is() -> None:
    record = a_record(ACTIONS.split(" / ")[:2])
    (hand,) = hands_of(record)
    table = told_hand(hand, record.seats)
    assert table["auction"] == ["1 pass", "2 bid 4"]
    keys = ("pitcher", "entrant", "bid", "trump", "made", "points", "delta", "won")
    assert {table[key] for key in keys} == {None}
    assert table["tricks"] == []
