import json
import math
from typing import Any

import pytest

from pitch.table.faults import FaultPolicy, OnFault
from pitch_server.plan.settings import (
    ClockSettings,
    Deals,
    EntrantSettings,
    FormatSettings,
    Isolation,
    Opponents,
    RatingSettings,
    Settings,
    SettingsError,
    Unit,
    differing_keys,
    parse_settings_json,
    settings_json,
)
from plan.making import make_settings


def test_defaults_are_those_of_the_contract() -> None:
    settings = make_settings()
    form = FormatSettings()
    assert (form.kind, form.deals, form.unit) == ("round-robin", "duplicate", "hand")
    assert (form.boards, form.max_hands, form.isolation, form.opponents) == (
        100,
        100,
        "seats",
        "hidden",
    )
    assert settings.clock == ClockSettings(
        move_timeout=1, time_bank=0, start_timeout=30, reconnect_grace=10
    )
    assert settings.rating == RatingSettings(tau=0, draw_probability=None)
    assert settings.faults == FaultPolicy(on_fault=OnFault.SUBSTITUTE, max_faults=5)


@pytest.mark.parametrize(("unit", "hands"), [(Unit.HAND, 1), (Unit.GAME, 70)], ids=["hand", "game"])
def test_a_game_by_the_hand_has_one_hand(unit: Unit, hands: int) -> None:
    assert FormatSettings(unit=unit, max_hands=70).hands_a_game == hands


def full_settings() -> Settings:
    return Settings(
        name="Ω cup",
        variant=make_settings(variant={"name": "cutthroat", "players": 3}).variant,
        format=FormatSettings(
            deals=Deals.INDEPENDENT,
            unit=Unit.GAME,
            boards=7,
            max_hands=12,
            isolation=Isolation.BOARDS,
            opponents=Opponents.SHOWN,
        ),
        clock=ClockSettings(move_timeout=0.25, time_bank=3.5, start_timeout=5, reconnect_grace=0),
        rating=RatingSettings(tau=0.08, draw_probability=0.3),
        faults=FaultPolicy(on_fault=OnFault.FORFEIT, max_faults=1),
        entrants=(
            EntrantSettings(name="a", command=("bot", "--fast")),
            EntrantSettings(name="é b"),
            EntrantSettings(name="c"),
        ),
    )


def test_json_gives_the_settings_back() -> None:
    settings = full_settings()
    document = json.loads(json.dumps(settings_json(settings)))
    commands = {entrant.name: entrant.command for entrant in settings.entrants}
    assert parse_settings_json(document, commands) == settings
    assert parse_settings_json(document).entrants[0].command is None


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param({"format": {}}, id="no format"),
        pytest.param({"variant": {"name": "whist"}}, id="unknown variant"),
        pytest.param({"clock": {"pace": 1}}, id="unknown key"),
        pytest.param({"entrants": None}, id="no entrants"),
        pytest.param({"entrants": [1, 2]}, id="names that are no texts"),
    ],
)
def test_a_damaged_document_is_refused(damage: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="settings"):
        parse_settings_json(settings_json(full_settings()) | damage)


@pytest.mark.parametrize(
    ("make", "key"),
    [
        pytest.param(lambda: FormatSettings(boards=0), "format.boards", id="no board"),
        pytest.param(lambda: FormatSettings(max_hands=0), "format.max_hands", id="no hand"),
        pytest.param(lambda: ClockSettings(move_timeout=0), "clock.move_timeout", id="no time"),
        pytest.param(
            lambda: ClockSettings(start_timeout=math.inf), "clock.start_timeout", id="for ever"
        ),
        pytest.param(lambda: ClockSettings(time_bank=-1), "clock.time_bank", id="a debt"),
        pytest.param(lambda: RatingSettings(tau=math.nan), "rating.tau", id="not a number"),
        pytest.param(
            lambda: RatingSettings(draw_probability=0), "rating.draw_probability", id="no draws"
        ),
        pytest.param(
            lambda: RatingSettings(draw_probability=1), "rating.draw_probability", id="all draws"
        ),
        pytest.param(lambda: EntrantSettings(name=""), "name", id="nameless"),
        pytest.param(lambda: EntrantSettings(name="a\nb"), "name", id="two lines"),
        pytest.param(lambda: EntrantSettings(name=" a"), "name", id="a space before"),
        pytest.param(lambda: EntrantSettings(name="a" * 65), "name", id="a long name"),
        pytest.param(lambda: EntrantSettings(name="a", command=()), "command", id="no program"),
        pytest.param(lambda: make_settings(1), "entrants", id="alone"),
        pytest.param(
            lambda: make_settings(faults=FaultPolicy(max_faults=0)),
            "faults.max_faults",
            id="no fault allowed",
        ),
        pytest.param(
            lambda: make_settings(3, variant={"name": "cutthroat"}), "entrants", id="three for four"
        ),
        pytest.param(
            lambda: make_settings(26, variant={"name": "cutthroat", "players": 7}),
            "entrants",
            id="too many pairings",
        ),
        pytest.param(
            lambda: Settings(
                name="x",
                variant=make_settings().variant,
                entrants=(EntrantSettings(name="a"), EntrantSettings(name="a")),
            ),
            "entrants",
            id="twins",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_its_key(make: Any, key: str) -> None:
    with pytest.raises(SettingsError) as caught:
        make()
    assert caught.value.key == key


def test_differing_keys_name_what_differs_and_leave_commands_alone() -> None:
    one = make_settings()
    assert differing_keys(one, one) == ()
    assert differing_keys(one, make_settings(4, boards=9, variant={"name": "partnership"})) == (
        "entrants",
        "format.boards",
        "variant.name",
    )
    with_command = Settings(
        name=one.name,
        variant=one.variant,
        format=one.format,
        entrants=(EntrantSettings(name="a", command=("bot",)), *one.entrants[1:]),
    )
    assert differing_keys(one, with_command) == ()
