from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitch.rules import (
    BIDS,
    GIVE,
    MOON,
    PASS,
    PITCHES,
    PLAYS,
    SMUDGE,
    TAKE,
    TRUMPS,
    Action,
    Discards,
    Kind,
    action_text,
    cards_of,
    discard,
    mask_of,
    parse_action,
)
from rules.playing import cards

SINGLES = (PASS, TAKE, GIVE, *BIDS[1:], *PITCHES, *TRUMPS, *PLAYS)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("pass", PASS),
        ("bid 2", Action(Kind.BID, 2)),
        ("bid smudge", Action(Kind.BID, SMUDGE)),
        ("bid moon", Action(Kind.BID, MOON)),
        ("pitch AS", Action(Kind.PITCH, 51)),
        ("trump H", Action(Kind.TRUMP, 2)),
        ("discard", discard([])),
        ("discard 2C HJ", discard([53, 0])),
        ("take", TAKE),
        ("give", GIVE),
        ("play LJ", Action(Kind.PLAY, 52)),
    ],
)
def test_actions_have_the_text_of_records(text: str, action: Action) -> None:
    assert parse_action(text) == action
    assert action_text(action) == text


def test_every_action_is_the_same_after_writing_and_reading() -> None:
    for action in SINGLES:
        assert parse_action(action_text(action)) == action


def test_cards_of_a_discard_may_stand_in_any_order() -> None:
    assert parse_action("discard 3C 2C") == parse_action("discard 2C 3C") == discard(0b11)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "Pass", "pass ", " pass", "pass 1", "bid", "bid 03", "bid  3", "bid +3", "bid 3.0",
        "bid -1", "bid 0", "bid 101", "bid 1000000", "bid ٣", "bid Smudge", "pitch", "pitch 1S",
        "pitch AS KS", "trump", "trump X", "trump CD", "discard ", "discard 2C  3C",
        "discard 2C 2C",
        "discard 2c", "take it", "give 2C", "play", "play AS ", "play A", "lead AS", "smudge",
    ],
)  # fmt: skip
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_action(text)


def test_bids_compare_as_the_rules_do() -> None:
    assert 10 < SMUDGE < MOON


def test_discards_stand_by_number_of_cards_then_by_cards() -> None:
    legal = Discards(mask_of(cards("AS")), mask_of(cards("2C 3C 4D")), 1, 3)
    assert [action_text(action) for action in legal] == [
        "discard AS",
        "discard 2C AS",
        "discard 3C AS",
        "discard 4D AS",
        "discard 2C 3C AS",
        "discard 2C 4D AS",
        "discard 3C 4D AS",
    ]


def test_discards_count_as_required_or_optional_what_is_in_all_or_some() -> None:
    two, three = mask_of(cards("AS KS")), mask_of(cards("2C 3C 4C"))
    everything = Discards(two, three, 5, 5)
    assert (everything.required, everything.optional) == (two | three, 0)
    nothing_more = Discards(two, three, 2, 2)
    assert (nothing_more.required, nothing_more.optional) == (two, 0)
    assert list(nothing_more) == [discard(two)]


@st.composite
def all_discards(draw: st.DrawFn) -> Discards:
    pool = draw(st.lists(st.integers(0, 53), unique=True, max_size=9))
    split = draw(st.integers(0, len(pool)))
    low = draw(st.integers(split, len(pool)))
    high = draw(st.integers(low, len(pool)))
    return Discards(mask_of(pool[:split]), mask_of(pool[split:]), low, high)


@given(all_discards())
def test_discards_are_the_sequence_that_writing_them_out_would_give(legal: Discards) -> None:
    optional = cards_of(legal.optional)
    sizes = range(legal.minimum, legal.maximum + 1)
    held = legal.required.bit_count()
    listed = [
        discard(legal.required | mask_of(chosen))
        for size in sizes
        for chosen in combinations(optional, size - held)
    ]
    assert list(legal) == listed
    assert len(legal) == len(listed)
    assert [legal[index] for index in range(len(listed))] == listed
    assert [legal[-index] for index in range(1, len(listed) + 1)] == listed[::-1]
    assert legal[1:3] == tuple(listed[1:3])
    assert all(action in legal for action in listed)
    for index in (len(listed), -len(listed) - 1):
        with pytest.raises(IndexError):
            legal[index]


@given(all_discards(), st.integers(0, 2**54 - 1))
def test_discards_hold_nothing_else(legal: Discards, mask: int) -> None:
    assert (discard(mask) in legal) == (discard(mask) in list(legal))
    assert PASS not in legal
    assert Action(Kind.DISCARD, -1) not in legal
    assert Action(Kind.PLAY, legal[0].value) not in legal


def test_many_discards_are_never_written_out() -> None:
    legal = Discards(0, (1 << 54) - 1, 0, 54)
    assert len(legal) == 2**54
    assert legal[-1] == discard((1 << 54) - 1)
    assert legal[54] == discard([53])


def test_equal_discards_are_equal() -> None:
    assert Discards(1, 6, 2, 2) == Discards(1, 6, 2, 2)
    assert hash(Discards(1, 6, 2, 2)) == hash(Discards(1, 6, 2, 2))
    assert Discards(1, 6, 2, 2) != Discards(1, 6, 1, 2)
    assert repr(Discards(1, 6, 1, 2)) == (
        "Discards(required=0x1, optional=0x6, minimum=1, maximum=2)"
    )
