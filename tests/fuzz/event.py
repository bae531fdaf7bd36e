"""An event under fire: `pitch serve` with honest bots in play, and processes full of attackers.

Here belong its course and what must be so in the end; what attackers do is `attacks`'.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from chaos.checks import Check
from chaos.usage import Sample, Usage, flatness
from end_to_end.expected import Drawing, expected_record
from end_to_end.running import LIMIT, PITCH, TESTS, Arena, Ended
from end_to_end.serving import Served
from pitch_server.plan.games import Plan
from pitch_server.store.journal import Journal

__all__ = ["Outcome", "play"]

HONEST = ("one", "two", "three")
EVIL = "evil"
_STEADY = ("{python}", "-m", "fuzz.steady")
_SHOWN = 5


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What became of it."""

    games: int
    attacks: Counter[str]
    samples: list[Sample]
    checks: list[Check] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether all is as it must be."""
        return all(check.ok for check in self.checks)


def play(
    directory: Path,
    seconds: float,
    *,
    attackers: int = 2,
    seed: int = 1,
    tell: Callable[[int, Sample | None], None] = lambda *_: None,
) -> Outcome:
    """Plays while attackers attack, and judges; `tell` gets games and the last sample."""
    arena = _arena(directory)
    token = _token(arena)
    os.environ.pop("GRPC_VERBOSITY", None)  # what the server says there is its own business
    with arena.serve() as server, Usage(server.process.pid) as usage:
        _wait_for_games(arena)
        crowd = [
            _attacker(server.address, token, seconds, seed + each) for each in range(attackers)
        ]
        end = time.monotonic() + seconds
        while time.monotonic() < end and server.process.poll() is None:
            tell(arena.games_played(), usage.samples[-1] if usage.samples else None)
            time.sleep(0.5)
        attacks: Counter[str] = Counter()
        for each in crowd:
            out, err = each.communicate(timeout=LIMIT)
            assert each.returncode == 0, err
            attacks.update(json.loads(out))
        alive = server.process.poll() is None
        server.process.send_signal(signal.SIGTERM)
        ended = server.end()
    outcome = Outcome(games=arena.games_played(), attacks=attacks, samples=usage.samples)
    outcome.checks += _checks(arena, ended, alive=alive, token=token)
    outcome.checks += _usage(usage)
    return outcome


def _arena(directory: Path) -> Served:
    return Served(
        directory,
        [EVIL],
        launched=dict.fromkeys(HONEST, _STEADY),
        tables=12,
        format={"boards": 100_000, "isolation": "none"},
        clock={"move_timeout": "5s", "reconnect_grace": "2s", "start_timeout": "60s"},
        faults={"max_faults": 3},
    )


def _token(arena: Arena) -> str:
    made = subprocess.run(
        [*PITCH, "token", str(arena.config), EVIL], capture_output=True, text=True, check=True
    )
    return made.stdout.strip()


def _attacker(address: str, token: str, seconds: float, seed: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "fuzz.attackers", address, str(seconds), str(seed)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(TESTS), "PITCH_TOKEN": token},
    )


def _wait_for_games(arena: Arena) -> None:
    end = time.monotonic() + LIMIT
    while not arena.games_played():
        assert time.monotonic() < end, "no game was played"
        time.sleep(0.1)


# --- what must be so --------------------------------------------------------------------------


def _checks(arena: Arena, ended: Ended, *, alive: bool, token: str) -> Iterator[Check]:
    yield Check(
        "the server lives to the end, and ends in peace",
        alive and ended.status == 128 + signal.SIGTERM,
        f"exit status {ended.status}",
    )
    lines = ended.err.splitlines()
    ours = [line for line in lines if "Traceback" in line or " ERROR " in line]
    yield Check("no exception in the log", not ours, "; ".join(ours[:_SHOWN]) or "none")
    grpcs = [line for line in lines if ".cc:" in line]
    yield Check("grpc adds no words of its own", not grpcs, "; ".join(grpcs[:_SHOWN]) or "none")
    yield Check("no token in the log", token not in ended.err, "none")
    yield Check("the log is short", len(lines) < 2_000, f"{len(lines):,} lines")
    with Journal.open(arena.database) as journal:
        yield from _games(journal)
    found = arena.verified()
    yield Check("pitch verify", not found, found or "all agrees")


def _games(journal: Journal) -> Iterator[Check]:
    """Games among honest bots are as if they were alone, and nobody of them has a fault."""
    settings, plan = journal.settings, Plan(journal.settings)
    bots = dict.fromkeys(HONEST, Drawing)
    alone, different = 0, []
    for stored in journal.records():
        game = plan[stored.number]
        if {settings.names[each] for each in game.seats} <= set(HONEST):
            alone += 1
            if stored.record != expected_record(settings, journal.seed, game, bots):
                different.append(stored.number)
    yield Check(
        "games among honest bots are as if they were alone",
        alone > 0 and not different,
        f"{alone:,} games played again, {len(different)} differ {different[:_SHOWN]}",
    )
    faults = Counter(
        (settings.names[plan[result.number].seats[seat]], kind)
        for result in journal.results()
        for seat, kind, _ in result.faults
    )
    wrong = {key: count for key, count in faults.items() if key[0] != EVIL}
    yield Check("no honest bot has a fault", not wrong, str(wrong or dict(faults)))
    crashes = list(journal.crashes())
    yield Check("no game met an exception of ours", not crashes, f"{crashes[:1] or 'none'}")


def _usage(usage: Usage) -> Iterator[Check]:
    """What the server took of the machine, to be read: frames of a MiB come and go."""
    for what, course in (
        ("memory, MiB", usage.course(lambda sample: sample.memory / 2**20)),
        ("descriptors", usage.course(lambda sample: sample.descriptors)),
        ("threads", usage.course(lambda sample: sample.threads)),
    ):
        flat = flatness(course)
        found = "too short to tell"
        if flat is not None:
            found = (
                f"{flat.first:.0f} after warming up, {flat.lowest:.0f} to {flat.highest:.0f}, "
                f"{flat.last:.0f} in the end"
            )
        yield Check(what, True, found)
