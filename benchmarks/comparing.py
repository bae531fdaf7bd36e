"""What comparing costs: a million boards through every statistic, one board after the other.

    python benchmarks/comparing.py [BOARDS] [ENTRANTS]

One pairing with every test and sequence; ENTRANTS (default 10) with all their pairings on shared
boards, BOARDS results in all, with ratings and chances of ranks; the same on deals of their own;
whole plans of BOARDS boards, those that grow by results among them, of which each board goes
through everything that is told of a tournament. A line gives microseconds of processor time a
board for the first and the last tenth of the boards, which are to be alike, then what asking for
the result costs, and the peak of the memory so far.
"""

import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, count, islice
from random import Random

from pitch.rules import VARIANTS
from pitch_server.analysis.document import document_of, following_of
from pitch_server.comparing.betting import Evidence
from pitch_server.comparing.confidence import EmpiricalBernstein, running_interval
from pitch_server.comparing.fixed_size import Luck, fixed_size
from pitch_server.comparing.forecast import boards_to_decide, boards_to_precision
from pitch_server.comparing.measures import Measure
from pitch_server.comparing.prefix import FinishedPrefix
from pitch_server.comparing.sequential import Hypotheses, SequentialTest
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import EntrantSettings, FormatKind, FormatSettings, Settings
from pitch_server.rating.cycles import transitivity
from pitch_server.rating.field import Field
from pitch_server.rating.least_squares import least_squares
from pitch_server.rating.ranks import ranks_by_resampling
from pitch_server.scores.boards import board_results
from pitch_server.scores.results import GameResult
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


def timed(name: str, steps: Iterable[object], total: int, ask: Callable[[], object]) -> None:
    """Go through the steps and print what they cost."""
    steps, tenth, marks = iter(steps), total // 10, []
    for _ in range(10):
        start = time.process_time()
        for _ in islice(steps, tenth):
            pass
        marks.append((time.process_time() - start) / tenth * 1e6)
    start = time.process_time()
    ask()
    asked = time.process_time() - start
    print(
        f"{name:<22}{marks[0]:>9.2f}{marks[-1]:>9.2f}{sum(marks) * tenth / 1e6:>9.1f}"
        f"{asked * 1000:>10.1f}{peak():>9.0f}",
        flush=True,
    )


def one_pairing(boards: int) -> None:
    """Every statistic of two entrants, beside one another."""
    hypotheses = Hypotheses(point_of_view="A", measure=Measure.POINTS, h0=0, h1=0.01)
    test, moments, luck = SequentialTest(hypotheses, 2), Moments(2), Luck(2)
    exact, evidence = EmpiricalBernstein(LARGEST), Evidence(LARGEST)
    prefix: FinishedPrefix[int] = FinishedPrefix()
    margins = [TABLES[n] + TABLES[n - 1] for n in range(len(TABLES))]

    def each(take: Callable[[int], object]) -> Iterable[object]:
        return (take(margins[n & 4095]) for n in range(boards))

    def ordered() -> Iterable[object]:
        return (prefix.add(n ^ 15, n) for n in range(boards))

    timed("moments", each(moments.add), boards, lambda: fixed_size(moments, "A", Measure.POINTS))
    timed("sequential test", each(test.add), boards, lambda: (test.state(), boards_to_decide(test)))
    timed(
        "asymptotic sequence",
        each(lambda _: running_interval(moments, "A", Measure.POINTS)),
        boards,
        lambda: boards_to_precision(moments, 0.001),
    )
    timed("exact sequence", each(lambda d: exact.add(d / 2)), boards, lambda: exact.interval)
    timed("evidence", each(lambda d: evidence.add(d / 2)), boards, lambda: evidence.p_value)
    timed("luck", each(lambda d: luck.add((d, 1 - d))), boards, lambda: luck.removed)
    timed("finished prefix", ordered(), boards, lambda: prefix.due)


def many_pairings(boards: int, entrants: int, *, shared: bool, resamples: int) -> None:
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
    timed(name, (step(n) for n in range(boards)), boards, ask)


def whole_plan(name: str, total: int, entrants: int, form: FormatSettings) -> None:
    """Boards of equals through a plan and everything that is told of it; a step is a board."""
    settings = Settings(
        name="benchmark",
        variant=VARIANTS["pitch-ac"],
        format=form,
        entrants=tuple(EntrantSettings(name=f"bot {number}") for number in range(entrants)),
    )
    plan = Plan(settings)
    following = following_of(settings, plan, "0" * 64, RESAMPLES)

    def results() -> Iterator[GameResult]:
        for number in count():
            if number == len(plan):
                return
            scores = (2 + TABLES[number & 4095], 2 - TABLES[(number >> 5) & 4095])
            winner = None if scores[0] == scores[1] else int(scores[0] < scores[1])
            yield GameResult(number, "0" * 64, scores, winner, "hand_limit")

    steps = board_results(plan, settings.variant, settings.format.unit, results())
    timed(
        name,
        map(following.add, steps),
        total,
        lambda: document_of(following, None, commitment="0" * 64, seed=None),
    )


def main() -> None:
    boards, entrants = [*map(int, sys.argv[1:3]), *(BOARDS, ENTRANTS)[len(sys.argv) - 1 :]][:2]
    print(
        f"{boards:,} boards; {entrants} entrants; {RESAMPLES} resamples; {peak():.0f} MB at first"
    )
    print(f"{'':22}{'first µs':>9}{'last µs':>9}{'all s':>9}{'asked ms':>10}{'peak MB':>9}")
    one_pairing(boards)
    many_pairings(boards, 2, shared=True, resamples=RESAMPLES)
    for shared in (True, False):
        for resamples in (0, RESAMPLES):
            many_pairings(boards, entrants, shared=shared, resamples=resamples)
    each = -(-boards // (entrants * (entrants - 1) // 2))
    for name, form in (
        ("round robin", FormatSettings(boards=each)),
        ("ladder", FormatSettings(kind=FormatKind.LADDER, boards=boards)),
        ("until separated", FormatSettings(boards=each, until_separated=True)),
    ):
        whole_plan(name, boards, entrants, form)


if __name__ == "__main__":
    main()
