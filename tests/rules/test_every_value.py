"""Every value of every field is seen at work in some hand played by chance.

A case names the value, what else the variant needs for it, and what shows in a playout that the
value had its effect: what could not show under another value.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields
from random import Random
from typing import Any, NamedTuple

import pytest

from pitch.rules import (
    MOON,
    SMUDGE,
    VARIANTS,
    Discards,
    Game,
    Hand,
    HandResult,
    Kind,
    Phase,
    Variant,
    finish_hand,
    legal_actions,
    off_jack_of,
    start_game,
)
from pitch.rules.trumps import JACK, TEN, THREE, TRUMP_TABLES
from rules.invariants import check_everything
from rules.playing import variant
from strategies import Playout, play_out

HANDS = 3000  # tried at most until the effect shows


class Seen(NamedTuple):
    """One hand as played, and what it came to."""

    playout: Playout
    game: Game
    result: HandResult

    @property
    def last(self) -> Hand:
        return self.playout.hands[-1]

    @property
    def variant(self) -> Variant:
        return self.last.variant

    @property
    def calls(self) -> list[tuple[int, Kind, int]]:
        return [(seat, action.kind, action.value) for seat, action in self.last.auction]

    @property
    def trumps(self) -> int:
        return TRUMP_TABLES[self.variant.off_jack][self.last.trump].trumps

    @property
    def won(self) -> dict[str, int | None]:
        return dict(self.result.won)

    def taker(self, card: int) -> int | None:
        """The side that took a card."""
        start = 0
        for size, winner in zip(self.last.trick_sizes, self.last.trick_winners, strict=True):
            if card in [played for _, played in self.last.played[start : start + size]]:
                return self.variant.side_of(winner)
            start += size
        return None

    def plays(self) -> list[tuple[Hand, int]]:
        """Each state in which a card was played by a seat that did not lead, and the card."""
        pairs = zip(self.playout.hands, self.playout.actions, strict=False)
        return [
            (hand, action.value)
            for hand, (_, action) in pairs
            if hand.phase is Phase.PLAY and hand.led >= 0
        ]

    def holds(self, hand: Hand) -> tuple[int, int, int]:
        """Of a seat that follows: all its cards, those of the suit led, its trumps."""
        table = TRUMP_TABLES[self.variant.off_jack][hand.trump]
        held = hand.hands[hand.to_act]
        return held, held & table.suits[hand.led], held & table.trumps

    def side_led(self) -> list[tuple[Hand, int]]:
        """As `plays`, where the suit led is not trump and the first trick is over."""
        return [
            (hand, card)
            for hand, card in self.plays()
            if hand.led != hand.trump and hand.trick_winners
        ]

    def first_card(self) -> int:
        return 1 << self.last.played[0][1]


Shows = Callable[[Seen], Any]


def _bid(value: int) -> Shows:
    return lambda seen: seen.last.bid == value


def _follows(*, trumping: bool, void: str) -> Shows:
    """A hand in which a seat that could follow a side suit could trump it too, or could not;
    and one void, with trumps and others, could play anything, or trumps alone."""

    def shows(seen: Seen) -> bool:
        could, was_void = False, False
        for hand, _ in seen.side_led():
            held, suit, trumps = seen.holds(hand)
            if suit and trumps:
                could |= hand.playable == (suit | trumps if trumping else suit)
            elif trumps and trumps != held:
                was_void |= hand.playable == (held if void == "anything" else trumps)
        return could and was_void

    return shows


def _dealer_equals(seen: Seen) -> bool:
    values = [value for _, kind, value in seen.calls if kind == Kind.BID]
    return len(values) > 1 and values[-1] == values[-2]


def _acts_twice(seen: Seen) -> bool:
    seats = [seat for seat, _, _ in seen.calls]
    return len(set(seats)) < len(seats)


def _took_over(seen: Seen) -> bool:
    pitched = [seat for seat, kind, _ in seen.calls if kind == Kind.PITCH]
    return len(set(pitched)) == 2 and not seen.result.made


def _discards(seen: Seen, of: Callable[[Hand, Discards], bool]) -> bool:
    return any(
        of(hand, legal)
        for hand in seen.playout.hands
        if isinstance(legal := legal_actions(hand), Discards)
    )


def _may_throw_trumps(seen: Seen) -> bool:
    """A seat has plain cards enough, and may discard a trump all the same."""
    return _discards(
        seen,
        lambda hand, legal: (
            bool(legal.optional & seen.trumps)
            and (hand.hands[hand.to_act] & ~seen.trumps).bit_count() > legal.maximum
        ),
    )


def _barred_trump(seen: Seen) -> bool:
    """A void seat with trumps and others may not trump the first trick."""
    return any(
        hand.led != hand.trump
        and not hand.trick_winners
        and not seen.holds(hand)[1]
        and seen.holds(hand)[2]
        and not hand.playable & seen.trumps
        for hand, _ in seen.plays()
    )


def _low_goes(by: str) -> Shows:
    """Low is scored by another side than the other rule would give it."""

    def shows(seen: Seen) -> bool:
        played = [card for _, card in seen.last.played]
        order = TRUMP_TABLES[seen.variant.off_jack][seen.last.trump].high_to_low
        lowest = [card for card in order if card in played][-1]
        holder = next(seat for seat, card in seen.last.played if card == lowest)
        sides = {"held": seen.variant.side_of(holder), "taken": seen.taker(lowest)}
        return sides["held"] != sides["taken"] and seen.won["low"] == sides[by]

    return shows


def _game_goes_to_the_ten(seen: Seen) -> bool:
    taker = seen.taker(seen.last.trump * 13 + TEN)
    return taker is not None and seen.won["game"] == taker


def _game_goes_past_the_ten(seen: Seen) -> bool:
    return seen.won["game"] not in (None, seen.taker(seen.last.trump * 13 + TEN))


def _wins(shows: Callable[[Seen, int, int], bool]) -> Shows:
    """The game is over by its target, told the bidding side and the winner."""
    return lambda seen: (
        seen.game.winner is not None
        and shows(seen, seen.variant.side_of(seen.result.pitcher), seen.game.winner)
    )


def _stock_left(seen: Seen) -> int:
    return len(seen.playout.hands[0].exchanged.stock)


def _size(seen: Seen) -> int:
    return seen.playout.hands[0].hands[0].bit_count()


NAMED = {"trump": "named", "opening_lead": "trump"}
LATE = {"rounds": "until_passed"}
ALWAYS: Shows = lambda _seen: True  # noqa: E731 - the value itself is all that shows


CASES: list[tuple[str, object, dict[str, Any], Shows]] = [
    # field, value, what else the variant (pitch-ac) needs, what shows it
    *((("players", n, {"sides": n if n % 2 else 2}, lambda seen: len(seen.last.trick_sizes) == 6))
      for n in range(2, 9)),
    *(("sides", n, {"players": 8 if 8 % n == 0 else n}, lambda seen: len(seen.result.points) ==
       seen.variant.sides) for n in range(2, 9)),
    ("deck", 52, {}, lambda seen: "high_joker" not in seen.won),
    ("deck", 54, NAMED, lambda seen: seen.won["high_joker"] is not None),
    *(("packet", n, {}, lambda seen: _size(seen) == 6) for n in (1, 2, 4, 5, 6, 54)),
    ("packet", 3, {}, lambda seen: _size(seen) == 6),
    *(("dealt", n, {**NAMED, "exchange": "discard"}, lambda seen: _size(seen) == seen.variant.dealt)
      for n in range(6, 14)),
    *(("min_bid", n, {"max_bid": 4}, lambda seen: seen.last.bid == seen.variant.min_bid)
      for n in range(1, 5)),
    *(("max_bid", n, {**NAMED, "deck": 54, "off_jack": True, "trey": True, "min_bid": 1},
       lambda seen: seen.last.bid == seen.variant.max_bid) for n in range(1, 11)),
    ("smudge", True, {}, _bid(SMUDGE)),
    ("smudge", False, {}, lambda seen: seen.last.bid == 4),
    ("moon", True, {}, _bid(MOON)),
    ("moon", False, {}, lambda seen: seen.last.bid == 4),
    ("steal", True, {}, _dealer_equals),
    ("steal", False, {}, lambda seen: seen.calls[-1][1] == Kind.BID and not _dealer_equals(seen)),
    ("rounds", "until_passed", {}, _acts_twice),
    ("rounds", "one", {}, lambda seen: len(seen.calls) == 4),
    ("stuck", "must_bid", {}, lambda seen: seen.calls[-1][1] == Kind.BID
     and all(kind == Kind.PASS for _, kind, _ in seen.calls[:-1])),
    ("stuck", "pass_is_min", {},
     lambda seen: all(kind == Kind.PASS for _, kind, _ in seen.calls) and seen.last.bid == 2),
    ("top_bid_ends", True, {}, lambda seen: len(seen.calls) < 4 and seen.last.bid == 4),
    ("top_bid_ends", False, {}, lambda seen: len(seen.calls) == 4 and seen.calls[0][2] == 4),
    ("pitching", True, {}, lambda seen: any(kind == Kind.PITCH for _, kind, _ in seen.calls)),
    ("pitching", False, {}, lambda seen: seen.last.bid == 4),
    ("takeover_doubles", True, {"pitching": True},
     lambda seen: _took_over(seen) and min(seen.result.delta) == -8),
    ("takeover_doubles", False, {"pitching": True},
     lambda seen: _took_over(seen) and min(seen.result.delta) == -4),
    ("trump", "lead", {}, lambda seen: seen.last.trump == seen.last.played[0][1] // 13),
    ("trump", "named", {"opening_lead": "any"}, lambda seen: not seen.first_card() & seen.trumps),
    ("exchange", "none", NAMED, lambda seen: not seen.last.exchanged.rounds),
    ("exchange", "draw", NAMED, lambda seen: _discards(seen, lambda _, legal: legal.minimum == 0)),
    ("exchange", "discard", {**NAMED, "dealt": 8},
     lambda seen: _discards(seen, lambda _, legal: legal.minimum == legal.maximum == 2)),
    ("exchange", "widow", {**NAMED, "dealt": 12}, lambda seen: seen.last.exchanged.received),
    ("exchange", "pitcher_draw", {**NAMED, "dealt": 9},
     lambda seen: [len(each) for each in seen.last.exchanged.rounds] == [1, 4]),
    ("exchange", "trump_refill", {**NAMED, "dealt": 9, "follow": "trump_only"},
     lambda seen: seen.last.exchanged.leftovers),
    ("keep_trumps", True, {**NAMED, "exchange": "discard", "dealt": 8},
     lambda seen: _discards(seen, lambda hand, legal: bool(hand.hands[hand.to_act] & seen.trumps))
     and not _may_throw_trumps(seen)),
    ("keep_trumps", False, {**NAMED, "exchange": "discard", "dealt": 8}, _may_throw_trumps),
    ("opening_lead", "sets_trump", {}, lambda seen: seen.first_card() & seen.trumps),
    ("opening_lead", "trump", {"trump": "named"}, lambda seen: seen.first_card() & seen.trumps),
    ("opening_lead", "any", {"trump": "named"}, lambda seen: not seen.first_card() & seen.trumps),
    ("opening_lead", "side_free", {"trump": "named"}, _barred_trump),
    ("follow", "follow_or_trump", {}, _follows(trumping=True, void="anything")),
    ("follow", "strict", {}, _follows(trumping=False, void="anything")),
    ("follow", "must_follow_or_trump", {}, _follows(trumping=True, void="trumps")),
    ("follow", "strict_then_trump", {}, _follows(trumping=False, void="trumps")),
    ("follow", "trump_only", {**NAMED, "exchange": "trump_refill", "dealt": 9},
     lambda seen: any(size < 4 for size in seen.last.trick_sizes)),
    ("low", "taken", {}, _low_goes("taken")),
    ("low", "held", {}, _low_goes("held")),
    ("game", "count", {}, _game_goes_past_the_ten),
    ("game", "ten", {}, _game_goes_to_the_ten),
    ("off_jack", True, {}, lambda seen: seen.won["off_jack"] is not None
     and seen.taker(off_jack_of(seen.last.trump)) == seen.won["off_jack"]),
    ("off_jack", False, {}, lambda seen: "off_jack" not in seen.won
     and seen.taker(seen.last.trump * 13 + JACK) == seen.won["jack"] is not None),
    ("trey", True, {}, lambda seen: seen.won["trey"] is not None
     and seen.taker(seen.last.trump * 13 + THREE) == seen.won["trey"]),
    ("trey", False, {}, lambda seen: "trey" not in seen.won),
    ("target", 1, {}, lambda seen: seen.game.over),
    ("target", 1000, {}, lambda seen: not seen.game.over),
    ("win", "bidder_only", {"target": 2},
     lambda seen: not seen.game.over and max(seen.result.scores) >= 2),
    ("win", "bidder_first", {"target": 1, "min_bid": 1},
     _wins(lambda seen, bidding, winner: winner == bidding
           and seen.result.scores[bidding] < max(seen.result.scores))),
    ("win", "highest", {"target": 1, "min_bid": 1},
     _wins(lambda seen, bidding, winner: winner != bidding and seen.result.made)),
]  # fmt: skip


def hands_of(of: Variant, chance: Random) -> Iterator[Seen]:
    game = start_game(of)
    for _ in range(HANDS):
        playout = play_out(of, game.dealer, chance)
        yield Seen(playout, *finish_hand(game, playout.hands[-1]))


@pytest.mark.parametrize(
    ("field", "value", "needs", "shows"), CASES, ids=[f"{case[0]}={case[1]}" for case in CASES]
)
def test_a_value_shows_its_effect_in_some_hand(
    field: str, value: object, needs: dict[str, Any], shows: Shows
) -> None:
    of = variant("pitch-ac", **{**needs, field: value})
    assert getattr(of, field) == value
    chance = Random(f"{field}{value}")
    seen = next(filter(shows, hands_of(of, chance)), None)
    assert seen is not None, f"no hand of {HANDS} shows {field} = {value}"
    check_everything(seen.playout, chance)


def test_every_field_has_all_its_values_above() -> None:
    tried: dict[str, set[object]] = {}
    for field, value, _, _ in CASES:
        tried.setdefault(field, set()).add(value)
    assert set(tried) == {field.name for field in fields(Variant)} - {"name"}
    for field, values in tried.items():
        kind = type(getattr(VARIANTS["pitch-ac"], field))
        if kind is not int:
            every = {False, True} if kind is bool else {str(word) for word in kind}
            assert values == every, field
        else:
            named = {getattr(each, field) for each in VARIANTS.values()}
            ends = {1, 1000} if field == "target" else named
            assert ends <= values, field
