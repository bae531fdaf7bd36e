"""Numbers that options take: finite, within a range.

Here belongs what click lets through: "nan" lies in every range of its own, "inf" in open ones.
"""

import math
from typing import Any

import click

__all__ = ["FiniteFloat"]


class FiniteFloat(click.FloatRange):
    """A number within a range, as click.FloatRange takes it."""

    name = "number"

    def _describe_range(self) -> str:
        """For --help: nothing where any number will do."""
        return "" if self.min is None and self.max is None else super()._describe_range()

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number; BadParameter for what is none, not finite or out of the range."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"expected a finite number, got {value}", param, ctx)
        return number
