import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitch_server.comparing.many_pairings import holm

ps = st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=20)


def test_a_family_worked_by_hand() -> None:
    marks = holm([0.01, 0.04, 0.03, 0.005])
    assert [mark.adjusted for mark in marks] == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert [mark.significant for mark in marks] == [True, False, False, True]


def test_the_undecided_count_in_the_family() -> None:
    assert holm([0.02, None]) == ((0.04, True), (None, False))
    assert not holm([0.02, None, None])[0].significant


def test_a_mark_at_the_level_itself_is_one() -> None:
    assert holm([0.025, 0.5])[0].significant


@given(ps, st.sampled_from([0.01, 0.05, 0.2]))
def test_it_lies_between_bonferroni_and_none(values: list[float | None], alpha: float) -> None:
    for p, mark in zip(values, holm(values, alpha), strict=True):
        if p is None:
            assert mark == (None, False)
            continue
        assert mark.adjusted is not None
        assert p <= mark.adjusted <= min(1, p * len(values))
        assert mark.significant == (mark.adjusted <= alpha)


@given(ps, st.integers(0, 19), st.floats(0, 1))
def test_less_doubt_of_one_adds_none_to_others(
    values: list[float | None], place: int, factor: float
) -> None:
    if place >= len(values):
        return
    p = values[place]
    clearer = [*values]
    clearer[place] = 0.5 if p is None else p * factor
    for before, after in zip(holm(values), holm(clearer), strict=True):
        assert after.significant >= before.significant
