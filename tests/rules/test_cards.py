import pytest

from pitch.rules import (
    CARD_COUNT,
    HIGH_JOKER,
    LOW_JOKER,
    card_text,
    cards_of,
    mask_of,
    parse_card,
    parse_suit,
    suit_text,
)


@pytest.mark.parametrize(
    ("text", "card"),
    [("2C", 0), ("AC", 12), ("2D", 13), ("TH", 34), ("2S", 39), ("AS", 51), ("LJ", 52), ("HJ", 53)],
)
def test_cards_are_numbered_by_suit_then_rank(text: str, card: int) -> None:
    assert parse_card(text) == card
    assert card_text(card) == text


def test_every_card_is_the_same_after_writing_and_reading() -> None:
    assert [parse_card(card_text(card)) for card in range(CARD_COUNT)] == list(range(CARD_COUNT))
    assert (LOW_JOKER, HIGH_JOKER) == (52, 53)


@pytest.mark.parametrize(
    "text", ["", "1S", "as", "A", "10S", "SA", "AS ", "J", "\u2660A", "A" * 999]
)
def test_what_is_no_card_is_named_in_the_error(text: str) -> None:
    with pytest.raises(ValueError, match="expected a card such as TS") as caught:
        parse_card(text)
    assert len(str(caught.value)) < 120


def test_suits_have_letters() -> None:
    assert [suit_text(parse_suit(letter)) for letter in "CDHS"] == list("CDHS")
    for text in ("", "c", "CD", "X"):
        with pytest.raises(ValueError, match="expected a suit"):
            parse_suit(text)


def test_masks_hold_cards_in_ascending_order() -> None:
    assert cards_of(mask_of([53, 0, 17])) == (0, 17, 53)
    assert cards_of(0) == ()
