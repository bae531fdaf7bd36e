"""The examples of docs/deals.md, recomputed from its words alone, and what decks promise."""

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitch.rules.cards import parse_card
from pitch_server.plan.decks import board_series, chance, commitment, deck, game_key, netstrings
from pitch_server.plan.games import Plan
from plan.making import make_settings

DOCUMENT = Path(__file__).parents[2] / "docs" / "deals.md"
BLOCKS = [
    [json.loads(line) for line in block.splitlines()]
    for block in re.findall(r"```jsonl\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
]
COMMITMENTS, DECKS, CHANCES = BLOCKS


def plain_strings(*texts: object) -> bytes:
    out = b""
    for text in texts:
        data = str(text).encode("utf-8")
        out += str(len(data)).encode() + b":" + data + b","
    return out


def plain_deck(seed: str, series: str, board: int, hand: int, size: int) -> list[int]:
    label = "pitch-arena/deck/1"
    data = hashlib.shake_256(plain_strings(label, seed, series, board, hand, size)).digest(4096)
    cards, at = list(range(size)), 0
    for last in range(size - 1, 0, -1):
        while data[at] >= 256 - 256 % (last + 1):
            at += 1
        place = data[at] % (last + 1)
        at += 1
        cards[last], cards[place] = cards[place], cards[last]
    return cards


@pytest.mark.parametrize("example", DECKS)
def test_decks_are_those_of_the_document(example: dict[str, Any]) -> None:
    cards = [parse_card(text) for text in example.pop("deck").split(" ")]
    assert plain_deck(**example) == cards
    assert list(deck(**example)) == cards


@pytest.mark.parametrize("example", COMMITMENTS)
def test_commitments_are_those_of_the_document(example: dict[str, str]) -> None:
    assert hashlib.sha256(example["seed"].encode("utf-8")).hexdigest() == example["commitment"]
    assert commitment(example["seed"]) == example["commitment"]


@pytest.mark.parametrize("example", CHANCES)
def test_chances_are_those_of_the_document(example: dict[str, Any]) -> None:
    key = plain_strings(example["board"], *example["seats"]).decode("utf-8")
    label = "pitch-arena/chance/1"
    data = plain_strings(label, example["seed"], key, example["seat"], example["number"])
    assert hashlib.shake_256(data).hexdigest(8) == example["chance"]
    got = chance(example["seed"], key, example["seat"], example["number"])
    assert got == int(example["chance"], 16)


@given(st.text(), st.text(), st.integers(0), st.integers(0), st.sampled_from([52, 54]))
def test_any_deck_is_the_documents_and_whole(
    seed: str, series: str, board: int, hand: int, size: int
) -> None:
    cards = deck(seed, series, board, hand, size)
    assert sorted(cards) == list(range(size))
    assert list(cards) == plain_deck(seed, series, board, hand, size)


def test_no_two_decks_of_a_tournament_are_equal() -> None:
    # ACPC 2016: card sequences came again for seeds from 100 on
    decks = Counter(
        deck(str(seed), "", board, hand, 52)
        for seed in range(20)
        for board in range(20)
        for hand in range(5)
    )
    assert set(decks.values()) == {1}


def test_every_card_comes_everywhere_alike() -> None:
    trials = 2000
    first = Counter(deck("even", "", board, 0, 52)[0] for board in range(trials))
    expected = trials / 52
    chi2 = sum((first[card] - expected) ** 2 / expected for card in range(52))
    assert chi2 < 95  # 51 degrees of freedom: 1 in 5,000 by chance, but the seed is fixed


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_netstrings_of_different_texts_differ(one: list[str], other: list[str]) -> None:
    assert (netstrings(one) == netstrings(other)) == (one == other)


def test_a_series_of_deals_belongs_to_the_names_alone() -> None:
    assert board_series(("b", "a")) == board_series(("a", "b"))
    assert board_series(("ab", "c")) != board_series(("a", "bc"))


def test_a_games_chance_does_not_depend_on_who_else_plays() -> None:
    two, three = Plan(make_settings(2)), Plan(make_settings(3))
    names = ("a", "b", "c")
    together = three.pairings.index((0, 1))
    for board in range(4):
        for seating in range(2):
            one = two[two.number(0, board, seating)]
            other = three[three.number(together, board, seating)]
            assert game_key(one, names) == game_key(other, names)
    keys = {game_key(game, names) for game in three}
    assert len(keys) == len(three)
