from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitch_server.comparing.prefix import FinishedPrefix


@given(st.integers(0, 40), st.randoms(use_true_random=False))
def test_whatever_order_they_come_in_they_leave_in_the_plans(count: int, chance: Random) -> None:
    prefix: FinishedPrefix[str] = FinishedPrefix()
    left: list[str] = []
    numbers = list(range(count))
    chance.shuffle(numbers)
    for number in numbers:
        left += prefix.add(number, f"board {number}")
        assert len(left) == prefix.due
    assert left == [f"board {number}" for number in range(count)]
    assert prefix.waiting == 0


def test_one_that_is_missing_holds_up_all_after_it() -> None:
    prefix: FinishedPrefix[int] = FinishedPrefix(5)
    assert prefix.add(6, 60) == prefix.add(7, 70) == []
    assert prefix.waiting == 2
    assert prefix.add(5, 50) == [50, 60, 70]


@pytest.mark.parametrize("number", [0, 4])
def test_a_number_comes_once(number: int) -> None:
    prefix: FinishedPrefix[int] = FinishedPrefix()
    prefix.add(0, 1)
    prefix.add(4, 1)
    with pytest.raises(ValueError, match=f"number {number} is there already"):
        prefix.add(number, 1)
