import math
import random
import timeit

import pytest

from pitch_server.metrics import Histogram, Metrics


def test_a_bound_belongs_to_its_bucket_and_the_last_one_has_all() -> None:
    histogram = Histogram((0.1, 1.0))
    for value in (0.0, 0.1, 0.11, 1.0, 1.01, 1000.0):
        histogram.observe(value)
    assert histogram.cumulative() == [(0.1, 2), (1.0, 4), (math.inf, 6)]
    assert histogram.total == pytest.approx(1002.22)


def test_an_answer_counts_for_its_entrant_and_in_the_histograms_of_all() -> None:
    metrics = Metrics()
    metrics.entrant("Ada").answered(0.004, 0.003)
    metrics.entrant("Ada").answered(2.0, 0.0)
    metrics.entrant("Bob").answered(100.0, 50.0)
    ada, bob = metrics.entrant("Ada"), metrics.entrant("Bob")
    assert (ada.count, ada.latency, ada.thought) == (2, 2.004, 0.003)
    assert (bob.count, bob.latency, bob.thought) == (1, 100.0, 50.0)
    within = dict(metrics.latencies.cumulative())
    assert [within[bound] for bound in (0.0025, 0.005, 2.5, 60.0, math.inf)] == [0, 1, 2, 2, 3]
    within = dict(metrics.thoughts.cumulative())
    assert [within[bound] for bound in (0.0005, 0.005, 30.0, 60.0, math.inf)] == [1, 2, 2, 3, 3]
    assert metrics.latencies.total == pytest.approx(102.004)
    assert metrics.thoughts.total == pytest.approx(50.003)


def test_what_an_answer_costs_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    metrics = Metrics()
    answered = metrics.entrant("Ada").answered
    spans = [random.expovariate(100) for _ in range(10_000)]

    def count() -> None:
        for span in spans:
            answered(span, span)

    seconds = min(timeit.repeat(count, number=1, repeat=5)) / len(spans)
    with capsys.disabled():
        print(f" an answer costs the metrics {seconds * 1e9:.0f} ns", end=" ")
    assert metrics.entrant("Ada").count == 5 * len(spans)
