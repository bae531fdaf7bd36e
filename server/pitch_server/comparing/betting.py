"""Evidence that two differ, as the capital of a bettor: valid whenever one stops.

Here belongs the e-process of one comparison. What many comparisons make of it is in
`many_pairings` and `separation`.
"""

import math

__all__ = ["Evidence"]

_CAP = 0.75
"""The largest share of its capital that a bet puts at risk."""
_PRIOR = 0.25


class Evidence:
    """Two capitals that bet against "the mean is 0", one on each side, for bounded margins.

    With x = D / largest, one capital multiplies by 1 + b x for bets b >= 0, the other for b <= 0,
    chosen from the boards before. If the mean is 0, given all that was known before each board,
    each is a martingale from 1, and by Ville's inequality it ever reaches 2/alpha with a chance
    of at most alpha/2. So 2 / (the highest that either has been) is a p-value at every time at
    once. The capital process of Waudby-Smith and Ramdas (arXiv 2010.09686, theorem 3) at m = 0
    with their aGRAPA bets (appendix B), m / (v + m²), cut at 3/4.

    Exact for any number of boards; the state is seven numbers.
    """

    __slots__ = (
        "_deviations",
        "_less",
        "_less_peak",
        "_more",
        "_more_peak",
        "_sum",
        "boards",
        "largest",
    )

    def __init__(self, largest: float) -> None:
        if not (largest > 0 and math.isfinite(largest)):
            raise ValueError(f"the largest margin must be a number above 0, got {largest!r}")
        self.largest = largest
        self.boards = 0
        self._sum = self._deviations = 0.0
        self._more = self._less = self._more_peak = self._less_peak = 0.0

    def add(self, margin: float) -> None:
        """Take the next board of the plan in: D. Raises ValueError beyond the largest margin."""
        if not abs(margin) <= self.largest * (1 + 1e-12):
            raise ValueError(
                f"the margin is {margin!r}; expected at most {self.largest} either way"
            )
        value = margin / self.largest
        self.boards += 1
        mean = self._sum / self.boards
        bet = mean / ((_PRIOR + self._deviations) / self.boards + mean * mean)
        if bet > 0:
            self._more += math.log1p(min(bet, _CAP) * value)
            self._more_peak = max(self._more_peak, self._more)
        elif bet < 0:
            self._less += math.log1p(max(bet, -_CAP) * value)
            self._less_peak = max(self._less_peak, self._less)
        self._sum += value
        self._deviations += (value - self._sum / (self.boards + 1)) ** 2

    @property
    def log_peak(self) -> float:
        """The logarithm of the highest that either capital has been."""
        return max(self._more_peak, self._less_peak)

    @property
    def side(self) -> int:
        """What that speaks for: 1 a mean above 0, -1 one below, 0 neither."""
        return (self._more_peak > self._less_peak) - (self._more_peak < self._less_peak)

    @property
    def p_value(self) -> float:
        """Two-sided, valid whenever it is looked at; it never rises."""
        return min(1.0, 2 * math.exp(-self.log_peak))
