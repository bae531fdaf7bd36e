import pytest
from hypothesis import given

from pitch.rules import VARIANTS, Variant, VariantError, all_fields, parse_variant, variant_fields
from rules.playing import variant
from strategies import variants

# Where a row of rules.md 8 differs from its defaults, written out by hand.
ROWS: dict[str, str] = {
    "partnership": "players=4 sides=2 target=21 win=bidder_only smudge=True steal=True",
    "partnership-draw": (
        "players=4 sides=2 target=21 win=bidder_only smudge=True steal=True trump=named "
        "exchange=draw opening_lead=trump"
    ),
    "partnership-pitching": (
        "players=4 sides=2 target=21 win=bidder_only smudge=True steal=True pitching=True"
    ),
    "partnership-six": (
        "players=6 sides=3 target=21 win=bidder_only dealt=8 smudge=True steal=True trump=named "
        "exchange=discard opening_lead=trump"
    ),
    "no-trump-first": (
        "players=4 sides=2 target=21 win=bidder_only smudge=True steal=True trump=named "
        "opening_lead=side_free"
    ),
    "cutthroat": "players=4 sides=4 target=21 win=bidder_only smudge=True steal=True",
    "ten-point": (
        "players=4 sides=2 target=21 win=bidder_only deck=54 dealt=9 max_bid=10 trump=named "
        "exchange=pitcher_draw opening_lead=trump follow=must_follow_or_trump low=held "
        "off_jack=True trey=True"
    ),
    "ten-point-six": (
        "players=6 sides=3 target=21 win=bidder_only deck=54 dealt=8 max_bid=10 trump=named "
        "exchange=widow opening_lead=trump follow=must_follow_or_trump low=held "
        "off_jack=True trey=True"
    ),
    "seven-point": (
        "players=4 sides=2 target=21 win=bidder_only deck=54 dealt=9 max_bid=7 trump=named "
        "exchange=pitcher_draw opening_lead=trump follow=must_follow_or_trump low=held "
        "off_jack=True"
    ),
    "six-point": (
        "players=4 sides=2 target=21 win=bidder_only deck=54 dealt=9 max_bid=6 trump=named "
        "exchange=pitcher_draw opening_lead=trump follow=must_follow_or_trump low=held"
    ),
    "trump-only": (
        "players=4 sides=2 target=52 win=bidder_first deck=54 dealt=9 min_bid=4 max_bid=10 "
        "moon=True trump=named exchange=trump_refill opening_lead=trump follow=trump_only "
        "low=held off_jack=True trey=True"
    ),
    "pitch-ac": "players=4 sides=2 target=11 win=bidder_first",
    "gameweave": (
        "players=4 sides=2 target=11 win=highest rounds=until_passed stuck=pass_is_min "
        "top_bid_ends=True trump=named opening_lead=trump"
    ),
}
DEFAULTS: dict[str, object] = {
    "deck": 52, "packet": 3, "dealt": 6, "min_bid": 2, "max_bid": 4, "smudge": False,
    "moon": False, "steal": False, "rounds": "one", "stuck": "must_bid", "top_bid_ends": False,
    "pitching": False, "takeover_doubles": False, "trump": "lead", "exchange": "none",
    "keep_trumps": True, "opening_lead": "sets_trump", "follow": "follow_or_trump",
    "low": "taken", "game": "count", "off_jack": False, "trey": False,
}  # fmt: skip


def test_the_catalog_has_the_thirteen_rows_in_their_order() -> None:
    assert list(VARIANTS) == list(ROWS)


@pytest.mark.parametrize("name", ROWS)
def test_a_named_variant_has_the_fields_of_its_row(name: str) -> None:
    fields = all_fields(VARIANTS[name])
    assert fields.pop("name") == name
    required = {"players", "sides", "target", "win"}
    differing = " ".join(
        f"{field}={value}"
        for field, value in fields.items()
        if field in required or value != DEFAULTS[field]
    )
    assert differing == ROWS[name]


@pytest.mark.parametrize("name", ROWS)
def test_a_named_variant_writes_its_name_alone(name: str) -> None:
    assert variant_fields(VARIANTS[name]) == {"name": name}
    assert parse_variant({"name": name}) == VARIANTS[name]


@given(variants())
def test_any_variant_is_the_same_after_writing_and_reading(made: Variant) -> None:
    assert parse_variant(variant_fields(made)) == made
    assert parse_variant(all_fields(made)) == made


def test_in_cutthroat_the_sides_follow_the_players() -> None:
    five = variant("cutthroat", players=5)
    assert five.sides == 5
    assert variant_fields(five) == {"name": "cutthroat", "players": 5}
    pairs = variant("cutthroat", players=6, sides=3)
    assert variant_fields(pairs) == {"name": "cutthroat", "players": 6, "sides": 3}
    assert variant_fields(variant("cutthroat", sides=2)) == {"name": "cutthroat", "sides": 2}
    assert variant("pitch-ac", players=6).sides == 2


@pytest.mark.parametrize(
    ("given_fields", "field", "sentence"),
    [
        ({}, "name", "a variant needs a name, one of partnership"),
        ({"name": "pitchac"}, "name", "did you mean pitch-ac"),
        ({"name": None}, "name", "unknown variant None"),
        ({"name": ["pitch-ac"]}, "name", "unknown variant"),
        ({"name": "pitch-ac", "Steal": True}, "Steal", "did you mean steal"),
        ({"name": "pitch-ac", "jokers": 2}, "jokers", "unknown field of a variant 'jokers'"),
        ({"name": "pitch-ac", "follow": "stric"}, "follow", "did you mean strict"),
        ({"name": "pitch-ac", "win": 3}, "win", "unknown word for win 3"),
        ({"name": "pitch-ac", "win": []}, "win", "unknown word for win"),
        ({"name": "pitch-ac", "steal": "yes"}, "steal", "steal must be true or false, got 'yes'"),
        ({"name": "pitch-ac", "steal": 1}, "steal", "steal must be true or false, got 1"),
        ({"name": "pitch-ac", "target": 11.0}, "target", "whole number, got 11.0"),
        ({"name": "pitch-ac", "players": True}, "players", "whole number, got True"),
        ({"name": "pitch-ac", "players": None}, "players", "whole number, got None"),
    ],
)
def test_what_is_no_variant_is_refused(
    given_fields: dict[str, object], field: str, sentence: str
) -> None:
    with pytest.raises(VariantError) as caught:
        parse_variant(given_fields)
    assert caught.value.fields == (field,)
    assert sentence in str(caught.value)


def test_a_variant_of_another_name_cannot_be_written() -> None:
    with pytest.raises(VariantError, match="unknown variant 'mine'"):
        variant_fields(Variant(**{**all_fields(VARIANTS["pitch-ac"]), "name": "mine"}))  # type: ignore[arg-type]
