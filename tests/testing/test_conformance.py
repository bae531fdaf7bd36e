"""Rare decisions: all kinds are found, in every variant that has them."""

from random import Random

import pytest

from pitch.rules import VARIANTS, Discards, Variant, apply_action
from pitch.testing.conformance import KINDS, find_situations

ALL = [pytest.param(variant, id=name) for name, variant in VARIANTS.items()]


@pytest.mark.parametrize("variant", ALL)
def test_every_kind_that_a_variant_has_is_found_as_often_as_asked(variant: Variant) -> None:
    found = find_situations(variant, Random(7), each=2)
    names = [situation.kind.name for situation in found]
    assert names == [kind.name for kind in KINDS if kind.exists(variant) for _ in range(2)]


@pytest.mark.parametrize("variant", ALL)
def test_a_situation_is_a_decision_of_the_seat_to_act(variant: Variant) -> None:
    for situation in find_situations(variant, Random(8)):
        assert len(situation.legal) > 1
        assert situation.view.legal == situation.legal
        assert situation.view.seat == situation.hand.to_act
        assert situation.view.scores == situation.game.scores
        apply_action(situation.hand, situation.legal[-1])


def test_the_same_chance_finds_the_same_situations() -> None:
    variant = VARIANTS["ten-point"]
    assert find_situations(variant, Random(3)) == find_situations(variant, Random(3))
    assert find_situations(variant, Random(3)) != find_situations(variant, Random(4))


def test_between_them_the_variants_have_every_kind() -> None:
    assert all(any(kind.exists(variant) for variant in VARIANTS.values()) for kind in KINDS)


def test_where_trumps_must_go_there_is_nothing_else_to_choose() -> None:
    found = find_situations(VARIANTS["trump-only"], Random(1))
    (excess,) = [each for each in found if each.kind.name == "trumps must be discarded"]
    assert isinstance(excess.legal, Discards)
    assert excess.legal.minimum == excess.legal.maximum
    assert excess.legal.optional.bit_count() > 6
