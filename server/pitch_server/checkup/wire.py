"""The checks of what a bot must bear with: withdrawals, repetitions, novelties, lost connections.

Faults of another kind than the one that a check is about are left to the check that is.
"""

import asyncio

from pitch_server.checkup.exam import Exam
from pitch_server.checkup.findings import Finding, failed, listed, passed
from pitch_server.checkup.sitting import RECONNECT_GRACE, Sitting
from pitch_server.checkup.tables import NO_ANSWER, Ledger, OneQuestion, answered

__all__ = ["cancelled", "novelties", "reconnect", "repeated"]

_QUESTIONS = 12


async def cancelled(exam: Exam) -> Finding:
    """Takes questions back that are out, and looks whether the others are answered."""
    sitting = await exam.seated()
    ledger, taken_back = Ledger(*NO_ANSWER), 0
    for _ in range(3):
        if sitting.left.is_set():
            break
        asked = _questions(exam, sitting, ledger, _QUESTIONS)
        await sitting.written()
        for each in asked[::2]:
            taken_back += not each.done.done()
            each.withdraw()
        await answered(sitting, asked)
    strays = sitting.instance.strays
    did = f"took {taken_back} of {3 * _QUESTIONS} questions back while they were out"
    return await _judged(
        sitting,
        ledger,
        did,
        f"{did}; the others were answered",
        "pass over withdrawn_questions and closed_tables that are no longer known, and go on with "
        "the questions that are left",
        strays=float(strays),
    )


async def repeated(exam: Exam) -> Finding:
    """Asks every question twice in one frame; one answer, or two, are right."""
    sitting = await exam.seated()
    ledger, before = Ledger(*NO_ANSWER), sitting.instance.strays
    sitting.twice = True
    try:
        await answered(sitting, _questions(exam, sitting, ledger, _QUESTIONS))
        await exam.game(sitting, ledger, exam.wishes.variants[0]).play()
    finally:
        sitting.twice = False
    second = sitting.instance.strays - before
    sitting.instance.strays = before  # which were asked for
    return await _judged(
        sitting,
        ledger,
        f"asked every question twice; {ledger.decisions} were answered",
        f"asked every question twice; all {ledger.decisions} were answered",
        "a question that comes again, as after a reconnect, is the same question: answer it again, "
        "or once",
        second_answers=float(second),
    )


async def novelties(exam: Exam) -> Finding:
    """Speaks as a newer server: unknown fields, notices, kinds of fault and frames."""
    sitting = await exam.seated()
    ledger = Ledger(*NO_ANSWER)
    sitting.newer = True
    try:
        game = exam.game(sitting, ledger, exam.wishes.variants[0])
        asked = _questions(exam, sitting, ledger, _QUESTIONS)
        for each in asked:
            sitting.tell_of_something_new(each.table_id)
            await asyncio.wait([each.done], timeout=0.03)  # so that it goes out by itself
        await answered(sitting, asked)
        await game.play()
    finally:
        sitting.newer = False
    did = (
        "asked as a newer server might, with fields, notices, kinds of fault and frames that "
        f"nobody knows yet; {ledger.decisions} questions were answered"
    )
    return await _judged(
        sitting,
        ledger,
        did,
        did,
        "pass over unknown fields, an unset notice, an unknown kind of fault and a frame with no "
        "known event, as proto/pitch/wire/v1/referee.proto asks for",
    )


async def reconnect(exam: Exam) -> Finding:
    """Cuts the connection, with questions out and without; looks whether the bot takes it up."""
    sitting = await exam.seated()
    ledger = Ledger(*NO_ANSWER)
    asked = _questions(exam, sitting, ledger, _QUESTIONS)
    await sitting.written()
    for times, when in ((1, "with questions out"), (2, "at rest")):
        exam.tell(f"connection cut {when}")
        known = len(sitting.hellos)
        await sitting.cut()
        sitting.forgive()
        if not await sitting.wait_until_there(RECONNECT_GRACE):
            return await _away(sitting, when)
        if sitting.hellos[known].session_key != sitting.place.session_key:
            return failed(
                f"cut its connection {when}; it came back without the session key of its welcome",
                "say hello with the session_key of the last Welcome: without it the place may "
                "still seem taken",
            )
        if times == 2:
            asked = _questions(exam, sitting, ledger, _QUESTIONS)
        await answered(sitting, asked)
    did = "cut its connection twice, with questions out and at rest; it came back with its session"
    return await _judged(
        sitting,
        ledger,
        did,
        f"{did}, and answered all {len(ledger.times)} questions",
        "after a reconnect every open table is told again and every open question asked again: "
        "answer them",
    )


async def _away(sitting: Sitting, when: str) -> Finding:
    return failed(
        f"cut its connection {when}; within {RECONNECT_GRACE:g} s it was not back: "
        f"{sitting.whereabouts}",
        "connect again, at once and then with growing pauses, and say hello with the session_key; "
        "end only after a farewell or a refusal",
        *await sitting.printed(),
    )


# --- what they share --------------------------------------------------------------------------


def _questions(exam: Exam, sitting: Sitting, ledger: Ledger, count: int) -> list[OneQuestion]:
    """So many questions, asked now."""
    situations = exam.situations()
    asked = [
        OneQuestion(
            sitting, ledger, situations[number % len(situations)], exam.chance.getrandbits(64)
        )
        for number in range(count)
    ]
    for each in asked:
        each.ask()
    return asked


async def _judged(
    sitting: Sitting, ledger: Ledger, did: str, well: str, remedy: str, **figures: float
) -> Finding:
    """Whether the bot is still there and has answered."""
    if sitting.left.is_set():
        if not sitting.process.exited.done():
            await asyncio.sleep(0.2)  # an end may follow the connection's
        return failed(f"{did}; then {sitting.whereabouts}", remedy, *await sitting.printed())
    missing = ledger.of(*NO_ANSWER)
    if missing:
        count = f"{len(missing)} of {len(ledger.times)} questions got no answer"
        return failed(f"{did}; {count}", remedy, *listed(missing))
    return passed(well, **figures)
