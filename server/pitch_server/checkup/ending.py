"""The check of a bot's end: by a farewell, and by a signal."""

import asyncio
import signal

from pitch_server.checkup.exam import Exam, NotThere
from pitch_server.checkup.findings import Finding, failed, passed
from pitch_server.checkup.tables import Ledger, ask_all

__all__ = ["ends"]


async def ends(exam: Exam) -> Finding:
    """Says farewell to one process, and asks another to end by SIGTERM."""
    sitting, patience = await exam.seated(), exam.wishes.end_timeout
    # what was taken back may still be thought about; a tournament ends when all is answered
    await ask_all(sitting, Ledger(), exam.situations()[:1], exam.chance, 1)
    await sitting.say_farewell()
    await asyncio.wait({sitting.process.exited}, timeout=patience)
    if not sitting.process.exited.done():
        return failed(
            f"said farewell; {patience:g} s later its process still ran",
            "end the process after a farewell: run(MyBot) does so, but for threads and children "
            "that go on",
            *await sitting.printed(),
        )
    end = sitting.process.exited.result()
    if end.code != 0:
        return failed(
            f"said farewell; its process {end.sentence}",
            "end with exit status 0 after a farewell",
            *await sitting.printed(),
        )
    try:
        other = await exam.seated()
    except NotThere as reason:
        return failed(f"said farewell, and it ended; {reason}", "a bot is started many times")
    report = await other.process.stop(grace=patience)
    if report.signal == signal.SIGKILL:
        return failed(
            "said farewell, and it ended; sent SIGTERM to another, which ran on for "
            f"{patience:g} s and was killed",
            "do not ignore SIGTERM: a tournament kills what stays",
        )
    return passed("said farewell, and it ended with status 0; another one ended by SIGTERM")
