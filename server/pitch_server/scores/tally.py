"""The tally: what is counted of entrants and pairings, game by game in plan order.

Here belongs everything that is summed up; its memory grows with the pairings, never with the
games. How it is shown belongs to `standings`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from pitch_server.plan.games import Plan
from pitch_server.plan.settings import Settings
from pitch_server.rating.trueskill_rating import TrueSkillTable, default_draw_probability
from pitch_server.scores.boards import BoardResult, board_results
from pitch_server.scores.digest import TournamentDigest
from pitch_server.scores.results import GameResult, Scoring, outcomes, ranks
from pitch_server.scores.statistics import Moments

__all__ = ["EntrantTally", "MarginTally", "Outcomes", "PairingTally", "Tally", "tally"]


class Outcomes:
    """Wins, draws and losses."""

    __slots__ = ("draws", "losses", "wins")

    def __init__(self) -> None:
        self.wins = 0
        self.draws = 0
        self.losses = 0

    def add(self, outcome: int) -> None:
        """Count an outcome: 1, 0 or -1."""
        if outcome > 0:
            self.wins += 1
        elif outcome < 0:
            self.losses += 1
        else:
            self.draws += 1

    @property
    def total(self) -> int:
        """How many there are of all three."""
        return self.wins + self.draws + self.losses


class EntrantTally:
    """What is counted of an entrant: outcomes of its games, faults, margins of its boards."""

    __slots__ = ("faults", "games", "margins")

    def __init__(self, scale: int) -> None:
        self.games = Outcomes()
        self.faults: Counter[str] = Counter()
        self.margins = Moments(scale)


class MarginTally:
    """What is counted of a team in a pairing: margins and outcomes of its boards."""

    __slots__ = ("boards", "margins")

    def __init__(self, scale: int) -> None:
        self.boards = Outcomes()
        self.margins = Moments(scale)


class PairingTally:
    """What is counted of a pairing."""

    __slots__ = ("boards", "teams", "void")

    def __init__(self, sides: int, scale: int) -> None:
        self.boards = 0
        self.void = 0
        self.teams = tuple(MarginTally(scale) for _ in range(sides))


class Tally:
    """Everything that the standings are made of; what is known of the plan grows along."""

    def __init__(self, settings: Settings, plan: Plan) -> None:
        self.settings = settings
        self.plan = plan
        self.entrants = [EntrantTally(plan.scale) for _ in settings.entrants]
        self._pairings: list[PairingTally] = []
        self.skills = TrueSkillTable(
            len(self.entrants),
            settings.rating,
            default_draw_probability(settings.variant, settings.format),
        )
        self._scoring = Scoring(settings.variant, settings.format.unit)
        self.digest = TournamentDigest()
        self.played = 0
        self.forfeited = 0
        self.void = 0
        self.rated = 0
        #: the number of the first game that is not in the finished prefix
        self.due = 0
        self._in_prefix = True

    @property
    def pairings(self) -> Sequence[PairingTally]:
        """What is counted of each pairing that is planned."""
        for _ in range(len(self._pairings), len(self.plan.pairings)):
            self._pairings.append(PairingTally(self.plan.sides, self.plan.scale))
        return self._pairings

    def is_due(self, board: BoardResult) -> bool:
        """Whether a board makes the finished prefix longer."""
        return board.complete and board.first == self.due

    def add(self, board: BoardResult) -> None:
        """Take the next board in, in plan order."""
        for result, seats in zip(board.results, board.seats, strict=True):
            self._add_game(result, seats)
        pairing = self.pairings[board.pairing]
        pairing.void += board.void
        teams = self.plan.teams(board.pairing)
        if board.margins is not None:
            self._add_margins(pairing, teams, board.margins)
        self._rate(board, teams)

    def _add_game(self, result: GameResult, seats: Sequence[int]) -> None:
        self.digest.add(result.number, result.digest)
        for seat, kind, count in result.faults:
            self.entrants[seats[seat]].faults[kind] += count
        if result.void:
            self.void += 1
            return
        self.played += 1
        self.forfeited += bool(result.forfeits)
        by_side, sides = self._scoring.worth(result).outcomes, self.plan.sides
        # seat s is of side s mod sides (rules.md 2); an entrant that plays all of it counts once
        for place, entrant in enumerate(seats[: self.plan.places]):
            self.entrants[entrant].games.add(by_side[place % sides])

    def _add_margins(
        self, pairing: PairingTally, teams: Sequence[Sequence[int]], margins: Sequence[int]
    ) -> None:
        pairing.boards += 1
        # a board is won with the highest D alone; of two sides, with D > 0
        for place, outcome in enumerate(outcomes(margins)):
            pairing.teams[place].boards.add(outcome)
            pairing.teams[place].margins.add(margins[place])
            for entrant in teams[place]:
                self.entrants[entrant].margins.add(margins[place])

    def _rate(self, board: BoardResult, teams: Sequence[Sequence[int]]) -> None:
        """Rate the board if every board before it is finished too; a void one is passed over."""
        if not (self._in_prefix and self.is_due(board)):
            self._in_prefix = False
            return
        self.due += self.plan.seatings
        if board.margins is not None:
            self.rated += len(board.results)
            self.skills.update_teams(teams, ranks(board.margins))
        self.plan.note(board.first, board.margins)


def tally(settings: Settings, plan: Plan, results: Iterable[GameResult]) -> Tally:
    """The tally of results in plan order."""
    counted = Tally(settings, plan)
    for board in board_results(plan, settings.variant, settings.format.unit, results):
        counted.add(board)
    return counted
