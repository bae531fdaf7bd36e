"""What a bot sees when it decides.

Here belongs the face of a view for the people who write bots: what a question brings, and how
a view is shown. What a seat may know is decided by `pitch.rules.view` alone, and what follows
from it stands in `pitch.bot.seen`.
"""

from functools import cached_property
from os import PathLike
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Self

from pitch.bot.picture import view_line, view_picture
from pitch.bot.seating import Seating
from pitch.bot.seen.points import PointsSeen
from pitch.bot.view_file import read_saved_view, saved_view_text
from pitch.records.view_reading import ViewError
from pitch.rules import View as SeatView

__all__ = ["Seating", "View"]


class View(PointsSeen):
    """One decision as its seat sees it.

    Cards are indexes (suit * 13 + rank - 2; jokers 52 and 53), suits are 0 to 3 for clubs,
    diamonds, hearts and spades, ranks 2 to 14, jokers rank 0; seats and sides count from 0.
    All that is seen is worked out when it is asked for, and once. `known` is what the rules
    let the seat know, in numbers, as pitch.sample_hands takes it; `chance` the 64 bits that
    `random` is made of. `time_bank` is what is left, in seconds.
    """

    chance: int
    time_bank: float
    _limit: float | None

    def __init__(
        self,
        known: SeatView,
        table: Seating,
        chance: int = 0,
        time_bank: float = 0.0,
        limit: float | None = None,
    ) -> None:
        """`time_bank` and `limit` in seconds, as they were when the question was sent."""
        own = self.__dict__  # see __setattr__
        own["known"], own["table"], own["chance"] = known, table, chance
        own["time_bank"], own["_limit"] = time_bank, limit

    if not TYPE_CHECKING:  # which would take it that anything can be set

        def __setattr__(self, name: str, value: object) -> None:
            """Refuses: what a bot changes in a view would be its own belief, and no fact."""
            raise AttributeError(
                f"view.{name} can't be set: a view is what the seat sees; keep what is your own "
                "in self, the bot"
            )

    def __repr__(self) -> str:
        return view_line(self)

    def __str__(self) -> str:
        return view_picture(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the view to a JSON file, to be looked at or loaded again in a test.

        >>> view.save("lost.json")
        """
        text = saved_view_text(self.known, self.table, self.chance, self.time_bank, self._limit)
        Path(path).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Reads a view that was saved; ValueError says what is wrong with a file that holds none.

        >>> View.load("lost.json").legal == view.legal
        True
        """
        try:
            return cls(*read_saved_view(Path(path).read_bytes()))
        except ViewError as error:
            raise ViewError(f"{path}: {error}") from None

    @property
    def time_limit(self) -> float:
        """Seconds for this answer; what is left of the time bank comes on top of them.

        Of no meaning at a table without a clock, as in `pitch.testing`: 0 there.

        >>> view.time_limit
        1.0
        """
        return self.table.move_timeout if self._limit is None else self._limit

    @cached_property
    def random(self) -> Random:
        """A generator that is the same whenever the tournament is repeated.

        A bot that draws from nothing else is deterministic, so that its games can be
        repeated exactly.

        >>> view.random.choice(view.legal) in view.legal
        True
        """
        return Random(self.chance)
