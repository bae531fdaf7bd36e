"""The check-up: all checks in order, and which are skipped when another has failed.

Here belong the list and what a failure means for the checks after it. What a check does is in
the files beside this one.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

from pitch_server.checkup import basics, ending, endurance, wire
from pitch_server.checkup.exam import Exam, NotThere
from pitch_server.checkup.findings import Finding, Outcome, failed, skipped

__all__ = ["CHECKS", "Check", "Result", "check_up"]

# Seconds that no check takes, whatever a bot does, and so many more for a second of its limit.
_LONGEST, _LONGER = 180.0, 300.0


class Check(NamedTuple):
    """A check: `name` in a few words, and the names of those that it builds on."""

    name: str
    run: Callable[[Exam], Awaitable[Finding]]
    needs: tuple[str, ...] = ()


_SPEAKS = ("starts", "stays", "speaks", "in time")

CHECKS: tuple[Check, ...] = (
    Check("starts", basics.starts),
    Check("stays", basics.stays, ("starts",)),
    Check("speaks", basics.protocol, ("starts", "stays")),
    Check("in time", basics.time, ("starts", "stays", "speaks")),
    Check("no errors", basics.errors, _SPEAKS),
    Check("legal", basics.legal, _SPEAKS),
    Check("rare decisions", basics.rare, (*_SPEAKS, "no errors", "legal")),
    Check("cancelled questions", wire.cancelled, _SPEAKS),
    Check("repeated questions", wire.repeated, _SPEAKS),
    Check("unknown fields", wire.novelties, _SPEAKS),
    Check("reconnect", wire.reconnect, _SPEAKS),
    Check("load", endurance.load, _SPEAKS),
    Check("memory", endurance.memory, _SPEAKS),
    Check("same again", endurance.same_again, (*_SPEAKS, "no errors", "legal")),
    Check("output", endurance.output, _SPEAKS),
    Check("ends", ending.ends, _SPEAKS),
)


class Result(NamedTuple):
    """A check with its number from 1 and what it came to."""

    number: int
    check: Check
    finding: Finding


async def check_up(exam: Exam, begin: Callable[[int, Check], None]) -> AsyncIterator[Result]:
    """Does all checks in order; `begin` is told of each before it is done."""
    done: dict[str, Outcome] = {}
    for number, check in enumerate(CHECKS, 1):
        begin(number, check)
        broken = [
            f"{each} ({place})"
            for place, (each, *_) in enumerate(CHECKS, 1)
            if each in check.needs and done[each] is Outcome.FAILED
        ]
        if broken:
            finding = skipped(f"needs a bot that passes {', '.join(broken)}")
        else:
            finding = await _done(exam, check)
        done[check.name] = finding.outcome
        yield Result(number, check, finding)


async def _done(exam: Exam, check: Check) -> Finding:
    longest = _LONGEST + _LONGER * exam.wishes.move_timeout
    try:
        async with asyncio.timeout(longest):
            return await check.run(exam)
    except NotThere as reason:
        return failed(str(reason), "a bot is started many times in a tournament: see that it can")
    except TimeoutError:
        return failed(
            f"the check did not come to its end within {longest:g} s", "look at what the bot does"
        )
