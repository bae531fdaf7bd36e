"""The server's clock with a real loop and a real echo; nothing here asserts how fast."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import pitch_server
from pitch_server.table import lag
from pitch_server.table.clock import LagMeter, Moment
from pitch_server.table.echo import ECHO_LOST, Echo
from pitch_server.table.lag import ServerClock

# What limits are made of; logs, certificates and what operators see may know what time it is.
LIMITED = ["table/*.py", "entrants.py", "tournament.py", "schedule.py", "service/stream.py"]


@pytest.fixture
async def clock() -> AsyncIterator[ServerClock]:
    async with ServerClock() as measured:
        yield measured


async def proven_after(clock: ServerClock) -> Moment:
    """Asks for a proof and waits for it."""
    done = asyncio.Event()
    clock.prove(done.set)
    await done.wait()
    return clock.proven


async def test_a_proof_covers_the_moment_when_it_was_asked_for(clock: ServerClock) -> None:
    for _ in range(3):
        asked = clock.now()
        assert (await proven_after(clock)).time >= asked.time
    assert clock.echoes.count >= 3


async def test_what_blocks_the_loop_is_lag(clock: ServerClock) -> None:
    await asyncio.sleep(0.05)
    before = clock.now()
    time.sleep(0.2)  # noqa: ASYNC251 - work of ours that it must see
    assert clock.now().lag - before.lag > 0.15
    await proven_after(clock)
    assert clock.meter.worst > 0.15


@pytest.mark.parametrize("hours", [-1, 1])
async def test_a_jump_of_the_wall_clock_is_not_seen(
    clock: ServerClock, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    before, real = clock.now(), time.time
    monkeypatch.setattr(time, "time", lambda: real() + hours * 3600)
    await proven_after(clock)
    assert 0 <= clock.now().time - before.time < 600


def test_no_limit_reads_the_wall_clock() -> None:
    room = Path(pitch_server.__file__).parent
    files = [path for pattern in LIMITED for path in room.glob(pattern)]
    assert len(files) > 10
    wall = re.compile(r"\btime\.time\b|from time import .*\btime\b|datetime")
    assert [path.name for path in files if wall.search(path.read_text("utf-8"))] == []


async def test_a_lost_echo_comes_back_and_holds_nobody_up(
    clock: ServerClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lag, "_ECHO", 0.01)
    await clock._echo.close()
    assert (await proven_after(clock)) is not None
    assert "echo is lost" in caplog.text
    count = clock.echoes.count
    await proven_after(clock)
    assert clock.echoes.count > count


async def test_an_echo_leaves_no_file_and_can_be_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    echo = Echo()
    with pytest.raises(ECHO_LOST):
        await echo.once()
    for _ in range(2):
        await echo.open()
        await echo.once()
        assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240 - a moment
    await echo.close()


async def test_an_echo_finds_a_place_where_paths_are_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("long" * 30)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    echo = Echo()
    await echo.open()
    await echo.close()
    assert list(long.iterdir()) == []


@pytest.mark.parametrize(
    ("took", "ticks_late", "added"),
    [
        pytest.param(0.001, 0.0, 0.0, id="as usual"),
        pytest.param(0.102, 0.0, 0.1, id="slow"),
        pytest.param(0.102, 0.08, 0.02, id="slow, as ticks have seen in part"),
        pytest.param(60.0, 60.0, 0.0, id="a stop of the whole server"),
    ],
)
def test_an_echo_counts_what_the_ticks_have_not(
    took: float, ticks_late: float, added: float
) -> None:
    meter = LagMeter(0.01, 0.0)
    meter.total = ticks_late
    meter.add_echo(Moment(5.0, 0.0), Moment(5.0 + took, ticks_late), 0.002)
    assert meter.total - ticks_late == pytest.approx(added)
