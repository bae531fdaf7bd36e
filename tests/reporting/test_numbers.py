import json
import math

import pytest

from pitch_server.reporting.numbers import Form, Node, shown


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        pytest.param(12345, Form.COUNT, "12,345", id="count"),
        pytest.param(1.255, Form.SIGNED, "+1.25", id="above zero"),
        pytest.param(-3.649, Form.SIGNED, "−3.65", id="below zero"),
        pytest.param(-0.001, Form.SIGNED, "+0.00", id="no negative zero"),
        pytest.param(-4, Form.SCORE, "−4", id="score"),
        pytest.param(0, Form.SCORE, "0", id="no score"),
        pytest.param(28.277, Form.PLAIN, "28.28", id="plain"),
        pytest.param(0.934, Form.SHARE, "93 %", id="share"),
        pytest.param(0.0004, Form.SHARE, "<1 %", id="hardly any"),
        pytest.param(0.9996, Form.SHARE, ">99 %", id="nearly all"),
        pytest.param(1.0, Form.SHARE, "100 %", id="all"),
        pytest.param(-0.034, Form.SHARE, "−3 %", id="harm done"),
        pytest.param(0.0499, Form.P_VALUE, "0.050", id="p"),
        pytest.param(1e-12, Form.P_VALUE, "<0.001", id="tiny p"),
        pytest.param(0.0121, Form.SPAN, "12.1 ms", id="span"),
    ],
)
def test_a_number_in_its_form(value: float, form: Form, text: str) -> None:
    assert shown(value, form) == text


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf, "1", True, [1]])
def test_what_is_no_finite_number_is_a_dash(value: object, form: Form) -> None:
    assert shown(value, form) == "–"


def test_a_place_tells_its_json_pointer_and_may_be_missing() -> None:
    root = Node(json.loads('{"a/b": [{"~c": 1.5}], "text": "abc"}'))
    there = root["a/b"][0]["~c"].number(Form.PLAIN)
    assert (there.value, there.at, there.text) == (1.5, "/a~1b/0/~0c", "1.50")
    for missing in (root["a/b"][1]["x"], root["x"]["y"][2], root["text"][0], root["a/b"]["a"]):
        assert missing.value is None
        assert list(missing) == []
        assert list(missing.items()) == []
    assert [node.at for node in root["a/b"]] == ["/a~1b/0"]
