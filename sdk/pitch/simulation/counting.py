"""How many cards of each class go to each hand, chosen with exact weights.

Here belongs the counting. Which seat stands behind a share, and the cards themselves, belong
to deals.py. A *class* is a set of cards that no share tells apart; where shares have weights,
class 0 is the trumps. A *share* is a hand (or several alike) that can't hold every class or
that has weights; whatever no share gets goes to the rest, which takes any card.

The number of ways to deal a share depends on the classes that are left for it alone. So the
shares are gone through one by one, and for each and each remainder the ways of all that
follows are added up (once, as far as they are asked for). A choice by these sums, share by
share, is a choice among all ways at once: exact, without rejection.
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb, factorial
from random import Random
from typing import NamedTuple

from pitch.simulation.origins import Weights

__all__ = ["Choice", "Counting", "Share"]

_Left = tuple[int, ...]
"""Cards left by class; when no share to come tells them apart, trumps and others."""


class Share(NamedTuple):
    """What is to be dealt to one hand, and to its discards if there are weights."""

    size: int  # cards of the hand
    classes: tuple[int, ...]  # that the hand may hold, ascending
    discards: int = 0  # of any class, as far as the weights allow
    weights: Weights | None = None  # by trumps in the hand and in the discards
    apart: bool = True  # False: all but trumps are one for it


class Choice(NamedTuple):
    """One dealing of a share."""

    by_class: tuple[int, ...]  # cards for the hand; where the share is not `apart`, only trumps
    discarded_trumps: int
    left: _Left


class _Menu(NamedTuple):
    """The dealings of a share with their weights added up."""

    choices: list[Choice]
    sums: list[float]


class Counting:
    """The ways to deal `counts` cards of each class to `shares`, those `apart` first.

    `rest` is how many cards no share gets. ValueError if there is no way.
    """

    def __init__(self, shares: Sequence[Share], counts: tuple[int, ...], rest: int) -> None:
        self._shares = shares
        self._weighted = any(share.weights is not None for share in shares)
        self._rest = rest
        self._menus: dict[tuple[int, _Left], _Menu] = {}
        self._start = counts if not shares or shares[0].apart else _joined(counts)
        if not self._ways(0, self._start):
            raise ValueError("expected a view that some deal agrees with, got one that none does")

    def draw(self, random: Random) -> list[Choice]:
        """One dealing of every share, as likely as the weight of all deals with its counts."""
        chosen = []
        left = self._start
        for number in range(len(self._shares)):
            choices, sums = self._menu(number, left)
            at = bisect(sums, random.random() * sums[-1], 0, len(sums) - 1)
            chosen.append(choices[at])
            left = choices[at].left
        return chosen

    def _ways(self, number: int, left: _Left) -> float:
        """The weight of all dealings of the shares from `number` on."""
        if number == len(self._shares):
            return self._ways_of_rest(left)
        sums = self._menu(number, left).sums
        return sums[-1] if sums else 0.0

    def _ways_of_rest(self, left: _Left) -> float:
        """Where to put the cards that are not trumps: into discards, unparted hands, the rest.

        How many each of these takes is fixed by then, so that it is one multinomial
        coefficient. Its divisors for the shares have been counted with the shares.
        """
        if not self._weighted:
            return 1.0
        trumps, others = left
        own = self._rest - trumps
        return factorial(others) / factorial(own) if 0 <= own <= others else 0.0

    def _menu(self, number: int, left: _Left) -> _Menu:
        menu = self._menus.get((number, left))
        if menu is None:
            menu = self._menus[number, left] = self._make_menu(number, left)
        return menu

    def _make_menu(self, number: int, left: _Left) -> _Menu:
        choices, weights = [], []
        share = self._shares[number]
        joins = number + 1 == len(self._shares) or not self._shares[number + 1].apart
        dealings = _dealings_apart(share, left) if share.apart else _dealings_joined(share, left)
        for choice, ways in dealings:
            after = choice._replace(left=_joined(choice.left)) if joins else choice
            weight = ways * self._ways(number + 1, after.left)
            if weight:
                choices.append(after)
                weights.append(weight)
        return _Menu(choices, list(accumulate(weights)))


def _joined(left: _Left) -> _Left:
    return left[0], sum(left[1:])


def _dealings_apart(share: Share, left: _Left) -> Iterator[tuple[Choice, float]]:
    """The dealings of a share that tells classes apart, with the ways of each."""
    for by_class in _compositions(share.size, share.classes, left):
        ways = 1
        for count, of in zip(by_class, left, strict=True):
            ways *= comb(of, count)
        after = tuple([of - count for count, of in zip(by_class, left, strict=True)])
        for thrown, weight in _discards(share, by_class[0], after[0]):
            remaining = (after[0] - thrown, *after[1:])
            yield Choice(by_class, thrown, remaining), ways * weight


def _dealings_joined(share: Share, left: _Left) -> Iterator[tuple[Choice, float]]:
    """The dealings of a share for which all but trumps are one, with the ways of each."""
    trumps, others = left
    most = min(trumps, share.size) if 0 in share.classes else 0
    for own in range(most + 1):
        ways = comb(trumps, own) / factorial(share.size - own)
        for thrown, weight in _discards(share, own, trumps - own):
            yield Choice((own,), thrown, (trumps - own - thrown, others)), ways * weight


def _discards(share: Share, own: int, trumps: int) -> Iterator[tuple[int, float]]:
    """How many of the `trumps` left are discards of a hand with `own`, with the weight."""
    if share.weights is None:
        yield 0, 1.0
        return
    row = share.weights[own]
    for thrown in range(min(share.discards, trumps, len(row) - 1) + 1):
        if row[thrown]:
            ways = comb(trumps, thrown) / factorial(share.discards - thrown)
            yield thrown, ways * row[thrown]


def _compositions(size: int, classes: tuple[int, ...], left: _Left) -> Iterator[tuple[int, ...]]:
    """Every way to make up `size` cards of `classes`, as counts by class."""
    taken = [0] * len(left)

    def fill(at: int, missing: int) -> Iterator[tuple[int, ...]]:
        if at == len(classes):
            if not missing:
                yield tuple(taken)
            return
        number = classes[at]
        for count in range(min(missing, left[number]) + 1):
            taken[number] = count
            yield from fill(at + 1, missing - count)
        taken[number] = 0

    return fill(0, size)
