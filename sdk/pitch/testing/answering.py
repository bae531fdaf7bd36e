"""A bot object asked one decision in this process, as a connection would ask it.

Here belongs calling the author's code in the way that its class has: plain, async or in batches.
Limits are `containment`'s.
"""

import asyncio
import inspect
import sys
from collections.abc import Coroutine
from typing import Any

from pitch.bot.base import overrides
from pitch.bot.loop_watch import LoopWatch
from pitch.bot.session import Decision, failure_of, many_outcomes
from pitch.testing.containment import OutOfTime
from pitch.wire.frames import Answer

__all__ = ["answer_of"]


def answer_of(decision: Decision) -> Answer:
    """The answer of a decision's bot, whichever way its class decides; a failure if it raised."""
    try:
        return decision.answer(_outcome_of(decision))
    except Exception as error:  # noqa: BLE001 - the author's code may raise anything
        return decision.failed(failure_of(error))


def _outcome_of(decision: Decision) -> Any:
    bot = type(decision.bot)
    if overrides(bot, "choose_many"):
        return many_outcomes(bot, [decision.view])[0]
    chosen: Any = decision.bot.choose(decision.view)
    return _awaited(chosen) if inspect.iscoroutine(chosen) else chosen


def _awaited(chosen: Coroutine[Any, Any, object]) -> object:
    """What comes of an `async def`; where it is interrupted, the alarm tells what it awaited."""
    ended: list[BaseException] = []

    async def noting() -> object:
        watch = LoopWatch(_tell)
        watch.begin()
        try:
            return await chosen
        except asyncio.CancelledError as error:
            ended.append(error)
            raise
        finally:
            watch.end()

    running = noting()
    try:
        return asyncio.run(running)
    except OutOfTime as alarm:
        raise alarm.with_traceback(ended[0].__traceback__ if ended else None) from None
    finally:  # the alarm may have come before they began
        running.close()
        chosen.close()


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")
