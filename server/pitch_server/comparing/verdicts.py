"""Verdicts in a sentence: who is better, by how much in which unit, on how many boards, how sure.

Here belong sentences about what was found and the JSON of what they say. Numbers are made
elsewhere. Each estimate names whose point of view it is: that of the entrant that comes first.
"""

from enum import StrEnum
from typing import Any

from pitch_server.comparing.asking import hypothesis, percent
from pitch_server.comparing.fixed_size import FixedSize
from pitch_server.comparing.inquiry import InquiryState
from pitch_server.comparing.measures import MIN_BOARDS, Measure
from pitch_server.comparing.sequential import Verdict
from pitch_server.plan.question import Asked, question_json

__all__ = [
    "Ending",
    "better_name",
    "fixed_json",
    "fixed_sentence",
    "inquiry_json",
    "inquiry_sentence",
    "stopped_sentence",
]


class Ending(StrEnum):
    """Why there are no more boards than these, in the words of a sentence."""

    OPEN = "so far"
    BY_HAND = "stopped by hand"
    CLOSED = "closed by hand before its end"
    MOST_BOARDS = "after the most boards that it may take"


_BEFORE = {
    Ending.OPEN: "Undecided so far",
    Ending.BY_HAND: "Inconclusive, stopped by hand",
    Ending.CLOSED: "Inconclusive, closed by hand before its end",
    Ending.MOST_BOARDS: "Inconclusive after the most boards that it may take",
}


def inquiry_sentence(state: InquiryState, ending: Ending) -> str:
    """The answer; while there is none, why. Then the estimate, and boards after the answer."""
    if not state.answered:
        return f"{_BEFORE[ending]}: {_open(state)}{_estimate(state)}."
    asked = state.question.asked
    if asked is Asked.PRECISION:
        told = f"Known to ±{state.question.precision:g}: {_estimate(state)}."
    elif asked is Asked.BETTER:
        told = _which(state)
    else:
        told = f"{_tested(state)} {_estimate(state, capital=True)}.{_reconciled(state)}"
    return told + _later(state)


def better_name(state: InquiryState) -> str | None:
    """Who was found better; None where that was not asked, is not known, or nobody is."""
    asked, mean = state.question, state.mean or 0.0
    sign = {Verdict.BETTER: 1.0, Verdict.WORSE: -1.0}.get(state.verdict, 0.0)
    if asked.tests and state.answered:
        kept, other = _kept(state)
        if other == 0 < kept * mean:  # only what rejects 0 says that they are not equal
            sign = kept
    return None if not sign else state.point_of_view if sign > 0 else state.opponent


def _which(state: InquiryState) -> str:
    """The answer to which of two is better."""
    wrong = f"wrong in at most {percent(state.question.alpha)} of such comparisons"
    if state.verdict is Verdict.ALIKE:
        lead = f"Neither is better by more than {state.question.equal_within:g} {state.measure}"
    else:
        lead = _better(state)
    return f"{lead} ({wrong}): {_estimate(state)}."


def _better(state: InquiryState) -> str:
    name = better_name(state)
    other = state.opponent if name == state.point_of_view else state.point_of_view
    return f"{name} is better than {other}, by {abs(state.mean or 0.0):.2f} {state.measure}"


# --- tests ------------------------------------------------------------------------------------


def _kept(state: InquiryState) -> tuple[float, float]:
    """The mean that was decided for, and the other one."""
    h0, h1 = state.question.h0 or 0.0, state.question.h1 or 0.0
    return (h0, h1) if state.verdict is Verdict.H0 else (h1, h0)


def _tested(state: InquiryState) -> str:
    """The decision of a test: first what it means, then by which hypotheses."""
    asked, (kept, other) = state.question, _kept(state)
    for_it, against = (_hypothesis(state, mean) for mean in (kept, other))
    if better_name(state) is not None:
        lead = _better(state)
    elif not kept:
        name, least = state.point_of_view if other > 0 else state.opponent, _amount(state, other)
        lead = f"{name} is not better by as much as {least}"
    else:
        lead = f"More likely {for_it} than {against}"
    rate = percent(asked.beta if state.verdict is Verdict.H0 else asked.alpha)
    losing = Verdict.H1 if state.verdict is Verdict.H0 else Verdict.H0
    return (
        f"{lead}: decided for {state.verdict} ({for_it}) against {losing} ({against}), which is "
        f"wrong in at most {rate} of such tests where {losing} holds."
    )


def _hypothesis(state: InquiryState, mean: float) -> str:
    return hypothesis(state.question, mean, state.point_of_view, state.opponent, state.measure)


def _amount(state: InquiryState, mean: float) -> str:
    effect = state.question.asked is Asked.EFFECT
    return f"{abs(mean):g} {Measure.DEVIATIONS if effect else state.measure}"


def _reconciled(state: InquiryState) -> str:
    """Why an interval beside a verdict seems to say another thing, where it does."""
    if state.interval is None:
        return ""
    low, high = state.interval
    better, over_0 = better_name(state), low <= 0 <= high
    if better is not None and over_0:
        return (
            " That the interval has 0 in it is no contradiction: it allows for any mean, while "
            "the test chose between two and so is sooner sure."
        )
    if better is None and not over_0:
        return (
            f" The interval leaves 0 out: {state.point_of_view if low > 0 else state.opponent} is "
            "better; the test asked by how much alone."
        )
    return ""


def _open(state: InquiryState) -> str:
    """Where a question stands that has no answer."""
    if state.question.asked is Asked.BETTER and state.mean is not None:
        return "neither is known to be better; "
    if not state.question.tests or state.llr is None:
        return ""
    h0, h1 = (_hypothesis(state, mean or 0.0) for mean in (state.question.h0, state.question.h1))
    return (
        f"the test stands at {state.llr:+.2f} between {state.lower:+.2f} (H0: {h0}) and "
        f"{state.upper:+.2f} (H1: {h1}); "
    )


# --- estimates --------------------------------------------------------------------------------


def _estimate(state: InquiryState, *, capital: bool = False) -> str:
    """The mean with its point of view, units and interval, and the boards that it rests on."""
    if state.mean is None:
        return "no board counts yet"
    return (
        f"{'Seen' if capital else 'seen'} from {state.point_of_view}, {state.mean:+.2f} "
        f"{state.measure} ({_interval(state)}) after {_boards(state.boards)}"
    )


def _interval(state: InquiryState) -> str:
    if state.interval is None:
        few = state.boards < MIN_BOARDS
        return f"no interval before {MIN_BOARDS} boards" if few else "all boards are alike"
    sure = percent(1 - state.question.alpha)
    return f"any-time {sure} interval {state.interval[0]:+.2f} to {state.interval[1]:+.2f}"


def _later(state: InquiryState) -> str:
    if not state.later_boards:
        return ""
    played = state.boards + state.later_boards
    return (
        f" {_boards(state.later_boards)} of the {played:,} played came after the answer, which is "
        f"final; their mean is {state.later_mean or 0.0:+.2f}."
    )


def _boards(count: int) -> str:
    return f"{count:,} board{'' if count == 1 else 's'}"


# --- a fixed number of boards -----------------------------------------------------------------


def fixed_sentence(fixed: FixedSize, opponent: str, planned: int) -> str:
    """What a number of boards that was fixed beforehand says of two entrants."""
    name = fixed.point_of_view
    if fixed.mean is None:
        return f"Undecided: no board of {name} against {opponent} counts."
    at = f"seen from {name}, {fixed.mean:+.2f} {fixed.measure}"
    if fixed.interval is None or not fixed.sd:
        return (
            f"Undecided: {at} against {opponent} after {_boards(fixed.boards)} that all came out "
            "alike, which says nothing of how sure that is. (Where games were forfeited, "
            "pitch faults tells why.)"
        )
    low, high = fixed.interval
    if low <= 0 <= high:
        what = "Undecided, as the interval has 0 in it: "
    else:
        better, other = (name, opponent) if low > 0 else (opponent, name)
        what = f"{better} is better than {other}, by {abs(fixed.mean):.2f} {fixed.measure}: "
    of = f"{_boards(fixed.boards)}" + (
        ", as fixed beforehand)." if fixed.boards >= planned else f" of {planned:,})."
    )
    return f"{what}{at} against {opponent} (95 % interval {low:+.2f} to {high:+.2f}, of {of}"


def fixed_json(fixed: FixedSize, opponent: str, planned: int) -> dict[str, Any]:
    """What a number of boards that was fixed beforehand says, as JSON, with its sentence."""
    low, high = fixed.interval or (0.0, 0.0)
    decided = bool(fixed.sd) and not low <= 0 <= high
    return {
        "question": None,
        "point_of_view": fixed.point_of_view,
        "opponent": opponent,
        "measure": str(fixed.measure),
        "verdict": "different" if decided else "undecided",
        "better": (fixed.point_of_view if low > 0 else opponent) if decided else None,
        "ending": "answered",
        "boards": fixed.boards,
        "mean": fixed.mean,
        "ci95": None if fixed.interval is None else list(fixed.interval),
        "sentence": fixed_sentence(fixed, opponent, planned),
    }


def stopped_sentence(watched: str, planned: int, ending: Ending) -> str:
    """What is said of a fixed number of boards that are not all played."""
    return (
        f"{_BEFORE[ending]}: {watched}. A verdict takes all {planned:,} boards, as it holds for a "
        "number that was fixed beforehand."
    )


# --- JSON -------------------------------------------------------------------------------------


def inquiry_json(state: InquiryState, ending: Ending) -> dict[str, Any]:
    """Where an inquiry stands, as JSON, with its sentence."""
    return {
        "question": question_json(state.question),
        "point_of_view": state.point_of_view,
        "opponent": state.opponent,
        "measure": str(state.measure),
        "verdict": str(state.verdict),
        "better": better_name(state),
        "ending": "answered" if state.answered else str(ending),
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
