"""How likely a hand and its discards are, seen from what the seat was dealt (rules.md 4.3).

Here belongs the weight of a hidden exchange. Every order of the deck is equally likely, and
every discard that a seat may have chosen is as likely as the others that it might have
chosen. So a hand and its discards weigh as much as all courses that lead to them: what was
kept and what was drawn, which card went in which round. Only the number of trumps counts.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import comb
from random import Random

from pitch.rules.actions import discard
from pitch.rules.cards import cards_of, mask_of
from pitch.rules.exchange import legal_exchange
from pitch.rules.state import Exchanged, Phase, hand_before_play
from pitch.rules.trumps import TRUMP_TABLES
from pitch.rules.variant import Variant
from pitch.simulation.courses import Course, Stage

__all__ = ["Weights", "draw_gained", "weights_of"]

Weights = tuple[tuple[float, ...], ...]
"""By the number of trumps in a hand, then in its discards."""

_Counts = tuple[int, int, int, int]  # trumps and others in the hand, trumps and others discarded


@lru_cache(maxsize=4096)
def weights_of(variant: Variant, course: Course, trumps: int) -> Weights:
    """What each number of trumps weighs, for a seat at the end of `course`.

    `trumps` is how many there are at most, in hand and discards together.
    """
    held, gone = course.held, course.discarded
    return tuple(
        tuple(
            _weight(variant, course, (own, held - own, thrown, gone - thrown))
            if own + thrown <= trumps
            else 0.0
            for thrown in range(min(gone, trumps) + 1)
        )
        for own in range(min(held, trumps) + 1)
    )


def draw_gained(
    variant: Variant, course: Course, hand: int, gone: int, trumps: int, random: Random
) -> int:
    """The mask of what the seat gained after its first round, one choice by its likelihood.

    `hand` and `gone` are the masks of the hand at the end of `course` and of all its
    discards; `trumps` is the mask of the trumps.
    """
    gained = 0
    while course.stages:
        counts = _counts(hand, gone, trumps)
        terms = list(_terms(variant, course, counts))
        weights = [weight for _, _, weight in terms]
        drawn, thrown, _ = random.choices(terms, weights)[0]
        stage = course.stages[-1]
        gained = _some(hand & trumps, drawn, random)
        gained |= _some(hand & ~trumps, stage.gained - drawn, random)
        back = _some(gone & trumps, thrown, random)
        back |= _some(gone & ~trumps, stage.discarded - thrown, random)
        hand, gone = hand ^ gained | back, gone ^ back
        course = course._replace(stages=course.stages[:-1])
    return gained


def _some(mask: int, count: int, random: Random) -> int:
    return mask_of(random.sample(cards_of(mask), count))


def _counts(hand: int, gone: int, trumps: int) -> _Counts:
    return (
        (hand & trumps).bit_count(),
        (hand & ~trumps).bit_count(),
        (gone & trumps).bit_count(),
        (gone & ~trumps).bit_count(),
    )


@lru_cache(maxsize=1 << 16)
def _weight(variant: Variant, course: Course, counts: _Counts) -> float:
    """The weight of one hand and one set of discards with these counts."""
    if course.stages:
        return sum([weight for _, _, weight in _terms(variant, course, counts)])
    return float(counts[0] > 0 or not course.named)


def _terms(variant: Variant, course: Course, counts: _Counts) -> Iterator[tuple[int, int, float]]:
    """The last stage of the course undone: trumps gained in it, trumps discarded, the weight."""
    own, plain, own_gone, plain_gone = counts
    *_, stage = course.stages
    before = course._replace(stages=course.stages[:-1])
    for drawn in range(max(0, stage.gained - plain), min(own, stage.gained) + 1):
        drawn_plain = stage.gained - drawn
        ways = comb(own, drawn) * comb(plain, drawn_plain)
        lowest = max(0, stage.discarded - plain_gone)
        for thrown in range(lowest, min(own_gone, stage.discarded) + 1):
            thrown_plain = stage.discarded - thrown
            splits = ways * comb(own_gone, thrown) * comb(plain_gone, thrown_plain)
            then = (own - drawn + thrown, plain - drawn_plain + thrown_plain)
            chance = _chance(variant, stage, *then, thrown)
            if chance:
                earlier = (*then, own_gone - thrown, plain_gone - thrown_plain)
                yield drawn, thrown, splits * chance * _weight(variant, before, earlier)


@lru_cache(maxsize=1 << 14)
def _chance(variant: Variant, stage: Stage, own: int, plain: int, thrown: int) -> float:
    """How likely one discard with `thrown` trumps is, from a hand with these counts.

    The rules are asked with clubs for trump and the lowest cards of each kind.
    """
    trumps = cards_of(TRUMP_TABLES[variant.off_jack][0].trumps)
    others = cards_of(~mask_of(trumps) & (1 << variant.deck) - 1)
    hands = (mask_of((*trumps[:own], *others[:plain])), *(0,) * (variant.players - 1))
    exchanged = Exchanged((), (0,) * variant.players, stage.step)
    legal = legal_exchange(
        hand_before_play(variant, 0, Phase.EXCHANGE, 0, hands, 0, 0, 0, (), exchanged)
    )
    cards = (*trumps[:thrown], *others[: stage.discarded - thrown])
    return 1 / len(legal) if discard(cards) in legal else 0.0
