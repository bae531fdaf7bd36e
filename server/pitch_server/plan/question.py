"""The question that a comparison of two entrants plays until it is answered.

Here belong its values, the checks of them and their form in JSON. What answers it is
`pitch_server.comparing.inquiry`.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from pitch_server.plan.errors import require

__all__ = ["Asked", "Question", "parse_question_json", "question_json"]

_LARGEST = 1e6
_LEAST_RATE, _MOST_RATE = 1e-6, 0.5


class Asked(StrEnum):
    """What is asked for."""

    EFFECT = "effect"
    MARGIN = "margin"
    PRECISION = "precision"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """H0 against H1 on the mean margin of the first entrant, or its mean to a precision.

    `h0` and `h1` are in standard deviations of a board (effect) or in units of the margin. The
    confidence sequence of a precision is narrowest near `narrowest` boards.
    """

    asked: Asked
    h0: float | None = None
    h1: float | None = None
    precision: float | None = None
    alpha: float = 0.05
    beta: float = 0.05
    narrowest: float = 500.0

    def __post_init__(self) -> None:
        if self.asked is Asked.PRECISION:
            width = self.precision
            ok = width is not None and 0 < width <= _LARGEST
            require(ok, "format.question.precision", width, "a number above 0")
        else:
            for name in ("h0", "h1"):
                value = getattr(self, name)
                ok = value is not None and math.isfinite(value) and abs(value) <= _LARGEST
                require(ok, f"format.question.{name}", value, "a number")
            require(self.h0 != self.h1, "format.question.h1", self.h1, "another number than H0")
        for name in ("alpha", "beta"):
            rate = getattr(self, name)
            ok = _LEAST_RATE <= rate < _MOST_RATE
            require(ok, f"format.question.{name}", rate, "a number above 0 and below 0.5")
        ok = math.isfinite(self.narrowest) and self.narrowest >= 1
        require(ok, "format.question.narrowest", self.narrowest, "1 or more")


def question_json(question: Question) -> dict[str, Any]:
    """The question as JSON."""
    return {**asdict(question), "asked": str(question.asked)}


def parse_question_json(document: Mapping[str, Any]) -> Question:
    """The question that `question_json` wrote."""
    return Question(**{**document, "asked": Asked(document["asked"])})
