"""Questions in words: what is asked about two entrants, what H0 and H1 are, when it is over.

Here belongs what can be said before the first board. Answers are `verdicts`'.
"""

from pitch_server.comparing.measures import Measure, margin_measure
from pitch_server.plan.question import Asked, Question
from pitch_server.plan.settings import Unit

__all__ = ["hypothesis", "percent", "question_text"]


def question_text(question: Question, name: str, opponent: str, unit: Unit) -> str:
    """What is asked and until when is played, without the most boards."""
    measure, sure = margin_measure(unit), percent(1 - question.alpha)
    if question.asked is Asked.PRECISION:
        return (
            f"by how much is {name} better than {opponent}? Until its mean is known to "
            f"±{question.precision:g} {measure} by the {sure} interval that may be watched"
        )
    if question.asked is Asked.BETTER:
        alike = (
            f", or lies within ±{question.equal_within:g} {measure}"
            if question.equal_within
            else ""
        )
        return (
            f"which is better, {name} or {opponent}? Until the {sure} interval that may be watched "
            f"leaves 0 out{alike}"
        )
    h0, h1 = (hypothesis(question, mean, name, opponent, measure) for mean in _means(question))
    return (
        f"H0 ({h0}) or H1 ({h1})? By the sequential test; H1 is decided for wrongly in at most "
        f"{percent(question.alpha)} of such tests if H0 holds, H0 in at most "
        f"{percent(question.beta)} if H1 does"
    )


def _means(question: Question) -> tuple[float, float]:
    return question.h0 or 0.0, question.h1 or 0.0


def hypothesis(question: Question, mean: float, name: str, opponent: str, measure: Measure) -> str:
    """A hypothesis about the first one's mean."""
    if not mean:
        return "no difference"
    unit = Measure.DEVIATIONS if question.asked is Asked.EFFECT else measure
    return f"{name if mean > 0 else opponent} ahead by {abs(mean):g} {unit}"


def percent(share: float) -> str:
    """A share as people say it."""
    return f"{round(100 * share, 6):g} %"
