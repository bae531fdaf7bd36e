"""The line of a game's hands says what its record says."""

import json

import pytest

from pitch.rules.catalog import VARIANTS
from pitch_server.scores.hands import hands_of, hands_text, parse_hands
from plan.making import make_settings
from verify.making import play_all

PITCH_AC = VARIANTS["pitch-ac"]


@pytest.mark.parametrize("variant", ["pitch-ac", "ten-point", "partnership-six", "trump-only"])
def test_a_line_has_the_hands_of_its_record(variant: str) -> None:
    settings = make_settings(4, variant={"name": variant}, boards=2)
    for entry in play_all(settings):
        record = json.loads(entry.record)
        hands = hands_of(record, settings.variant)
        assert parse_hands(hands_text(hands), settings.variant) == hands
        results = [hand["result"] for hand in record["hands"] if "result" in hand]
        assert [(hand.pitcher, hand.bid, hand.made) for hand in hands] == [
            (each["pitcher"], each["bid"], each["made"]) for each in results
        ]
        for hand, told in zip(hands, results, strict=True):
            assert dict(zip(settings.variant.points, hand.won, strict=True)) == told["won"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("7", id="a number"),
        pytest.param("[7]", id="no hand"),
        pytest.param("[[0,2,true]]", id="too short"),
        pytest.param("[[4,2,true,[0,0,0,0]]]", id="no seat"),
        pytest.param("[[0,2.5,true,[0,0,0,0]]]", id="no bid"),
        pytest.param("[[0,2,1,[0,0,0,0]]]", id="made or not"),
        pytest.param("[[0,2,true,[0,0,0]]]", id="a point too few"),
        pytest.param("[[0,2,true,[0,0,0,2]]]", id="no side"),
    ],
)
def test_what_is_no_line_of_hands_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"Expecting|expected hands|no hand of this variant"):
        parse_hands(text, PITCH_AC)
