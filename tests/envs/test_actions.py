"""The numbering: every action of every variant has a number, every discard one way of steps."""

from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given

from pitch.envs.actions import (
    ACTION_COUNT,
    DONE,
    PUT_AWAY,
    action_index,
    discard_steps,
    index_text,
    legal_indexes,
    take_step,
)
from pitch.rules import PASS, Action, Discards, legal_actions, mask_of, parse_action, parse_card
from strategies import Playout, playouts


def discards(required: str, optional: str, least: int, most: int) -> Discards:
    return Discards(cards(required), cards(optional), least, most)


def cards(texts: str) -> int:
    return mask_of(map(parse_card, texts.split()))


@given(playouts())
def test_every_legal_action_of_any_variant_has_a_number_and_comes_back(played: Playout) -> None:
    for hand in played.hands:
        legal = legal_actions(hand)
        indexes = legal_indexes(legal)
        assert len(set(indexes)) == len(indexes)
        assert all(0 <= index < ACTION_COUNT for index in indexes)
        if not isinstance(legal, Discards):
            assert [take_step(legal, 0, index) for index in indexes] == list(legal)
            assert [action_index(action) for action in legal] == indexes


@given(playouts())
def test_every_discard_comes_of_its_steps(played: Playout) -> None:
    for hand in played.hands:
        legal = legal_actions(hand)
        if isinstance(legal, Discards) and len(legal) > 1:
            for action in islice(legal, 40):
                assert taken(legal, [index for _, index in discard_steps(legal, action)]) == action


def taken(legal: Discards, indexes: list[int]) -> Action:
    putting: Action | int = 0
    for index in indexes:
        assert not isinstance(putting, Action), "no step is left over"
        putting = take_step(legal, putting, index)
    assert isinstance(putting, Action)
    return putting


@pytest.mark.parametrize(
    "legal",
    [
        pytest.param(discards("", "2C 3C 5D 9S", 0, 4), id="any of four"),
        pytest.param(discards("", "2C 3C 5D 9S AH", 0, 3), id="up to three of five"),
        pytest.param(discards("2C", "3C 5D 9S", 3, 3), id="exactly three, one required"),
        pytest.param(discards("2C 3C", "5D 9S", 2, 3), id="one more or none"),
    ],
)
def test_steps_reach_every_legal_discard_and_no_other(legal: Discards) -> None:
    assert set(reached(legal, 0)) == set(legal)


def reached(legal: Discards, putting: int) -> Iterator[Action]:
    for index in legal_indexes(legal, putting):
        outcome = take_step(legal, putting, index)
        if isinstance(outcome, Action):
            yield outcome
        else:
            yield from reached(legal, outcome)


def test_a_discard_ends_by_itself_where_only_one_is_left() -> None:
    legal = discards("2C", "3C 5D 9S", 3, 3)
    put = [PUT_AWAY + parse_card(card) for card in ("3C", "5D")]
    first = take_step(legal, 0, put[1])
    assert first == cards("2C 5D")
    assert isinstance(first, int)
    assert take_step(legal, first, put[0]) == parse_action("discard 2C 3C 5D")


def test_a_discard_that_may_end_is_ended_by_done() -> None:
    legal = discards("", "3C 5D 9S", 0, 3)
    assert take_step(legal, 0, DONE) == parse_action("discard")
    assert take_step(legal, cards("5D"), DONE) == parse_action("discard 5D")


def test_a_choice_that_is_not_legal_is_told_with_those_that_are() -> None:
    legal = (PASS, parse_action("bid 4"))
    with pytest.raises(ValueError, match=r"expected one of 0 \(pass\), 4 \(bid 4\), got 3"):
        take_step(legal, 0, 3)
    with pytest.raises(
        ValueError, match=r"expected one of 130 \(put away 5C\), 181 \(done\), got 3"
    ):
        take_step(discards("", "5C", 0, 1), 0, 3)


@pytest.mark.parametrize(
    ("index", "text"),
    [(0, "pass"), (10, "bid 10"), (11, "bid smudge"), (12, "bid moon"), (13, "trump C"),
     (17, "take"), (18, "give"), (19, "pitch 2C"), (73, "play 2C"), (126, "play HJ"),
     (127, "put away 2C"), (181, "done")],
)  # fmt: skip
def test_the_numbers_are_those_of_the_docs(index: int, text: str) -> None:
    assert index_text(index) == text
