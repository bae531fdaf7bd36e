"""The combinations that rules.md 8 refuses, each with the fields that its error names."""

import pickle
import re

import pytest
from hypothesis import given

from pitch.rules import VARIANTS, Variant, VariantError, parse_variant
from rules.playing import variant
from strategies import variants

REFUSED = [
    ("pitch-ac", {"players": 1}, {"players"}),
    ("pitch-ac", {"players": 0}, {"players"}),
    ("pitch-ac", {"players": -2}, {"players"}),
    ("pitch-ac", {"sides": 1}, {"sides"}),
    ("pitch-ac", {"sides": 0}, {"sides"}),
    ("pitch-ac", {"sides": -2}, {"sides"}),
    ("pitch-ac", {"sides": 8}, {"sides", "players"}),
    ("pitch-ac", {"players": 3}, {"sides", "players"}),
    ("partnership-six", {"sides": 4}, {"sides", "players"}),
    ("pitch-ac", {"packet": 0}, {"packet"}),
    ("pitch-ac", {"packet": 55}, {"packet"}),
    ("pitch-ac", {"target": 0}, {"target"}),
    ("pitch-ac", {"target": 1001}, {"target"}),
    ("pitch-ac", {"min_bid": 0}, {"min_bid"}),
    ("pitch-ac", {"deck": 48}, {"deck"}),
    ("pitch-ac", {"deck": 53}, {"deck"}),
    ("pitch-ac", {"players": 10}, {"players", "dealt", "deck"}),
    ("ten-point-six", {"dealt": 10}, {"players", "dealt", "deck"}),
    ("pitch-ac", {"min_bid": 5}, {"max_bid", "min_bid"}),
    ("pitch-ac", {"max_bid": 5}, {"max_bid", "deck", "off_jack", "trey"}),
    ("ten-point", {"trey": False}, {"max_bid", "deck", "off_jack", "trey"}),
    ("partnership", {"off_jack": True}, {"smudge", "deck", "off_jack", "trey"}),
    ("partnership", {"trey": True}, {"smudge", "deck", "off_jack", "trey"}),
    ("partnership-draw", {"deck": 54}, {"smudge", "deck", "off_jack", "trey"}),
    ("partnership", {"max_bid": 3}, {"smudge", "max_bid"}),
    ("partnership", {"moon": True}, {"smudge", "moon"}),
    ("cutthroat", {"smudge": False, "moon": True}, {"moon", "sides"}),
    ("partnership-six", {"smudge": False, "moon": True}, {"moon", "sides"}),
    ("gameweave", {"pitching": True, "rounds": "one"}, {"pitching", "trump"}),
    ("partnership-pitching", {"smudge": False, "max_bid": 3}, {"pitching", "max_bid"}),
    (
        "partnership-pitching",
        {"smudge": False, "off_jack": True, "min_bid": 5, "max_bid": 5},
        {"pitching", "max_bid"},
    ),
    ("partnership-pitching", {"smudge": False, "moon": True}, {"pitching", "moon"}),
    ("partnership", {"takeover_doubles": True}, {"takeover_doubles", "pitching"}),
    ("gameweave", {"steal": True}, {"steal", "rounds"}),
    (
        "partnership-pitching",
        {"steal": False, "rounds": "until_passed"},
        {"pitching", "rounds"},
    ),
    ("pitch-ac", {"deck": 54}, {"trump", "deck"}),
    ("partnership", {"exchange": "draw"}, {"trump", "exchange"}),
    ("partnership", {"exchange": "discard"}, {"trump", "exchange"}),
    ("partnership", {"exchange": "widow"}, {"trump", "exchange"}),
    ("partnership", {"exchange": "pitcher_draw"}, {"trump", "exchange"}),
    ("partnership", {"exchange": "trump_refill", "follow": "trump_only"}, {"trump", "exchange"}),
    ("pitch-ac", {"opening_lead": "any"}, {"trump", "opening_lead"}),
    ("pitch-ac", {"opening_lead": "trump"}, {"trump", "opening_lead"}),
    ("pitch-ac", {"opening_lead": "side_free"}, {"trump", "opening_lead"}),
    ("pitch-ac", {"trump": "named"}, {"trump", "opening_lead"}),
    ("gameweave", {"opening_lead": "sets_trump"}, {"trump", "opening_lead"}),
    ("pitch-ac", {"dealt": 5}, {"exchange", "dealt"}),
    ("pitch-ac", {"dealt": 7}, {"exchange", "dealt"}),
    ("pitch-ac", {"dealt": 0}, {"exchange", "dealt"}),
    ("pitch-ac", {"dealt": -6}, {"exchange", "dealt"}),
    ("gameweave", {"dealt": 7}, {"exchange", "dealt"}),
    ("partnership-draw", {"dealt": 5}, {"exchange", "dealt"}),
    ("partnership-draw", {"dealt": 7}, {"exchange", "dealt"}),
    ("partnership-six", {"dealt": 5}, {"exchange", "dealt"}),
    ("ten-point-six", {"dealt": 5}, {"exchange", "dealt"}),
    ("ten-point", {"dealt": 5}, {"exchange", "dealt"}),
    ("trump-only", {"dealt": 5}, {"exchange", "dealt"}),
    ("partnership-draw", {"players": 6}, {"exchange", "players", "dealt", "deck"}),
    ("ten-point", {"players": 6}, {"exchange", "players", "dealt", "deck"}),
    ("ten-point", {"dealt": 13}, {"exchange", "players", "dealt", "deck"}),
    ("trump-only", {"follow": "strict"}, {"exchange", "follow"}),
    ("ten-point", {"follow": "trump_only"}, {"exchange", "follow"}),
    ("ten-point", {"exchange": "trump_refill"}, {"exchange", "follow"}),
    ("trump-only", {"opening_lead": "any"}, {"follow", "opening_lead"}),
    ("trump-only", {"opening_lead": "side_free"}, {"follow", "opening_lead"}),
]


@pytest.mark.parametrize(("name", "given_fields", "named"), REFUSED)
def test_what_cannot_be_played_is_refused_and_names_the_fields(
    name: str, given_fields: dict[str, object], named: set[str]
) -> None:
    with pytest.raises(VariantError) as caught:
        variant(name, **given_fields)
    assert set(caught.value.fields) == named
    assert all(field in str(caught.value) for field in named)


# For each line of the list: what the error says would be possible, and that it is.
POSSIBLE = [
    ("pitch-ac", {"players": 1}, "players must be 2 or more", {"players": 2}),
    ("pitch-ac", {"sides": 1}, "sides must be 2 or more", {"sides": 2}),
    ("pitch-ac", {"players": 3}, "sides must divide players", {"sides": 3}),
    ("pitch-ac", {"packet": 55}, "packet must be 1 to 54", {"packet": 54}),
    ("pitch-ac", {"target": 1001}, "target must be 1 to 1000", {"target": 1000}),
    ("pitch-ac", {"min_bid": 0}, "min_bid must be 1 or more", {"min_bid": 1}),
    ("gameweave", {"deck": 53}, "deck must be 52 or 54", {"deck": 54}),
    ("pitch-ac", {"players": 10}, "must be at most the deck's 52 cards", {"players": 8}),
    ("pitch-ac", {"min_bid": 5}, "must not be below min_bid = 5", {"min_bid": 4}),
    ("pitch-ac", {"max_bid": 5}, "must be at most the 4 points", {"off_jack": True}),
    ("partnership", {"trey": True}, "smudge needs a deck of 52 without off", {"trey": False}),
    ("partnership", {"max_bid": 3}, "smudge needs max_bid = 4", {"max_bid": 4}),
    ("partnership", {"moon": True}, "set one to false", {"smudge": False}),
    ("cutthroat", {"smudge": False, "moon": True}, "needs sides = 2", {"sides": 2}),
    (
        "gameweave",
        {"pitching": True, "rounds": "one"},
        "pitching needs trump = lead",
        {"trump": "lead", "opening_lead": "sets_trump"},
    ),
    (
        "partnership-pitching",
        {"smudge": False, "max_bid": 3},
        "pitching needs max_bid = 4",
        {"max_bid": 4},
    ),
    (
        "partnership-pitching",
        {"smudge": False, "moon": True},
        "pitching and moon exclude each other: set one to false",
        {"pitching": False},
    ),
    ("partnership", {"takeover_doubles": True}, "needs pitching = true", {"pitching": True}),
    ("gameweave", {"steal": True}, "steal needs rounds = one", {"rounds": "one"}),
    (
        "partnership-pitching",
        {"steal": False, "rounds": "until_passed"},
        "pitching needs rounds = one",
        {"rounds": "one"},
    ),
    ("pitch-ac", {"deck": 54}, "trump = lead needs deck = 52", {"deck": 52}),
    (
        "partnership",
        {"exchange": "draw"},
        "trump = lead needs exchange = none, got draw; or set trump = named",
        {"trump": "named", "opening_lead": "trump"},
    ),
    ("pitch-ac", {"trump": "named"}, "need each other", {"opening_lead": "any"}),
    ("gameweave", {"opening_lead": "sets_trump"}, "need each other", {"trump": "lead"}),
    ("pitch-ac", {"dealt": 5}, "exchange = none needs dealt = 6, got 5", {"dealt": 6}),
    ("partnership-six", {"dealt": 5}, "needs dealt = 6 or more", {"dealt": 6}),
    ("partnership-draw", {"players": 6}, "needs a stock of 36 cards or more", {"players": 4}),
    ("ten-point", {"dealt": 13}, "needs a stock of 3 cards or more, got 2", {"dealt": 12}),
    ("ten-point", {"follow": "trump_only"}, "need each other", {"exchange": "trump_refill"}),
    ("ten-point", {"exchange": "trump_refill"}, "need each other", {"follow": "trump_only"}),
    (
        "trump-only",
        {"opening_lead": "any"},
        "follow = trump_only needs opening_lead = trump",
        {"opening_lead": "trump"},
    ),
]


@pytest.mark.parametrize(("name", "given_fields", "sentence", "mended"), POSSIBLE)
def test_the_error_says_what_would_be_possible(
    name: str, given_fields: dict[str, object], sentence: str, mended: dict[str, object]
) -> None:
    with pytest.raises(VariantError, match=re.escape(sentence)):
        variant(name, **given_fields)
    made = variant(name, **{**given_fields, **mended})
    assert all(getattr(made, field) == value for field, value in mended.items())


ALLOWED = [
    ("cutthroat", {"players": 8}),
    ("cutthroat", {"players": 2, "sides": 2}),
    ("ten-point-six", {"players": 9, "dealt": 6, "sides": 3}),
    ("ten-point", {"dealt": 12}),
    ("ten-point", {"exchange": "discard", "game": "ten", "follow": "strict_then_trump"}),
    ("ten-point", {"trey": False, "max_bid": 7}),
    ("pitch-ac", {"off_jack": True, "max_bid": 5, "packet": 54, "target": 1000}),
    ("partnership-pitching", {"takeover_doubles": True, "min_bid": 4}),
    ("partnership", {"smudge": False, "moon": True}),
    ("gameweave", {"opening_lead": "any", "players": 2}),
    ("trump-only", {"players": 6, "dealt": 6, "sides": 2}),
    ("trump-only", {"dealt": 13}),
    ("partnership-draw", {"keep_trumps": False, "target": 1}),
]


@pytest.mark.parametrize(("name", "fields"), ALLOWED)
def test_nothing_but_the_list_is_refused(name: str, fields: dict[str, object]) -> None:
    made = variant(name, **fields)
    assert all(getattr(made, field) == value for field, value in fields.items())


@given(variants())
def test_points_have_names_and_a_total(made: Variant) -> None:
    worth = {"trey": 3}
    assert sum(worth.get(name, 1) for name in made.points) == made.total_points


def test_points_stand_in_the_order_of_records() -> None:
    assert VARIANTS["pitch-ac"].points == ("high", "low", "jack", "game")
    assert VARIANTS["ten-point"].points == (
        "high", "low", "jack", "off_jack", "high_joker", "low_joker", "trey", "game",
    )  # fmt: skip


def test_partners_face_each_other() -> None:
    six = VARIANTS["partnership-six"]
    assert [six.side_of(seat) for seat in range(6)] == [0, 1, 2, 0, 1, 2]
    assert six.seats_of(1) == (1, 4)
    assert VARIANTS["cutthroat"].seats_of(3) == (3,)


def test_the_highest_number_counts_a_smudge_as_five() -> None:
    assert VARIANTS["partnership"].highest_number == 5
    assert VARIANTS["pitch-ac"].highest_number == 4
    assert VARIANTS["trump-only"].highest_number == 10


def test_an_error_survives_pickling() -> None:
    with pytest.raises(VariantError) as caught:
        parse_variant({"name": "pitch-ac", "players": 1})
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.fields) == (str(caught.value), ("players",))
