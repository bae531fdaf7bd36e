"""Many connections at once: all of them get in, also while others play."""

from pathlib import Path

import pytest

from chaos.arrivals import Arrivals, arrive


@pytest.mark.parametrize("tables", [0, 16])
def test_who_comes_in_the_same_second_as_many_others_is_let_in(tmp_path: Path, tables: int) -> None:
    wanted = Arrivals(connections=100, drivers=2, tables=tables, move_timeout=30.0)
    found = arrive(wanted, tmp_path)
    assert len(found.seconds) == wanted.connections
    assert found.refusals == {}
    assert found.faults == {}
    assert (found.games_meanwhile > 0) or not tables
