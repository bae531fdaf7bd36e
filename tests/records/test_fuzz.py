"""Whatever JSON comes: replay answers, reading answers or names the line, nothing raises."""

import io
import json
from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitch.records import RecordError, RecordSyntaxError, parse_record, read_records, replay
from records.making import ACTIONS, Json, a_record, good_records

FUZZ = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["name", "2C", "pass", "1 pass", *ACTIONS, "pitch-record/1", 10**400])
)
_KEYS = st.sampled_from(
    ["format", "variant", "seats", "hands", "deck", "actions", "result", "name", "x_a", "won"]
) | st.text(max_size=4)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=12,
)
_RECORDS = [record for record in good_records() if record["hands"]][::7]


def _check_answer(answer: Json) -> None:
    json.dumps(answer)
    assert isinstance(answer["ok"], bool)
    if not answer["ok"]:
        assert set(answer["error"]) == {"hand", "action", "reason"}
        assert answer["error"]["reason"]


@FUZZ
@given(_VALUES)
def test_replay_answers_any_value(value: object) -> None:
    _check_answer(replay(value))


@FUZZ
@given(st.dictionaries(_KEYS, _VALUES, max_size=3))
def test_replay_answers_a_record_with_other_keys(changes: Json) -> None:
    _check_answer(replay(a_record(**changes)))


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a JSON value."""
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    own = [(value, key) for key in keys]
    return own + [place for key in keys for place in _places(value[key])]


@FUZZ
@given(st.data())
def test_replay_answers_a_real_record_with_one_thing_changed(data: st.DataObject) -> None:
    record = json.loads(json.dumps(data.draw(st.sampled_from(_RECORDS))))
    container, key = data.draw(st.sampled_from(_places(record)))
    if data.draw(st.booleans()):
        del container[key]
    else:
        container[key] = data.draw(_VALUES)
    answer = replay(record)
    _check_answer(answer)
    try:
        parse_record(record)
    except RecordError:
        assert not answer["ok"]


@FUZZ
@given(st.binary(max_size=60) | _VALUES.map(lambda value: json.dumps(value).encode()))
def test_reading_gives_objects_or_names_the_line(data: bytes) -> None:
    with suppress(RecordSyntaxError):
        for number, value in read_records(io.BytesIO(data)):
            assert number >= 1
            assert isinstance(value, dict)
