from hypothesis import given
from hypothesis import strategies as st

from pitch_server.plan.played import Played


@given(st.lists(st.integers(0, 40)))
def test_it_is_a_set_of_numbers(numbers: list[int]) -> None:
    played, plain = Played(), set[int]()
    for number in numbers:
        assert played.add(number) == (number not in plain)
        plain.add(number)
        assert len(played) == len(plain)
    assert [number for number in range(42) if number in played] == sorted(plain)
    assert list(played.missing(30)) == [n for n in range(30) if n not in plain]


def test_a_long_run_costs_nothing() -> None:
    played = Played(range(100_000))
    assert len(played._starts) == 1
    assert list(played.missing(100_002)) == [100_000, 100_001]


def test_what_is_missing_is_told_while_more_is_added() -> None:
    played = Played([0, 2])
    missing = played.missing(5)
    assert next(missing) == 1
    played.add(1)
    played.add(3)
    assert list(missing) == [3, 4]
