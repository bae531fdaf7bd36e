"""Metrics as Prometheus reads them: their names, and the port that they are on.

Here belong the families of metrics, made when they are asked for, and a small web server in
threads of its own. What is counted is `metrics`' business. Names and labels are a promise to
whoever has drawn a dashboard; nothing secret is in them.
"""

import asyncio
import concurrent.futures
import logging
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version
from socketserver import ThreadingMixIn
from typing import Any, Self, TypeVar
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, ProcessCollector, make_wsgi_app
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    StateSetMetricFamily,
    SummaryMetricFamily,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from pitch.table.faults import Fault
from pitch_server.live import Presence, Stage, Status
from pitch_server.metrics import Depths, Histogram, Metrics

__all__ = ["MetricsServer", "ScrapeError", "Scraped", "parse_address"]

log = logging.getLogger(__name__)

_LOOPBACK = "127.0.0.1"
# The loop is waited for so long; a scrape without its part is better than none.
_PATIENCE = 2.0
_REQUEST_TIMEOUT = 10.0  # seconds without a byte from whoever asks
_REQUESTS_AT_ONCE = 8

Answer = TypeVar("Answer")


class ScrapeError(OSError):
    """The metrics can't be served at this address; says which and why."""


class Scraped(Collector):
    """Families of metrics of a tournament, made anew for each scrape.

    `status` and `depths` are called on `loop`; while it does not answer, or has ended, only
    what is counted is given.
    """

    def __init__(
        self,
        metrics: Metrics,
        *,
        tournament: str,
        entrants: Iterable[str],
        loop: asyncio.AbstractEventLoop,
        status: Callable[[], Status],
        depths: Callable[[], Depths],
    ) -> None:
        self._metrics = metrics
        self._tournament = tournament
        self._entrants = tuple(entrants)
        self._loop = loop
        self._status = status
        self._depths = depths

    def collect(self) -> Iterator[Metric]:
        """All families."""
        facts = {"version": version("pitch-arena"), "tournament": _label(self._tournament)}
        yield InfoMetricFamily("pitch", "The server and its tournament.", facts)
        yield from self._counted()
        now = self._now()
        if now is not None:
            yield from _of_status(now[0])
            yield from _of_depths(now[1])

    # --- counted ----------------------------------------------------------------------------

    def _counted(self) -> Iterator[Metric]:
        metrics = self._metrics
        yield from self._answers()
        yield self._faults()
        yield _counter(
            "pitch_games_committed", "Games that this process has put on disk.", metrics.games
        )
        yield _counter(
            "pitch_games_crashed", "Games that met an exception of the server.", metrics.crashes
        )
        yield _by(
            "pitch_connections_refused",
            "Connections that were turned away.",
            "reason",
            dict(metrics.refusals),
        )
        restarts = dict.fromkeys(self._entrants, 0) | dict(metrics.restarts)
        yield _by("pitch_process_restarts", "Launched bots started again.", "entrant", restarts)
        yield _histogram(
            "pitch_answer_seconds",
            "From writing a question to the arrival of its answer, in time.",
            metrics.latencies,
        )
        yield _histogram(
            "pitch_thinking_seconds", "What bots say that a decision took them.", metrics.thoughts
        )
        yield _histogram(
            "pitch_loop_lag_seconds",
            "How late the event loop came to each tick of its clock.",
            metrics.lags,
        )
        yield _histogram(
            "pitch_journal_commit_seconds",
            "From the end of a transaction's oldest game to its being on disk.",
            metrics.commits,
        )

    def _answers(self) -> Iterator[Metric]:
        decisions = CounterMetricFamily(
            "pitch_decisions", "Decisions that were answered in time.", labels=["entrant"]
        )
        latency = SummaryMetricFamily(
            "pitch_entrant_answer_seconds", "pitch_answer_seconds by entrant.", labels=["entrant"]
        )
        thought = SummaryMetricFamily(
            "pitch_entrant_thinking_seconds",
            "pitch_thinking_seconds by entrant.",
            labels=["entrant"],
        )
        strays = CounterMetricFamily(
            "pitch_stray_answers", "Answers that nobody had asked for.", labels=["entrant"]
        )
        for name in self._entrants:
            answers, label = self._metrics.entrant(name), [_label(name)]
            decisions.add_metric(label, answers.count)
            latency.add_metric(label, answers.count, answers.latency)
            thought.add_metric(label, answers.count, answers.thought)
            strays.add_metric(label, answers.strays)
        yield from (decisions, latency, thought, strays)

    def _faults(self) -> Metric:
        """With those that never happened: who counts increases needs the 0 before the first."""
        family = CounterMetricFamily(
            "pitch_faults", "Faults in games on disk.", labels=["entrant", "kind"]
        )
        none = {(name, str(kind)): 0 for name in self._entrants for kind in Fault}
        for (name, kind), count in (none | dict(self._metrics.faults)).items():
            family.add_metric([_label(name), kind], count)
        return family

    # --- as it stands -----------------------------------------------------------------------

    def _now(self) -> tuple[Status, Depths] | None:
        return _on_loop(self._loop, lambda: (self._status(), self._depths()))


def _of_status(status: Status) -> Iterator[Metric]:
    stages = {str(stage): stage is status.stage for stage in Stage}
    yield StateSetMetricFamily("pitch_stage", "What the tournament is doing.", stages)
    yield GaugeMetricFamily("pitch_games_planned", "Games of the plan.", status.planned)
    yield GaugeMetricFamily("pitch_games_played", "Games of the plan on disk.", status.played)
    yield GaugeMetricFamily("pitch_tables_running", "Games in play.", status.running)
    yield GaugeMetricFamily("pitch_tables_limit", "Games at once, at most.", status.tables)
    yield GaugeMetricFamily(
        "pitch_journal_backlog", "Games that are over and not on disk yet.", status.backlog
    )
    yield GaugeMetricFamily("pitch_uptime_seconds", "Since play began.", status.uptime)
    yield GaugeMetricFamily(
        "pitch_loop_lag_worst_seconds", "The longest lag since the start.", status.lag_worst
    )
    yield from _of_entrants(status)


def _of_entrants(status: Status) -> Iterator[Metric]:
    presences = dict.fromkeys(map(str, Presence), 0)
    connected = GaugeMetricFamily(
        "pitch_entrant_instances", "Connected processes of an entrant.", labels=["entrant"]
    )
    needed = GaugeMetricFamily(
        "pitch_entrant_instances_needed", "Processes that make it present.", labels=["entrant"]
    )
    for entrant in status.entrants:
        presences[str(entrant.presence)] += 1
        connected.add_metric([_label(entrant.name)], entrant.connected)
        needed.add_metric([_label(entrant.name)], entrant.needed)
    by_presence = GaugeMetricFamily("pitch_entrants", "Entrants.", labels=["presence"])
    for presence, count in presences.items():
        by_presence.add_metric([presence], count)
    yield from (by_presence, connected, needed)


def _of_depths(depths: Depths) -> Iterator[Metric]:
    questions = GaugeMetricFamily(
        "pitch_questions", "Questions not answered yet.", labels=["state"]
    )
    questions.add_metric(["waiting"], depths.waiting)
    questions.add_metric(["out"], depths.out)
    yield questions
    yield GaugeMetricFamily("pitch_connections", "Bots that are connected.", depths.connections)


def _counter(name: str, text: str, value: int) -> Metric:
    return CounterMetricFamily(name, text, value)


def _by(name: str, text: str, label: str, counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(name, text, labels=[label])
    for key, count in counts.items():
        family.add_metric([_label(key)], count)
    return family


def _histogram(name: str, text: str, histogram: Histogram) -> Metric:
    rows = histogram.cumulative()
    buckets = [("+Inf" if bound == float("inf") else str(bound), n) for bound, n in rows]
    return HistogramMetricFamily(
        name, text, buckets=buckets, sum_value=histogram.total, labels=None
    )


def _label(text: str) -> str:
    """A text that can be a label: what is no Unicode is replaced, the library escapes the rest."""
    return text.encode("utf-8", "replace").decode()


def _on_loop(loop: asyncio.AbstractEventLoop, ask: Callable[[], Answer]) -> Answer | None:
    """What a call on another thread's loop gives; None if the loop ended or does not come to it."""
    future: concurrent.futures.Future[Answer] = concurrent.futures.Future()

    def answer() -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(ask())
        except Exception as error:  # noqa: BLE001 - it is the asker's
            future.set_exception(error)

    try:
        loop.call_soon_threadsafe(answer)
    except RuntimeError:  # it is closed
        return None
    done, _ = concurrent.futures.wait((future,), _PATIENCE)
    if not done and future.cancel():
        return None
    return future.result()


# --- the port -----------------------------------------------------------------------------------


def parse_address(text: str) -> tuple[str, int]:
    """HOST:PORT, or a port alone on loopback; ValueError, with a sentence."""
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (port.isascii() and port.isdecimal() and int(port) < 65536):
        raise ValueError(
            f"an address for metrics is HOST:PORT, as 127.0.0.1:9464, or a port alone; got {text!r}"
        )
    return host or _LOOPBACK, int(port)


class MetricsServer:
    """Serves metrics to whoever asks; `with` it, then `address` says where.

    Without TLS and for everybody who reaches the port: it shows names of entrants and how they
    play, nothing secret.
    """

    def __init__(self, scraped: Collector, address: tuple[str, int]) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(scraped)
        ProcessCollector(registry=self._registry)
        self._where = address
        self._server: WSGIServer | None = None
        self._thread: threading.Thread | None = None

    @property
    def address(self) -> str:
        """Where it listens, as HOST:PORT."""
        host, port = self._where
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def __enter__(self) -> Self:
        """Begins to serve; ScrapeError if it can't listen there."""
        try:
            self._server = _listen(*self._where)
        except (OSError, UnicodeError) as error:  # a name can be none that could be looked up
            reason = getattr(error, "strerror", None) or error
            raise ScrapeError(f"cannot serve metrics on {self.address}: {reason}") from error
        self._server.set_app(_guarded(make_wsgi_app(self._registry)))
        self._where = (self._where[0], self._server.server_address[1])
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.1,), name="metrics", daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Stops listening; whoever is being answered is left behind."""
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()


class _Server(ThreadingMixIn, WSGIServer):
    """A thread a request, a few at once; more are turned away."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], family: socket.AddressFamily) -> None:
        self.address_family = family
        self._free = threading.BoundedSemaphore(_REQUESTS_AT_ONCE)
        super().__init__(address, _Handler)

    def server_bind(self) -> None:
        """Binds, without asking a name server for our name as the original does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answers in a thread, if one is free."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answers one request."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked has gone, or never asked: no news."""


class _Handler(WSGIRequestHandler):
    timeout = _REQUEST_TIMEOUT

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its signature
        """Requests are no news."""


def _listen(host: str, port: int) -> _Server:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    return _Server((str(address[0]), port), family)


def _guarded(app: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """The same, with an exception of ours in our log and not in the answer."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        try:
            return app(environ, start_response)
        except Exception:
            log.exception("metrics could not be collected")
            start_response("500 Internal Server Error", [("Content-Type", "text/plain")])
            return [b"the metrics could not be collected; see the server's log\n"]

    return answer
