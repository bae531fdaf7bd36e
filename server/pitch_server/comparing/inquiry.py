"""An inquiry: boards of two entrants, read in plan order until their question is answered.

Here belong what is fed to the test and to the interval that may be watched, and the state to show.
Which boards are played is the plan's business, sentences are `verdicts`'.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pitch_server.comparing.confidence import (
    EmpiricalBernstein,
    asymptotic_interval,
    guarded_interval,
)
from pitch_server.comparing.forecast import boards_to_better, boards_to_decide, boards_to_precision
from pitch_server.comparing.measures import MIN_BOARDS, Measure, largest_margin, margin_measure
from pitch_server.comparing.sequential import Hypotheses, SequentialTest, Verdict
from pitch_server.plan.question import Asked, Question
from pitch_server.plan.settings import Settings, Unit
from pitch_server.scores.statistics import Moments

__all__ = ["Inquiry", "InquiryState", "inquiry_of"]


_OF_ALIKE = 0.1
"""The part of alpha that the exact sequence errs by, as long as all boards are alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InquiryState:
    """Where an inquiry stands. Means are the first entrant's, in units of `measure`."""

    point_of_view: str
    opponent: str
    measure: Measure
    question: Question
    boards: int
    """Those that the answer rests on; without one, all of the finished prefix."""
    mean: float | None
    interval: tuple[float, float] | None
    """The confidence sequence: valid however often it is looked at."""
    verdict: Verdict
    answered: bool
    llr: float | None
    lower: float | None
    upper: float | None
    later_boards: int
    later_mean: float | None
    forecast: int | None
    """About how many more boards it takes, as things stand; None where nothing is known."""


class Inquiry:
    """A question with the boards so far. An answer is final: boards after it stand apart."""

    __slots__ = (
        "_alike",
        "_boards",
        "_largest",
        "_later",
        "_test",
        "measure",
        "opponent",
        "point_of_view",
        "question",
    )

    def __init__(
        self,
        question: Question,
        names: Sequence[str],
        unit: Unit,
        scale: int,
        largest: float | None = None,
    ) -> None:
        """`names` are those of the two, whose mean is told first.

        `largest` is what a margin can be at most: by it which is better is also known of boards
        that are all alike, and guarded against what has not happened yet.
        """
        self.question = question
        self._largest = largest if question.asked is Asked.BETTER else None
        self.point_of_view, self.opponent = names
        self.measure = margin_measure(unit)
        self._boards = Moments(scale)
        self._later = Moments(scale)
        # bots that are the same, or of which one is never there, have no spread ever
        self._alike = (
            None
            if self._largest is None
            else EmpiricalBernstein(self._largest, question.alpha * _OF_ALIKE)
        )
        self._test = None
        if question.h0 is not None and question.h1 is not None:
            effect = question.asked is Asked.EFFECT
            asked = Hypotheses(
                point_of_view=self.point_of_view,
                measure=Measure.DEVIATIONS if effect else self.measure,
                h0=question.h0,
                h1=question.h1,
                alpha=question.alpha,
                beta=question.beta,
            )
            self._test = SequentialTest(asked, scale)

    def add(self, margin: int) -> None:
        """Take the next board of the plan in: D of the first entrant, times the scale."""
        if self.answered:
            self._later.add(margin)
            return
        self._boards.add(margin)
        if self._alike is not None:
            self._add_alike(self._alike, margin / self._boards.scale)
        if self._test is not None:
            self._test.add(margin)

    def _add_alike(self, sequence: EmpiricalBernstein, margin: float) -> None:
        if self._boards.mean != margin or abs(margin) > sequence.largest:
            self._alike = None  # from here on there is spread
        else:
            sequence.add(margin)

    def _interval(self) -> tuple[float, float] | None:
        asked, boards = self.question, self._boards
        if self._largest is None:
            found = asymptotic_interval(boards, asked.narrowest, asked.alpha)
        else:
            found = guarded_interval(boards, self._largest, asked.narrowest, asked.alpha)
        if found is None and self._alike is not None and self._boards.count:
            return self._alike.interval
        return found

    @property
    def answered(self) -> bool:
        """Whether there is an answer."""
        return self._verdict() is not Verdict.UNDECIDED

    def _verdict(self) -> Verdict:
        if self._test is not None:
            return self._test.verdict
        if self._boards.count < MIN_BOARDS:
            return Verdict.UNDECIDED
        interval = self._interval()
        return Verdict.UNDECIDED if interval is None else _of_interval(self.question, *interval)

    def state(self) -> InquiryState:
        """Where it stands."""
        asked, test = self.question, None if self._test is None else self._test.state()
        return InquiryState(
            point_of_view=self.point_of_view,
            opponent=self.opponent,
            measure=self.measure,
            question=asked,
            boards=self._boards.count,
            mean=self._boards.mean,
            interval=self._interval(),
            verdict=self._verdict(),
            answered=self.answered,
            llr=None if test is None else test.llr,
            lower=None if test is None else test.lower,
            upper=None if test is None else test.upper,
            later_boards=self._later.count,
            later_mean=self._later.mean,
            forecast=self._forecast(),
        )

    def _forecast(self) -> int | None:
        if self._test is not None:
            return boards_to_decide(self._test)
        asked = self.question
        if self.answered:
            return 0
        if asked.precision is not None:
            more = boards_to_precision(self._boards, asked.precision, asked.narrowest, asked.alpha)
        else:
            more = boards_to_better(
                self._boards,
                self._largest or 0.0,
                asked.equal_within or 0.0,
                asked.narrowest,
                asked.alpha,
            )
        return None if more is None else max(more, MIN_BOARDS - self._boards.count)


def _of_interval(asked: Question, low: float, high: float) -> Verdict:
    """The answer that an interval gives which may be looked at after every board."""
    if asked.precision is not None:
        return Verdict.PRECISE if (high - low) / 2 <= asked.precision else Verdict.UNDECIDED
    if low > 0:
        return Verdict.BETTER
    if high < 0:
        return Verdict.WORSE
    alike = asked.equal_within or 0.0
    return Verdict.ALIKE if max(-low, high) <= alike else Verdict.UNDECIDED


def inquiry_of(settings: Settings, question: Question, scale: int) -> Inquiry:
    """The inquiry of a tournament's question."""
    unit = settings.format.unit
    largest = largest_margin(settings.variant, unit)
    return Inquiry(question, settings.names, unit, scale, largest)
