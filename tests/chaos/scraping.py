"""What a server tells of its own lag, as Prometheus would read it.

Here belong reading its metrics and the percentiles that follow from their histograms.
"""

import urllib.request
from collections.abc import Sequence
from contextlib import suppress

from prometheus_client.parser import text_string_to_metric_families

__all__ = ["HISTOGRAMS", "Scrape"]

HISTOGRAMS = {
    "loop's lag": "pitch_loop_lag_seconds",
    "answers": "pitch_answer_seconds",
    "commits": "pitch_journal_commit_seconds",
}
_WORST = "pitch_loop_lag_worst_seconds"

Buckets = list[tuple[float, float]]


class Scrape:
    """The latest metrics of a server; empty until it was looked at."""

    def __init__(self, url: str) -> None:
        self.buckets: dict[str, Buckets] = {}
        self.worst_lag = 0.0
        self._url = url

    def look(self) -> None:
        """Reads them, unless the server is gone."""
        with suppress(OSError), urllib.request.urlopen(self._url, timeout=10) as answer:
            self._read(answer.read().decode())

    def _read(self, text: str) -> None:
        for family in text_string_to_metric_families(text):
            if family.name in HISTOGRAMS.values():
                self.buckets[family.name] = [
                    (float(sample.labels["le"]), sample.value)
                    for sample in family.samples
                    if sample.name.endswith("_bucket")
                ]
            elif family.name == _WORST:
                self.worst_lag = family.samples[0].value

    def sentence(self) -> str:
        """The percentiles, in milliseconds: each is the bound of its bucket."""
        parts = [
            f"{what} {_percentiles(self.buckets[name])}"
            for what, name in HISTOGRAMS.items()
            if name in self.buckets
        ]
        return "; ".join([*parts, f"worst lag {self.worst_lag * 1e3:,.0f} ms"])


def _percentiles(buckets: Sequence[tuple[float, float]]) -> str:
    count = buckets[-1][1]
    found = []
    for share in (0.5, 0.99, 0.999):
        bound = next((bound for bound, within in buckets if within >= share * count), 0.0)
        found.append(f"p{share * 100:g} ≤ {bound * 1e3:,g} ms")
    return ", ".join(found)
