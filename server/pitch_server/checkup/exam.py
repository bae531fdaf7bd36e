"""What all checks of one check-up share: the bot's sittings, the variants, chance, what was seen.

Here belong starting the bot anew where a check has lost it, and playing many tables at once. No
check is here.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Self

from pitch.rules import Variant
from pitch.table.unit import Unit
from pitch.testing.conformance import Situation, find_situations
from pitch_server.checkup.sitting import Sitting
from pitch_server.checkup.tables import Ledger, WholeGame

__all__ = ["Exam", "NotThere", "Wishes"]

_GAME_HANDS = 12  # of a game; one among players by chance could take a hundred
_LAST_GAMES = 1.0  # seconds that games may still take when there were decisions enough
_SLOW = 0.05  # seconds of a usual answer
_LOOK = 0.05  # seconds between two looks at how far a bot is


class NotThere(Exception):
    """The bot could not be started, or is gone; the text says what became of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """How a bot is checked; times in seconds.

    `decisions` is how many the check of memory wants, and `span` how long that may take.
    """

    variants: tuple[Variant, ...]
    move_timeout: float = 1.0
    start_timeout: float = 30.0
    end_timeout: float = 8.0  # a tournament gives less, on a machine that may be less busy
    decisions: int = 10_000
    span: float = 30.0
    load_span: float = 8.0
    seed: int = 1


class Exam:
    """One bot's check-up: `async with` it; `sitting` is its running process, if there is one."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        directory: Path,
        log_directory: Path,
        wishes: Wishes,
        tell: Callable[[str], None],
    ) -> None:
        """`tell` is told how far a long check is."""
        self.name, self.command, self.wishes, self.tell = name, tuple(command), wishes, tell
        self.log_directory = log_directory
        self._directory = directory
        self.chance = Random(wishes.seed)
        self.sitting: Sitting | None = None
        self.first = Ledger()  # of the first games, which several checks judge
        self.sdk = ""  # as its hello names it
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Nothing runs yet."""
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Ends whatever runs."""
        await self._stack.aclose()

    async def new_sitting(self) -> Sitting:
        """A fresh process; one that ran before is ended."""
        await self._stack.aclose()
        self.sitting = await self._stack.enter_async_context(
            Sitting(
                self.name,
                self.command,
                self._directory,
                self.log_directory,
                move_timeout=self.wishes.move_timeout,
            )
        )
        return self.sitting

    async def seated(self) -> Sitting:
        """The bot, connected; a fresh process where it is not. Raises NotThere."""
        if self.sitting is not None and self.sitting.there:
            return self.sitting
        sitting = await self.new_sitting()
        if not await sitting.start(self.wishes.start_timeout):
            raise NotThere(f"it could not be started again: {sitting.whereabouts}")
        return sitting

    @property
    def slow(self) -> bool:
        """Whether the bot thinks so long that fewer decisions must do."""
        return self.first.usual > _SLOW

    def situations(self, each: int = 1) -> list[Situation]:
        """Rare decisions of all variants."""
        return [
            situation
            for variant in self.wishes.variants
            for situation in find_situations(variant, self.chance, each)
        ]

    def game(
        self,
        sitting: Sitting,
        ledger: Ledger,
        variant: Variant,
        *,
        seats: Sequence[int] | None = None,
        unit: Unit = Unit.HAND,
    ) -> WholeGame:
        """A game for the bot at these seats, or at all."""
        seats = range(variant.players) if seats is None else seats
        hands = 1 if unit is Unit.HAND else _GAME_HANDS
        return WholeGame(
            sitting, ledger, variant, self.chance, seats=seats, unit=unit, max_hands=hands
        )

    async def play_many(
        self,
        sitting: Sitting,
        ledger: Ledger,
        *,
        tables: int,
        decisions: int,
        span: float,
    ) -> None:
        """Plays at so many tables at once until there were so many decisions, or the time is up."""
        end = monotonic() + span
        variants = self.wishes.variants
        games: list[WholeGame] = []
        begun = 0
        while not (ledger.full or sitting.left.is_set()):
            if ledger.decisions >= decisions or monotonic() > end:
                break
            games = [game for game in games if not game.done.done()]
            while len(games) < tables:
                game = self.game(sitting, ledger, variants[begun % len(variants)])
                begun += 1
                game.start()
                games.append(game)
            # what fails is seen within a moment, what ends makes room for the next
            await asyncio.wait(
                [game.done for game in games],
                timeout=_LOOK,
                return_when=asyncio.FIRST_COMPLETED,
            )
        # those that go on may end in peace: taking questions back is another check's
        if games and not (ledger.full or sitting.left.is_set()):
            await asyncio.wait([game.done for game in games], timeout=_LAST_GAMES)
        for game in games:
            game.drop()
