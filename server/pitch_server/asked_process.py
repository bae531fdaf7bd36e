"""A bot's process asked again, decision by decision, what a seat of a played game was asked.

Here belongs one process at a port of ours, for bots that are no class. How a class is asked is
`asked_again`'s, which says what an answer is.
"""

import asyncio
import secrets
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pitch.bot.mistakes import NO_RUN
from pitch.rules import Action
from pitch.table.faults import Fault
from pitch.wire.frames import Failure, HandOver, Question
from pitch_server.asked_again import DEFAULT_LIMIT, AnswerAgain, opening_of
from pitch_server.checkup.sitting import Sitting
from pitch_server.decisions import Decided, HandEnd, PlayedGame
from pitch_server.table.asked import Asked, Evidence
from pitch_server.table.clock import Moment

__all__ = ["NotAsked", "ask_process"]

_START = 30.0  # seconds


class NotAsked(Exception):
    """The process did not come, so that it could be asked nothing; says why."""


def ask_process(
    command: Sequence[str],
    game: PlayedGame,
    told: Iterable[Decided | HandEnd],
    seats: Sequence[int],
) -> list[AnswerAgain]:
    """What a bot's process answers at some seats, each time after what was played until then.

    It is started in the current folder. Raises NotAsked if it does not say hello.
    """
    import uvloop  # only asking needs it

    return uvloop.run(_ask(tuple(command), game, list(told), seats))


async def _ask(
    command: tuple[str, ...],
    game: PlayedGame,
    told: Sequence[Decided | HandEnd],
    seats: Sequence[int],
) -> list[AnswerAgain]:
    limit = game.move_timeout or DEFAULT_LIMIT
    with tempfile.TemporaryDirectory(prefix="pitch-why-") as logs:
        async with Sitting("bot", command, Path.cwd(), Path(logs), move_timeout=limit) as sitting:
            if not await sitting.start(_START):
                raise NotAsked(await _why_not(sitting))
            talks = {seat: _Seat(game, seat, sitting) for seat in seats}
            answers = [answer for each in told for answer in await _told(talks, each)]
            await sitting.say_farewell()
            return answers


async def _why_not(sitting: Sitting) -> str:
    """Why the bot is not there to be asked."""
    exited = sitting.process.exited
    forgot = exited.done() and exited.result().code == 0
    lines = "".join(f"\n    {line}" for line in await sitting.printed())
    return f"{sitting.whereabouts}{f': {NO_RUN}' if forgot else ''}{lines}"


async def _told(talks: "dict[int, _Seat]", each: Decided | HandEnd) -> list[AnswerAgain]:
    """Tells of a hand's end, or asks a question of one of the seats."""
    if isinstance(each, Decided):
        return [await talks[each.seat].ask(each)] if each.seat in talks else []
    for talk in talks.values():
        talk.tell(each)
    return []


class _Seat:
    """A seat of the game, at a table that nobody else plays at."""

    def __init__(self, game: PlayedGame, seat: int, sitting: Sitting) -> None:
        self._seat, self._instance, self._process = seat, sitting.instance, sitting.process
        self._table = secrets.randbits(62) + 1
        self._outcome: asyncio.Future[tuple[Action | Failure, float]]
        self._instance.open(self, opening_of(game, seat, self._table))

    def tell(self, end: HandEnd) -> None:
        """What the seat sees of a hand that is over."""
        self._instance.tell(self._table, HandOver(end.views[self._seat], end.result))

    async def ask(self, decided: Decided) -> AnswerAgain:
        """Asks what was asked then."""
        view = decided.view
        self._outcome = asyncio.get_running_loop().create_future()
        number = self._table + decided.number + 1
        self._instance.ask(Question(number, self._table, view.known, view.chance, view.time_bank))
        either: set[asyncio.Future[Any]] = {self._outcome, self._process.exited}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not self._outcome.done():
            sentence = self._process.exited.result().sentence
            self._instance.withdraw(number)
            return AnswerAgain(decided, Failure(f"its process {sentence}", ""), 0.0)
        return AnswerAgain(decided, *self._outcome.result())

    def answered(
        self,
        asked: Asked,
        action: Action,
        now: Moment,  # noqa: ARG002 - an Asker's
        reported: float,  # noqa: ARG002
    ) -> None:
        """An action has come, legal or not."""
        self._end(action, asked.measured)

    def failed(self, asked: Asked, fault: Fault, evidence: Evidence) -> None:
        """None has come that could be read, or none in time."""
        text = evidence.came if fault is Fault.ERROR else f"{fault.value}: {fault.sentence}"
        self._end(Failure(text, evidence.traceback), asked.measured)

    def came_late(self, question_id: int, after: float, reported: float) -> None:
        """It counts as no answer."""

    def lost(self, seat: int, fault: Fault) -> None:  # noqa: ARG002 - an Asker's
        """The bot is gone."""
        self._end(Failure(f"{fault.value}: {fault.sentence}", ""), 0.0)

    def _end(self, outcome: Action | Failure, seconds: float) -> None:
        if not self._outcome.done():
            self._outcome.set_result((outcome, seconds))
