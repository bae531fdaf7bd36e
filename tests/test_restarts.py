import pytest

from pitch_server.restarts import Restarts


@pytest.mark.parametrize(
    ("limit", "runs", "waits"),
    [
        pytest.param(3, [0, 0, 0, 0], [0.5, 1, 2, None], id="three-in-a-row"),
        pytest.param(0, [5], [None], id="none-allowed"),
        pytest.param(2, [0, 0, 60, 0, 0], [0.5, 1, 0.5, 1, None], id="a-minute-begins-anew"),
        pytest.param(2, [0, 59.9, 59.9], [0.5, 1, None], id="less-does-not"),
        pytest.param(1, [100, 100, 100], [0.5, 0.5, 0.5], id="now-and-then"),
        pytest.param(9, [0] * 9, [0.5, 1, 2, 4, 8, 16, 30, 30, 30], id="thirty-at-most"),
        pytest.param(0, [100, 100], [None, None], id="none-however-long"),
    ],
)
def test_waits_between_restarts(limit: int, runs: list[float], waits: list[float | None]) -> None:
    restarts = Restarts(limit)
    assert [restarts.next(ran_for) for ran_for in runs] == waits


def test_a_thousand_restarts_wait_thirty_seconds() -> None:
    restarts = Restarts(1000)
    waits = [restarts.next(0) for _ in range(1001)]
    assert waits[-2:] == [30, None]


@pytest.mark.parametrize(
    ("limit", "crashes", "sentence"),
    [
        pytest.param(0, 1, "crashed once, no restart is allowed", id="none"),
        pytest.param(1, 2, "crashed 2 times in a row, 1 restart is allowed", id="one"),
        pytest.param(3, 4, "crashed 4 times in a row, 3 restarts are allowed", id="three"),
    ],
)
def test_the_count_is_told(limit: int, crashes: int, sentence: str) -> None:
    restarts = Restarts(limit)
    for _ in range(crashes):
        restarts.next(0)
    assert restarts.sentence == sentence
