"""What comparing costs: a million boards through every statistic, one board after the other.

    python benchmarks/comparing.py [BOARDS] [ENTRANTS]

Three runs: one pairing with every test and sequence; ENTRANTS (default 10) with all their pairings
on shared boards, BOARDS results in all, with ratings and chances of ranks; the same on deals of
their own. A line gives microseconds a board for the first and the last tenth of the boards, which
are to be alike, then what asking for the result costs, and the peak of the memory so far.
"""

import resource
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, islice
from random import Random

from pitch_server.comparing.betting import Evidence
from pitch_server.comparing.confidence import EmpiricalBernstein, running_interval
from pitch_server.comparing.fixed_size import Luck, fixed_size
from pitch_server.comparing.forecast import boards_to_decide, boards_to_precision
from pitch_server.comparing.measures import Measure
from pitch_server.comparing.prefix import FinishedPrefix
from pitch_server.comparing.sequential import Hypotheses, SequentialTest
from pitch_server.rating.cycles import transitivity
from pitch_server.rating.field import Field
from pitch_server.rating.least_squares import least_squares
from pitch_server.rating.ranks import ranks_by_resampling
from pitch_server.scores.statistics import Moments

BOARDS = 1_000_000
ENTRANTS = 10
LARGEST = 9
RESAMPLES = 1000
TABLES = [Random(1).randint(-4, 4) for _ in range(4096)]
"""Margins of tables, over and over."""


def peak() -> float:
    """The most memory that this process had, in MB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 * 1024 if sys.platform == "darwin" else 1024)


def timed(name: str, steps: Iterable[object], count: int, ask: Callable[[], object]) -> None:
    """Go through the steps and print what they cost."""
    steps, tenth, marks = iter(steps), count // 10, []
    for _ in range(10):
        start = time.perf_counter()
        for _ in islice(steps, tenth):
            pass
        marks.append((time.perf_counter() - start) / tenth * 1e6)
    start = time.perf_counter()
    ask()
    asked = time.perf_counter() - start
    print(
        f"{name:<22}{marks[0]:>9.2f}{marks[-1]:>9.2f}{sum(marks) * tenth / 1e6:>9.1f}"
        f"{asked * 1000:>10.1f}{peak():>9.0f}",
        flush=True,
    )


def one_pairing(count: int) -> None:
    """Every statistic of two entrants, beside one another."""
    hypotheses = Hypotheses(point_of_view="A", measure=Measure.POINTS, h0=0, h1=0.01)
    test, moments, luck = SequentialTest(hypotheses, 2), Moments(2), Luck(2)
    exact, evidence = EmpiricalBernstein(LARGEST), Evidence(LARGEST)
    prefix: FinishedPrefix[int] = FinishedPrefix()
    margins = [TABLES[n] + TABLES[n - 1] for n in range(len(TABLES))]

    def each(take: Callable[[int], object]) -> Iterable[object]:
        return (take(margins[n & 4095]) for n in range(count))

    def ordered() -> Iterable[object]:
        return (prefix.add(n ^ 15, n) for n in range(count))

    timed("moments", each(moments.add), count, lambda: fixed_size(moments, "A", Measure.POINTS))
    timed("sequential test", each(test.add), count, lambda: (test.state(), boards_to_decide(test)))
    timed(
        "asymptotic sequence",
        each(lambda _: running_interval(moments, "A", Measure.POINTS)),
        count,
        lambda: boards_to_precision(moments, 0.001),
    )
    timed("exact sequence", each(lambda d: exact.add(d / 2)), count, lambda: exact.interval)
    timed("evidence", each(lambda d: evidence.add(d / 2)), count, lambda: evidence.p_value)
    timed("luck", each(lambda d: luck.add((d, 1 - d))), count, lambda: luck.removed)
    timed("finished prefix", ordered(), count, lambda: prefix.due)


def many_pairings(count: int, entrants: int, *, shared: bool, resamples: int) -> None:
    """A field of all pairings; a step is a board of one pairing."""
    pairings: Sequence[tuple[int, int]] = list(combinations(range(entrants), 2))
    size = len(pairings)
    field = Field(entrants, pairings, 2, resamples=resamples, seed=1)
    margins = [Moments(2) for _ in pairings]

    def step(n: int) -> int:
        board, pairing = divmod(n, size)
        margin = TABLES[n & 4095] + TABLES[(n >> 5) & 4095]
        margins[pairing].add(margin)
        field.add(board if shared else n, pairing, (margin, -margin))
        return n

    def ask() -> None:
        sums = field.sums()
        ratings = least_squares(sums)
        transitivity(pairings, margins, ratings.ratings)
        if resamples:
            ranks_by_resampling(sums)

    name = f"{'shared' if shared else 'own'} deals{', ranks' if resamples else ''}"
    timed(name, (step(n) for n in range(count)), count, ask)


def main() -> None:
    count, entrants = [*map(int, sys.argv[1:3]), *(BOARDS, ENTRANTS)[len(sys.argv) - 1 :]][:2]
    print(f"{count:,} boards; {entrants} entrants; {RESAMPLES} resamples; {peak():.0f} MB at first")
    print(f"{'':22}{'first µs':>9}{'last µs':>9}{'all s':>9}{'asked ms':>10}{'peak MB':>9}")
    one_pairing(count)
    many_pairings(count, 2, shared=True, resamples=RESAMPLES)
    for shared in (True, False):
        for resamples in (0, RESAMPLES):
            many_pairings(count, entrants, shared=shared, resamples=resamples)


if __name__ == "__main__":
    main()
