import pytest

from pitch_server.service.limits import (
    LINES,
    REFUSALS,
    Bucket,
    Budget,
    Lines,
    Refusals,
    Standing,
    address_of,
)


def test_a_budget_is_free_until_it_is_used_up_and_comes_back_with_time() -> None:
    bucket = Bucket(Budget(10, 2))
    assert bucket.take(10, now=100) == 0
    assert bucket.take(1, now=100) == 0.5
    assert bucket.take(3, now=100) == 2
    assert bucket.take(0, now=101) == 1
    assert bucket.take(0, now=102) == 0
    assert bucket.take(10, now=200) == 0  # no more is saved than the budget


@pytest.mark.parametrize("pause", [0.0, 0.01, 1.0])
def test_whoever_waits_as_told_keeps_within_the_budget(pause: float) -> None:
    bucket, now, taken = Bucket(Budget(100, 10)), 0.0, 0
    while now < 60:
        now += bucket.take(1, now) + pause
        taken += 1
    assert taken <= 100 + 60 * 10 + 1


def test_refusals_are_held_back_where_there_are_many_by_address() -> None:
    refusals = Refusals(longest=2.0)
    assert not any(refusals.wait("198.51.100.1", now=0) for _ in range(int(REFUSALS.at_once)))
    held = [refusals.wait("198.51.100.1", now=0) for _ in range(100)]
    assert held[0] > 0
    assert max(held) == 2.0
    assert refusals.wait("198.51.100.2", now=0) == 0
    assert refusals.wait("198.51.100.1", now=3600) == 0


def test_addresses_without_number_take_no_memory_without_bound() -> None:
    refusals = Refusals(longest=2.0)
    for number in range(10_000):
        refusals.wait(f"[2001:db8::{number:x}]", now=0)
    assert len(refusals._buckets) < 5_000


def peers(address: str, *ports: int) -> set[str]:
    return {f"{address}:{port}" for port in ports}


def test_of_too_many_of_an_address_the_oldest_give_way() -> None:
    standing = Standing(each_address=2, in_all=100)
    standing.update(peers("a", 3), set())
    standing.update(peers("a", 3, 1) | peers("b", 1), set())
    assert standing.too_many(seated=0) == []
    standing.update(peers("a", 3, 1, 2) | peers("b", 1), set())
    assert standing.too_many(seated=0) == ["a:3"]


def test_whoever_has_a_place_is_never_cut_and_counts_in_all() -> None:
    standing = Standing(each_address=10, in_all=4)
    seated = peers("a", 1, 2, 3)
    standing.update(seated | peers("a", 8), seated)
    assert standing.too_many(len(seated)) == []
    standing.update(seated | peers("a", 8, 9), seated)
    assert standing.too_many(len(seated)) == ["a:8"]
    standing.update(seated | peers("a", 9), seated)
    assert standing.too_many(len(seated)) == []


def test_whoever_has_gone_is_forgotten() -> None:
    standing = Standing(each_address=1, in_all=100)
    standing.update(peers("a", 1), set())
    standing.update(peers("a", 2), set())
    assert standing.too_many(seated=0) == []


def test_lines_of_the_log_stop_and_come_back_with_their_number() -> None:
    lines = Lines()
    written = [lines.write(now=0) for _ in range(1000)]
    assert written[: int(LINES.at_once)] == [0] * int(LINES.at_once)
    assert 0 < sum(each is None for each in written) < 1000
    withheld = written.count(None)
    assert lines.write(now=3600) == withheld
    assert lines.write(now=3600) == 0


def test_a_flood_writes_few_lines() -> None:
    lines = Lines()
    written = sum(lines.write(now=number / 1000) is not None for number in range(600_000))
    assert written < LINES.at_once + 600 * LINES.a_second + 2


@pytest.mark.parametrize(
    ("peer", "address"), [("192.0.2.1:5", "192.0.2.1"), ("[2001:db8::1]:5", "[2001:db8::1]")]
)
def test_the_address_is_without_the_port(peer: str, address: str) -> None:
    assert address_of(peer) == address
