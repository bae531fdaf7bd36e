from collections import Counter, defaultdict
from itertools import product
from random import Random

import pytest
from scipy import stats

from pitch.simulation.counting import Counting, Share

TWO = ((1.0, 0.5), (3.0, 0.0))  # by trumps in the hand, then in the discards

TABLES = [
    pytest.param((2, 2, 2), [Share(2, (0, 2)), Share(1, (1,)), Share(1, (1, 2))], id="apart"),
    pytest.param((2, 3), [Share(1, (0, 1), 1, TWO, False)], id="weights"),
    pytest.param(
        (2, 4),
        [Share(1, (0, 1), 1, TWO, False), Share(1, (1,), 0, None, False)],
        id="weights-and-no-trump",
    ),
    pytest.param(
        (2, 2, 2),
        [Share(1, (0, 2), 1, TWO, True), Share(1, (0, 1, 2), 1, TWO, False)],
        id="weights-apart-and-joined",
    ),
]


def dealings(counts: tuple[int, ...], shares: list[Share]) -> dict[tuple[int, ...], float]:
    """The weight of each result, by trying every place for every card."""
    cards = [number for number, count in enumerate(counts) for _ in range(count)]
    # The number of a share, with 0 for its hand and 1 for its discards; or the rest.
    places = [(-1, 0), *((at, part) for at in range(len(shares)) for part in (0, 1))]
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for choice in product(places, repeat=len(cards)):
        weight = 1.0
        result: list[int] = []
        for at, share in enumerate(shares):
            hand, gone = (
                [card for card, place in zip(cards, choice, strict=True) if place == (at, part)]
                for part in (0, 1)
            )
            fits = len(hand) == share.size and len(gone) == share.discards
            if not fits or not set(hand) <= set(share.classes):
                weight = 0.0
            elif share.weights:
                weight *= share.weights[hand.count(0)][gone.count(0)]
            seen = range(len(counts)) if share.apart else range(1)
            result += [*map(hand.count, seen), gone.count(0)]
            if not weight:
                break
        else:
            found[tuple(result)] += weight
    return found


@pytest.mark.parametrize(("counts", "shares"), TABLES)
def test_counts_are_drawn_as_often_as_there_are_ways(
    counts: tuple[int, ...], shares: list[Share]
) -> None:
    expected = dealings(counts, shares)
    rest = sum(counts) - sum(share.size + share.discards for share in shares)
    counting = Counting(shares, counts, rest)
    chance = Random(5)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(4000):
        result: list[int] = []
        for choice in counting.draw(chance):
            result += [*choice.by_class, choice.discarded_trumps]
        seen[tuple(result)] += 1
    assert set(seen) == set(expected)
    scale = 4000 / sum(expected.values())
    observed = [seen[key] for key in expected]
    assert stats.chisquare(observed, [expected[key] * scale for key in expected]).pvalue > 0.001


def test_what_can_t_be_dealt_is_refused() -> None:
    with pytest.raises(ValueError, match="some deal agrees"):
        Counting([Share(3, (0,))], (2, 5), 4)
