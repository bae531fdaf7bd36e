"""`pitch view`: one record, one seat."""

import json

import pytest

from cli.running import pitch
from records.making import ACTIONS, a_hand, a_record

PLAYING = json.dumps(a_record(hands=[a_hand(actions=ACTIONS[:5])]))


def test_what_the_seat_to_act_sees() -> None:
    result = pitch("view", "-", "--seat", "2", stdin=PLAYING)
    assert (result.exit_code, result.stderr) == (0, "")
    seen = json.loads(result.stdout)
    assert seen["hand"] == ["4C", "JC", "3D", "JD", "3H", "JS"]
    assert seen["trick"] == ["1 AD"]
    assert seen["legal"] == ["play 3D", "play JD"]


def test_another_seat_sees_no_legal_actions() -> None:
    seen = json.loads(pitch("view", "-", "--seat", "0", stdin=PLAYING).stdout)
    assert (seen["to_act"], seen["legal"]) == (2, [])


@pytest.mark.parametrize(
    ("text", "seat", "words"),
    [
        pytest.param(PLAYING, "4", "expected 0 to 3", id="no such seat"),
        pytest.param(PLAYING, "-1", "x>=0", id="negative seat"),
        pytest.param(PLAYING, "two", "not a valid integer", id="no number"),
        pytest.param(PLAYING + "\n" + PLAYING, "0", "more than one record", id="two records"),
        pytest.param("", "0", "no record", id="no record"),
        pytest.param("{", "0", "line 1", id="no JSON"),
        pytest.param(json.dumps(a_record(hands=[])), "0", "no hand yet", id="no hand"),
        pytest.param(
            json.dumps(a_record(hands=[a_hand(actions=["2 pass"])])),
            "0",
            "does not replay at hand 0, action 0: seat 2",
            id="illegal",
        ),
    ],
)
def test_bad_input_is_status_2_and_prints_nothing(text: str, seat: str, words: str) -> None:
    result = pitch("view", "-", "--seat", seat, stdin=text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
