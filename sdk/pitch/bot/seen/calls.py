"""The auction, as its calls tell it.

Here belongs who called what. What a bid is worth making is the bot's business.
"""

from pitch.bot.seen.seats import SeatsSeen
from pitch.rules import Action

__all__ = ["CallsSeen"]


class CallsSeen(SeatsSeen):
    """The auction, as its calls tell it."""

    @property
    def auction(self) -> tuple[tuple[int, Action], ...]:
        """Every call so far, as (seat, action).

        >>> [(seat, action_text(action)) for seat, action in calling.auction]
        [(1, 'bid 2')]
        """
        return self.known.auction

    def calls_of(self, seat: int) -> tuple[Action, ...]:
        """The calls of one seat, in order.

        >>> [action_text(action) for action in view.calls_of(3)]
        ['bid 4']
        """
        return tuple([action for caller, action in self.known.auction if caller == seat])

    @property
    def bid(self) -> int:
        """The highest bid so far: a number, SMUDGE, MOON, or 0 where there is none.

        >>> view.bid
        5
        """
        return self.known.bid

    @property
    def pitcher(self) -> int | None:
        """The seat with the highest bid; None before the first one.

        >>> view.pitcher
        0
        """
        return self.known.pitcher if self.known.pitcher >= 0 else None

    @property
    def is_pitcher(self) -> bool:
        """Whether the bot's own seat has the highest bid.

        >>> view.is_pitcher
        False
        """
        return self.known.pitcher == self.known.seat

    @property
    def our_bid(self) -> bool:
        """Whether the bot's side has the highest bid, by whichever of its seats.

        >>> view.our_bid, calling.our_bid
        (True, False)
        """
        return self.known.pitcher >= 0 and self.is_ours(self.known.pitcher)
