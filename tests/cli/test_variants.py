"""`pitch variants`: the list, one with all its fields, overrides and refusals."""

import json

import pytest

from cli.running import pitch
from pitch.rules import VARIANTS, all_fields
from pitch_server.cli.describe import describe, headline


def test_the_list_has_a_line_each() -> None:
    result = pitch("variants")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == list(VARIANTS)


def test_on_a_narrow_terminal_the_list_is_folded_beside_the_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pitch_server.cli.variants._columns", lambda: 60)
    lines = pitch("variants").stdout.splitlines()
    assert max(map(len, lines)) <= 60
    assert [line.split()[0] for line in lines if line[0] != " "] == list(VARIANTS)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_has_words(name: str) -> None:
    assert headline(VARIANTS[name])
    assert all(sentence.endswith(".") for sentence in describe(VARIANTS[name]))


@pytest.mark.parametrize("name", VARIANTS)
def test_json_has_every_field(name: str) -> None:
    assert json.loads(pitch("variants", name, "--json").stdout) == all_fields(VARIANTS[name])


def test_json_of_the_list() -> None:
    listed = json.loads(pitch("variants", "--json").stdout)
    assert [each["name"] for each in listed] == list(VARIANTS)


def test_what_differs_is_marked() -> None:
    shown = pitch("variants", "pitch-ac", "--set", "steal=true", "--set", "target=21").stdout
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "* steal true default false, pitch-ac has false" in lines
    assert "* target 21 pitch-ac has 11" in lines
    assert "smudge false" in lines


def test_in_cutthroat_the_sides_follow_the_players() -> None:
    shown = json.loads(pitch("variants", "cutthroat", "--set", "players=5", "--json").stdout)
    assert (shown["players"], shown["sides"]) == (5, 5)


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        pytest.param(["players=3"], ["sides", "players"], id="unplayable"),
        pytest.param(["taget=21"], ["taget", "did you mean target?"], id="misspelt field"),
        pytest.param(["follow=strickt"], ["strickt", "did you mean strict?"], id="misspelt word"),
        pytest.param(["target=4.0"], ["target", "whole number"], id="no integer"),
        pytest.param(["target=true"], ["target", "whole number"], id="a truth"),
        pytest.param(["steal=1"], ["steal", "true or false"], id="no truth"),
        pytest.param(["target"], ["FIELD=VALUE", "'target'"], id="no value"),
        pytest.param(["name=gameweave"], ["FIELD=VALUE"], id="the name"),
        pytest.param(["target=" + "9" * 5000], ["target"], id="huge"),
    ],
)
def test_a_refused_override_is_status_2_with_the_reason(
    overrides: list[str], words: list[str]
) -> None:
    result = pitch("variants", "pitch-ac", *(f"--set={each}" for each in overrides))
    assert (result.exit_code, result.stdout) == (2, "")
    assert all(word in result.stderr for word in words), result.stderr


def test_an_override_needs_a_name() -> None:
    assert pitch("variants", "--set", "steal=true").exit_code == 2
