"""A field: what the boards of all pairings add up to, with the board as the unit of chance.

Here belong the sums from which ratings with their errors and the chances of ranks are made; the
memory grows with pairings and entrants, never with boards. What is made of them belongs to
`least_squares`.

Pairings share boards, so their margins on one are not independent. Of each board there is
a row, what each entrant's margins sum to there. Boards at which the same pairings met form
a *pattern*; within one the sums of the rows and of their products are all that is needed. There
are few patterns: one, but for void games, pairings that ended early and independent deals (one a
pairing).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitch_server.comparing.resampling import BOARDS_A_CHUNK, poisson_weights

__all__ = ["Field", "FieldSums", "PatternSums"]

NOWHERE = 0
_ALONE = 1 << 18
"""Multiplications that BLAS does without other threads: waiting for those takes ten times as long
where the processors have bots to run."""
"""The pattern of boards that nobody met at."""


class PatternSums(NamedTuple):
    """The boards at which exactly these pairings met; all sums are of margins times the scale."""

    pairings: tuple[int, ...]
    members: NDArray[np.int64]
    """The entrants of those, ascending: the order of the sums."""
    boards: int
    totals: NDArray[np.int64]
    products: NDArray[np.int64]
    weights: NDArray[np.float64]
    """How many of the boards each resample has."""


class FieldSums(NamedTuple):
    """What a field adds up to."""

    entrants: int
    pairings: Sequence[Sequence[int]]
    sides: int
    """The entrant at place p of a pairing is of side p mod sides."""
    scale: int
    patterns: tuple[PatternSums, ...]
    resampled: NDArray[np.float64]
    """[resample, entrant]: what each entrant's margins sum to in each resample, times the scale."""

    @property
    def partners(self) -> bool:
        """Whether sides have several entrants."""
        return len(self.pairings) > 0 and len(self.pairings[0]) > self.sides

    @property
    def boards(self) -> int:
        """How many boards there are."""
        return sum(pattern.boards for pattern in self.patterns)


class _Chunk:
    """Rows and patterns of BOARDS_A_CHUNK boards of consecutive numbers."""

    __slots__ = ("patterns", "rows")

    def __init__(self, entrants: int) -> None:
        self.rows = np.zeros((BOARDS_A_CHUNK, entrants), dtype=np.int64)
        self.patterns = np.full(BOARDS_A_CHUNK, NOWHERE, dtype=np.int64)


class Field:
    """Takes in margins by board and pairing; a result costs the same however many there are.

    With `in_order` the boards come in ascending order, give or take a chunk, and the pairings of
    each in one order, as they do where the plan goes board by board. Else every board's row is
    kept (8 bytes an entrant) and summed when asked. With independent deals each pairing's board
    has a number of its own. `resamples` of 0 spares the time for the chances of ranks. Where sides
    have several entrants, place p of a pairing is of side p mod `sides`.
    """

    def __init__(
        self,
        entrants: int,
        pairings: Sequence[Sequence[int]],
        scale: int = 1,
        *,
        sides: int | None = None,
        in_order: bool = True,
        resamples: int = 0,
        seed: int = 0,
    ) -> None:
        self.entrants = entrants
        self.pairings = pairings
        self.sides = sides
        self.scale = scale
        self.in_order = in_order
        self.resamples = resamples
        self.seed = seed
        self._chunks: dict[int, _Chunk] = {}
        self._next: dict[tuple[int, int], int] = {}
        self._last: list[tuple[int, int]] = [(NOWHERE, -1)]  # each pattern: a former, one more
        self._done = -1
        self._met: dict[int, tuple[int, ...]] = {}
        self._sums: dict[tuple[int, ...], PatternSums] = {}
        self._resampled = np.zeros((resamples, entrants))

    def add(self, board: int, pairing: int, margins: Sequence[int]) -> None:
        """Take in a board of a pairing: D of each of its sides, times the scale.

        Raises ValueError for a board that is long over, where boards are to come in order.
        """
        chunk = self._chunk(board // BOARDS_A_CHUNK)
        place = board % BOARDS_A_CHUNK
        row = chunk.rows[place]
        sides = len(margins)
        for at, entrant in enumerate(self.pairings[pairing]):
            row[entrant] += margins[at % sides]
        chunk.patterns[place] = self._joined(int(chunk.patterns[place]), pairing)

    def _chunk(self, number: int) -> _Chunk:
        found = self._chunks.get(number)
        if found is not None:
            return found
        if number <= self._done:
            raise ValueError(
                f"boards {number * BOARDS_A_CHUNK} to {(number + 1) * BOARDS_A_CHUNK - 1} are "
                f"over; expected boards in ascending order, else make the field with in_order=False"
            )
        if self.in_order:
            for before in sorted(self._chunks):
                if before < number - 1:
                    self._absorb(before, self._chunks.pop(before))
                    self._done = before
        found = self._chunks[number] = _Chunk(self.entrants)
        return found

    def _joined(self, pattern: int, pairing: int) -> int:
        """The pattern that has one pairing more."""
        joined = self._next.get((pattern, pairing))
        if joined is None:
            joined = self._next[pattern, pairing] = len(self._last)
            self._last.append((pattern, pairing))
        return joined

    def _pairings(self, pattern: int) -> tuple[int, ...]:
        """The pairings of a pattern, in whatever order they came."""
        found = self._met.get(pattern)
        if found is None:
            met, at = [], pattern
            while at != NOWHERE:
                at, pairing = self._last[at]
                met.append(pairing)
            found = self._met[pattern] = tuple(sorted(met))
        return found

    def _new_sums(self, met: tuple[int, ...]) -> PatternSums:
        members = np.array(sorted({entrant for one in met for entrant in self.pairings[one]}))
        size = len(members)
        return PatternSums(
            met,
            members,
            0,
            np.zeros(size, dtype=np.int64),
            np.zeros((size, size), dtype=np.int64),
            np.zeros(self.resamples),
        )

    def _absorb(self, number: int, chunk: _Chunk) -> None:
        """Add a chunk to the sums; nothing that is there is changed in place."""
        patterns = [int(p) for p in np.unique(chunk.patterns) if p != NOWHERE]
        of_pattern = chunk.patterns[:, None] == np.array(patterns, dtype=np.int64)
        drawn = self._draw(number, chunk, of_pattern)
        for place, pattern in enumerate(patterns):
            met = self._pairings(pattern)
            sums = self._sums.get(met) or self._new_sums(met)
            rows = chunk.rows[of_pattern[:, place]][:, sums.members]
            self._sums[met] = sums._replace(
                boards=sums.boards + len(rows),
                totals=sums.totals + rows.sum(axis=0),
                products=sums.products + rows.T @ rows,
                weights=sums.weights + drawn[:, place],
            )

    def _draw(
        self, number: int, chunk: _Chunk, of_pattern: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Add a chunk to every resample; gives how many boards of each pattern each resample drew.

        In whole numbers far below 2^53, which floats hold exactly in whatever order they add.
        """
        columns = np.concatenate((of_pattern, chunk.rows), axis=1).astype(np.float64)
        if not self.resamples:
            return np.zeros((0, columns.shape[1]))
        weights = poisson_weights(self.seed, number, self.resamples)
        drawn = _product(weights.astype(np.float64), columns)
        self._resampled = self._resampled + drawn[:, of_pattern.shape[1] :]
        return drawn

    def sums(self) -> FieldSums:
        """What all that came adds up to."""
        kept, resampled = dict(self._sums), self._resampled
        try:
            for number in sorted(self._chunks):
                self._absorb(number, self._chunks[number])
            return FieldSums(
                self.entrants,
                self.pairings,
                self.sides or (len(self.pairings[0]) if len(self.pairings) else 2),
                self.scale,
                tuple(self._sums[pattern] for pattern in sorted(self._sums)),
                self._resampled,
            )
        finally:
            self._sums, self._resampled = kept, resampled


def _product(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix product, some rows at a time where that keeps it to this thread."""
    rows, inner, columns = len(left), left.shape[1], right.shape[1]
    step = _ALONE // (inner * columns)
    if step < 8:  # so wide a product is worth threads
        wide: NDArray[np.float64] = left @ right
        return wide
    product = np.empty((rows, columns))
    whole = rows // step * step
    blocks = left[:whole].reshape(-1, step, inner)
    np.matmul(blocks, right, out=product[:whole].reshape(-1, step, columns))
    np.matmul(left[whole:], right, out=product[whole:])
    return product
