"""Ladder: the next boards always go to the pairings that tell most about the ratings.

Here belong the choice of a batch from the TrueSkill of all batches before it, and the budget
(docs/formats.md). The rating itself is `pitch_server.rating`'s.
"""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pitch_server.plan.rounds import Round, Stint, Stints
from pitch_server.rating.trueskill_rating import BETA, TrueSkillTable

__all__ = ["Ladder", "choose"]

# Gains are compared so far behind the point: what differs less is chance of the last bit, which
# another machine's arithmetic may have otherwise.
_DIGITS = 9


class Ladder:
    """Batches of a fixed number of boards, until the budget is spent.

    A pairing plays the boards 0, 1, 2 and so on, each once, whenever it is chosen.
    """

    def __init__(
        self, pairings: Sequence[tuple[int, ...]], budget: int, batch: int, skills: TrueSkillTable
    ) -> None:
        self.pairings = pairings
        self.most = budget
        self._batch = batch
        self._skills = skills
        self._members = np.array(pairings, dtype=np.int32, order="F")  # read by columns
        self._played: Counter[int] = Counter()
        self._spent = 0

    @property
    def more(self) -> bool:
        """Whether some of the budget is left."""
        return self._spent < self.most

    def note(self, pairing: int, margins: Sequence[int] | None) -> None:
        """Take the next finished match in."""
        if margins is not None:
            # the lower a rank the better, and only their order counts
            self._skills.update(self.pairings[pairing], [-margin for margin in margins])

    def next_round(self) -> Round | None:
        """The next batch; the last one is what is left of the budget."""
        size = min(self._batch, self.most - self._spent)
        if not size:
            return None
        skills = [self._skills.skill(each) for each in range(self._skills.entrants)]
        chosen = choose(
            self._members, [each.mu for each in skills], [each.sigma for each in skills], size
        )
        stints = []
        for pairing, count in sorted(Counter(chosen).items()):
            first = self._played[pairing]
            stints.append(Stint(pairing, range(first, first + count)))
            self._played[pairing] += count
        self._spent += size
        return Stints(tuple(stints))


def choose(
    members: NDArray[np.int32], mu: Sequence[float], sigma: Sequence[float], size: int
) -> list[int]:
    """The pairings, by index, that `size` boards go to; `members` has a row for each.

    One after the other the pairing with the largest gain, as if each board before had been
    played: of two, q * (si^4 + sj^4) / c^2 with c^2 = 2 beta^2 + si^2 + sj^2 and TrueSkill's
    quality of the match q = sqrt(2 beta^2 / c^2) exp(-(mi - mj)^2 / 2c^2). That is by how much
    their variances are expected to fall, but for a factor that q stands for; s^4 / c^2 times q
    is taken off each. Of more sides the gains of all twos are added.
    """
    means, variances = np.array(mu), np.square(np.array(sigma))
    gains = _gains(members, means, variances)
    chosen = []
    for _ in range(size):
        best = int(np.argmax(gains))
        chosen.append(best)
        _take_off(members[best], means, variances)
        moved = np.zeros(len(members), dtype=bool)
        for column in members.T:
            moved |= np.isin(column, members[best])
        gains[moved] = _gains(members[moved], means, variances)
    return chosen


def _gains(
    members: NDArray[np.int32], means: NDArray[np.float64], variances: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What a board of each pairing would tell."""
    gains = np.zeros(len(members))
    for other in range(members.shape[1]):
        for one in range(other):
            i, j = members[:, one], members[:, other]
            total = 2 * BETA**2 + variances[i] + variances[j]
            quality = np.sqrt(2 * BETA**2 / total) * np.exp(
                -np.square(means[i] - means[j]) / (2 * total)
            )
            gains += quality * (np.square(variances[i]) + np.square(variances[j])) / total
    return np.round(gains, _DIGITS)


def _take_off(
    row: NDArray[np.int32], means: NDArray[np.float64], variances: NDArray[np.float64]
) -> None:
    """Lowers the variances of those who are to meet by what is expected of their board."""
    before = variances[row].copy()
    for place, entrant in enumerate(row):
        left = before[place]
        for other, opponent in enumerate(row):
            if other == place:
                continue
            total = 2 * BETA**2 + before[place] + before[other]
            apart = means[entrant] - means[opponent]
            quality = math.sqrt(2 * BETA**2 / total) * math.exp(-apart * apart / (2 * total))
            left -= quality * before[place] ** 2 / total / (len(row) - 1)
        variances[entrant] = left
