"""The plan: every game of a tournament, as far as it is known, by arithmetic from its settings.

Here belongs the order of the games and who sits where with which board. Decks do not (`decks`),
nor what has been played (`pitch_server.store`), nor who meets whom: that is each format's. Nothing
here grows with the number of games, only with pairings and rounds.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from pitch_server.plan.errors import NotPlanned
from pitch_server.plan.formats import Fixed, make_format
from pitch_server.plan.rounds import Round
from pitch_server.plan.seatings import Seatings
from pitch_server.plan.settings import Deals, Isolation, SeatOrders, Settings, Unit

__all__ = ["Plan", "PlannedGame", "PlannedPart"]

_REMEMBERED = 1 << 14  # pairings, or seatings of them


class PlannedGame(NamedTuple):
    """One game of the plan. `seats` names the entrant at each seat by index."""

    number: int
    board: int
    pairing: int
    seating: int
    seats: tuple[int, ...]
    first_dealer: int


class PlannedPart(NamedTuple):
    """The games from `start` up to `stop`, and the entrants that they need."""

    start: int
    stop: int
    entrants: tuple[int, ...]


class Plan:
    """All games of a tournament, numbered from 0 in the order in which they are due.

    Round by round, where the next one may follow from the results of those before it: `note`
    takes these in, and what is known of the plan grows by them alone. Within a round board by
    board, so that every pairing advances alike and an early table is fair; with isolation by
    boards pairing by pairing, since instances then start afresh for each. The games of one board
    of one pairing always stand together (`seatings` of them).
    """

    def __init__(self, settings: Settings) -> None:
        variant, form = settings.variant, settings.format
        self.players = variant.players
        self.sides = variant.sides
        self.boards = form.boards
        self.duplicate = form.deals is Deals.DUPLICATE
        self.by_pairing = form.isolation is Isolation.BOARDS
        self._orders = Seatings(self.players, self.sides, every=form.seatings is SeatOrders.ALL)
        self.seatings = self._orders.count if self.duplicate else 1
        #: by which whole number D is multiplied in a board's margins, so that sums are exact
        self.scale = self.seatings * (self.sides - 1 if form.unit is Unit.HAND else 1)
        self.format = make_format(settings, self.scale)
        self.pairings = self.format.pairings
        #: how many entrants a pairing has: one a side, or one a seat
        self.places = self.players if form.partners else self.sides
        self._may_end_early = form.until_separated or form.question is not None
        # what all boards of a pairing, or all games of a seating, have alike is worked out once
        self._seats_known = lru_cache(_REMEMBERED)(self._seats)
        self._teams_known = lru_cache(_REMEMBERED)(self._teams)
        self._sides_known = lru_cache(_REMEMBERED)(self._sides)
        self._firsts: list[int] = []  # by round, the number of its first match
        self._rounds: list[Round] = []
        self._matches = 0
        self._noted = 0
        self._plan_next()

    # --- what is known ----------------------------------------------------------------------

    def __len__(self) -> int:
        """How many games are known."""
        return self._matches * self.seatings

    @property
    def settled(self) -> bool:
        """Whether all games are known: no result can add any."""
        return not self.format.more

    @property
    def total(self) -> int:
        """How many games there will be; until it is settled, how many there may be at most."""
        return len(self) if self.settled else self.format.most * self.seatings

    @property
    def total_is_final(self) -> bool:
        """Whether results can't make the total smaller."""
        return self.settled or not self._may_end_early

    @property
    def rounds(self) -> list[Round]:
        """The rounds that are known."""
        return self._rounds

    def __getitem__(self, number: int) -> PlannedGame:
        """The game of that number; NotPlanned if it is not known."""
        if not 0 <= number < len(self):
            raise NotPlanned(f"game {number} of {len(self)}")
        match, seating = divmod(number, self.seatings)
        at = bisect_right(self._firsts, match) - 1
        pairing, board = self._rounds[at].match(match - self._firsts[at])
        dealer = board
        if not self.duplicate:
            dealer, seating = divmod(board, self._orders.count)
        seats = self.seats(pairing, seating)
        return PlannedGame(number, board, pairing, seating, seats, dealer % self.players)

    def __iter__(self) -> Iterator[PlannedGame]:
        return self.games()

    def games(self, start: int = 0) -> Iterator[PlannedGame]:
        """The games from that number on."""
        return (self[number] for number in range(start, len(self)))

    def number(self, pairing: int, board: int, seating: int = 0) -> int:
        """The number of a game; with independent deals a board has one game, seating 0."""
        for first, planned in zip(self._firsts, self._rounds, strict=True):
            if (match := planned.find(pairing, board)) is not None:
                return (first + match) * self.seatings + seating
        raise NotPlanned(f"board {board} of pairing {pairing}")

    def span(self, at: int) -> tuple[int, int]:
        """The numbers of a round's games: the first, and that after the last."""
        first = self._firsts[at]
        return first * self.seatings, (first + self._rounds[at].matches) * self.seatings

    def parts(self, at: int) -> Iterator[PlannedPart]:
        """The games of a round in parts of one pairing, where pairings come one by one."""
        first = self._firsts[at]
        for start, stop, pairing in self._rounds[at].parts():
            yield PlannedPart(
                (first + start) * self.seatings,
                (first + stop) * self.seatings,
                self.pairings[pairing],
            )

    # --- sides ------------------------------------------------------------------------------

    def seats(self, pairing: int, seating: int) -> tuple[int, ...]:
        """The entrant at each seat."""
        return self._seats_known(pairing, seating)

    def teams(self, pairing: int) -> tuple[tuple[int, ...], ...]:
        """The entrants of a pairing, team by team: those that play a side together."""
        return self._teams_known(pairing)

    def team(self, seating: int, side: int) -> int:
        """Which team of the pairing plays a side."""
        return self._orders.team(seating, side)

    def sides_of(self, seating: int) -> tuple[int, ...]:
        """The side that each team of a pairing plays."""
        return self._sides_known(seating)

    def _seats(self, pairing: int, seating: int) -> tuple[int, ...]:
        return self._orders.seats(self.pairings[pairing], seating)

    def _teams(self, pairing: int) -> tuple[tuple[int, ...], ...]:
        entrants = self.pairings[pairing]
        return tuple(entrants[team :: self.sides] for team in range(self.sides))

    def _sides(self, seating: int) -> tuple[int, ...]:
        teams = [self._orders.team(seating, side) for side in range(self.sides)]
        return tuple(map(teams.index, range(self.sides)))

    # --- results ----------------------------------------------------------------------------

    @property
    def due(self) -> int:
        """The number of the first game whose board has not been noted."""
        return self._noted * self.seatings

    def note(self, first: int, margins: tuple[int, ...] | None) -> None:
        """Take in the next finished board, D times `scale` for each team, None if it is void.

        `first` is the number of its first game; a board that is not the next one due is known
        already, or not its turn, and changes nothing. After the last one of all rounds that are
        known the next round is, if there is one.
        """
        if first != self.due or self._noted == self._matches:
            return
        self._noted += 1
        if isinstance(self.format, Fixed):
            return
        self.format.note(self[first].pairing, margins)
        if self._noted == self._matches:
            self._plan_next()

    def _plan_next(self) -> None:
        planned = self.format.next_round()
        if planned is not None:
            self._firsts.append(self._matches)
            self._rounds.append(planned)
            self._matches += planned.matches
