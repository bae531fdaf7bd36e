"""What is shown of a comparison while it is played: lines that may be looked at at any time.

Here belong these lines and how long it still takes. The answer in the end is `verdicts`'.
"""

from pitch_server.comparing.asking import hypothesis
from pitch_server.comparing.confidence import asymptotic_interval
from pitch_server.comparing.inquiry import InquiryState
from pitch_server.comparing.measures import MIN_BOARDS, Measure
from pitch_server.plan.question import Asked
from pitch_server.scores.statistics import Moments

__all__ = ["duration", "question_lines", "watched_line"]


def watched_line(moments: Moments, name: str, opponent: str, measure: Measure) -> str:
    """The mean so far with an interval that may be looked at after every board."""
    return _watched(
        moments.count,
        moments.mean,
        asymptotic_interval(moments),
        f"{name} against {opponent}",
        measure,
    )


def _watched(
    boards: int,
    mean: float | None,
    interval: tuple[float, float] | None,
    who: str,
    measure: Measure,
) -> str:
    told = "no board yet" if mean is None else f"{mean:+.3f} {measure}"
    if interval is not None:
        told += f" ({interval[0]:+.3f} to {interval[1]:+.3f}, valid while watching)"
    elif 0 < boards < MIN_BOARDS:
        told += f" (an interval that is valid while watching begins at {MIN_BOARDS} boards)"
    return f"{boards:,} boards, {who}: {told}"


def question_lines(state: InquiryState, seconds_left: float | None) -> list[str]:
    """Where a question stands: the mean as above, and how near the answer is."""
    who = f"{state.point_of_view} against {state.opponent}"
    return [
        _watched(state.boards, state.mean, state.interval, who, state.measure),
        _question_line(state) + _left(state, seconds_left),
    ]


def _left(state: InquiryState, seconds: float | None) -> str:
    if state.answered:
        return "; answered"
    left = "" if state.forecast is None else f"; about {state.forecast:,} boards left"
    return left if seconds is None else f"{left}, {duration(seconds)}"


def _question_line(state: InquiryState) -> str:
    asked = state.question
    if asked.asked is Asked.PRECISION:
        wide = "unknown"
        if state.interval is not None:
            wide = f"±{(state.interval[1] - state.interval[0]) / 2:.3f}"
        return f"precision {wide}, ±{asked.precision:g} is asked for"
    if asked.asked is Asked.BETTER:
        alike = f" or lies within ±{asked.equal_within:g}" if asked.equal_within else ""
        return f"over when the interval leaves 0 out{alike}"
    at = "nothing yet" if state.llr is None else f"{state.llr:+.2f}"
    h0, h1 = (
        hypothesis(asked, mean or 0.0, state.point_of_view, state.opponent, state.measure)
        for mean in (asked.h0, asked.h1)
    )
    return f"test at {at} between {state.lower:+.2f} (H0: {h0}) and {state.upper:+.2f} (H1: {h1})"


def duration(seconds: float) -> str:
    """A span as people say it."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60:02} min"
