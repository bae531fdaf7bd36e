"""Formats: what each of them tells the plan, and which one the settings ask for.

Here belongs what all formats share. Each has a file of its own, and is imported when it is played.
"""

from collections.abc import Sequence
from typing import Protocol

from pitch_server.plan.format_settings import ERROR_RATE, FormatKind, Isolation
from pitch_server.plan.gauntlet import Gauntlet
from pitch_server.plan.mixed import mixed
from pitch_server.plan.pairings import Pairings
from pitch_server.plan.question import Question
from pitch_server.plan.round_robin import RoundRobin
from pitch_server.plan.rounds import InStep, Round
from pitch_server.plan.settings import Deals, Settings
from pitch_server.plan.swiss import Swiss

__all__ = ["Fixed", "Format", "make_format"]


class Format(Protocol):
    """Who meets whom, round by round; a *match* is one board of one pairing.

    It knows results only by `note`, in plan order, so that the same results give the same plan.
    """

    @property
    def pairings(self) -> Sequence[tuple[int, ...]]:
        """The pairings so far, each of a fixed index for ever."""

    @property
    def more(self) -> bool:
        """Whether another round may follow."""

    @property
    def most(self) -> int:
        """How many matches there are at most in all rounds."""

    def note(self, pairing: int, margins: Sequence[int] | None) -> None:
        """Take the next finished match in: the margin of each team, or None if it is void."""

    def next_round(self) -> Round | None:
        """The next round, when every match of those before has been noted."""


class Fixed:
    """All pairings play all boards: one round, whatever comes of it."""

    def __init__(
        self, pairings: Sequence[tuple[int, ...]], boards: int, *, by_pairing: bool
    ) -> None:
        self.pairings = pairings
        self.more = True
        self._round = InStep(
            pairings=range(len(pairings)), boards=range(boards), by_pairing=by_pairing
        )

    @property
    def most(self) -> int:
        """How many matches there are."""
        return self._round.matches

    def note(self, pairing: int, margins: Sequence[int] | None) -> None:
        """Results change nothing."""

    def next_round(self) -> Round | None:
        """All that there is."""
        self.more = False
        return self._round


def make_format(settings: Settings, scale: int) -> Format:
    """The format of a tournament at its start; margins will be noted times `scale`."""
    form = settings.format
    by_pairing = form.isolation is Isolation.BOARDS
    if form.kind is FormatKind.SWISS:
        return Swiss(
            len(settings.entrants),
            form.rounds or 1,
            form.boards,
            by_pairing=by_pairing,
            fresh_boards=form.deals is Deals.DUPLICATE,
        )
    pairings = _pairings(settings)
    if form.kind is FormatKind.LADDER:
        return _ladder(settings, pairings)
    if form.until_separated:
        return _until_separated(settings, pairings, scale, by_pairing=by_pairing)
    if form.question is not None:
        return _until_answered(settings, form.question, pairings, scale, by_pairing=by_pairing)
    return Fixed(pairings, form.boards, by_pairing=by_pairing)


def _pairings(settings: Settings) -> Pairings:
    """Everybody who may meet."""
    form, variant, entrants = settings.format, settings.variant, len(settings.entrants)
    if form.kind is FormatKind.GAUNTLET:
        challengers = [settings.names.index(name) for name in form.challengers]
        return Gauntlet(entrants, challengers, variant.sides)
    if form.kind is FormatKind.MIXED:
        return mixed(entrants, variant.players, variant.sides)
    return RoundRobin(entrants, variant.sides)


def _ladder(settings: Settings, pairings: Pairings) -> Format:
    from pitch_server.plan.ladder import Ladder  # NumPy takes a while, a start should not wait
    from pitch_server.rating.trueskill_rating import TrueSkillTable, default_draw_probability

    form, draw = settings.format, default_draw_probability(settings.variant, settings.format)
    skills = TrueSkillTable(len(settings.entrants), settings.rating, draw)
    return Ladder(pairings, form.boards, form.boards_a_batch, skills)


def _until_separated(
    settings: Settings, pairings: Pairings, scale: int, *, by_pairing: bool
) -> Format:
    from pitch_server.comparing.measures import largest_margin
    from pitch_server.comparing.separation import Separation
    from pitch_server.plan.separated import UntilSeparated

    form = settings.format
    largest = largest_margin(settings.variant, form.unit)
    return UntilSeparated(
        pairings,
        Separation(len(pairings), largest, form.error_rate or ERROR_RATE),
        most_boards=form.boards,
        batch=form.boards_a_batch,
        scale=scale,
        by_pairing=by_pairing,
    )


def _until_answered(
    settings: Settings, question: Question, pairings: Pairings, scale: int, *, by_pairing: bool
) -> Format:
    from pitch_server.comparing.inquiry import inquiry_of
    from pitch_server.plan.answered import UntilAnswered

    form = settings.format
    return UntilAnswered(
        pairings,
        inquiry_of(settings, question, scale),
        most_boards=form.boards,
        batch=form.boards_a_batch,
        by_pairing=by_pairing,
    )
