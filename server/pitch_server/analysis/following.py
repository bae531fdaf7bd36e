"""Following: all that the document is made of, board after board in plan order.

Here belongs what is kept beside the tally: for each pairing its finished prefix, the luck removed
and how margins are spread, for the field its sums, for each entrant its curve. The memory grows
with pairings and entrants, never with boards, where boards come in order; a board costs the same
at any time. What is said of it is `document`'s.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from pitch_server.analysis.curves import Curve
from pitch_server.analysis.errors import Strange
from pitch_server.comparing.betting import Evidence
from pitch_server.comparing.fixed_size import Luck
from pitch_server.comparing.inquiry import inquiry_of
from pitch_server.comparing.measures import largest_margin
from pitch_server.plan.games import Plan
from pitch_server.plan.settings import FormatKind, FormatSettings, Settings
from pitch_server.rating.field import Field
from pitch_server.rating.own_boards import OwnBoards
from pitch_server.scores.boards import BoardResult, board_results
from pitch_server.scores.results import GameResult
from pitch_server.scores.statistics import Moments
from pitch_server.scores.tally import Tally

__all__ = ["MOST_WORK", "Following", "PairingStudy", "depends_on_results", "follow", "in_order"]


MOST_WORK = 2e10
"""Multiplications that rating a field may take, some ten seconds."""
_MOST_PATTERNS = 10_000
"""Sets of pairings that meet on a board, each with its weights in every resample."""
_MOST_RATED = 2000
"""Entrants of which everyone is compared with everyone: their covariance has the square of it."""


class PairingStudy:
    """What is kept of a pairing beside its tally, for each of its teams; of two the first.

    `prefix` are the margins of the boards before the first one of its own that is not finished:
    what may be looked at while it goes on. `evidence`, of the first team, is kept where the
    number of boards follows from results, so that no test for a fixed one holds.
    """

    __slots__ = ("evidence", "faulted", "luck", "open", "prefix", "spread")

    def __init__(self, plan: Plan, largest: float | None) -> None:
        """`largest` is the largest margin that a board can have, where evidence is to be kept."""
        self.evidence = None if largest is None else Evidence(largest)
        self.open = False
        self.faulted = 0
        views = range(1 if plan.sides == 2 else plan.sides)
        self.prefix = tuple(Moments(plan.scale) for _ in views)
        self.spread: tuple[Counter[int], ...] = tuple(Counter() for _ in views)
        scale = plan.scale // plan.seatings
        self.luck = tuple(Luck(plan.seatings, scale) for _ in views) if plan.duplicate else ()

    def add(self, board: BoardResult) -> None:
        """Take the next board of the pairing in."""
        self.faulted += any(result.faults or result.forfeits for result in board.results)
        if not board.complete:
            self.open = True
        if board.margins is None:
            return
        for margin, spread in zip(board.margins, self.spread, strict=False):
            spread[margin] += 1
        if not self.open:
            for margin, prefix in zip(board.margins, self.prefix, strict=False):
                prefix.add(margin)
            if self.evidence is not None:
                self._add_evidence(self.evidence, board.margins[0] / self.prefix[0].scale)
        for team, luck in enumerate(self.luck):
            luck.add([table[team] for table in board.tables])

    def _add_evidence(self, evidence: Evidence, margin: float) -> None:
        try:
            evidence.add(margin)
        except ValueError as error:
            raise Strange(f"a board can't end so: {error}") from error


class Following:
    """A tournament followed board by board."""

    def __init__(self, settings: Settings, plan: Plan, *, resamples: int, seed: int) -> None:
        self.tally = Tally(settings, plan)
        self.settings = settings
        self.plan = plan
        self.studies: dict[int, PairingStudy] = {}
        self.curves = [
            Curve(skill.mu, skill.sigma)
            for skill in map(self.tally.skills.skill, range(len(settings.entrants)))
        ]
        self.field = _field(settings, plan, resamples=resamples, seed=seed)
        adaptive = plan.sides == 2 and depends_on_results(settings.format)
        self._largest = largest_margin(settings.variant, settings.format.unit) if adaptive else None
        question = settings.format.question
        self.inquiry = None if question is None else inquiry_of(settings, question, plan.scale)
        self._next = 0  # the match after the last one that came

    def study(self, pairing: int) -> PairingStudy:
        """What is kept of a pairing."""
        found = self.studies.get(pairing)
        if found is None:
            found = self.studies[pairing] = PairingStudy(self.plan, self._largest)
        return found

    def add(self, board: BoardResult) -> None:
        """Take the next board in, in plan order."""
        plan = self.plan
        match = board.first // plan.seatings
        for missing in range(self._next, match):
            self.study(plan[missing * plan.seatings].pairing).open = True
        self._next = match + 1
        study = self.study(board.pairing)
        study.add(board)
        if self.inquiry is not None and board.margins is not None and not study.open:
            self.inquiry.add(board.margins[0])
        if self.field is not None and board.margins is not None:
            self._rate(self.field, board, board.margins)
        rated = self.tally.rated
        self.tally.add(board)
        if self.tally.rated > rated:
            self._draw_curves(board.pairing)

    def _rate(self, field: Field | OwnBoards, board: BoardResult, margins: Sequence[int]) -> None:
        if isinstance(field, OwnBoards):
            field.add(board.pairing, margins)
        else:
            shared = self.plan.duplicate
            number = board.board if shared else board.first // self.plan.seatings
            field.add(number, board.pairing, margins)

    def _draw_curves(self, pairing: int) -> None:
        for entrant in self.plan.pairings[pairing]:
            curve = self.curves[entrant]
            if curve.count():
                skill = self.tally.skills.skill(entrant)
                curve.add(skill.mu, skill.sigma)


def depends_on_results(form: FormatSettings) -> bool:
    """Whether it follows from results how many boards a pairing plays."""
    return form.until_separated or form.question is not None or form.kind is FormatKind.LADDER


def _field(
    settings: Settings, plan: Plan, *, resamples: int, seed: int
) -> Field | OwnBoards | None:
    """What the order-free ratings are made of; None where they would take hours."""
    entrants, sides = len(settings.entrants), plan.sides
    each = (entrants, plan.pairings, sides, plan.scale)
    if entrants > _MOST_RATED:
        return None
    apart = not plan.duplicate or settings.format.kind is FormatKind.LADDER
    most = max(len(plan.pairings), 0 if settings.format.partners else math.comb(entrants, sides))
    if apart and (most > _MOST_PATTERNS or most * entrants**3 > MOST_WORK):
        # each pairing has boards of its own, or each board another set of pairings
        return None if plan.duplicate else OwnBoards(*each)
    return Field(
        entrants,
        plan.pairings,
        plan.scale,
        sides=sides,
        in_order=not plan.duplicate or in_order(settings, plan),
        resamples=resamples,
        seed=seed,
    )


def in_order(settings: Settings, plan: Plan) -> bool:
    """Whether shared boards come in ascending order, those of all pairings side by side."""
    return not plan.by_pairing and settings.format.kind is not FormatKind.LADDER


def follow(
    settings: Settings, plan: Plan, results: Iterable[GameResult], *, resamples: int, seed: int
) -> Following:
    """The tournament followed over all results, which come in plan order."""
    following = Following(settings, plan, resamples=resamples, seed=seed)
    for board in board_results(plan, settings.variant, settings.format.unit, results):
        following.add(board)
    return following
