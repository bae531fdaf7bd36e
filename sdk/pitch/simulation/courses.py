"""How many cards came into each hand and left it, as every seat knows it (rules.md 4.3).

Here belong the counts that follow from a view. Which cards they were belongs to origins.py
(how likely), to counting.py and deals.py (one choice of them).
"""

from typing import NamedTuple

from pitch.rules.actions import GIVE
from pitch.rules.state import Phase, Step
from pitch.rules.variant import Exchange, OpeningLead, Trump, Variant
from pitch.rules.view import View

__all__ = ["Course", "Stage", "courses_of", "receiver_of", "step_of"]

_FULL = 6  # cards of a hand in play


class Stage(NamedTuple):
    """A round of discards that is over, for one seat, and what the seat got after it."""

    step: Step
    discarded: int
    gained: int


class Course(NamedTuple):
    """The number of cards that a seat began with, and the rounds that it went through."""

    dealt: int  # with the widow
    named: bool  # whether the seat had to hold a trump then, because it named trump
    stages: tuple[Stage, ...] = ()

    @property
    def held(self) -> int:
        """How many cards the seat had after the last stage."""
        return self.dealt + sum([stage.gained - stage.discarded for stage in self.stages])

    @property
    def discarded(self) -> int:
        """How many cards the seat has discarded in all its stages."""
        return sum([stage.discarded for stage in self.stages])


def courses_of(variant: Variant, view: View) -> list[Course]:
    """The course of every seat up to the last round of discards that is over."""
    courses = [_start(variant, view, seat) for seat in range(variant.players)]
    for number, counts in enumerate(view.discard_counts):
        step = _step_of_round(variant, number)
        for seat, count in counts:
            course = courses[seat]
            gained = count if _replaces(variant, step) else 0
            stage = Stage(step, count, gained)
            courses[seat] = course._replace(stages=(*course.stages, stage))
        if variant.exchange is Exchange.TRUMP_REFILL and number == 0:
            _refill(variant, view, courses)
    return courses


def receiver_of(variant: Variant, view: View) -> int:
    """The seat that received the widow or the leftovers, -1 if none has."""
    if variant.exchange is Exchange.WIDOW and view.phase > Phase.AUCTION:
        return view.pitcher
    if view.leftovers is None:
        return -1
    # rules.md 4.3: to the partner unseen
    return (view.pitcher + (view.leftovers == GIVE) * variant.sides) % variant.players


def step_of(variant: Variant, view: View) -> Step:
    """The part of the exchange that goes on; DONE outside the exchange."""
    if view.phase is not Phase.EXCHANGE:
        return Step.DONE
    after_all = variant.exchange is Exchange.TRUMP_REFILL and len(view.discard_counts) == 1
    if after_all and view.leftovers is None:
        return Step.LEFTOVERS
    return _step_of_round(variant, len(view.discard_counts))


def _step_of_round(variant: Variant, number: int) -> Step:
    if variant.exchange is Exchange.PITCHER_DRAW:
        return Step.ALL_DISCARD if number else Step.PITCHER_DISCARDS
    return Step.RECEIVER_DISCARDS if number else Step.ALL_DISCARD


def _start(variant: Variant, view: View, seat: int) -> Course:
    pitches = seat == view.pitcher and view.phase > Phase.AUCTION
    widow = variant.stock if pitches and variant.exchange is Exchange.WIDOW else 0
    # rules.md 4.2: only a suit that gives the pitcher a trump
    named = pitches and view.trump >= 0 and variant.trump is Trump.NAMED
    return Course(variant.dealt + widow, named and variant.opening_lead is OpeningLead.TRUMP)


def _replaces(variant: Variant, step: Step) -> bool:
    """Whether a seat draws at once as many cards as it has discarded."""
    return variant.exchange is Exchange.DRAW or step is Step.PITCHER_DISCARDS


def _refill(variant: Variant, view: View, courses: list[Course]) -> None:
    """Note what each seat got from the stock, and who got the leftovers (trump_refill)."""
    stock = variant.stock
    seats = [(view.dealer + step) % variant.players for step in range(1, variant.players + 1)]
    seats.sort(key=lambda seat: seat == view.pitcher)  # the pitcher last
    for seat in seats:
        gained = min(_FULL - courses[seat].held, stock)
        stock -= gained
        _gain(courses, seat, gained)
    receiver = receiver_of(variant, view)
    if receiver >= 0:
        _gain(courses, receiver, stock)


def _gain(courses: list[Course], seat: int, count: int) -> None:
    course = courses[seat]
    *before, last = course.stages
    last = last._replace(gained=last.gained + count)
    courses[seat] = course._replace(stages=(*before, last))
