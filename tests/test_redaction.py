import json
import secrets

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitch_server.redaction import SECRET, Redaction

TOKEN = "Zk3pQ9-_aB7xYt0uVw5RsLmNcEfGhJkD2i4o6S8q1TA"
KEY = "kE7_session-key-of-32-characters"
SEED = 'a seed with "quotes",\na line and a ♠'


@pytest.fixture
def redaction() -> Redaction:
    known = Redaction()
    for secret in (TOKEN, KEY, SEED):
        known.add(secret)
    return known


@pytest.mark.parametrize("secret", [TOKEN, KEY, SEED])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("token ", " was wrong", id="as-a-word"),
        pytest.param("{'token': '", "'}", id="in-a-dict"),
        pytest.param("x" * 50, "y" * 50, id="within-a-longer-run"),
        pytest.param("", "", id="alone"),
    ],
)
def test_a_known_secret_is_taken_out(
    redaction: Redaction, secret: str, before: str, after: str
) -> None:
    assert redaction.redacted(before + secret + after) == before + SECRET + after


@pytest.mark.parametrize("secret", [TOKEN, KEY, SEED])
def test_a_secret_as_repr_and_json_write_it_is_taken_out(redaction: Redaction, secret: str) -> None:
    assert redaction.redacted(repr(secret)) == f"'{SECRET}'"
    assert redaction.redacted(json.dumps(secret)) == f'"{SECRET}"'


def test_two_secrets_in_one_run_are_both_taken_out(redaction: Redaction) -> None:
    assert redaction.redacted(f"{KEY}-{TOKEN}{KEY}") == f"{SECRET}-{SECRET}{SECRET}"


def test_what_has_the_shape_of_a_token_is_taken_out_though_nobody_told() -> None:
    text = f"a stranger came with {secrets.token_urlsafe(32)}"
    assert Redaction().redacted(text) == f"a stranger came with {SECRET}"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", id="digest"
        ),
        pytest.param("a-name-of-43-letters-that-is-all-lower-case", id="lower-case-of-43"),
        pytest.param("ordinary words, game 17, /some/where/logs/01-ada-1.log", id="words"),
        pytest.param("", id="nothing"),
    ],
)
def test_other_text_stays(redaction: Redaction, text: str) -> None:
    assert redaction.redacted(text) == text


def test_a_secret_that_can_be_guessed_would_take_too_much_along() -> None:
    redaction = Redaction()
    redaction.add("7")
    assert redaction.redacted("17 games") == "17 games"


def test_the_oldest_secrets_are_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitch_server.redaction._REMEMBERED", 2)
    redaction = Redaction()
    first, second, third = (f"session-key-number-{number}" for number in range(3))
    for secret in (first, second, first, third):
        redaction.add(secret)
    assert redaction.redacted(f"{first} {second} {third}") == f"{SECRET} {second} {SECRET}"


RUNS = st.text("abcXYZ019-_", min_size=16, max_size=60)


@given(secrets=st.lists(RUNS, min_size=1, max_size=4), around=st.lists(st.text(), max_size=6))
def test_no_secret_survives_wherever_it_stands(secrets: list[str], around: list[str]) -> None:
    redaction = Redaction()
    for secret in secrets:
        redaction.add(secret)
    text = "".join(piece + secret for piece, secret in zip(around, secrets, strict=False))
    text = redaction.redacted(text)
    assert not any(secret in text for secret in secrets)
