from random import Random

import pytest

from pitch_server.table.spread import Spread


def test_nothing_has_no_percentiles() -> None:
    spread = Spread()
    assert (spread.count, spread.p50, spread.p99, spread.worst) == (0, 0.0, 0.0, 0.0)


def test_percentiles_are_a_fifth_too_high_at_most_and_never_too_low() -> None:
    values = [Random(5).lognormvariate(-5, 2) for _ in range(5000)]
    spread = Spread()
    for value in values:
        spread.add(value)
    values.sort()
    for share in (0.1, 0.5, 0.9, 0.99, 1.0):
        true = values[int(share * len(values)) - 1]
        assert true <= spread.at(share) <= true * 1.2
    assert (spread.count, spread.worst) == (5000, values[-1])


@pytest.mark.parametrize("value", [0.0, 1e-9, 3e-6])
def test_what_is_too_short_to_tell_is_nothing(value: float) -> None:
    spread = Spread()
    spread.add(value)
    assert spread.p99 == 0.0
    assert spread.worst == value


def test_a_day_is_counted_like_ten_minutes_but_kept_as_the_worst() -> None:
    spread = Spread()
    spread.add(86400.0)
    assert spread.worst == 86400.0
    assert spread.p50 > 500


def test_spreads_are_kept_as_counts_and_added_up() -> None:
    one, other, both = Spread(), Spread(), Spread()
    for number in range(1000):
        seconds = Random(number).lognormvariate(-5, 2)
        (one if number % 3 else other).add(seconds)
        both.add(seconds)
    kept = Spread.of(one.counts, one.worst)
    kept.add_all(other)
    assert (kept.counts, kept.count, kept.worst) == (both.counts, 1000, both.worst)
    assert (kept.p50, kept.p99) == (both.p50, both.p99)


@pytest.mark.parametrize(
    ("counts", "worst"),
    [
        pytest.param([1, -1], 1.0, id="less than none"),
        pytest.param([0.5], 1.0, id="a fraction"),
        pytest.param([True], 1.0, id="no number"),
        pytest.param([1] * 1000, 1.0, id="too many"),
        pytest.param([1], float("nan"), id="no time"),
        pytest.param([1], -1.0, id="a time before"),
    ],
)
def test_counts_that_nothing_can_have_are_refused(counts: list[int], worst: float) -> None:
    with pytest.raises(ValueError, match="expected up to 104 counts and a time"):
        Spread.of(counts, worst)
