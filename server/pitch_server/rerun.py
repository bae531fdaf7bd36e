"""A game of a tournament played again: the very deal and chance, with other bots if wanted.

Here belongs playing one game as the tournament would, in a database of its own that goes away.
Nothing of the tournament itself is changed.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from pitch_server.plan.games import PlannedGame
from pitch_server.plan.settings import Settings
from pitch_server.planned import known_plan
from pitch_server.published import parsed_record
from pitch_server.store.journal import Journal
from pitch_server.store.rows import FaultEvidence
from pitch_server.tournament import Hosting, Tournament

__all__ = ["Again", "first_difference", "play_again"]


class Again(NamedTuple):
    """A game as it was and as it is now, as JSON records; `faults` are those of this time."""

    before: dict[str, Any]
    again: dict[str, Any]
    faults: tuple[FaultEvidence, ...]


class _OneGame(Tournament):
    """A tournament of which one game is played."""

    game: PlannedGame

    async def _play_rounds(self) -> None:
        number = self.game.number
        schedule = self._schedule_of(number, number + 1)
        async with self._present(tuple(sorted(set(self.game.seats))), again=False):
            await self._play_schedule(schedule)


def play_again(
    journal: Journal,
    number: int,
    commands: Mapping[str, Sequence[str]],
    directory: Path,
    *,
    on_news: Callable[[str], None],
) -> Again:
    """Plays that game of the journal again, with these commands in the place of the kept ones.

    The decks, the seats, the names and the bits of chance are those of the game, so that a bot
    that is the same decides the same. Raises JournalError if the game is not in the journal.
    """
    import uvloop  # only playing needs it

    before = parsed_record(journal, number, journal.record(number))
    with tempfile.TemporaryDirectory(prefix="pitch-rerun-") as place:
        logs = Path(place) / "logs"
        logs.mkdir()
        settings = _with_commands(journal.settings, commands)
        with Journal.create(Path(place) / "again.db", settings, journal.seed) as scratch:
            hosting = Hosting(tables=1, directory=directory, log_directory=logs)
            one = _OneGame(scratch, hosting, on_progress=lambda _: None, on_news=on_news)
            one.plan = known_plan(journal)  # it may follow from results of the others
            one.game = one.plan[number]
            uvloop.run(one.play())
            (entry,) = scratch.entries()
    again = parsed_record(journal, number, entry.record)
    return Again(before, again, entry.evidence)


def _with_commands(settings: Settings, commands: Mapping[str, Sequence[str]]) -> Settings:
    return replace(
        settings,
        entrants=tuple(
            replace(each, command=tuple(commands[each.name]) if each.name in commands else None)
            for each in settings.entrants
        ),
    )


def first_difference(before: Mapping[str, Any], again: Mapping[str, Any]) -> tuple[int, int] | None:
    """(hand, action) at which two records of a game part; None if they are the same."""
    hands = list(zip(before["hands"], again["hands"], strict=False))
    for at, (one, other) in enumerate(hands):
        actions, others = one["actions"], other["actions"]
        for index, (mine, its) in enumerate(zip(actions, others, strict=False)):
            if mine != its:
                return at, index
        if len(actions) != len(others):
            return at, min(len(actions), len(others))
    if len(before["hands"]) != len(again["hands"]):
        return len(hands), 0
    return None
