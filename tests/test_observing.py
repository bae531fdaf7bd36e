import asyncio
import io
import json
import urllib.request
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from rich.console import Console

from pitch_server.cli.observing import observing, observing_options
from pitch_server.live import Stage, Status
from pitch_server.logs import Event, EventLog, Level
from pitch_server.metrics import Depths, Metrics
from pitch_server.observing import Observing


@pytest.mark.parametrize(
    ("level", "in_file", "shown"),
    [
        pytest.param(None, True, ["tournament_started", "connection_cut"], id="file"),
        pytest.param(None, False, ["connection_cut"], id="terminal"),
        pytest.param("error", True, [], id="file-of-errors"),
        pytest.param("info", False, ["tournament_started", "connection_cut"], id="terminal-of-all"),
    ],
)
def test_a_file_has_more_than_the_terminal_unless_told(
    tmp_path: Path, level: Level | None, in_file: bool, shown: list[str]
) -> None:
    path = tmp_path / "server.log"
    terminal = io.StringIO()
    chosen = Observing(log=path if in_file else None, log_format="json", log_level=level)
    with chosen.logs(Console(file=terminal), tournament="Cup#1"):
        EventLog().tell(Event.GAME_STARTED)
        EventLog().tell(Event.TOURNAMENT_STARTED)
        EventLog().tell(Event.CONNECTION_CUT)
    text = path.read_text() if in_file else terminal.getvalue()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["event"] for line in lines] == shown
    assert all(line["tournament"] == "Cup#1" for line in lines)


def status() -> Status:
    return Status("Cup", Stage.PLAYING, 4, 3, 2, 1, 0, 8, 0, 1.0, 0.0, 0.0, 0.0, ())


async def test_metrics_are_served_within_it_and_not_after() -> None:
    chosen = Observing(metrics=("127.0.0.1", 0))
    with chosen.serving(
        Metrics(),
        tournament="Cup",
        entrants=("Ada",),
        status=status,
        depths=lambda: Depths(0, 0, 0),
    ) as address:
        text = await asyncio.to_thread(get, f"http://{address}/metrics")
    assert 'pitch_decisions_total{entrant="Ada"} 0.0' in text
    assert "pitch_games_played 3.0" in text
    with pytest.raises(OSError, match="refused"):
        await asyncio.to_thread(get, f"http://{address}/metrics")


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return str(answer.read(), "utf-8")


async def test_metrics_that_are_not_wanted_have_no_address() -> None:
    with Observing().serving(
        Metrics(), tournament="", entrants=(), status=status, depths=lambda: Depths(0, 0, 0)
    ) as address:
        assert address is None


def chosen_by(*arguments: str) -> tuple[Observing | None, str]:
    found: list[Observing] = []

    @click.command()
    @observing_options
    def command(**given: Any) -> None:
        found.append(observing(given))
        assert given == {}

    result = CliRunner().invoke(command, arguments)
    return (found[0] if found else None), result.output


def test_the_options_are_read() -> None:
    assert chosen_by() == (Observing(), "")
    arguments = [
        "--log",
        "a.log",
        "--log-format",
        "json",
        "--log-level",
        "debug",
        "--metrics",
        "9464",
    ]
    chosen, _ = chosen_by(*arguments)
    assert chosen == Observing(
        log=Path("a.log"), log_format="json", log_level="debug", metrics=("127.0.0.1", 9464)
    )


def test_what_is_no_address_is_a_usage_error() -> None:
    chosen, output = chosen_by("--metrics", "here")
    assert chosen is None
    assert "'--metrics': an address for metrics is HOST:PORT" in output
