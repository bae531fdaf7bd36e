"""Whatever happens to the server's own time, no bot is charged for it."""

import signal
import time
from pathlib import Path

import pytest

from end_to_end.expected import expected_records
from end_to_end.running import FIRST, RANDOM, Arena, faults_of

BOARDS = 120
CLOCK = {"move_timeout": "1s", "reconnect_grace": "1s", "start_timeout": "60s"}
STOP = 2.5  # seconds: longer than each of these limits


@pytest.mark.parametrize("tables", [1, 16])
def test_a_stop_of_the_server_for_longer_than_every_limit_blames_nobody(
    tmp_path: Path, tables: int
) -> None:
    bots = {"random": RANDOM, "first": FIRST}
    form = {"boards": BOARDS, "isolation": "none"}
    arena = Arena(tmp_path, bots, format=form, clock=CLOCK, tables=tables)
    process = arena.start()
    stops = 0
    for games in (10, 60, 110):
        while arena.games_played() < games and process.poll() is None:
            time.sleep(0.005)
        if process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            time.sleep(STOP)
            process.send_signal(signal.SIGCONT)
            stops += 1
    ended = arena.finish(process)
    assert ended.status == 0, ended.err
    assert stops >= 1
    standings = arena.standings()
    assert {name: faults_of(standings, name) for name in bots} == {name: {} for name in bots}
    assert arena.records() == expected_records(arena.config)
