"""The plan: every game of a tournament, by arithmetic from its settings.

Here belongs the order of the games and who sits where with which board. Decks do not (`decks`),
nor what has been played (`pitch_server.store`). Nothing here grows with the number of games.
"""

from collections.abc import Iterator
from typing import NamedTuple

from pitch_server.plan.pairings import Pairings
from pitch_server.plan.settings import Deals, Isolation, Settings

__all__ = ["Plan", "PlannedGame"]


class PlannedGame(NamedTuple):
    """One game of the plan. `seats` names the entrant at each seat by index."""

    number: int
    board: int
    pairing: int
    seating: int
    seats: tuple[int, ...]
    first_dealer: int


class Plan:
    """All games of a tournament, numbered from 0 in the order in which they are due.

    Board by board, so that every pairing advances alike and an early table is fair; with
    isolation by boards pairing by pairing, since instances then start afresh for each. The
    games of one board of one pairing always stand together (`seatings` of them).
    """

    def __init__(self, settings: Settings) -> None:
        variant, form = settings.variant, settings.format
        self.players = variant.players
        self.sides = variant.sides
        self.pairings = Pairings(len(settings.entrants), variant.sides)
        self.boards = form.boards
        self.duplicate = form.deals is Deals.DUPLICATE
        self.seatings = variant.sides if self.duplicate else 1
        self.by_pairing = form.isolation is Isolation.BOARDS

    def __len__(self) -> int:
        return len(self.pairings) * self.boards * self.seatings

    def __getitem__(self, number: int) -> PlannedGame:
        """The game of that number."""
        if not 0 <= number < len(self):
            raise IndexError(f"game {number} of {len(self)}")
        pairing, board, seating = self._place(number)
        if not self.duplicate:
            seating = board % self.sides
        return PlannedGame(
            number,
            board,
            pairing,
            seating,
            self._seats(pairing, seating),
            (board if self.duplicate else board // self.sides) % self.players,
        )

    def __iter__(self) -> Iterator[PlannedGame]:
        return self.games()

    def games(self, start: int = 0) -> Iterator[PlannedGame]:
        """The games from that number on."""
        return (self[number] for number in range(start, len(self)))

    def number(self, pairing: int, board: int, seating: int = 0) -> int:
        """The number of a game; with independent deals a board has one game, seating 0."""
        if self.by_pairing:
            return (pairing * self.boards + board) * self.seatings + seating
        return (board * len(self.pairings) + pairing) * self.seatings + seating

    def _place(self, number: int) -> tuple[int, int, int]:
        rest, seating = divmod(number, self.seatings)
        if self.by_pairing:
            pairing, board = divmod(rest, self.boards)
        else:
            board, pairing = divmod(rest, len(self.pairings))
        return pairing, board, seating

    def _seats(self, pairing: int, seating: int) -> tuple[int, ...]:
        """Seat s is of side s mod sides (rules.md 2), a side of the entrant `seating` further."""
        entrants, sides = self.pairings[pairing], self.sides
        return tuple(entrants[(seat + seating) % sides] for seat in range(self.players))
