"""Swiss: a few rounds, in each of which entrants meet that did equally well so far.

Here belong its standing, its byes and who meets whom in the next round (docs/formats.md). It
knows nothing but the results of the rounds before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pitch_server.plan.rounds import InStep, Round

__all__ = ["WIN", "Swiss", "SwissScore", "most_rounds"]

WIN, DRAW = 2, 1


def most_rounds(entrants: int) -> int:
    """For how many rounds nobody need meet anybody twice, however results come out.

    Before each there are at least half as many partners left for everyone as there are entrants
    to be paired, and then all can be (`_paired`). Of later rounds some could not be paired.
    """
    return entrants // 2


@dataclass(slots=True)
class SwissScore:
    """What an entrant has so far: match points (2 a win or a bye, 1 a draw) and margins."""

    points: int = 0
    margin: int = 0
    byes: int = 0
    met: set[int] = field(default_factory=set)


class Swiss:
    """The format of two sides; every round is of boards of its own, the same for all pairings."""

    def __init__(
        self, entrants: int, rounds: int, boards: int, *, by_pairing: bool, fresh_boards: bool
    ) -> None:
        """`fresh_boards`: each round has other boards than those before it."""
        self.pairings: list[tuple[int, ...]] = []
        self.scores = [SwissScore() for _ in range(entrants)]
        self.most = rounds * (entrants // 2) * boards
        self._rounds = rounds
        self._boards = boards
        self._by_pairing = by_pairing
        self._fresh_boards = fresh_boards
        self._planned = 0
        self._round: range = range(0)
        self._margins: list[int | None] = []
        self._byes: tuple[int, ...] = ()

    @property
    def more(self) -> bool:
        """Whether another round follows."""
        return self._planned < self._rounds

    def note(self, pairing: int, margins: Sequence[int] | None) -> None:
        """Take the next finished match in."""
        if margins is not None:
            at = pairing - self._round.start
            self._margins[at] = (self._margins[at] or 0) + margins[0]

    def next_round(self) -> Round | None:
        """The next round, from the standing after the last one."""
        self._end_round()
        if not self.more:
            return None
        order = self.order()
        self._byes = self._bye(order)
        pairs = _paired([each for each in order if each not in self._byes], self._met)
        start = len(self.pairings)
        self.pairings += (tuple(sorted(pair)) for pair in pairs)
        self._round = range(start, len(self.pairings))
        self._margins = [None] * len(self._round)
        first = self._planned * self._boards if self._fresh_boards else 0
        self._planned += 1
        return InStep(
            pairings=self._round,
            boards=range(first, first + self._boards),
            by_pairing=self._by_pairing,
            byes=self._byes,
        )

    def order(self) -> list[int]:
        """The entrants by match points, margins, points of those they met; then as they are."""

        def key(entrant: int) -> tuple[int, int, int, int]:
            score = self.scores[entrant]
            opposition = sum(self.scores[other].points for other in score.met)
            return (-score.points, -score.margin, -opposition, entrant)

        return sorted(range(len(self.scores)), key=key)

    def _end_round(self) -> None:
        """Counts the round that is over. A match whose boards are all void counts for nobody."""
        for pairing, margin in zip(self._round, self._margins, strict=True):
            one, other = self.pairings[pairing]
            self.scores[one].met.add(other)
            self.scores[other].met.add(one)
            if margin is None:
                continue
            for entrant, own in ((one, margin), (other, -margin)):
                self.scores[entrant].points += WIN if own > 0 else DRAW if own == 0 else 0
                self.scores[entrant].margin += own
        for entrant in self._byes:
            self.scores[entrant].byes += 1
            self.scores[entrant].points += WIN
        self._round, self._margins, self._byes = range(0), [], ()

    def _bye(self, order: Sequence[int]) -> tuple[int, ...]:
        """Of an odd number the last in the standing among those who had the fewest byes."""
        if len(order) % 2 == 0:
            return ()
        return (min(reversed(order), key=lambda each: self.scores[each].byes),)

    def _met(self, one: int, other: int) -> bool:
        return other in self.scores[one].met


def _paired(order: Sequence[int], met: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    """All of them in pairs that have not met: neighbours in the standing as far as it goes.

    From the top, each is paired with the next below that it has not met. For two who are left
    over a pair is taken apart: u and v can be put with its members, each with one, if not met.
    As everybody has at least half of all as partners left, u and v have together as many as
    there are entrants, one more than two for each pair, so that some pair has three, and with
    that it goes. The lowest such pair is taken.
    """
    left, pairs, alone = list(order), list[tuple[int, int]](), list[int]()
    while left:
        one = left.pop(0)
        other = next((each for each in left if not met(one, each)), None)
        if other is None:
            alone.append(one)
        else:
            left.remove(other)
            pairs.append((one, other))
    while alone:
        lower, upper = alone.pop(), alone.pop()
        at, one, other = next(
            (at, *pair)
            for at in reversed(range(len(pairs)))
            for pair in (pairs[at], pairs[at][::-1])
            if not met(upper, pair[0]) and not met(lower, pair[1])
        )
        pairs[at : at + 1] = [(upper, one), (lower, other)]
    return pairs
