"""The checks of what shows over many decisions: load, memory, chance, and what is printed."""

from random import Random
from statistics import median
from time import monotonic

import psutil

from pitch.table.faults import Fault
from pitch_server.checkup.exam import Exam
from pitch_server.checkup.findings import Finding, failed, listed, passed, skipped, span, warned
from pitch_server.checkup.tables import NO_ANSWER, Ledger, ask_all
from pitch_server.launch import LOG_LIMIT

__all__ = ["load", "memory", "output", "same_again"]

_MOST_TABLES, _LEAST_TABLES = 64, 4
_MANY = 1_000_000  # decisions: as many as there is time for
_MEMORY_TABLES = 16
_FEWEST = 300  # decisions that tell something about memory
_SAMPLES = 60
_WARM, _LATE = 0.4, 0.8  # of the decisions: before it memory may grow, after it is the end
_TOLERANCE_BYTES, _TOLERANCE = 3 << 20, 0.03
_LOG_FILES = 4
_MIB = 1 << 20
_ASKED_AGAIN = 24
_TOLD = 20  # decisions between two words about how far it is


async def load(exam: Exam) -> Finding:
    """Plays at many tables at once: each question has its time, however many wait."""
    sitting = await exam.seated()
    length = exam.wishes.load_span
    tables = min(_MOST_TABLES, sitting.capacity)
    pace = exam.first.usual
    if pace * tables > length / 2:  # else its first round would take all of the time
        tables = max(_LEAST_TABLES, int(length / 2 / pace))
    ledger = Ledger(*NO_ANSWER, seen=lambda count: _tell(exam, f"{tables} tables at once", count))
    begun = monotonic()
    await exam.play_many(
        sitting,
        ledger,
        tables=tables,
        decisions=100 * tables,
        span=length,
    )
    rate = ledger.decisions / max(monotonic() - begun, 0.001)
    limit = exam.wishes.move_timeout
    figures = {"tables": float(tables), "decisions_per_second": rate, "slowest": ledger.slowest}
    did = (
        f"played at {tables} tables at once: {ledger.decisions:,} decisions, {rate:,.0f} a second, "
        f"the slowest {span(ledger.slowest)} of {limit:g} s"
    )
    remedy = (
        "answer each question before the next is begun; where many wait, think in batches "
        "(choose_many), or say hello with a smaller capacity"
    )
    if sitting.left.is_set():
        return failed(f"{did}; then {sitting.whereabouts}", remedy, *await sitting.printed())
    if late := ledger.of(Fault.TIMEOUT):
        return failed(f"{did}; {len(late)} came too late", remedy, *listed(late), **figures)
    return passed(did, **figures)


async def memory(exam: Exam) -> Finding:
    """Plays thousands of decisions and watches the memory of the bot and all that it started."""
    sitting = await exam.seated()
    wishes = exam.wishes
    samples: list[tuple[int, int]] = []

    def seen(count: int) -> None:
        _tell(exam, "watching memory", count, wishes.decisions)
        if not samples or count - samples[-1][0] >= wishes.decisions // _SAMPLES:
            samples.append((count, _memory_of(sitting.process.pid)))

    ledger = Ledger(*NO_ANSWER, seen=seen)
    await exam.play_many(
        sitting,
        ledger,
        tables=min(_MEMORY_TABLES, sitting.capacity),
        decisions=wishes.decisions,
        span=wishes.span,
    )
    if sitting.left.is_set():
        return failed(
            f"after {ledger.decisions:,} decisions {sitting.whereabouts}",
            "mend what ended it; what it printed last tells where",
            *await sitting.printed(),
        )
    if ledger.decisions < _FEWEST:
        return skipped(
            f"{ledger.decisions} decisions in {wishes.span:g} s are too few to tell; "
            "--seconds gives more time"
        )
    return _judge_memory(samples, ledger.decisions)


def _judge_memory(samples: list[tuple[int, int]], decisions: int) -> Finding:
    """Compares the memory at the end with that after the first part."""
    early = [size for count, size in samples if _WARM / 2 <= count / decisions <= _WARM]
    late = [size for count, size in samples if count / decisions >= _LATE]
    if not early or not late:
        return skipped(f"{decisions} decisions came too quickly to watch; --decisions gives more")
    before, after = median(early), median(late)
    allowed = _TOLERANCE_BYTES + _TOLERANCE * before
    figures = {
        "decisions": float(decisions),
        "early_bytes": before,
        "late_bytes": after,
        "tolerance_bytes": allowed,
    }
    did = (
        f"watched {decisions:,} decisions: {before / _MIB:.1f} MiB after the first third, "
        f"{after / _MIB:.1f} MiB at the end; {allowed / _MIB:.1f} MiB more would be too much"
    )
    if after - before <= allowed:
        return passed(did, **figures)
    return failed(
        did,
        "something is kept for each decision, hand or game: keep it in the Bot object, which is "
        "dropped with its game, or bound it (functools.lru_cache has a maxsize)",
        **figures,
    )


def _memory_of(pid: int | None) -> int:
    """Resident bytes of a process and of its children."""
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
        return sum(each.memory_info().rss for each in family)
    except psutil.Error:
        return 0


def _tell(exam: Exam, what: str, count: int, of: int = 0) -> None:
    if count % _TOLD == 0:
        exam.tell(f"{what}, {count:,} {f'of {of:,} ' if of else ''}decisions")


async def same_again(exam: Exam) -> Finding:
    """Asks decisions twice with the same chance: a deterministic bot answers alike."""
    sitting = await exam.seated()
    situations = exam.situations()[:_ASKED_AGAIN]
    seed = exam.chance.getrandbits(64)
    once = await ask_all(sitting, Ledger(), situations, Random(seed), 1)
    again = await ask_all(sitting, Ledger(), situations, Random(seed), 1)
    pairs = list(zip(once, again, strict=False))
    differing = sum(1 for first, second in pairs if first != second)
    figures = {"asked": float(len(pairs)), "differing": float(differing)}
    if not differing:
        return passed(
            f"asked {len(pairs)} decisions twice with the same chance; the answers were the same",
            **figures,
        )
    return warned(
        f"asked {len(pairs)} decisions twice with the same chance; {differing} answers differed",
        "no fault, but its tournaments can't be repeated to the last card: draw from view.random "
        "alone, and let no clock, no set's order and no other game decide",
        **figures,
    )


async def output(exam: Exam) -> Finding:
    """Looks at how much the bot has printed until now."""
    size = sum(each.stat().st_size for each in exam.log_directory.glob("*.log*"))
    room = LOG_LIMIT * _LOG_FILES
    figures = {"bytes": float(size)}
    if size < room * 0.7:  # of four files, the one that is written to may be all but empty
        return passed(
            f"it printed {size / 1024:,.1f} KiB in all; a tournament's log holds "
            f"{room // _MIB} MiB of it",
            **figures,
        )
    return warned(
        f"it printed more than the {room // _MIB} MiB that a tournament's log holds",
        "no fault, but what it printed first is lost, and printing takes time: print less",
        **figures,
    )
