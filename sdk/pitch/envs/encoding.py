"""What a seat may know and may do, as vectors of int8: one encoding for all that learns.

Here belongs the layout. It is made from `pitch.rules.view` and the variant alone, so no vector
knows more than its seat. Seats and sides are turned: the own one is 0, the next in turn is 1.
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from pitch.envs.actions import ACTION_COUNT, legal_indexes, narrowed, take_step
from pitch.rules import (
    CARD_COUNT,
    MOON,
    SMUDGE,
    TRUMP_TABLES,
    Action,
    Discards,
    Kind,
    Phase,
    Variant,
    View,
)
from pitch.simulation.voids import possible_cards
from pitch.table.unit import Unit

__all__ = ["Encoding", "Vector", "margin_of", "reward_of"]

Vector = NDArray[np.int8]

_BID_PLACES = 12  # 1 to 10, smudge, moon
_CALL_PLACES = _BID_PLACES + 2  # pass before them, a pitch after them
_ROUNDS = 2  # of discards, at most
_SCORE_LIMIT = 120  # per cent of the target
_HANDS_LIMIT = 100


class Encoding:
    """The vectors of one variant. `layout` names the parts of an observation, as slices."""

    def __init__(self, variant: Variant, unit: Unit = Unit.HAND) -> None:
        self.variant = variant
        self.unit = unit
        self.layout: Mapping[str, slice] = dict(_layout(variant))
        self._start: dict[str, int] = {name: part.start for name, part in self.layout.items()}
        self._bits = self.layout["unit"].stop
        self.size = self.layout["hands_played"].stop
        self.low: Vector = np.zeros(self.size, np.int8)
        self.high: Vector = np.ones(self.size, np.int8)
        self.high[self.layout["discard_counts"]] = CARD_COUNT
        self.low[self.layout["scores"]] = -_SCORE_LIMIT
        self.high[self.layout["scores"]] = _SCORE_LIMIT
        self.high[self.layout["hands_played"]] = _HANDS_LIMIT

    def observation(self, known: View, putting: int = 0) -> Vector:
        """What the seat knows; `putting` holds the cards of a discard that is being made."""
        bits = self._cards(known, putting) | self._seats(known) | self._auction(known)
        vector = np.zeros(self.size, np.int8)
        packed = np.frombuffer(bits.to_bytes(self._bits // 8 + 1, "little"), np.uint8)
        vector[: self._bits] = np.unpackbits(packed, count=self._bits, bitorder="little")
        self._write_numbers(known, vector)
        return vector

    def mask(self, known: View, putting: int = 0) -> Vector:
        """1 for each index that may be chosen; all 0 where the seat is not to act."""
        mask = np.zeros(ACTION_COUNT, np.int8)
        mask[legal_indexes(known.legal, putting)] = 1
        return mask

    def choose(self, known: View, pick: Callable[[Vector, Vector], int]) -> Action:
        """The action that `pick` (observation and mask in, index out) makes of a decision."""
        putting = 0
        while True:
            index = int(pick(self.observation(known, putting), self.mask(known, putting)))
            outcome = take_step(known.legal, putting, index)
            if isinstance(outcome, Action):
                return outcome
            putting = outcome

    # --- parts --------------------------------------------------------------------------------

    def _cards(self, known: View, putting: int) -> int:
        at, players, sides = self._start, self.variant.players, self.variant.sides
        if isinstance(known.legal, Discards):
            putting = narrowed(known.legal, putting).required
        bits = known.hand << at["hand"] | known.discarded << at["discarded"]
        bits |= known.received << at["received"] | putting << at["putting"]
        played, start = known.played, 0
        for size, winner in zip(known.trick_sizes, known.trick_winners, strict=True):
            taken = at["taken"] + (winner - known.seat) % sides * CARD_COUNT
            for seat, card in played[start : start + size]:
                row = (seat - known.seat) % players * CARD_COUNT
                bits |= 1 << at["played"] + row + card | 1 << taken + card
            start += size
        for seat, card in played[start:]:
            bits |= 1 << at["trick"] + (seat - known.seat) % players * CARD_COUNT + card
        return bits

    def _seats(self, known: View) -> int:
        at, players = self._start, self.variant.players
        bits = 1 << at["phase"] + known.phase
        for name, seat in (
            ("dealer", known.dealer),
            ("pitcher", known.pitcher),
            ("to_act", known.to_act),
        ):
            if seat >= 0:
                bits |= 1 << at[name] + (seat - known.seat) % players
        if known.trump >= 0:
            bits |= 1 << at["trump"] + known.trump
            bits |= self._voids(known) << at["voids"]
        if self.unit is Unit.GAME:
            bits |= 1 << at["unit"]
        return bits

    def _voids(self, known: View) -> int:
        """The suits, as they count under trump, that plays have shown a seat to be out of."""
        if known.phase < Phase.PLAY or not known.played:
            return 0
        players, bits = self.variant.players, 0
        suits = TRUMP_TABLES[self.variant.off_jack][known.trump].suits
        for seat, possible in enumerate(possible_cards(self.variant, known)):
            row = (seat - known.seat) % players * 4
            for suit in range(4):
                bits |= (not possible & suits[suit]) << row + suit
        return bits

    def _auction(self, known: View) -> int:
        at, players = self._start, self.variant.players
        bits = 1 << at["bid"] + _bid_place(known.bid) if known.bid else 0
        latest = dict(known.auction)
        for seat, call in latest.items():
            bits |= 1 << at["calls"] + (seat - known.seat) % players * _CALL_PLACES + _place(call)
            if call.kind is Kind.PITCH:
                bits |= 1 << at["pitched"] + call.value
        if known.leftovers is not None:
            bits |= 1 << at["leftovers"] + (known.leftovers.kind is Kind.GIVE)
        return bits

    def _write_numbers(self, known: View, vector: Vector) -> None:
        at, players, sides = self._start, self.variant.players, self.variant.sides
        for number, counts in enumerate(known.discard_counts):
            for seat, count in counts:
                place = at["discard_counts"] + (seat - known.seat) % players * _ROUNDS + number
                vector[place] = count
        for side, score in enumerate(known.scores):
            share = max(-_SCORE_LIMIT, min(_SCORE_LIMIT, score * 100 // self.variant.target))
            vector[at["scores"] + (side - known.seat) % sides] = share
        vector[at["hands_played"]] = min(known.hand_number, _HANDS_LIMIT)


def margin_of(scores: tuple[int, ...], side: int) -> float:
    """A side's score less the mean of the others'."""
    return scores[side] - (sum(scores) - scores[side]) / (len(scores) - 1)


def reward_of(unit: Unit, scores: tuple[int, ...], winner: int | None, side: int) -> float:
    """What a game was worth to a side: by the hand the margin; by the game 1 for the winner.

    The others share -1 then, so that rewards add up to 0; a draw is 0.
    """
    if unit is Unit.HAND:
        return margin_of(scores, side)
    if winner is None:
        return 0.0
    return 1.0 if winner == side else -1.0 / (len(scores) - 1)


def _layout(variant: Variant) -> Iterator[tuple[str, slice]]:
    players, sides = variant.players, variant.sides
    lengths = {
        "hand": CARD_COUNT,
        "discarded": CARD_COUNT,
        "received": CARD_COUNT,
        "putting": CARD_COUNT,
        "pitched": CARD_COUNT,
        "trick": players * CARD_COUNT,
        "played": players * CARD_COUNT,
        "taken": sides * CARD_COUNT,
        "voids": players * 4,
        "trump": 4,
        "phase": len(Phase),
        "to_act": players,
        "dealer": players,
        "pitcher": players,
        "bid": _BID_PLACES,
        "calls": players * _CALL_PLACES,
        "leftovers": 2,
        "unit": 1,
        "discard_counts": players * _ROUNDS,
        "scores": sides,
        "hands_played": 1,
    }
    start = 0
    for name, length in lengths.items():
        yield name, slice(start, start + length)
        start += length


def _bid_place(bid: int) -> int:
    return {SMUDGE: 10, MOON: 11}.get(bid, bid - 1)


def _place(call: Action) -> int:
    if call.kind is Kind.BID:
        return 1 + _bid_place(call.value)
    return 0 if call.kind is Kind.PASS else _CALL_PLACES - 1
