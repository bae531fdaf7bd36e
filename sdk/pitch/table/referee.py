"""The referee: one game as a pure state machine, events in and effects out.

Here belongs what a game does next: whom to ask, what an answer does, what a fault costs, when
hands and the game end. It knows no clock, no connection and no bot: whoever drives it hands in
answers and faults and carries out the effects. Misuse (an answer where nobody was asked) raises
RefereeError, since then the driver is wrong; what a bot does wrong never raises.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pitch.rules import (
    Action,
    Game,
    Hand,
    HandResult,
    Legal,
    Phase,
    Variant,
    View,
    apply_action,
    finish_hand,
    legal_actions,
    start_game,
    start_hand,
    view_of,
)
from pitch.table.faults import Fault, FaultPolicy

__all__ = [
    "Ask",
    "Effect",
    "Faulted",
    "GameFinished",
    "HandFinished",
    "PlayedHand",
    "Referee",
    "RefereeError",
]


class RefereeError(RuntimeError):
    """The driver asked for what cannot be: an error of ours, never of a bot."""


class Ask(NamedTuple):
    """Ask this seat; `number` counts the actions of the game, forced ones too."""

    seat: int
    number: int


class Faulted(NamedTuple):
    """A seat is charged with a fault; `substitute` is the action played in its place."""

    seat: int
    fault: Fault
    substitute: Action | None


class HandFinished(NamedTuple):
    """A hand is over: the game that it was played in, its final state and its result."""

    game: Game
    hand: Hand
    result: HandResult


class GameFinished(NamedTuple):
    """The game is over, by its rules or by forfeit; nothing follows."""


Effect = Ask | Faulted | HandFinished | GameFinished


class PlayedHand(NamedTuple):
    """One hand as the record keeps it; `result` is None while it goes on."""

    deck: tuple[int, ...]
    actions: list[tuple[int, Action]]
    substituted: list[int]
    result: HandResult | None


class Referee:
    """The authority over one game. At most one seat is asked at any time.

    `legal` is what the seat that is asked may do.
    """

    __slots__ = (
        "_asked",
        "_decks",
        "_policy",
        "faults",
        "finished",
        "forfeits",
        "game",
        "hand",
        "legal",
        "number",
        "played",
        "variant",
    )

    def __init__(
        self,
        variant: Variant,
        *,
        decks: Callable[[int], Sequence[int]],
        first_dealer: int = 0,
        max_hands: int | None = 100,
        policy: FaultPolicy | None = None,
    ) -> None:
        """`decks` gives the deck of a hand by its number from 0."""
        self.variant = variant
        self.game: Game = start_game(variant, first_dealer=first_dealer, max_hands=max_hands)
        self.hand: Hand | None = None
        self.played: list[PlayedHand] = []
        self.faults: list[tuple[int, Fault]] = []
        self.forfeits: dict[int, Fault] = {}
        self.finished = False
        self.number = 0
        self._decks = decks
        self._policy = policy or FaultPolicy()
        self.legal: Legal = ()
        self._asked = -1

    # --- events ---------------------------------------------------------------------------

    def begin(self) -> list[Effect]:
        """Deals the first hand and goes on to the first question."""
        if self.played:
            raise RefereeError("the game has begun already")
        self._deal()
        return self._advance([])

    def answer(self, seat: int, action: Action) -> list[Effect]:
        """Plays the action of the seat that was asked; an illegal one is a fault."""
        self._check_asked(seat)
        if action not in self.legal:
            return self.fault(seat, Fault.ILLEGAL)
        self._play(seat, action)
        return self._advance([])

    def fault(self, seat: int, fault: Fault) -> list[Effect]:
        """Charges the seat that was asked: a substitute action, or its side's forfeit."""
        self._check_asked(seat)
        self.faults.append((seat, fault))
        side = self.variant.side_of(seat)
        count = sum(1 for each, _ in self.faults if self.variant.side_of(each) == side)
        if self._policy.forfeits(count):
            return [Faulted(seat, fault, None), *self.forfeit(side, fault)]
        action = self._substitute(seat)
        return self._advance([Faulted(seat, fault, action)])

    def forfeit(self, side: int, fault: Fault) -> list[Effect]:
        """Ends the game for a side (design: "A forfeit"); the others play on if they can."""
        if not self.played or not 0 <= side < self.variant.sides:
            raise RefereeError(f"side {side} cannot forfeit: there is no such side, or no game yet")
        if self.finished or side in self.forfeits:
            return []
        self.forfeits[side] = fault
        if self.variant.sides == 2 or len(self.forfeits) == self.variant.sides:
            return self._finish([])
        if self._asked >= 0 and self.variant.side_of(self._asked) == side:
            self._substitute(self._asked)
            return self._advance([])
        return []

    def forfeit_all(self, fault: Fault) -> list[Effect]:
        """Ends a game that nobody is there to play: it is void."""
        if not self.played:
            raise RefereeError("no side can forfeit before the game has begun")
        if self.finished:
            return []
        for side in range(self.variant.sides):
            self.forfeits.setdefault(side, fault)
        return self._finish([])

    # --- what others may ask ----------------------------------------------------------------

    @property
    def asked(self) -> int:
        """The seat that is asked now, -1 if none is."""
        return self._asked

    @property
    def void(self) -> bool:
        """Whether nobody was there to win: every side has forfeited."""
        return len(self.forfeits) == self.variant.sides

    def view(self, seat: int) -> View:
        """What `seat` may know now."""
        return view_of(self.game, self._hand, seat)

    # --- inside -----------------------------------------------------------------------------

    @property
    def _hand(self) -> Hand:
        if self.hand is None:
            raise RefereeError("no hand is being played")
        return self.hand

    def _check_asked(self, seat: int) -> None:
        if seat != self._asked or seat < 0:
            raise RefereeError(f"seat {seat} was not asked, seat {self._asked} was")

    def _deal(self) -> None:
        deck = tuple(self._decks(self.game.hands_played))
        self.hand = start_hand(self.variant, self.game.dealer, deck)
        self.played.append(PlayedHand(deck, [], [], None))

    def _play(self, seat: int, action: Action) -> None:
        self.hand = apply_action(self._hand, action)
        self.played[-1].actions.append((seat, action))
        self.number += 1
        self._asked = -1

    def _substitute(self, seat: int) -> Action:
        action = self.legal[0]
        played = self.played[-1]
        played.substituted.append(len(played.actions))
        self._play(seat, action)
        return action

    def _advance(self, effects: list[Effect]) -> list[Effect]:
        """Plays what needs no question; ends with one question or the game's end."""
        while True:
            hand = self._hand
            if hand.phase == Phase.OVER:
                effects.append(self._end_hand(hand))
                if self.game.over:
                    return self._finish(effects)
                self._deal()
                continue
            seat = hand.to_act
            self.legal = legal = legal_actions(hand)
            if len(legal) == 1:
                self._play(seat, legal[0])
            elif self.variant.side_of(seat) in self.forfeits:
                self._substitute(seat)
            else:
                self._asked = seat
                effects.append(Ask(seat, self.number))
                return effects

    def _end_hand(self, hand: Hand) -> HandFinished:
        before = self.game
        self.game, result = finish_hand(before, hand)
        self.played[-1] = self.played[-1]._replace(result=result)
        return HandFinished(before, hand, result)

    def _finish(self, effects: list[Effect]) -> list[Effect]:
        self.finished = True
        self._asked = -1
        effects.append(GameFinished())
        return effects
