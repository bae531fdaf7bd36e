"""What a sample bot sees and does at a hand that is written out."""

from pitch import Action, Bot, Unit, View
from pitch.bot.view import Seating
from pitch.rules import Hand, action_text, start_game, view_of


def view_at(
    hand: Hand,
    *,
    chance: int = 0,
    limit: float = 0.0,
    scores: tuple[int, ...] | None = None,
    unit: Unit = Unit.HAND,
) -> View:
    """What the seat to act sees; `scores` before the hand."""
    game = start_game(hand.variant, first_dealer=hand.dealer)
    if scores is not None:
        game = game._replace(scores=scores)
    table = Seating(
        variant=hand.variant,
        seat=hand.to_act,
        first_dealer=0,
        unit=unit,
        max_hands=None if unit is Unit.GAME else 1,
    )
    return View(view_of(game, hand, hand.to_act), table, chance, limit=limit)


def choice(bot: Bot, hand: Hand) -> str:
    """What the bot does for the seat that is to act."""
    chosen = bot.choose(view_at(hand))
    assert isinstance(chosen, Action)
    return action_text(chosen)
