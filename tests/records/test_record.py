"""The form of a record: reading, writing, notes that are kept, types that are not bent."""

import json
from typing import Any

import pytest

from pitch.records import (
    Flaw,
    GameRecord,
    HandRecord,
    RecordError,
    SeatAction,
    deck_text,
    parse_deck,
    parse_record,
    parse_seat_action,
    record_json,
    seat_action_text,
)
from pitch.rules import BIDS, MOON, SMUDGE, VARIANTS, discard
from records.making import DECK, HAND_RESULT, RESULT, a_hand, a_record


def test_reading_gives_cards_and_actions() -> None:
    record = parse_record(a_record())
    assert record.variant == VARIANTS["partnership"]
    assert record.seats == ("ann", "bob", "ann", "bob")
    assert (record.first_dealer, record.max_hands) == (0, 100)
    assert record.hands[0].deck[:2] == (17, 47)
    assert record.hands[0].actions[0] == SeatAction(1, BIDS[2])
    assert record.result is None


def test_writing_puts_every_default_of_the_header() -> None:
    written = record_json(parse_record(a_record()))
    assert written == a_record(first_dealer=0, max_hands=100)
    assert list(written)[:5] == ["format", "variant", "seats", "first_dealer", "max_hands"]


def test_notes_are_kept_at_every_level() -> None:
    won: dict[str, Any] = {**HAND_RESULT["won"], "x_won": 1}  # type: ignore[dict-item]
    value = a_record(
        variant={"name": "partnership", "target": 9, "x_variant": [None]},
        first_dealer=0,
        max_hands=None,
        hands=[a_hand(x_hand="é", result={**HAND_RESULT, "won": won, "x_result": {}})],
        result={**RESULT, "x_result": 1.25},
        x_record={"a": [1, {"b": True}]},
    )
    assert record_json(parse_record(value)) == value


def test_a_variant_is_written_as_its_name_and_what_differs() -> None:
    given = {"name": "pitch-ac", "players": 4, "steal": True}
    written = record_json(parse_record(a_record(variant=given)))
    assert written["variant"] == {"name": "pitch-ac", "steal": True}


def test_cards_of_a_discard_are_written_in_order() -> None:
    seat, action = parse_seat_action("2 discard AS 2C TD")
    assert seat_action_text(seat, action) == "2 discard 2C TD AS"


@pytest.mark.parametrize(
    "text",
    [
        *("1 pass", "0 bid 2", "8 bid 10", "3 bid smudge", "3 bid moon", "2 pitch TS"),
        *("2 trump H", "5 discard", "5 discard 2C HJ", "1 take", "1 give", "0 play LJ"),
    ],
)
def test_an_action_is_read_and_written_alike(text: str) -> None:
    assert seat_action_text(*parse_seat_action(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "1", "pass", "1pass", "1  pass", "1 pass ", "10 pass", "-1 pass", "１ pass"),
        *("1 bid", "1 bid 0", "1 bid 01", "1 bid 2 3", "1 bid two", "1 bid Moon", "1 bid 101"),
        *("1 trump X", "1 trump CD", "1 discard 2C 2C", "1 discard ", "1 discard 2C  3C"),
        *("1 play", "1 play 10C", "1 play ts", "1 take it", "1 fold", "1\tpass", "1 pass\n"),
    ],
)
def test_any_other_text_is_no_action(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected"):
        parse_seat_action(text)


def test_big_bids_have_words_not_numbers() -> None:
    assert parse_seat_action("1 bid smudge").action.value == SMUDGE
    assert parse_seat_action("1 bid moon").action.value == MOON


def test_a_deck_is_read_and_written_alike() -> None:
    assert deck_text(parse_deck(DECK)) == DECK
    with pytest.raises(RecordError, match=r"the deck: .*'1C'"):
        parse_deck("1C")


def test_a_record_can_be_made_from_values() -> None:
    hand = HandRecord(deck=(0, 53), actions=(SeatAction(1, discard((0, 3))),))
    record = GameRecord(variant=VARIANTS["trump-only"], seats=("a", "b", "c", "d"), hands=(hand,))
    value = record_json(record)
    assert value["hands"] == [{"deck": "2C HJ", "actions": ["1 discard 2C 5C"]}]
    assert parse_record(json.loads(json.dumps(value))) == record


@pytest.mark.parametrize(
    ("value", "flaw", "where"),
    [
        pytest.param(3, Flaw.HEADER, (None, None), id="no object"),
        pytest.param(a_record(hands=[a_hand(), 3]), Flaw.HAND_KEYS, (1, None), id="hand"),
        pytest.param(a_record(hands=[a_hand(deck="?")]), Flaw.DECK, (0, None), id="deck"),
        pytest.param(
            a_record(hands=[a_hand(actions=["1 pass", 2])]), Flaw.MALFORMED, (0, 1), id="action"
        ),
        pytest.param(
            a_record(hands=[a_hand(result=None)]), Flaw.HAND_RESULT, (0, None), id="hand result"
        ),
        pytest.param(a_record(result=1), Flaw.GAME_RESULT, (None, None), id="record result"),
    ],
)
def test_what_has_not_the_form_is_refused_with_its_place(
    value: object, flaw: Flaw, where: tuple[int | None, int | None]
) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(value)
    assert caught.value.flaw is flaw
    assert (caught.value.hand, caught.value.action) == where
