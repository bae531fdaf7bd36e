"""What a server takes of the machine: memory, descriptors and threads, second by second.

Here belong sampling, whether a course is flat, and its chart.
"""

import threading
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple, Self

import psutil

__all__ = ["Flatness", "Sample", "Usage", "chart", "flatness"]

_BARS = "▁▂▃▄▅▆▇█"
_WARM_UP = 0.2  # of the whole time
_WINDOWS = 8  # after that


class Sample(NamedTuple):
    """At one moment; `memory` in bytes."""

    memory: float
    descriptors: float
    threads: float
    processor: float


class Flatness(NamedTuple):
    """A course after warming up: medians of its parts, and how far they are from the first."""

    first: float
    lowest: float
    highest: float
    last: float

    @property
    def spread(self) -> float:
        """The part that it has risen by at most, or fallen, against its first part."""
        return max(self.highest - self.first, self.first - self.lowest) / self.first


class Usage:
    """Samples a process until it has ended; `with` it."""

    def __init__(self, pid: int, interval: float = 1.0) -> None:
        self.samples: list[Sample] = []
        self._process = psutil.Process(pid)
        self._interval = interval
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(self._interval):
            try:
                with self._process.oneshot():
                    self.samples.append(
                        Sample(
                            self._process.memory_info().rss,
                            self._process.num_fds(),
                            self._process.num_threads(),
                            sum(self._process.cpu_times()[:2]),
                        )
                    )
            except psutil.Error:
                return

    def course(self, of: Callable[[Sample], float]) -> list[float]:
        """One of the numbers through time."""
        return [of(sample) for sample in self.samples]


def flatness(course: Sequence[float]) -> Flatness | None:
    """How flat it is; None where it is too short to tell."""
    warm = course[int(len(course) * _WARM_UP) :]
    size = len(warm) // _WINDOWS
    if size < 5:
        return None
    parts = [median(warm[at : at + size]) for at in range(0, size * _WINDOWS, size)]
    return Flatness(parts[0], min(parts), max(parts), parts[-1])


def chart(course: Sequence[float], width: int = 60) -> str:
    """The course as a line of bars, from nothing to its highest."""
    if not course:
        return ""
    step = max(1, len(course) / width)
    picked = [course[int(at * step)] for at in range(min(width, len(course)))]
    top = max(picked) or 1
    return "".join(_BARS[min(7, int(value / top * 8))] for value in picked)
