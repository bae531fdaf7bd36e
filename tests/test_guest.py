import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitch_server.guest import GuestError, GuestSettings, guest_json, parse_guest

names = st.text("ABCXYZabc_0189", min_size=1, max_size=12).filter(
    lambda name: not name.upper().startswith("PITCH_")
)
values = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
guests = st.builds(
    GuestSettings,
    memory=st.none() | st.integers(1 << 20, 1 << 60),
    cpu_time=st.none() | st.integers(1, 10**9),
    open_files=st.none() | st.integers(8, 1 << 20),
    processes=st.none() | st.integers(1, 1 << 20),
    nice=st.integers(0, 19),
    user=st.none() | st.sampled_from(["nobody", "bot-7", "www_data"]),
    restarts=st.integers(0, 1000),
    environment=st.dictionaries(names, values, max_size=5).map(lambda them: tuple(them.items())),
)


@given(guests)
def test_json_and_back_is_the_same_guest(guest: GuestSettings) -> None:
    assert parse_guest(json.loads(json.dumps(guest_json(guest)))) == guest


def test_what_is_absent_has_its_default() -> None:
    assert parse_guest({}) == GuestSettings()
    assert parse_guest({"nice": 5}) == GuestSettings(nice=5)


@pytest.mark.parametrize(
    ("document", "field", "reason"),
    [
        pytest.param([], "guest", "[] is not possible; expected limits by name", id="a-list"),
        pytest.param(
            {"memry": 1}, "guest", "'memry' is not possible; expected one of memory", id="typo"
        ),
        pytest.param(
            {"memory": 512}, "memory", "512 is not possible; expected bytes, 1 MiB", id="not-bytes"
        ),
        pytest.param({"memory": "1G"}, "memory", "expected a whole number", id="text"),
        pytest.param({"memory": 2.5e9}, "memory", "expected a whole number", id="fraction"),
        pytest.param({"memory": 1 << 64}, "memory", "expected bytes", id="too-much"),
        pytest.param(
            {"cpu_time": 0}, "cpu_time", "0 is not possible; expected seconds", id="no-time"
        ),
        pytest.param({"cpu_time": True}, "cpu_time", "True is not possible", id="bool"),
        pytest.param({"open_files": 3}, "open_files", "expected 8 to", id="files"),
        pytest.param({"processes": 0}, "processes", "expected 1 to", id="processes"),
        pytest.param({"nice": -1}, "nice", "expected 0 to 19", id="not-nice"),
        pytest.param({"nice": 20}, "nice", "expected 0 to 19", id="too-nice"),
        pytest.param({"nice": None}, "nice", "expected 0 to 19", id="no-nice"),
        pytest.param({"restarts": None}, "restarts", "expected 0 to", id="no-restarts"),
        pytest.param({"restarts": -1}, "restarts", "expected 0 to", id="restarts"),
        pytest.param({"user": ""}, "user", "'' is not possible; expected the name", id="no-user"),
        pytest.param({"user": 1000}, "user", "1000 is not possible", id="user-id"),
        pytest.param({"user": "a:b"}, "user", "expected the name of a user", id="user-colon"),
        pytest.param({"user": "a\0"}, "user", "expected the name of a user", id="user-nul"),
        pytest.param({"environment": ["A=1"]}, "environment", "by name", id="list"),
        pytest.param({"environment": {"A": 1}}, "environment", "a text", id="number"),
        pytest.param({"environment": {"": "x"}}, "environment.", "a name without", id="no-name"),
        pytest.param({"environment": {"A=B": "x"}}, "environment.A=B", "without '='", id="equals"),
        pytest.param({"environment": {"A\0": "x"}}, "environment.A\0", "control", id="name-nul"),
        pytest.param({"environment": {"A": "x\0y"}}, "environment.A", "NUL", id="value-nul"),
        pytest.param({"environment": {"A": "\ud800"}}, "environment.A", "half", id="surrogate"),
        pytest.param({"environment": {"A": "x" * 70_000}}, "environment.A", "70,000", id="long"),
        pytest.param(
            {"environment": {"PITCH_TOKEN": "x"}}, "environment.PITCH_TOKEN", "own", id="token"
        ),
        pytest.param({"environment": {"pitch_x": "x"}}, "environment.pitch_x", "own", id="lower"),
        pytest.param(
            {"environment": {f"A{n}": "" for n in range(300)}}, "environment", "256", id="many"
        ),
    ],
)
def test_what_cannot_be_is_refused_with_its_field(document: Any, field: str, reason: str) -> None:
    with pytest.raises(GuestError) as caught:
        parse_guest(document)
    assert caught.value.field == field
    assert reason in caught.value.reason
    assert str(caught.value) == f"{field}: {caught.value.reason}"


def test_a_name_twice_is_refused() -> None:
    with pytest.raises(GuestError, match="every name once"):
        GuestSettings(environment=(("A", "1"), ("A", "2")))


def test_a_value_that_is_refused_is_not_repeated() -> None:
    with pytest.raises(GuestError) as caught:
        GuestSettings(environment=(("KEY", "hunter2\0"),))
    assert "hunter2" not in str(caught.value)


def test_what_may_be_secret_is_not_shown() -> None:
    assert "hunter2" not in repr(GuestSettings(environment=(("KEY", "hunter2"),)))
