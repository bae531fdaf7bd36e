"""Which boards made the greatest difference, found in one pass over all of them.

Here belongs the choice alone; its memory grows with the pairings, never with the boards. What
happened at a board is for `travellers`.
"""

import heapq
from collections.abc import Iterable
from typing import NamedTuple

from pitch_server.scores.boards import BoardResult

__all__ = ["Swing", "Swings"]


class Swing(NamedTuple):
    """A board, and how far apart its best and its worst team were (times `plan.scale`)."""

    size: int
    board: BoardResult


class Swings:
    """The boards of the greatest swing of each pairing; of equal ones the earliest."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._heaps: dict[int, list[tuple[int, int, BoardResult]]] = {}

    def add(self, board: BoardResult) -> None:
        """Take the next board in; one that does not count, or was forfeited, is passed over."""
        if board.margins is None or any(result.forfeits for result in board.results):
            return
        size = max(board.margins) - min(board.margins)
        heap = self._heaps.setdefault(board.pairing, [])
        if len(heap) < self._most:
            heapq.heappush(heap, (size, -board.first, board))
        elif (size, -board.first) > heap[0][:2]:
            heapq.heapreplace(heap, (size, -board.first, board))

    def add_all(self, boards: Iterable[BoardResult]) -> "Swings":
        """Take them all in."""
        for board in boards:
            self.add(board)
        return self

    def chosen(self) -> list[Swing]:
        """The greatest swings, every pairing's first before any pairing's second."""
        ranked = [
            (place, -size, -first, board)
            for heap in self._heaps.values()
            for place, (size, first, board) in enumerate(sorted(heap, reverse=True))
            if size
        ]
        ranked.sort(key=lambda each: each[:3])
        return [Swing(-size, board) for _, size, _, board in ranked[: self._most]]
