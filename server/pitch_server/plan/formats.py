"""Formats: what each of them tells the plan, and which one the settings ask for.

Here belongs what all formats share. Each has a file of its own.
"""

from collections.abc import Sequence
from typing import Protocol

from pitch_server.plan.format_settings import Isolation
from pitch_server.plan.round_robin import Pairings
from pitch_server.plan.rounds import InStep, Round
from pitch_server.plan.settings import Settings

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

    def __init__(self, pairings: Sequence[tuple[int, ...]], boards: int, *, by_pairing: bool):
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
    form, entrants = settings.format, len(settings.entrants)
    pairings = Pairings(entrants, settings.variant.sides)
    return Fixed(pairings, form.boards, by_pairing=form.isolation is Isolation.BOARDS)
