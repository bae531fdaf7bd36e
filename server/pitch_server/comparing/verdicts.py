"""Verdicts in a sentence: who, by how much in which unit, on how many boards, how sure.

Here belong sentences and the JSON of what they say. Numbers are made elsewhere.
"""

from enum import StrEnum
from typing import Any

from pitch_server.comparing.confidence import asymptotic_interval
from pitch_server.comparing.fixed_size import FixedSize
from pitch_server.comparing.inquiry import InquiryState
from pitch_server.comparing.measures import Measure
from pitch_server.comparing.sequential import Verdict
from pitch_server.plan.question import Asked, question_json
from pitch_server.scores.statistics import Moments

__all__ = [
    "Ending",
    "duration",
    "fixed_sentence",
    "inquiry_json",
    "inquiry_sentence",
    "question_lines",
    "watched_line",
]


class Ending(StrEnum):
    """Why there are no more boards yet, in the words of a sentence."""

    OPEN = "so far"
    BY_HAND = "stopped by hand"
    MOST_BOARDS = "after the most boards that it may take"


def inquiry_sentence(state: InquiryState, ending: Ending) -> str:
    """The answer; while there is none, why."""
    if not state.answered:
        return f"Undecided, {ending}: {_of_boards(state)}"
    if state.question.asked is Asked.PRECISION:
        return f"Known to ±{state.question.precision:g}: {_of_boards(state)}"
    kept, given = (
        (state.question.h0, state.question.h1)
        if state.verdict is Verdict.H0
        else (state.question.h1, state.question.h0)
    )
    return (
        f"Decided for {state.verdict}, a mean of {kept:g} against {given:g} {_unit(state)} for "
        f"{state.point_of_view} (wrong in at most {_rate(state)} of such tests): "
        f"{_of_boards(state)}"
    )


def _rate(state: InquiryState) -> str:
    asked = state.question
    return f"{100 * (asked.beta if state.verdict is Verdict.H0 else asked.alpha):g} %"


def _unit(state: InquiryState) -> str:
    return str(Measure.DEVIATIONS if state.question.asked is Asked.EFFECT else state.measure)


def _of_boards(state: InquiryState) -> str:
    """The estimate, with its point of view, units and interval."""
    if state.mean is None:
        return "no board counts yet."
    interval = (
        "no interval, as all boards are alike"
        if state.interval is None
        else f"{state.interval[0]:+.2f} to {state.interval[1]:+.2f}, valid whenever one looks"
    )
    return (
        f"{state.point_of_view} is at {state.mean:+.2f} {state.measure} ({interval}) "
        f"after {state.boards:,} boards."
    )


def fixed_sentence(fixed: FixedSize, opponent: str, planned: int) -> str:
    """What a number of boards that was fixed beforehand says of two entrants."""
    name = fixed.point_of_view
    if fixed.mean is None:
        return f"Undecided: no board of {name} against {opponent} counts."
    if fixed.interval is None or not fixed.sd:
        return (
            f"Undecided: {name} is at {fixed.mean:+.2f} {fixed.measure} against {opponent} after "
            f"{fixed.boards:,} boards without spread, which say nothing of how sure that is."
        )
    low, high = fixed.interval
    what = "Undecided: " if low <= 0 <= high else ""
    if not what:
        what = f"{name if low > 0 else opponent} is better: "
    return (
        f"{what}{name} is at {fixed.mean:+.2f} {fixed.measure} against {opponent} "
        f"(95 % interval {low:+.2f} to {high:+.2f}, of {fixed.boards:,} boards"
        + (", as fixed beforehand)." if fixed.boards >= planned else f" of {planned:,}).")
    )


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
    return f"{boards:,} boards, {who}: {told}"


def question_lines(state: InquiryState, opponent: str, seconds_left: float | None) -> list[str]:
    """Where a question stands: the mean as above, and how near the answer is."""
    who = f"{state.point_of_view} against {opponent}"
    return [
        _watched(state.boards, state.mean, state.interval, who, state.measure),
        _question_line(state, seconds_left),
    ]


def _question_line(state: InquiryState, seconds_left: float | None) -> str:
    left = "" if state.forecast is None else f"; about {state.forecast:,} boards left"
    if state.answered:
        left = "; answered"
    elif seconds_left is not None:
        left += f", {duration(seconds_left)}"
    if state.question.asked is Asked.PRECISION:
        wide = "unknown"
        if state.interval is not None:
            wide = f"±{(state.interval[1] - state.interval[0]) / 2:.3f}"
        return f"precision {wide}, ±{state.question.precision:g} is asked for{left}"
    at = "nothing yet" if state.llr is None else f"{state.llr:+.2f}"
    return f"test at {at} between {state.lower:+.2f} (H0) and {state.upper:+.2f} (H1){left}"


def duration(seconds: float) -> str:
    """A span as people say it."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60:02} min"


def inquiry_json(state: InquiryState, ending: Ending) -> dict[str, Any]:
    """Where an inquiry stands, as JSON, with its sentence."""
    return {
        "question": question_json(state.question),
        "point_of_view": state.point_of_view,
        "measure": str(state.measure),
        "verdict": _verdict(state),
        "boards": state.boards,
        "mean": state.mean,
        "running": None if state.interval is None else list(state.interval),
        "llr": state.llr,
        "lower": state.lower,
        "upper": state.upper,
        "later_boards": state.later_boards,
        "later_mean": state.later_mean,
        "sentence": inquiry_sentence(state, ending),
    }


def _verdict(state: InquiryState) -> str:
    if state.question.asked is Asked.PRECISION:
        return "precise" if state.answered else "undecided"
    return str(state.verdict)
