"""The base class of bots.

Here belongs what an author overrides. A bot is one seat of one game: no clock, no connection
and no other table is seen from here.
"""

from collections.abc import Awaitable, Sequence
from inspect import getattr_static

from pitch.bot.view import Seating, View
from pitch.rules import Action, HandResult
from pitch.wire.frames import FaultNotice, GameOver

__all__ = ["Bot", "overrides"]


class Bot:
    """One seat of one game. Subclass it and write `choose`; the rest is optional.

    An object is made, without arguments, when a table opens, and dropped when the game is
    over. `table` (variant, seat, what counts, limits) is set before the first decision.
    """

    table: Seating

    def choose(self, view: View) -> Action | Awaitable[Action]:
        """The action to take: one of `view.legal`. May be an `async def`."""
        raise NotImplementedError(f"{type(self).__name__} has no choose(view)")

    @classmethod
    def choose_many(cls, views: Sequence[View]) -> Sequence[Action]:
        """The actions for several decisions at once, for bots that think in batches.

        A class that overrides it is asked by this method alone, with every decision that
        waits; the views belong to different seats or tables.
        """
        raise NotImplementedError(f"{cls.__name__} has no choose_many(views)")

    def hand_over(self, view: View, result: HandResult) -> None:
        """Is called when a hand is over: with all that the seat has seen of it, and its result.

        Nothing is asked, so `view.legal` is empty, and there is neither chance nor clock.
        """

    def game_over(self, outcome: GameOver) -> None:
        """Is called when the game is over."""

    def fault(self, notice: FaultNotice) -> None:
        """Is called when the referee charges this seat with a fault."""


def overrides(bot: type[Bot], method: str) -> bool:
    """Whether a class has its own version of a method of Bot."""
    return getattr_static(bot, method) is not getattr_static(Bot, method)
