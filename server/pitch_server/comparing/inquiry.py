"""An inquiry: boards of two entrants, read in plan order until their question is answered.

Here belong what is fed to the test and to the interval that may be watched, and the state to show.
Which boards are played is the plan's business, sentences are `verdicts`'.
"""

from dataclasses import dataclass

from pitch_server.comparing.confidence import asymptotic_half_width, asymptotic_interval
from pitch_server.comparing.forecast import boards_to_decide, boards_to_precision
from pitch_server.comparing.measures import Measure, margin_measure, standard_deviation
from pitch_server.comparing.sequential import MIN_BOARDS, Hypotheses, SequentialTest, Verdict
from pitch_server.plan.question import Asked, Question
from pitch_server.plan.settings import Unit
from pitch_server.scores.statistics import Moments

__all__ = ["Inquiry", "InquiryState"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InquiryState:
    """Where an inquiry stands. Means are the first entrant's, in units of `measure`."""

    point_of_view: str
    measure: Measure
    question: Question
    boards: int
    """Those that the answer rests on; without one, all of the finished prefix."""
    mean: float | None
    interval: tuple[float, float] | None
    """The confidence sequence: valid however often it is looked at."""
    verdict: Verdict
    """Of a test; of a precision always undecided."""
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

    __slots__ = ("_boards", "_later", "_test", "measure", "point_of_view", "question")

    def __init__(self, question: Question, point_of_view: str, unit: Unit, scale: int) -> None:
        self.question = question
        self.point_of_view = point_of_view
        self.measure = margin_measure(unit)
        self._boards = Moments(scale)
        self._later = Moments(scale)
        self._test = None
        if question.h0 is not None and question.h1 is not None:
            effect = question.asked is Asked.EFFECT
            asked = Hypotheses(
                point_of_view=point_of_view,
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
        if self._test is not None:
            self._test.add(margin)

    @property
    def answered(self) -> bool:
        """Whether there is an answer."""
        if self._test is not None:
            return self._test.over
        spread, width = standard_deviation(self._boards), self.question.precision
        if not spread or width is None or self._boards.count < MIN_BOARDS:
            return False
        asked = self.question
        half = asymptotic_half_width(self._boards.count, spread, asked.narrowest, asked.alpha)
        return half <= width

    def state(self) -> InquiryState:
        """Where it stands."""
        asked, test = self.question, None if self._test is None else self._test.state()
        return InquiryState(
            point_of_view=self.point_of_view,
            measure=self.measure,
            question=asked,
            boards=self._boards.count,
            mean=self._boards.mean,
            interval=asymptotic_interval(self._boards, asked.narrowest, asked.alpha),
            verdict=Verdict.UNDECIDED if test is None else test.verdict,
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
        if asked.precision is None:
            return None
        more = boards_to_precision(self._boards, asked.precision, asked.narrowest, asked.alpha)
        return None if more is None else max(more, MIN_BOARDS - self._boards.count)
