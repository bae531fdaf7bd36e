from random import Random

import numpy as np
import pytest

from pitch_server.comparing.resampling import BOARDS_A_CHUNK
from pitch_server.rating.field import Field, FieldSums, _product
from rating.fields import Margins, field_of, pairings_of, played

PAIRINGS = pairings_of(3)
SOME = played(PAIRINGS, 1300, (1, 0, 0), misses=lambda board, pairing: board % 100 == pairing)


def alike(one: FieldSums, other: FieldSums) -> bool:
    """Whether two sums are equal to the last bit."""

    def listed(sums: FieldSums) -> list[object]:
        return [
            [part.tolist() if isinstance(part, np.ndarray) else part for part in pattern]
            for pattern in sums.patterns
        ]

    return listed(one) == listed(other) and bool((one.resampled == other.resampled).all())


def test_patterns_are_of_boards_at_which_the_same_met() -> None:
    sums = field_of(3, PAIRINGS, SOME).sums()
    found = {pattern.pairings: pattern for pattern in sums.patterns}
    assert {met: pattern.boards for met, pattern in found.items()} == {
        (0, 1, 2): 1300 - 39,
        (1, 2): 13,
        (0, 2): 13,
        (0, 1): 13,
    }
    assert sums.boards == 1300
    rows = [
        [SOME[board, 1][0], SOME[board, 2][0], SOME[board, 1][1] + SOME[board, 2][1]]
        for board in range(0, 1300, 100)
    ]
    assert found[1, 2].totals.tolist() == np.sum(rows, axis=0).tolist()
    assert found[1, 2].products.tolist() == (np.array(rows).T @ np.array(rows)).tolist()


@pytest.mark.parametrize("resamples", [0, 20])
def test_going_by_pairing_gives_the_same_as_by_board(resamples: int) -> None:
    by_board = field_of(3, PAIRINGS, SOME, resamples=resamples, seed=5)
    by_pairing = field_of(
        3,
        PAIRINGS,
        dict(sorted(SOME.items(), key=lambda item: item[0][::-1])),
        resamples=resamples,
        seed=5,
        in_order=False,
    )
    assert alike(by_board.sums(), by_pairing.sums())


def test_being_asked_on_the_way_changes_nothing() -> None:
    asked = Field(3, PAIRINGS, resamples=20, seed=5)
    for count, ((board, pairing), margins) in enumerate(SOME.items()):
        asked.add(board, pairing, margins)
        if count % 500 == 0:
            assert asked.sums().boards == board + 1
    assert alike(asked.sums(), field_of(3, PAIRINGS, SOME, resamples=20, seed=5).sums())


def test_boards_in_order_may_come_in_any_within_a_chunk() -> None:
    items = list(SOME.items())
    shuffled: Margins = {}
    for start in range(0, len(items), BOARDS_A_CHUNK):
        some = items[start : start + BOARDS_A_CHUNK]
        Random(1).shuffle(some)
        shuffled.update(some)
    assert alike(field_of(3, PAIRINGS, SOME).sums(), field_of(3, PAIRINGS, shuffled).sums())


def test_a_board_that_is_long_over_is_refused_where_they_come_in_order() -> None:
    field = Field(2, [(0, 1)])
    field.add(0, 0, (1, -1))
    field.add(2 * BOARDS_A_CHUNK, 0, (1, -1))
    with pytest.raises(ValueError, match=r"boards 0 to 511 are over; expected .* in_order=False"):
        field.add(5, 0, (1, -1))
    field.add(BOARDS_A_CHUNK, 0, (1, -1))
    assert field.sums().boards == 3


def test_memory_does_not_grow_with_boards() -> None:
    field = Field(2, [(0, 1)])
    for board in range(50 * BOARDS_A_CHUNK):
        field.add(board, 0, (1, -1))
    assert len(field._chunks) <= 2
    assert len(field.sums().patterns) == 1


@pytest.mark.parametrize(
    ("rows", "inner", "columns"), [(1000, 512, 3), (999, 512, 56), (7, 512, 2), (50, 512, 300)]
)
def test_products_are_the_same_in_blocks(rows: int, inner: int, columns: int) -> None:
    chance = np.random.default_rng(1)
    left = chance.integers(0, 9, (rows, inner)).astype(np.float64)
    right = chance.integers(-99, 99, (inner, columns)).astype(np.float64)
    assert (_product(left, right) == left @ right).all()
