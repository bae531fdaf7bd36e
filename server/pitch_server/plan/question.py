"""The question that a comparison of two entrants plays until it is answered.

Here belong its values, what is taken where one is not said, the checks of them and their form in
JSON. What answers it is `pitch_server.comparing.inquiry`.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from pitch.table.unit import Unit
from pitch_server.plan.errors import require

__all__ = [
    "MOST_BOARDS",
    "Asked",
    "Question",
    "make_question",
    "most_boards",
    "parse_question_json",
    "question_json",
]

MOST_BOARDS = 100_000
"""Unless it is said otherwise a question is given up after so many boards."""
_MOST_FOR_BETTER = 10_000
_SMALLEST, _LARGEST = 1e-9, 1e6
_LEAST_RATE, _MOST_RATE = 1e-6, 0.5
_NARROWEST = 500.0
_ALIKE = {Unit.HAND: 0.1, Unit.GAME: 0.05}
_SPREAD = {Unit.HAND: 1.5, Unit.GAME: 0.7}
"""The standard deviation of a board between similar bots, by experience."""


class Asked(StrEnum):
    """What is asked for."""

    BETTER = "better"
    EFFECT = "effect"
    MARGIN = "margin"
    PRECISION = "precision"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Which of two entrants is better; H0 against H1 on the first one's mean; or its mean.

    `h0` and `h1` are in standard deviations of a board (effect) or in units of the margin. The
    two are called alike where their difference is known to be within `equal_within`, in units of
    the margin; 0 never does. The confidence sequence is narrowest near `narrowest` boards.
    """

    asked: Asked
    h0: float | None = None
    h1: float | None = None
    precision: float | None = None
    equal_within: float | None = None
    alpha: float = 0.05
    beta: float = 0.05
    narrowest: float = _NARROWEST

    def __post_init__(self) -> None:
        if self.asked is Asked.PRECISION:
            width = self.precision
            ok = width is not None and _SMALLEST <= width <= _LARGEST
            require(ok, "question.precision", width, f"a number from {_SMALLEST:g} on")
        elif self.asked is Asked.BETTER:
            alike = self.equal_within
            ok = alike is not None and (alike == 0 or _SMALLEST <= alike <= _LARGEST)
            require(ok, "question.equal_within", alike, f"0, or a number from {_SMALLEST:g} on")
        else:
            self._check_hypotheses()
        for name in ("alpha", "beta"):
            rate = getattr(self, name)
            ok = _LEAST_RATE <= rate < _MOST_RATE
            require(ok, f"question.{name}", rate, f"a number from {_LEAST_RATE:f} to below 0.5")
        ok = math.isfinite(self.narrowest) and self.narrowest >= 1
        require(ok, "question.narrowest", self.narrowest, "1 or more")

    def _check_hypotheses(self) -> None:
        for name in ("h0", "h1"):
            value = getattr(self, name)
            ok = value is not None and math.isfinite(value) and abs(value) <= _LARGEST
            require(ok, f"question.{name}", value, "a number")
        apart = abs((self.h1 or 0.0) - (self.h0 or 0.0)) >= _SMALLEST
        require(
            apart, "question.h1", self.h1, f"another number than H0, {_SMALLEST:g} or more from it"
        )

    @property
    def tests(self) -> bool:
        """Whether it is one hypothesis against another."""
        return self.asked in (Asked.EFFECT, Asked.MARGIN)


def make_question(asked: Asked, unit: Unit, **said: float | None) -> Question:
    """The question with what is said of it, None for what is not; SettingsError if it can't be."""
    values = {key: value for key, value in said.items() if value is not None}
    if asked is Asked.BETTER:
        values.setdefault("equal_within", _ALIKE[unit])
    elif asked is Asked.PRECISION:
        values.setdefault("narrowest", _narrowest(values.get("precision", 0.0), unit))
    else:
        values.setdefault("h0", 0.0)
    return Question(asked=asked, **values)


def most_boards(asked: Asked) -> int:
    """After how many boards a question is given up unless it is said."""
    return _MOST_FOR_BETTER if asked is Asked.BETTER else MOST_BOARDS


def _narrowest(precision: float, unit: Unit) -> float:
    """Near how many boards the sequence is to be narrowest: about as many as it will take.

    By experience of how boards spread; it must be fixed before the first one.
    """
    if not precision >= _SMALLEST:
        return _NARROWEST
    return float(min(max(round((3 * _SPREAD[unit] / precision) ** 2), 20), 10**9))


def question_json(question: Question) -> dict[str, Any]:
    """The question as JSON."""
    return {**asdict(question), "asked": str(question.asked)}


def parse_question_json(document: Mapping[str, Any]) -> Question:
    """The question that `question_json` wrote, now or before there were the later keys."""
    return Question(**{**document, "asked": Asked(document["asked"])})
