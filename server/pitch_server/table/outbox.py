"""What waits to be told to a bot beside its questions: tables, notices, what it need not answer.

Here belongs gathering it until a frame goes out. Questions do not: their order and number are
the instance's, as their time is.
"""

from collections.abc import Iterable

from pitch.wire.frames import Delivery, Notice, Question, TableOpening

__all__ = ["Outbox"]


class Outbox:
    """What has gathered for one bot since the last frame."""

    __slots__ = ("closed", "notices", "openings", "withdrawn")

    def __init__(self, openings: Iterable[TableOpening] = ()) -> None:
        self.openings = list(openings)
        self.notices: list[Notice] = []
        self.withdrawn: list[int] = []
        self.closed: list[int] = []

    def take(self, questions: tuple[Question, ...]) -> Delivery | None:
        """All of it with these questions, as a frame; None if there is nothing."""
        if not (questions or self.openings or self.closed or self.withdrawn or self.notices):
            return None
        delivery = Delivery(
            openings=tuple(self.openings),
            notices=tuple(self.notices),
            withdrawn=tuple(self.withdrawn),
            closed=tuple(self.closed),
            questions=questions,
        )
        self.openings, self.notices, self.withdrawn, self.closed = [], [], [], []
        return delivery
