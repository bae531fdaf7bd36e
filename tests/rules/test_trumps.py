"""What beats what under a trump (rules.md 1), for every named variant."""

from itertools import product

import pytest

from pitch.rules import CARD_COUNT, SUITS, TRUMP_TABLES, VARIANTS, card_text, off_jack_of
from rules.playing import cards

PLAIN = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"]
OTHER_OF_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}


def order(name: str, suit: str) -> list[str]:
    """Trumps from high to low, as the text of the rules lists them."""
    variant = VARIANTS[name]
    off_jack = [f"J{OTHER_OF_COLOUR[suit]}"] if variant.off_jack else []
    jokers = ["HJ", "LJ"] if variant.deck == 54 else []
    own = [f"{rank}{suit}" for rank in PLAIN]
    return own[:4] + off_jack + jokers + own[4:]


@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize("name", VARIANTS)
def test_trumps_rank_as_the_rules_list_them(name: str, suit: str) -> None:
    variant = VARIANTS[name]
    table = TRUMP_TABLES[variant.off_jack][SUITS.index(suit)]
    high_to_low = [card_text(card) for card in table.high_to_low if card < variant.deck]
    assert high_to_low == order(name, suit)


@pytest.mark.parametrize("name", VARIANTS)
def test_an_ace_is_above_every_joker_and_every_jack(name: str) -> None:
    variant = VARIANTS[name]
    for trump, table in enumerate(TRUMP_TABLES[variant.off_jack]):
        ace = trump * 13 + 12
        assert all(
            table.power[trump][ace] > table.power[trump][card]
            for card in range(variant.deck)
            if card != ace
        )


TABLES = list(product((False, True), range(4)))


@pytest.mark.parametrize(("off_jack", "trump"), TABLES)
def test_what_is_trump_and_what_takes_a_trick_go_by_one_order(off_jack: bool, trump: int) -> None:
    table = TRUMP_TABLES[off_jack][trump]
    listed = list(table.high_to_low)
    assert sum(1 << card for card in listed) == table.trumps
    for led in range(4):
        power = table.power[led]
        assert sorted(listed, key=lambda card: -power[card]) == listed
        suit = [card for card in range(CARD_COUNT) if table.suit_of[card] == led]
        assert sum(1 << card for card in suit) == table.suits[led]
        rest = [card for card in range(CARD_COUNT) if not (table.trumps >> card & 1)]
        assert all(power[trump_card] > power[card] for trump_card in listed for card in rest)
        assert all((power[card] > 0) == (card in suit) for card in rest)


@pytest.mark.parametrize(("off_jack", "trump"), TABLES)
def test_the_off_jack_belongs_to_trump_and_to_no_printed_suit(off_jack: bool, trump: int) -> None:
    table = TRUMP_TABLES[off_jack][trump]
    jack = off_jack_of(trump)
    printed = jack // 13
    assert card_text(jack)[0] == "J"
    assert OTHER_OF_COLOUR[SUITS[printed]] == SUITS[trump]
    assert table.suit_of[jack] == (trump if off_jack else printed)
    assert bool(table.suits[printed] >> jack & 1) != off_jack
    assert bool(table.trumps >> jack & 1) == off_jack


def test_jokers_belong_to_whatever_is_trump() -> None:
    for off_jack, trump in TABLES:
        table = TRUMP_TABLES[off_jack][trump]
        assert [table.suit_of[card] for card in cards("LJ HJ")] == [trump, trump]
