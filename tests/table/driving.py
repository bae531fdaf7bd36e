"""A referee driven by hand: the first legal action wherever nothing else is asked for."""

from collections.abc import Callable, Sequence
from random import Random

from pitch.rules import Action, Variant
from pitch.table.faults import FaultPolicy
from pitch.table.referee import Ask, Effect, Referee
from strategies import shuffled

Choose = Callable[[Referee], Action]


def referee_of(
    variant: Variant, *, hands: int = 2, seed: int = 1, policy: FaultPolicy | None = None
) -> Referee:
    """A game of a variant that is about to begin, on decks of chance."""
    return Referee(
        variant,
        decks=lambda hand: shuffled(variant, Random(f"{seed} {hand}")),
        max_hands=hands,
        policy=policy,
    )


def by_chance(seed: int) -> Choose:
    """Any legal action."""
    chance = Random(seed)
    return lambda referee: chance.choice(referee.legal)


def first(referee: Referee) -> Action:
    """The first legal action."""
    return referee.legal[0]


def play_to_end(referee: Referee, choose: Choose = first) -> list[Effect]:
    """Answers whatever is asked; all effects."""
    effects: list[Effect] = []
    while not referee.finished:
        effects += referee.answer(referee.asked, choose(referee))
    return effects


def last_ask(effects: Sequence[Effect]) -> Ask:
    """The question that effects end with."""
    ask = effects[-1]
    assert isinstance(ask, Ask)
    return ask


def state_of(referee: Referee) -> tuple[object, ...]:
    """All that a caller can see, as a value of its own."""
    return (
        referee.game,
        referee.hand,
        [
            (hand.deck, list(hand.actions), list(hand.substituted), hand.result)
            for hand in referee.played
        ],
        list(referee.faults),
        dict(referee.forfeits),
        referee.finished,
        referee.number,
        referee.legal,
        referee.asked,
    )
