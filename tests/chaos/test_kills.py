"""Processes that are killed and stopped: the same standings, export and table as without.

Kills of a server with launched bots are `end_to_end.test_stopping`'s; what takes minutes (stops
for longer than every limit, a clock that jumps) is left to `benchmarks/kills.py`.
"""

from pathlib import Path

import pytest

from chaos.kills import Kills, Published, undisturbed

BOARDS = 150


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Published:
    return undisturbed(tmp_path_factory.mktemp("undisturbed"), BOARDS)


@pytest.fixture
def kills(expected: Published) -> Kills:
    return Kills(expected, BOARDS)


def test_bots_that_connect_by_themselves_outlive_the_server(tmp_path: Path, kills: Kills) -> None:
    check = kills.of_a_server_with_guests(tmp_path, 3)
    assert check.ok, check.found


def test_launched_bots_that_are_killed_are_back_without_a_fault(
    tmp_path: Path, kills: Kills
) -> None:
    check = kills.of_launched_bots(tmp_path, 12)
    assert check.ok, check.found


def test_bots_that_are_killed_and_connect_again_have_no_fault(tmp_path: Path, kills: Kills) -> None:
    check = kills.of_bots_that_connect(tmp_path, 12)
    assert check.ok, check.found


def test_bots_that_are_stopped_for_less_than_their_limit_have_no_fault(
    tmp_path: Path, kills: Kills
) -> None:
    check = kills.stopped_bots(tmp_path, 3)
    assert check.ok, check.found
