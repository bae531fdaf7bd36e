"""Until separated: boards go to the pairings that are undecided, up to a maximum.

Here belong the batches of such a plan. Which pairings are decided, with one error rate over all of
them, is `pitch_server.comparing`'s.
"""

from collections.abc import Sequence

from pitch_server.comparing.separation import Separated, Separation
from pitch_server.plan.rounds import InStep, Round

__all__ = ["UntilSeparated"]


class UntilSeparated:
    """All undecided pairings play the next batch of boards, the same new ones for all of them.

    So which boards a pairing plays follows from its deals nowhere, as the test needs it.
    """

    def __init__(
        self,
        pairings: Sequence[tuple[int, ...]],
        separation: Separation,
        *,
        most_boards: int,
        batch: int,
        scale: int,
        by_pairing: bool,
    ) -> None:
        """`scale` is by what margins are multiplied when they are noted."""
        self.pairings = pairings
        self.most = len(pairings) * most_boards
        self.more = True
        self._separation = separation
        self._most_boards = most_boards
        self._batch = batch
        self._scale = scale
        self._by_pairing = by_pairing
        self._boards = 0
        self._undecided: tuple[int, ...] = ()

    def results(self) -> tuple[Separated, ...]:
        """How each pairing stands, from the first of the two."""
        return self._separation.results()

    def note(self, pairing: int, margins: Sequence[int] | None) -> None:
        """Take the next finished match in."""
        if margins is not None:
            self._separation.add(pairing, margins[0] / self._scale)

    def next_round(self) -> Round | None:
        """The next batch; None once all are decided or have played the most boards."""
        first = self._boards
        undecided = self._separation.undecided() if first else tuple(range(len(self.pairings)))
        if undecided == self._undecided:
            undecided = self._undecided  # one of the two is enough to keep
        self._undecided = undecided
        if first == self._most_boards or not undecided:
            self.more = False
            return None
        self._boards = min(first + self._batch, self._most_boards)
        # after the last batch nothing can follow
        self.more = self._boards < self._most_boards
        return InStep(
            pairings=undecided, boards=range(first, self._boards), by_pairing=self._by_pairing
        )
