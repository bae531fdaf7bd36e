"""A million boards in a real database: what standings, analysis and report of it cost.

    python benchmarks/million.py make FILE BOARDS [ENTRANTS]
    python benchmarks/million.py measure FILE
    python benchmarks/million.py grow FILE BOARDS [ENTRANTS]

`make` writes a tournament of so many boards of each pairing (2 entrants by default), as if played,
through the real journal. The records are whole: those of 500 boards that the rule bot and a bolder
copy of it really played, over and over with other names and numbers, so the decks are not those of
the seed. `measure` runs the commands on it, each in a process of its own, and prints how long each
took, of which processor time, and the peak of its memory. `grow` writes such a tournament as a
server does, in groups of 500 games, counting along with checkpoints. It prints what a game cost
after 10, 100, 1,000 … boards, in the journal and in counting, and what the standings of all games
so far cost; at the end what going on costs with the checkpoint and without it. The load of the
machine stands in front.
"""

import json
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1] / "sample_bots"))

from pitch.records import (
    GameRecord,
    HandRecord,
    SeatAction,
    canonical_json,
    hand_result_json,
    record_json,
)
from pitch.rules import VARIANTS
from pitch.testing import play_game
from pitch_server.counted import Counted
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import EntrantSettings, FormatSettings, Settings
from pitch_server.published import published_standings
from pitch_server.scores.digest import text_digest
from pitch_server.scores.hands import hands_of, hands_text
from pitch_server.scores.results import GameResult
from pitch_server.scores.statistics import t_quantile
from pitch_server.store.checkpoints import Checkpoint
from pitch_server.store.journal import Journal
from pitch_server.store.rows import JournalEntry, State
from rule_bot import RuleBot

PITCH = VARIANTS["pitch-ac"]
SEED = "a seed of a benchmark"
POOL = 500
GROUP = 500
COMMANDS = (
    "standings --json",
    "standings --json --analysis",
    "report --html {out} --markdown {out}/a.md --csv {out}",
)


class Bold(RuleBot):
    """Bids a point that it is short of by less than a third."""

    def __init__(self) -> None:
        super().__init__(caution=-0.3)


class Played(NamedTuple):
    """A game of the pool; between the parts of its record come names and numbers."""

    scores: tuple[int, ...]
    winner: int | None
    play: str
    parts: tuple[str, str, str]


def played(number: int, bots: Sequence[Callable[[], RuleBot]]) -> Played:
    """One table of a board of the pool."""
    dealer = number % PITCH.players
    game = play_game(bots, seed=f"million {number}", first_dealer=dealer)
    record = GameRecord(
        variant=PITCH,
        seats=("?",) * PITCH.players,
        first_dealer=dealer,
        max_hands=1,
        hands=tuple(
            HandRecord(
                deck=hand.deck,
                actions=tuple(SeatAction(seat, action) for seat, action in hand.actions),
                result=None if hand.result is None else hand_result_json(hand.result),
            )
            for hand in game.hands
        ),
        result={"winner": game.winner, "ended": "hand_limit", "scores": list(game.scores)},
        extra={"x_board": -1, "x_game": -2},
    )
    value = record_json(record)
    before, rest = canonical_json(value).split('["?","?","?","?"]')
    middle, after = rest.split('"x_board":-1,"x_game":-2')
    play = hands_text(hands_of(value, PITCH))
    return Played(game.scores, game.winner, play, (before, middle, after))


def entries(settings: Settings, plan: Plan) -> Iterator[JournalEntry]:
    """Every game of the plan, from the pool."""
    pool = [
        (played(number, (RuleBot, Bold)), played(number, (Bold, RuleBot))) for number in range(POOL)
    ]
    chance, tables = Random(1), pool[0]
    for game in plan:
        if not game.seating:
            tables = chance.choice(pool)
        table = tables[game.seating]
        names = json.dumps([settings.names[entrant] for entrant in game.seats])
        before, middle, after = table.parts
        notes = f'"x_board":{game.board},"x_game":{game.number}'
        record = f"{before}{names}{middle}{notes}{after}"
        result = GameResult(
            number=game.number,
            digest=text_digest(record),
            scores=table.scores,
            winner=table.winner,
            ended="hand_limit",
        )
        times = tuple((entrant, chance.lognormvariate(-9, 1)) for entrant in game.seats)
        yield JournalEntry(result, record, play=table.play, times=times)


def settings_of(boards: int, entrants: int) -> Settings:
    """A round robin of so many boards each."""
    return Settings(
        name=f"{boards:,} boards",
        variant=PITCH,
        format=FormatSettings(boards=boards),
        entrants=tuple(EntrantSettings(name=f"bot {number}") for number in range(entrants)),
    )


def make(file: Path, boards: int, entrants: int) -> None:
    """The tournament in a new database, finished."""
    settings = settings_of(boards, entrants)
    started, group = time.perf_counter(), list[JournalEntry]()
    with Journal.create(file, settings, SEED) as journal:
        plan = Plan(settings)
        for entry in entries(settings, plan):
            group.append(entry)
            if len(group) == GROUP or entry.result.number == len(plan) - 1:
                journal.append(group)
                group.clear()
        journal.end(State.FINISHED, published_standings(journal, revealed=True))
    size = file.stat().st_size / 1e6
    print(f"{len(plan):,} games in {size:,.0f} MB, {time.perf_counter() - started:.0f} s")


def grow(file: Path, boards: int, entrants: int) -> None:
    """The same, game by game as while it is played."""
    settings = settings_of(boards, entrants)
    print(f"load {' '.join(f'{each:.1f}' for each in os.getloadavg())}; processor time")
    print(f"{'after boards':>12}{'commit µs':>12}{'counting µs':>13}{'standings ms':>14}")
    with Journal.create(file, settings, SEED) as journal:
        plan, counted = Plan(settings), Counted(journal)
        source, done, mark = entries(settings, plan), 0, 10
        t_quantile(0.975, 9)  # imports what standings need
        while group := list(islice(source, GROUP)):
            started = time.process_time()
            journal.append(group, counted.checkpoint())
            committed = time.process_time()
            counted.follow()
            followed = time.process_time()
            if done >= mark * plan.seatings:
                counted.standings(seed=None)
                told = time.process_time() - followed
                each = 1e6 / len(group)
                print(
                    f"{mark:>12,}{(committed - started) * each:>12.1f}"
                    f"{(followed - committed) * each:>13.1f}{told * 1000:>14.1f}",
                    flush=True,
                )
                mark *= 10
            done += len(group)
        last = counted.checkpoint(at_end=True)
        if last is not None:
            journal.keep_checkpoint(last)
        going_on(journal, "going on, with the checkpoint")
        logging.disable()  # of one that is none
        journal.keep_checkpoint(Checkpoint(0, "", "", ""))
        going_on(journal, "without it")


def going_on(journal: Journal, how: str) -> None:
    """What the first standings of a new process take."""
    started, used = time.perf_counter(), time.process_time()
    Counted(journal).standings(seed=None)
    took, used = time.perf_counter() - started, time.process_time() - used
    print(f"{how}: {used:.2f} s of processor time, {took:.2f} s in all", flush=True)


def measure(file: Path) -> None:
    """Each command on the database."""
    print(f"{file.name}; load {' '.join(f'{each:.1f}' for each in os.getloadavg())}")
    print(f"{'':60}{'s':>8}{'CPU s':>8}{'peak MB':>9}")
    pitch = Path(sys.executable).with_name("pitch")
    with tempfile.TemporaryDirectory() as out:
        for command in COMMANDS:
            name, *options = command.format(out=out).split()
            call = [str(pitch), name, str(file), *options]
            started = time.perf_counter()
            told = (os.POSIX_SPAWN_OPEN, 1, f"{out}/told", os.O_CREAT | os.O_WRONLY, 0o600)
            process = os.posix_spawn(pitch, call, os.environ, file_actions=[told])
            _, status, usage = os.wait4(process, 0)
            took = time.perf_counter() - started
            if status:
                raise SystemExit(f"{command} ended with {status}")
            cpu = usage.ru_utime + usage.ru_stime
            shown = command.format(out="DIR")
            print(f"{shown:60}{took:>8.1f}{cpu:>8.1f}{usage.ru_maxrss / 1024:>9.0f}", flush=True)


def main() -> None:
    what, file, *numbers = sys.argv[1:]
    if what == "measure":
        measure(Path(file))
        return
    boards, entrants = [*map(int, numbers), 2][:2]
    {"make": make, "grow": grow}[what](Path(file), boards, entrants)


if __name__ == "__main__":
    main()
