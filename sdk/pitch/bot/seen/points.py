"""The points of the hand: who has them as things stand, and which can still be won.

Here belong the points of rules.md 5 as far as one seat can know them: a point counts as open
until what the seat knows rules out that it changes hands.
"""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from pitch.bot.seen.tricks import TricksSeen
from pitch.rules import HIGH_JOKER, LOW_JOKER, cards_of
from pitch.rules.trumps import TEN, THREE
from pitch.rules.variant import Follow, GamePoint, Low

__all__ = ["Point", "PointsSeen"]


class Point(NamedTuple):
    """One point of the hand, as a seat knows it.

    `side` has it as things stand, that is by the tricks that are over: None if nobody does.
    `open` tells that this may change. `card` is the card that it hangs on: of High and Low the
    highest and lowest trump in these tricks; None for Game, and while there is none.
    """

    name: str
    worth: int
    card: int | None
    side: int | None
    open: bool


class PointsSeen(TricksSeen):
    """The points of the hand: who has them as things stand, and which can still be won."""

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Each point of the variant: high, low, jack, ..., game.

        >>> for point in view.points:
        ...     print(point.name, point.worth, point.side, point.open)
        high 1 0 False
        low 1 1 False
        jack 1 None True
        off_jack 1 None True
        high_joker 1 None True
        low_joker 1 0 False
        trey 3 None True
        game 1 0 True
        """
        return tuple([self._point(name) for name in self.variant.points])

    @property
    def open_points(self) -> tuple[str, ...]:
        """The names of the points that can still be won, or change hands.

        >>> view.open_points
        ('jack', 'off_jack', 'high_joker', 'trey', 'game')
        """
        return tuple([point.name for point in self.points if point.open])

    @property
    def points_left(self) -> int:
        """What the open points are worth together.

        >>> view.points_left
        7
        """
        return sum([point.worth for point in self.points if point.open])

    @property
    def points_safe(self) -> tuple[int, ...]:
        """The points that each side has for certain, whatever else happens in this hand.

        >>> view.points_safe
        (2, 1)
        """
        safe = [0] * self.variant.sides
        for point in self.points:
            if point.side is not None and not point.open:
                safe[point.side] += point.worth
        return tuple(safe)

    def point_of(self, card: int) -> str | None:
        """The name of the point that whoever takes this card scores; None if it is none.

        High, Low and Game by count hang on no card that is known beforehand.

        >>> view.point_of(parse_card("JH")), view.point_of(parse_card("AD"))
        ('off_jack', None)
        """
        return self._point_cards.get(card)

    @cached_property
    def game_values(self) -> tuple[int, ...]:
        """What each side has taken that counts for Game (see `game_value`).

        >>> view.game_values
        (4, 0)
        """
        return tuple([sum(map(self.game_value, cards_of(mask))) for mask in self._taken])

    @property
    def trick_value(self) -> int:
        """What the cards of this trick count for Game so far.

        >>> view.trick_value
        0
        """
        return sum([self.game_value(card) for _, card in self.trick])

    # --- how it is worked out -----------------------------------------------------------------

    def _point(self, name: str) -> Point:
        worth = 3 if name == "trey" else 1
        if name == "high":
            return self._extreme(name, 0, None)
        if name == "low":
            return self._extreme(name, -1, self._holder)
        if name == "game" and self.variant.game is GamePoint.COUNT:
            return self._most_game()
        card = next((card for card, point in self._point_cards.items() if point == name), None)
        if card is None:
            return Point(name, worth, None, None, True)
        side = self._side_with(card)
        return Point(name, worth, card, side, side is None and bool(self._live >> card & 1))

    @cached_property
    def _point_cards(self) -> dict[int, str]:
        """The points that one card brings, by card; none while trump is not known."""
        trump, variant = self.known.trump, self.variant
        cards = {HIGH_JOKER: "high_joker", LOW_JOKER: "low_joker"} if variant.deck == 54 else {}
        if trump < 0 or self.jack is None:
            return cards
        cards[self.jack] = "jack"
        if self.off_jack is not None:
            cards[self.off_jack] = "off_jack"
        if variant.trey:
            cards[trump * 13 + THREE] = "trey"
        if variant.game is GamePoint.TEN:
            cards[trump * 13 + TEN] = "game"
        return cards

    @cached_property
    def _taken(self) -> tuple[int, ...]:
        """By side, the mask of the cards in its tricks."""
        taken = [0] * self.variant.sides
        for trick in self.tricks:
            for card in trick.cards:
                taken[trick.winner % self.variant.sides] |= 1 << card
        return tuple(taken)

    @cached_property
    def _live(self) -> int:
        """The mask of the cards that may still come to a trick, those of this one included."""
        live = 0
        for mask in self._holdable:
            live |= mask
        if self.variant.follow is Follow.TRUMP_ONLY and self._trump_table is not None:
            live &= self._trump_table.trumps
        for _, card in self.trick:
            live |= 1 << card
        return live

    def _side_with(self, card: int) -> int | None:
        return next((side for side, mask in enumerate(self._taken) if mask >> card & 1), None)

    def _holder(self, card: int) -> int | None:
        """The side that scores Low by the lowest trump in the tricks that are over."""
        if self.variant.low is Low.TAKEN:
            return self._side_with(card)
        return next(seat for seat, each in self.known.played if each == card) % self.variant.sides

    def _extreme(self, name: str, end: int, scorer: Callable[[int], int | None] | None) -> Point:
        """High (`end` 0) or Low (`end` -1): the trump at that end of those in the tricks."""
        order = self.trump_order
        if not order:
            return Point(name, 1, None, None, True)
        over = sum(self._taken)
        taken = [place for place, card in enumerate(order) if over >> card & 1]
        live = [place for place, card in enumerate(order) if self._live >> card & 1]
        if not taken:
            return Point(name, 1, None, None, bool(live))
        best = taken[end]
        beyond = bool(live) and (live[0] < best if end == 0 else live[-1] > best)
        card = order[best]
        return Point(name, 1, card, (scorer or self._side_with)(card), beyond)

    def _most_game(self) -> Point:
        totals = sorted(self.game_values, reverse=True)
        lead = totals[0] - totals[1]
        side = self.game_values.index(totals[0]) if lead else None
        left = self._game_left()
        return Point("game", 1, None, side, left >= lead if lead else left > 0)

    def _game_left(self) -> int:
        """The most that can still come to the tricks of one side and counts for Game."""
        own = self._live & (self.known.hand | sum([1 << card for _, card in self.trick]))
        others = sorted(map(self.game_value, cards_of(self._live & ~own)), reverse=True)
        known = sum(map(self.game_value, cards_of(own)))
        count = sum(self.hand_sizes) - self.known.hand.bit_count()
        return known + sum(others[:count])
