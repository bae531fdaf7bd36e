"""What must be so after an event with a crowd, told by its journal.

Here belongs judging; nothing is played, started or printed.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from chaos.deeds import GUESTS
from chaos.guest import Notes
from end_to_end.expected import Drawing, expected_record
from pitch_server.plan.games import Plan
from pitch_server.store.journal import Journal
from pitch_server.store.rows import FaultEvidence

__all__ = [
    "Check",
    "FaultCounts",
    "check_games",
    "fault_counts",
    "replacements",
    "wrong_faults",
]

_SHOWN = 5
_ENDED = 5  # connections that the event's end may come between
_MISSED = 0.1  # of the deeds, as games end before the last answer of theirs is due


class Check(NamedTuple):
    """Something that must be so, whether it is, and what there is to say of it."""

    what: str
    ok: bool
    found: str


FaultCounts = Mapping[str, Counter[str]]


def fault_counts(journal: Journal) -> FaultCounts:
    """The faults that each entrant is charged with, by kind."""
    plan, names = Plan(journal.settings), journal.settings.names
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    for result in journal.results():
        seats = plan[result.number].seats
        for seat, kind, count in result.faults:
            counts[names[seats[seat]]][kind] += count
    return counts


def wrong_faults(journal: Journal, counts: FaultCounts, notes: Notes) -> Iterator[Check]:
    """Nobody is charged with what it did not do, and whoever did something is."""
    wrong: Counter[tuple[str, str]] = Counter()
    for name, kinds in counts.items():
        earned = {str(fault) for fault in GUESTS[name].earns}
        for kind, count in kinds.items():
            excused = notes.overstayed[name] if kind == "disconnect" else 0
            if kind not in earned and count > excused:
                wrong[name, kind] = count
    told = [_told(journal, number, fault) for number, fault in _evidence(journal, set(wrong))]
    yield Check("no fault that was not earned", not wrong, "; ".join(told[:_SHOWN]) or "none")
    more = {name: kinds for name, kinds in counts.items() if GUESTS[name].counted}
    deeds: Counter[str] = Counter()
    for (name, _), count in notes.deeds.items():
        deeds[name] += count
    yield Check(
        "never more faults than deeds, and few less",
        all(
            kinds.total() <= deeds[name]
            and (not GUESTS[name].certain or kinds.total() >= deeds[name] * (1 - _MISSED) - 1)
            for name, kinds in more.items()
        ),
        ", ".join(f"{name} {kinds.total()} of {deeds[name]}" for name, kinds in more.items()),
    )


def replacements(notes: Notes) -> Check:
    """Whose place was taken over by its own new connection is told so on the old one."""
    taken = sum(count for (_, deed), count in notes.deeds.items() if deed == "take over")
    told = notes.refusals["overtaking: replaced"]
    return Check(
        "who is replaced is told so", taken - _ENDED <= told <= taken + _ENDED, f"{told} of {taken}"
    )


def _evidence(journal: Journal, wrong: set[tuple[str, str]]) -> Iterator[tuple[int, FaultEvidence]]:
    plan, names = Plan(journal.settings), journal.settings.names
    for number, fault in journal.evidence():
        if (names[plan[number].seats[fault.seat]], fault.kind) in wrong:
            yield number, fault


def _told(journal: Journal, number: int, fault: FaultEvidence) -> str:
    name = journal.settings.names[Plan(journal.settings)[number].seats[fault.seat]]
    known = {key: value for key, value in fault._asdict().items() if value is not None}
    return f"{name} in game {number}: {known}"


def check_games(journal: Journal, *, whole: bool) -> Iterator[Check]:
    """Each planned game is there once, and those among honest guests are as if alone.

    Where not the `whole` plan was played, what was played is looked at.
    """
    settings, plan = journal.settings, Plan(journal.settings)
    honest = {name for name in settings.names if GUESTS[name].honest}
    numbers: Counter[int] = Counter()
    alone = 0
    different = []
    for stored in journal.records():
        numbers[stored.number] += 1
        game = plan[stored.number]
        if {settings.names[each] for each in game.seats} <= honest:
            alone += 1
            bots = dict.fromkeys(honest, Drawing)
            if stored.record != expected_record(settings, journal.seed, game, bots):
                different.append(stored.number)
    doubled = [number for number, count in numbers.items() if count > 1]
    lost = len(plan) - len(numbers)
    yield Check(
        "no lost or doubled game",
        not doubled and (not whole or not lost) and all(0 <= each < len(plan) for each in numbers),
        f"{len(numbers):,} of {len(plan):,} games, {len(doubled)} doubled",
    )
    yield Check(
        "games of honest guests are as if nothing had been",
        not different and alone > 0,
        f"{alone:,} games recomputed, {len(different)} differ {different[:_SHOWN]}",
    )
    crashes = list(journal.crashes())
    yield Check("no exception of ours", not crashes, f"{len(crashes)} {crashes[:1]}")
