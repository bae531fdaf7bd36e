"""Until answered: two entrants play batches of boards until their question has its answer.

Here belong the batches of such a plan. What the answer is, is `pitch_server.comparing`'s.
"""

from collections.abc import Sequence

from pitch_server.comparing.inquiry import Inquiry
from pitch_server.plan.rounds import InStep, Round

__all__ = ["UntilAnswered"]


class UntilAnswered:
    """Batches of a fixed size; whether another follows is known by all boards before it.

    So the plan is the same whenever it goes on and however many tables there are.
    """

    def __init__(
        self,
        pairings: Sequence[tuple[int, ...]],
        inquiry: Inquiry,
        *,
        most_boards: int,
        batch: int,
        by_pairing: bool,
    ) -> None:
        self.pairings = pairings
        self.most = most_boards
        self.more = True
        self._inquiry = inquiry
        self._batch = batch
        self._by_pairing = by_pairing
        self._boards = 0

    def note(self, _pairing: int, margins: Sequence[int] | None) -> None:
        """Take the next finished board in; a void one is passed over."""
        if margins is not None:
            self._inquiry.add(margins[0])

    def next_round(self) -> Round | None:
        """The next batch; None once there is an answer or the most boards are played."""
        first = self._boards
        if first == self.most or self._inquiry.answered:
            self.more = False
            return None
        self._boards = min(first + self._batch, self.most)
        self.more = self._boards < self.most  # after the last batch nothing can follow
        return InStep(
            pairings=range(1), boards=range(first, self._boards), by_pairing=self._by_pairing
        )
