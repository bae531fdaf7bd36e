"""The checks of a bot's first games: it starts, stays, speaks properly, in time, and plays legally.

Here belong those, which judge one and the same games, and the rare decisions.
"""

import asyncio

from pitch.table.faults import Fault
from pitch.table.unit import Unit
from pitch_server.checkup.exam import Exam
from pitch_server.checkup.findings import Finding, failed, listed, passed, skipped, span
from pitch_server.checkup.sitting import Sitting
from pitch_server.checkup.tables import Ledger, ask_all

__all__ = ["errors", "legal", "protocol", "rare", "starts", "stays", "time"]

_RARE_EACH = 2  # decisions of a kind and variant
_RARE_AT_ONCE = 8


async def starts(exam: Exam) -> Finding:
    """Starts the bot and waits for its hello."""
    limit = exam.wishes.start_timeout
    sitting = await exam.new_sitting()
    begun = asyncio.get_running_loop().time()
    if await sitting.start(limit):
        took = asyncio.get_running_loop().time() - begun
        exam.sdk = sitting.hellos[0].sdk
        did = (
            f"started it as a tournament does; it said hello after {took:.1f} s "
            f"({exam.sdk or 'no SDK named'})"
        )
        return passed(did, seconds=took)
    ended = sitting.process.exited.done()
    waited = "; before its hello" if ended else f" and waited {limit:g} s for its hello;"
    return failed(
        f"started it{waited} {sitting.whereabouts}",
        "connect to PITCH_SERVER, say hello with PITCH_NAME and PITCH_TOKEN, and do what takes "
        "long after that; a Python bot ends with run(MyBot)",
        *await sitting.printed(),
    )


async def stays(exam: Exam) -> Finding:
    """Plays a hand in every variant and a game; judges that process and connection last."""
    sitting = await exam.seated()
    await _first_games(exam, sitting)
    count = exam.first.decisions
    figures = {"decisions": float(count)}
    game = "" if exam.slow else " and a game of the first"
    what = f"played a hand of {_variants(exam)}{game}: {count:,} decisions"
    if not sitting.left.is_set() and len(sitting.hellos) == 1:
        return passed(f"{what}, on one connection", **figures)
    if not sitting.process.exited.done():
        await asyncio.sleep(0.2)  # an end may follow the connection's
    crashed = sitting.process.exited.done()
    return failed(
        f"{what}; then {sitting.whereabouts if crashed else 'it left its connection'}",
        "mend what ended it; what it printed last and its log tell where"
        if crashed
        else "keep the stream open until the farewell, read all that comes, and send no frame over "
        "1 MiB",
        *await sitting.printed(),
        **figures,
    )


async def _first_games(exam: Exam, sitting: Sitting) -> None:
    """A hand of each variant and a game of the first; of a slow bot a seat's hands must do."""
    variants = exam.wishes.variants
    for number, variant in enumerate(variants):
        seats = variant.seats_of(number % variant.sides)
        if exam.slow:
            seats = (number % variant.players,)
        exam.tell(f"a hand of {variant.name}")
        await exam.game(sitting, exam.first, variant, seats=seats).play()
        if sitting.left.is_set() or exam.first.full:
            return
    if not exam.slow:
        exam.tell(f"a game of {variants[0].name}")
        seats = variants[0].seats_of(0)
        await exam.game(sitting, exam.first, variants[0], seats=seats, unit=Unit.GAME).play()


def _variants(exam: Exam) -> str:
    names = [variant.name for variant in exam.wishes.variants]
    return f"each of {len(names)} variants" if len(names) > 1 else names[0]


async def protocol(exam: Exam) -> Finding:
    """Judges that every frame could be read and every answer belonged to a question."""
    assert exam.sitting is not None  # noqa: S101 - it has played
    strays, garbage = exam.sitting.instance.strays, exam.first.of(Fault.MALFORMED)
    if garbage:
        return failed(
            f"{len(garbage)} answers could not be read",
            "send frames as proto/pitch/wire/v1/referee.proto describes: a PlayRequest with "
            "answers, each with the question's id and one action",
            *listed(garbage),
            unreadable=float(len(garbage)),
        )
    if strays:
        return failed(
            f"{strays:,} answers came that belonged to no open question",
            "answer every question once, with the id that it came with, and nothing else",
            strays=float(strays),
        )
    return passed(f"read {exam.first.decisions:,} answers; each belonged to its question, once")


async def time(exam: Exam) -> Finding:
    """Judges that each answer came within the limit, one question at a time."""
    limit, ledger = exam.wishes.move_timeout, exam.first
    late = ledger.of(Fault.TIMEOUT)
    figures = {"median": ledger.usual, "slowest": ledger.slowest}
    pace = f"half within {span(ledger.usual)}, the slowest {span(ledger.slowest)}"
    if not late:
        did = f"asked one question after the other, {limit:g} s for each: {pace}"
        return passed(did, **figures)
    return failed(
        f"{len(late)} of {ledger.decisions:,} answers did not come within {limit:g} s",
        "think for less; View.time_limit tells what there is. Where the tournament gives more "
        "time, check with --move-timeout",
        *listed(late),
        **figures,
    )


async def errors(exam: Exam) -> Finding:
    """Judges that no decision raised an exception or gave what is no action."""
    raised = exam.first.of(Fault.ERROR)
    if not raised:
        return passed("no decision reported an exception, or something that is no action")
    return failed(
        f"{len(raised)} of {exam.first.decisions:,} decisions failed in the bot's own code",
        "mend the line that is named; what choose returns is one of view.legal",
        *listed(raised),
        errors=float(len(raised)),
    )


async def legal(exam: Exam) -> Finding:
    """Judges that every action was one of those that were legal."""
    wrong = exam.first.of(Fault.ILLEGAL)
    actions = exam.first.decisions - len(exam.first.of(Fault.ERROR))
    if not actions:
        return skipped("no decision came to an action")
    if not wrong:
        return passed(f"{actions:,} actions in {_variants(exam)} were legal")
    return failed(
        f"{len(wrong)} of {actions:,} actions were not legal",
        "return one of view.legal; it holds every action that the rules allow here",
        *listed(wrong),
        illegal=float(len(wrong)),
    )


async def rare(exam: Exam) -> Finding:
    """Asks decisions that whole games seldom meet, each at a table of its own."""
    sitting = await exam.seated()
    situations = exam.situations(1 if exam.slow else _RARE_EACH)
    kinds = len({situation.kind.name for situation in situations})
    ledger = Ledger()
    exam.tell(f"{len(situations)} decisions of {kinds} kinds")
    await ask_all(sitting, ledger, situations, exam.chance, _RARE_AT_ONCE)
    figures = {"decisions": float(ledger.decisions), "kinds": float(kinds)}
    if sitting.left.is_set():
        return failed(
            f"asked {ledger.decisions} rare decisions; then {sitting.whereabouts}",
            "a decision may be the first of its table: a bot that was started again knows no more",
            *await sitting.printed(),
            **figures,
        )
    if ledger.charges:
        return failed(
            f"{len(ledger.charges)} of {ledger.decisions} rare decisions went wrong",
            "return one of view.legal, whatever it holds; a decision may be the first of its "
            "table, as for a bot that was started again",
            *listed(ledger.charges),
            **figures,
        )
    return passed(
        f"asked {ledger.decisions} decisions of {kinds} kinds, from a dealer's steal to leftovers "
        "and trumps that must go; each answer was legal",
        **figures,
    )
