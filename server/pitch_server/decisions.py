"""The decisions of a game that is over: who was asked what, saw what, and did what.

Here belongs reading them out of a record. A bot that is asked again is for `asked_again`; what
is known of a game beside its record comes from whoever read it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pitch.bot.seating import Seating
from pitch.bot.view import View
from pitch.records import GameRecord, PlayedHand, hands_of
from pitch.rules import Action, Hand, HandResult, apply_action, legal_actions, view_of
from pitch.rules import View as SeatView
from pitch.table.unit import Unit

__all__ = ["Decided", "HandEnd", "PlayedGame", "decisions_of"]

Chances = Callable[[int, int], int]
"""The bits of chance that a seat had, by the number of the action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A game as it was played, with what its bots were told beside their cards.

    `chances` is None where the seed is not known; `names` are empty where opponents were
    hidden; `faults` are sentences by seat and number of the action. Times in seconds.
    """

    record: GameRecord
    unit: Unit
    chances: Chances | None = None
    names: tuple[str, ...] = ()
    move_timeout: float = 0.0
    time_bank: float = 0.0
    faults: dict[tuple[int, int], str]

    def seating(self, seat: int) -> Seating:
        """What the bot at a seat was told when the table opened."""
        record = self.record
        return Seating(
            variant=record.variant,
            seat=seat,
            first_dealer=record.first_dealer,
            unit=self.unit,
            max_hands=record.max_hands,
            names=self.names,
            move_timeout=self.move_timeout,
            time_bank=self.time_bank,
        )


class Decided(NamedTuple):
    """A question of a game and what came of it.

    `number` counts the actions of the game before it, as faults do; `hand` and `action_index` are
    those of the record. `action` is what was played, None where the game ended with the question;
    `substituted` tells that the referee played it, `fault` why.
    """

    number: int
    hand: int
    action_index: int
    seat: int
    view: View
    action: Action | None
    substituted: bool
    fault: str | None


class HandEnd(NamedTuple):
    """A hand that is over: what each seat is told of it."""

    number: int
    views: tuple[SeatView, ...]
    result: HandResult


def decisions_of(game: PlayedGame) -> Iterator[Decided | HandEnd]:
    """Every question of a game in order, with the ends of hands; RecordError as `hands_of`.

    A question is an action that was not the only legal one.
    """
    number = 0
    for at, played in enumerate(hands_of(game.record)):
        yield from _of_hand(game, played, at, number)
        number += len(played.record.actions)
        if played.result is not None:
            seats = range(game.record.variant.players)
            views = tuple([view_of(played.before, played.end, seat) for seat in seats])
            yield HandEnd(number, views, played.result)


def _of_hand(game: PlayedGame, played: PlayedHand, at: int, before: int) -> Iterator[Decided]:
    """The questions of one hand, with the one that it was broken off at."""
    hand = played.dealt
    gone = _substituted(played)
    for index, (_, action) in enumerate(played.record.actions):
        yield from _question(game, played, hand, (before, at, index), action, index in gone)
        hand = apply_action(hand, action)
    index = len(played.record.actions)
    yield from _question(game, played, hand, (before, at, index), None, False)


def _question(
    game: PlayedGame,
    played: PlayedHand,
    hand: Hand,
    where: tuple[int, int, int],
    action: Action | None,
    substituted: bool,
) -> Iterator[Decided]:
    """The question that `action` answered, where there was a choice."""
    if len(legal_actions(hand)) < 2:
        return
    before, at, index = where
    number, seat = before + index, hand.to_act
    chance = game.chances(seat, number) if game.chances else 0
    view = View(view_of(played.before, hand, seat), game.seating(seat), chance, game.time_bank)
    fault = game.faults.get((seat, number))
    yield Decided(number, at, index, seat, view, action, substituted, fault)


def _substituted(played: PlayedHand) -> frozenset[int]:
    noted = played.record.extra.get("x_substituted")
    return frozenset(noted) if isinstance(noted, list) else frozenset()
