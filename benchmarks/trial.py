"""Boards needed to tell two bots apart: duplicate deals beside independent ones.

The rule bot plays copies of itself with one thing changed: how sure it must be of a point to bid
it, and with what it leads a trick. Both designs are read from the same plays: on duplicate boards
D is half the sum of both tables' margins, on independent deals a margin is that of one table of
each board, the sides taking turns. The sequential test (docs/comparison.md) is run over them again
and again, each time from where the last one was decided.

    python benchmarks/trial.py [--boards 20000] [--margin 0.1]
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.append(str(Path(__file__).resolve().parents[1] / "sample_bots"))

from pitch import Action, Kind, View
from pitch.testing import play_game
from pitch_server.comparing.fixed_size import Luck
from pitch_server.comparing.measures import Measure
from pitch_server.comparing.sequential import Hypotheses, SequentialTest, Verdict
from rule_bot import RuleBot

CHUNK = 250  # boards in a task
PLAYERS = 4  # of pitch-ac; the dealer moves on with each board


class Bold(RuleBot):
    """Bids a point that it is short of by less than a third."""

    def __init__(self) -> None:
        super().__init__(caution=-0.3)


class LeadsHigh(RuleBot):
    """Leads a trick with the highest card of its hand, whatever that is worth."""

    def choose(self, view: View) -> Action:
        """The highest card where it leads, else what the rule bot plays."""
        legal = view.legal
        if not view.trick and len(legal) and all(action.kind is Kind.PLAY for action in legal):
            return max(legal, key=lambda action: action.value % 13)
        return super().choose(view)


CHANGED = {"bids a third of a point more": Bold, "leads its highest card": LeadsHigh}


class Outcome(NamedTuple):
    """How often the test was decided, for whom, and with how many games each time."""

    better: int
    worse: int
    games: float


def board(changed: type[RuleBot], number: int) -> tuple[int, int]:
    """The rule bot's margins at the two tables of a board."""
    play = partial(play_game, seed=f"trial {number}", first_dealer=number % PLAYERS)
    first, second = play([RuleBot, changed]).scores, play([changed, RuleBot]).scores
    return first[0] - first[1], second[1] - second[0]


def boards(changed: type[RuleBot], start: int) -> list[tuple[int, int]]:
    """A task's share of the boards."""
    return [board(changed, number) for number in range(start, start + CHUNK)]


def decided(margins: Sequence[int], scale: int, games_each: int, effect: float) -> Outcome:
    """The test between -effect and +effect points, over and over until the margins are used up."""
    hypotheses = Hypotheses(point_of_view="rule", measure=Measure.POINTS, h0=-effect, h1=effect)
    verdicts: list[Verdict] = []
    test, begun, used = SequentialTest(hypotheses, scale), 0, 0
    for count, margin in enumerate(margins, 1):
        if (verdict := test.add(margin)) is not Verdict.UNDECIDED:
            verdicts.append(verdict)
            used += count - begun
            test, begun = SequentialTest(hypotheses, scale), count
    times = len(verdicts)
    games = used * games_each / times if times else float("nan")
    return Outcome(verdicts.count(Verdict.H1), verdicts.count(Verdict.H0), games)


def independent(played: Sequence[tuple[int, int]]) -> Iterator[int]:
    """One table of each board; sides take turns by twos, so that no bot always deals."""
    return (tables[number // 2 % 2] for number, tables in enumerate(played))


def main() -> None:
    """Runs the trial."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--boards", type=int, default=20_000)
    parser.add_argument("--margin", type=float, default=0.1, help="points a board to tell apart")
    options = parser.parse_args()
    console = Console()
    grid = Table(title=f"The rule bot against a copy, tested between ±{options.margin:g} points")
    for column in ("copy", "mean", "luck removed", "duplicate", "independent", "ratio"):
        grid.add_column(column, justify="left" if column == "copy" else "right")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for name, changed in CHANGED.items():
            tasks = pool.map(partial(boards, changed), range(0, options.boards, CHUNK))
            total = options.boards // CHUNK
            played = [tables for task in track(tasks, name, total) for tables in task]
            luck = Luck(2)
            for tables in played:
                luck.add(tables)
            pairs = decided([sum(tables) for tables in played], 2, 2, options.margin)
            single = decided(list(independent(played)), 1, 1, options.margin)
            grid.add_row(
                name,
                f"{sum(map(sum, played)) / len(played) / 2:+.3f}",
                f"{luck.removed or 0:.0%}",
                _told(pairs),
                _told(single),
                f"{single.games / pairs.games:.2f}",
            )
    console.print(grid)
    console.print(
        "games until a decision, on average (times that the rule bot was found better : worse)"
    )


def _told(outcome: Outcome) -> str:
    return f"{outcome.games:,.0f} ({outcome.better} : {outcome.worse})"


if __name__ == "__main__":
    main()
