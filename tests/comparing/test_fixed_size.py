import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparing.making import BOARDS, moments_of
from pitch_server.comparing.fixed_size import Luck, fixed_size, two_sided_p
from pitch_server.comparing.measures import Measure


@pytest.mark.parametrize("scale", [1, 2, 6])
def test_the_published_values_come_out(scale: int) -> None:
    found = fixed_size(moments_of(BOARDS, scale), "A", Measure.POINTS)
    assert (found.point_of_view, str(found.measure)) == ("A", "points per board")
    assert (found.boards, found.mean) == (20, 0.7)
    assert found.sd == pytest.approx(2.10513, abs=5e-6)
    assert found.standard_error == pytest.approx(0.47072, abs=5e-6)
    assert found.interval == pytest.approx((-0.2852, 1.6852), abs=5e-5)
    assert found.effect == pytest.approx(0.7 / 2.10513, abs=1e-6)


def test_the_p_value_is_that_of_the_interval() -> None:
    found = fixed_size(moments_of(BOARDS), "A", Measure.POINTS)
    assert found.interval is not None
    for end in found.interval:
        assert two_sided_p(moments_of(BOARDS), end) == pytest.approx(0.05)
    assert found.p_value == pytest.approx(0.1534, abs=5e-5)  # t = 1.4871 with 19 degrees


@pytest.mark.parametrize("values", [[], [3], [3, 3], [0] * 9])
def test_without_spread_there_is_no_effect(values: list[int]) -> None:
    found = fixed_size(moments_of(values), "A", Measure.POINTS)
    assert (found.effect, found.p_value) == (None, None)


@given(st.lists(st.integers(-(10**6), 10**6), max_size=40), st.integers(1, 56))
def test_all_numbers_are_finite_or_not_there(values: list[int], scale: int) -> None:
    found = fixed_size(moments_of(values, scale), "A", Measure.POINTS)
    for number in (found.mean, found.sd, found.standard_error, found.effect, found.p_value):
        assert number is None or math.isfinite(number)
    assert found.p_value is None or 0 <= found.p_value <= 1


def test_the_luck_that_both_tables_share_is_removed() -> None:
    chance, luck = Random(1), Luck(2)
    for _ in range(4000):
        deal, skill = chance.gauss(0, 30), 2
        luck.add([round(skill + side * deal + chance.gauss(0, 10)) for side in (1, -1)])
    # variances: 100/2 of D, (900 + 100)/2 of unpaired tables
    assert luck.removed == pytest.approx(0.9, abs=0.01)
    assert luck.deals_worth == pytest.approx(10, rel=0.1)
    assert luck.boards.mean == pytest.approx(2, abs=0.5)


def test_with_three_seatings_the_share_is_of_three_tables() -> None:
    chance, luck = Random(1), Luck(3, 2)
    for _ in range(4000):
        deal = chance.gauss(0, 30)
        luck.add([round(share * deal + chance.gauss(0, 10)) for share in (2, -1, -1)])
    # the deal's luck cancels; unpaired: (4 + 1 + 1) * 900 + 3 * 100 over 9
    assert luck.removed == pytest.approx(1 - 300 / 5700, abs=0.005)


def test_nothing_is_removed_from_unpaired_tables() -> None:
    luck = Luck(1)
    for value in BOARDS:
        luck.add([value])
    assert luck.removed == pytest.approx(0)
    assert luck.deals_worth == pytest.approx(1)


@pytest.mark.parametrize(
    ("tables", "removed", "worth"),
    [
        pytest.param([], None, None, id="no board"),
        pytest.param([(3, -1)], None, None, id="one board"),
        pytest.param([(1, 1)] * 5, None, None, id="no spread at all"),
        pytest.param([(1, -1), (3, -3), (-2, 2)], 1, None, id="nothing but luck"),
        pytest.param([(1, 1), (3, 3), (-2, -2)], -1, 0.5, id="pairing did harm"),
    ],
)
def test_the_luck_of_odd_boards(
    tables: list[tuple[int, int]], removed: float | None, worth: float | None
) -> None:
    luck = Luck(2)
    for margins in tables:
        luck.add(margins)
    assert luck.removed == (None if removed is None else pytest.approx(removed))
    assert luck.deals_worth == (None if worth is None else pytest.approx(worth))
