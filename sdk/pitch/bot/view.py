"""What a bot sees when it decides.

Here belongs the face of a view for the people who write bots. What a seat may know is
decided by `pitch.rules.view` alone: nothing here knows more than it hands out.
"""

from dataclasses import dataclass
from functools import cached_property
from random import Random

from pitch.rules import Action, Legal, Phase, Variant, cards_of
from pitch.rules import View as SeatView
from pitch.table.unit import Unit

__all__ = ["Seating", "View"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """What stays the same at a table; times are in seconds.

    `names` holds an entrant's name for each seat, or nothing where opponents are hidden.
    """

    variant: Variant
    seat: int
    first_dealer: int
    unit: Unit
    max_hands: int | None
    names: tuple[str, ...] = ()
    move_timeout: float = 0.0
    time_bank: float = 0.0


class View:
    """One decision as its seat sees it.

    Cards are indexes (suit * 13 + rank - 2; jokers 52 and 53), suits are 0 to 3 for clubs,
    diamonds, hearts and spades, ranks 2 to 14, jokers rank 0; seats and sides count from 0.
    """

    def __init__(
        self,
        known: SeatView,
        table: Seating,
        chance: int = 0,
        time_bank: float = 0.0,
        limit: float | None = None,
    ) -> None:
        """`time_bank` and `limit` in seconds, as they were when the question was sent."""
        self.known = known
        self.table = table
        self.time_bank = time_bank
        self._limit = limit
        self._chance = chance

    def __repr__(self) -> str:
        return f"View({self.known!r})"

    @property
    def time_limit(self) -> float:
        """Seconds for this answer; what is left of the time bank comes on top of them.

        Of no meaning at a table without a clock, as in `pitch.testing`: 0 there.
        """
        return self.table.move_timeout if self._limit is None else self._limit

    @property
    def variant(self) -> Variant:
        """The rules of the table."""
        return self.table.variant

    @property
    def unit(self) -> Unit:
        """What counts: the points of one hand, or winning the game."""
        return self.table.unit

    @property
    def legal(self) -> Legal:
        """The legal actions, two at least; of discards a sequence that is never written out."""
        return self.known.legal

    @cached_property
    def random(self) -> Random:
        """A generator that is the same whenever the tournament is repeated.

        A bot that draws from nothing else is deterministic, so that its games can be
        repeated exactly.
        """
        return Random(self._chance)

    @property
    def phase(self) -> Phase:
        """What is decided: a call in the auction, trump, an exchange or a card."""
        return self.known.phase

    @property
    def seat(self) -> int:
        """The bot's own seat."""
        return self.known.seat

    @property
    def side(self) -> int:
        """The bot's own side."""
        return self.variant.side_of(self.known.seat)

    @property
    def partners(self) -> tuple[int, ...]:
        """The other seats of the bot's side."""
        seat = self.known.seat
        return tuple(each for each in self.variant.seats_of(self.side) if each != seat)

    @property
    def dealer(self) -> int:
        """The seat that dealt this hand."""
        return self.known.dealer

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores before this hand, one a side."""
        return self.known.scores

    @cached_property
    def hand(self) -> tuple[int, ...]:
        """The bot's cards, ascending."""
        return cards_of(self.known.hand)

    @property
    def auction(self) -> tuple[tuple[int, Action], ...]:
        """Every call so far, as (seat, action)."""
        return self.known.auction

    @property
    def bid(self) -> int:
        """The highest bid so far: a number, SMUDGE, MOON, or 0 where there is none."""
        return self.known.bid

    @property
    def pitcher(self) -> int | None:
        """The seat with the highest bid."""
        return self.known.pitcher if self.known.pitcher >= 0 else None

    @property
    def trump(self) -> int | None:
        """The trump suit, once it is known."""
        return self.known.trump if self.known.trump >= 0 else None

    @property
    def played(self) -> tuple[tuple[int, int], ...]:
        """Every card played in this hand, as (seat, card), in order."""
        return self.known.played

    @property
    def trick(self) -> tuple[tuple[int, int], ...]:
        """The cards of the trick that goes on, as (seat, card), in order."""
        return self.known.played[sum(self.known.trick_sizes) :]
