"""Statistics of a fixed number of boards: mean, deviation, interval (comparison.md, "Fixed size").

Here belong numbers over margins. Sums are of whole numbers, so that no result depends on the
order of adding. Tests that watch a running match do not belong here.
"""

import math
from dataclasses import dataclass

__all__ = ["Moments", "Summary", "t_quantile"]

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a sample says of its mean; None where there are too few values to say it."""

    count: int
    mean: float | None
    sd: float | None
    standard_error: float | None
    interval: tuple[float, float] | None


class Moments:
    """The sums of whole numbers that are `scale` times the values of interest."""

    __slots__ = ("count", "scale", "squares", "total")

    def __init__(self, scale: int = 1) -> None:
        self.scale = scale
        self.count = 0
        self.total = 0
        self.squares = 0

    def add(self, value: int) -> None:
        """Take one value in, times the scale."""
        self.count += 1
        self.total += value
        self.squares += value * value

    def with_one_more(self, value: int) -> "Moments":
        """Others, that have this value as well."""
        more = Moments(self.scale)
        more.count, more.total, more.squares = self.count, self.total, self.squares
        more.add(value)
        return more

    @property
    def mean(self) -> float | None:
        """The mean of the values, or None without any."""
        return self.total / (self.count * self.scale) if self.count else None

    def summary(self) -> Summary:
        """Mean, sd with n - 1, standard error and the 95 % interval by Student's t."""
        count, mean = self.count, self.mean
        if mean is None or count < 2:
            return Summary(count=count, mean=mean, sd=None, standard_error=None, interval=None)
        # exact up to this one division: no cancellation, whatever the values
        spread = count * self.squares - self.total * self.total
        sd = math.sqrt(spread / (count * (count - 1) * self.scale**2))
        error = sd / math.sqrt(count)
        half = t_quantile((1 + CONFIDENCE) / 2, count - 1) * error
        return Summary(
            count=count, mean=mean, sd=sd, standard_error=error, interval=(mean - half, mean + half)
        )


def t_quantile(probability: float, freedom: int) -> float:
    """The quantile of Student's t distribution."""
    from scipy.special import stdtrit  # takes half a second, which a start should not wait for

    return float(stdtrit(freedom, probability))
