import asyncio
import gzip
import logging
import re
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_open
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from pitch.table.faults import Fault
from pitch_server import scraping
from pitch_server.live import EntrantStatus, Presence, Stage, Status
from pitch_server.metrics import Depths, Metrics
from pitch_server.scraping import MetricsServer, Scraped, ScrapeError, parse_address

LOOPBACK = ("127.0.0.1", 0)
NAMES = ("Ada", 'quotes "and" \\ backslash', "two\nlines", "🃏 ♠", "")


class Playing:
    """A tournament that stands at a few games, with what it has counted."""

    def __init__(self, *names: str) -> None:
        self.metrics = Metrics()
        self.names = names
        self.asked_in: list[threading.Thread] = []

    def status(self) -> Status:
        self.asked_in.append(threading.current_thread())
        return Status(
            tournament="Cup",
            stage=Stage.PLAYING,
            planned=100,
            played=40,
            decisions=1234,
            faults=3,
            running=7,
            tables=8,
            backlog=2,
            uptime=12.5,
            lag_p50=0.001,
            lag_p99=0.01,
            lag_worst=0.25,
            entrants=tuple(
                EntrantStatus(name, Presence.PRESENT, 1, 2, 3, 0) for name in self.names
            ),
        )

    def depths(self) -> Depths:
        return Depths(waiting=5, out=6, connections=4)

    def scraped(self, loop: asyncio.AbstractEventLoop) -> Scraped:
        return Scraped(
            self.metrics,
            tournament="Cup",
            entrants=self.names,
            loop=loop,
            status=self.status,
            depths=self.depths,
        )


def get(address: str, **headers: str) -> str:
    request = urllib.request.Request(f"http://{address}/metrics", headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        data: bytes = answer.read()
        if answer.headers["Content-Encoding"] == "gzip":
            data = gzip.decompress(data)
        return data.decode()


Values = dict[tuple[str, frozenset[tuple[str, str]]], float]


def values(text: str) -> Values:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(found: Values, name: str, **labels: str) -> float:
    return found[name, frozenset(labels.items())]


async def scrape(playing: Playing) -> Values:
    with MetricsServer(playing.scraped(asyncio.get_running_loop()), LOOPBACK) as server:
        return values(await asyncio.to_thread(get, server.address))


async def test_what_is_counted_is_there() -> None:
    playing = Playing("Ada", "Bob")
    metrics = playing.metrics
    metrics.entrant("Ada").answered(0.004, 0.002)
    metrics.entrant("Ada").answered(0.5, 0.25)
    metrics.entrant("Bob").strayed(9)
    metrics.fault("Bob", "timeout")
    metrics.fault("Bob", "timeout")
    metrics.refused("credentials")
    metrics.lagged(0.03)
    metrics.committed(12, 0.06)
    metrics.crashed()
    metrics.restarted("Bob")
    found = await scrape(playing)
    assert value(found, "pitch_decisions_total", entrant="Ada") == 2
    assert value(found, "pitch_decisions_total", entrant="Bob") == 0
    assert value(found, "pitch_stray_answers_total", entrant="Bob") == 9
    assert value(found, "pitch_faults_total", entrant="Bob", kind="timeout") == 2
    assert value(found, "pitch_faults_total", entrant="Ada", kind="illegal") == 0
    assert value(found, "pitch_connections_refused_total", reason="credentials") == 1
    assert value(found, "pitch_process_restarts_total", entrant="Bob") == 1
    assert value(found, "pitch_games_committed_total") == 12
    assert value(found, "pitch_games_crashed_total") == 1
    assert value(found, "pitch_answer_seconds_bucket", le="0.005") == 1
    assert value(found, "pitch_answer_seconds_bucket", le="0.5") == 2
    assert value(found, "pitch_answer_seconds_count") == 2
    assert value(found, "pitch_answer_seconds_sum") == pytest.approx(0.504)
    assert value(found, "pitch_thinking_seconds_sum") == pytest.approx(0.252)
    assert value(found, "pitch_entrant_answer_seconds_sum", entrant="Ada") == pytest.approx(0.504)
    assert value(found, "pitch_entrant_thinking_seconds_count", entrant="Ada") == 2
    assert value(found, "pitch_loop_lag_seconds_bucket", le="0.025") == 0
    assert value(found, "pitch_loop_lag_seconds_bucket", le="0.05") == 1
    assert value(found, "pitch_journal_commit_seconds_count") == 1


async def test_how_it_stands_is_asked_for_on_the_loop() -> None:
    playing = Playing("Ada", "Bob")
    found = await scrape(playing)
    assert playing.asked_in == [threading.current_thread()]
    assert value(found, "pitch_stage", pitch_stage="playing") == 1
    assert value(found, "pitch_stage", pitch_stage="draining") == 0
    assert value(found, "pitch_games_planned") == 100
    assert value(found, "pitch_games_played") == 40
    assert value(found, "pitch_tables_running") == 7
    assert value(found, "pitch_tables_limit") == 8
    assert value(found, "pitch_journal_backlog") == 2
    assert value(found, "pitch_uptime_seconds") == 12.5
    assert value(found, "pitch_loop_lag_worst_seconds") == 0.25
    assert value(found, "pitch_questions", state="waiting") == 5
    assert value(found, "pitch_questions", state="out") == 6
    assert value(found, "pitch_connections") == 4
    assert value(found, "pitch_entrants", presence="present") == 2
    assert value(found, "pitch_entrants", presence="absent") == 0
    assert value(found, "pitch_entrant_instances", entrant="Ada") == 1
    assert value(found, "pitch_entrant_instances_needed", entrant="Ada") == 2


async def test_server_tournament_and_process_are_told() -> None:
    found = await scrape(Playing("Ada"))
    (info,) = [dict(labels) for name, labels in found if name == "pitch_info"]
    assert info["tournament"] == "Cup"
    assert info["version"]
    assert value(found, "process_open_fds") > 0
    assert value(found, "process_resident_memory_bytes") > 0


@pytest.mark.parametrize("name", NAMES)
async def test_whatever_an_entrant_is_called_its_label_is_its_name(name: str) -> None:
    playing = Playing(*NAMES)
    playing.metrics.fault(name, "error")
    playing.metrics.entrant(name).answered(1.0, 1.0)
    found = await scrape(playing)
    assert value(found, "pitch_faults_total", entrant=name, kind="error") == 1
    assert value(found, "pitch_decisions_total", entrant=name) == 1
    assert value(found, "pitch_entrant_instances", entrant=name) == 1
    others = [each for each in NAMES if each != name]
    assert all(value(found, "pitch_decisions_total", entrant=each) == 0 for each in others)


async def test_a_name_that_is_no_unicode_does_not_spoil_the_scrape() -> None:
    found = await scrape(Playing("\udc80"))
    assert value(found, "pitch_decisions_total", entrant="?") == 0


async def test_every_kind_of_fault_is_there_before_the_first() -> None:
    found = await scrape(Playing("Ada"))
    kinds = {dict(labels)["kind"] for name, labels in found if name == "pitch_faults_total"}
    assert kinds == set(map(str, Fault))


async def test_open_metrics_and_compression_are_spoken_too() -> None:
    playing = Playing(*NAMES)
    with MetricsServer(playing.scraped(asyncio.get_running_loop()), LOOPBACK) as server:
        accepted = {
            "Accept": "application/openmetrics-text; version=1.0.0",
            "Accept-Encoding": "gzip",
        }
        text = await asyncio.to_thread(get, server.address, **accepted)
    names = {family.name for family in parse_open(text)}  # type: ignore[no-untyped-call]
    assert {"pitch", "pitch_decisions", "pitch_stage", "pitch_answer_seconds"} <= names


async def test_a_loop_that_does_not_come_to_it_costs_only_its_own_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scraping, "_PATIENCE", 0.01)
    playing = Playing("Ada")
    with MetricsServer(playing.scraped(asyncio.get_running_loop()), LOOPBACK) as server:
        found = values(get(server.address))  # the loop is busy with this
    await asyncio.sleep(0)
    assert playing.asked_in == []
    assert value(found, "pitch_decisions_total", entrant="Ada") == 0
    assert not any(name == "pitch_tables_running" for name, _ in found)


async def test_an_exception_where_it_stands_is_not_taken_for_a_busy_loop(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    playing = Playing("Ada")
    monkeypatch.setattr(playing, "depths", lambda: 1 // 0)
    with MetricsServer(playing.scraped(asyncio.get_running_loop()), LOOPBACK) as server:
        with pytest.raises(urllib.error.HTTPError) as refused:
            await asyncio.to_thread(get, server.address)
        refused.value.close()
    assert "ZeroDivisionError" in caplog.text


def test_a_loop_that_has_ended_costs_only_its_own_part() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    with MetricsServer(Playing("Ada").scraped(loop), LOOPBACK) as server:
        found = values(get(server.address))
    assert value(found, "pitch_games_committed_total") == 0
    assert not any(name == "pitch_tables_running" for name, _ in found)


class Broken(Collector):
    """Fails with what nobody is to read."""

    def collect(self) -> Iterator[Metric]:
        raise LookupError("what is ours alone")


def test_an_exception_of_ours_is_in_the_log_and_not_in_the_answer(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with (
        MetricsServer(Broken(), LOOPBACK) as server,
        caplog.at_level(logging.ERROR),
        pytest.raises(urllib.error.HTTPError) as refused,
    ):
        get(server.address)
    with refused.value as answer:
        assert answer.code == 500
        assert b"ours alone" not in answer.read()
    assert "what is ours alone" in caplog.text
    assert capfd.readouterr() == ("", "")


def test_an_address_that_is_taken_is_told_in_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            ScrapeError, match=f"cannot serve metrics on 127.0.0.1:{port}: Address already in use"
        ):
            MetricsServer(Broken(), ("127.0.0.1", port)).__enter__()


@pytest.mark.parametrize("host", ["no..host", "203.0.113.1"])
def test_an_address_that_is_not_ours_is_told_in_a_sentence(host: str) -> None:
    with pytest.raises(ScrapeError, match=f"cannot serve metrics on {re.escape(host)}:0: "):
        MetricsServer(Broken(), (host, 0)).__enter__()


async def test_it_listens_on_ipv6_too() -> None:
    playing = Playing("Ada")
    with MetricsServer(playing.scraped(asyncio.get_running_loop()), ("::1", 0)) as server:
        assert server.address.startswith("[::1]:")
        assert "pitch_info" in await asyncio.to_thread(get, server.address)


async def test_who_says_nothing_holds_nobody_up_and_too_many_are_turned_away(
    capfd: pytest.CaptureFixture[str],
) -> None:
    playing = Playing("Ada")
    with MetricsServer(playing.scraped(asyncio.get_running_loop()), LOOPBACK) as server:
        host, port = parse_address(server.address)
        silent = [socket.create_connection((host, port), timeout=30) for _ in range(7)]
        assert "pitch_info" in await asyncio.to_thread(get, server.address)
        silent += [socket.create_connection((host, port), timeout=30) for _ in range(9)]
        assert await asyncio.to_thread(silent[-1].recv, 1) == b""
        for each in silent:
            each.close()
        with socket.create_connection((host, port), timeout=30) as garbage:
            garbage.sendall(b"\x00\xff garbage\r\n\r\n")
            await asyncio.to_thread(garbage.recv, 1000)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        pytest.param("9464", ("127.0.0.1", 9464), id="a-port-is-on-loopback"),
        pytest.param(":9464", ("127.0.0.1", 9464), id="a-port-with-a-colon"),
        pytest.param("0.0.0.0:0", ("0.0.0.0", 0), id="told-to"),
        pytest.param("[::1]:65535", ("::1", 65535), id="ipv6"),
        pytest.param("localhost:1", ("localhost", 1), id="a-name"),
    ],
)
def test_addresses_are_read(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["", "host", "host:", "host:port", "1:65536", "1:-1", "1:²"])
def test_what_is_no_address_is_told_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"HOST:PORT, as 127\.0\.0\.1:9464"):
        parse_address(text)
