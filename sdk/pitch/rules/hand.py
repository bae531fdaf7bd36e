"""One hand, action by action (rules.md 4).

Here belongs the choice of the section that a phase needs, and the check that an action is
legal. The rules themselves belong to the sections: auction.py, naming.py, exchange.py, play.py.
"""

from collections.abc import Callable

from pitch.rules.actions import Action, Discards, Kind, Legal, action_text
from pitch.rules.auction import apply_bid, legal_bids
from pitch.rules.cards import cards_of, cards_text
from pitch.rules.exchange import apply_exchange, legal_exchange
from pitch.rules.naming import apply_trump, legal_trumps
from pitch.rules.play import legal_plays, play_card
from pitch.rules.state import Hand, IllegalAction, Phase

__all__ = ["apply_action", "default_action", "legal_actions", "legal_text"]

_PLAY = Kind.PLAY
_PLAYING = Phase.PLAY


def legal_actions(hand: Hand) -> Legal:
    """What the seat to act may do, in the order of records.md; nothing when the hand is over."""
    phase = hand.phase
    return legal_plays(hand) if phase is _PLAYING else _LEGAL[phase](hand)


def default_action(hand: Hand) -> Action:
    """The action played for a seat that gives no legal one: the first that is legal."""
    return legal_actions(hand)[0]


def apply_action(hand: Hand, action: Action) -> Hand:
    """The hand after the seat to act has done `action`; raises IllegalAction."""
    if hand.phase is _PLAYING:
        card = action.value
        if action.kind == _PLAY and card >= 0 and hand.playable >> card & 1:
            return play_card(hand, card)
        raise _illegal(hand, action)
    if action not in legal_actions(hand):
        raise _illegal(hand, action)
    return _APPLY[hand.phase](hand, action)


def _legal_when_over(_: Hand) -> Legal:
    return ()


_LEGAL: tuple[Callable[[Hand], Legal], ...] = (
    legal_bids,
    legal_trumps,
    legal_exchange,
    legal_plays,
    _legal_when_over,
)
_APPLY: tuple[Callable[[Hand, Action], Hand], ...] = (apply_bid, apply_trump, apply_exchange)


def _illegal(hand: Hand, action: Action) -> IllegalAction:
    if hand.phase is Phase.OVER:
        return IllegalAction(f"{_tried(action)} was tried, but the hand is over")
    return IllegalAction(
        f"seat {hand.to_act} tried {_tried(action)}, legal is: {legal_text(legal_actions(hand))}"
    )


def _tried(action: Action) -> str:
    """The action as text, also if no record could write it."""
    try:
        if action.value >= 0:
            return action_text(action)
    except IndexError:
        pass
    return f"{Kind(action.kind).name.lower()} of value {action.value}"


def legal_text(legal: Legal) -> str:
    """The legal actions for a reader, in record notation."""
    if not isinstance(legal, Discards):
        return ", ".join(map(action_text, legal))
    if not legal.optional:
        return action_text(legal[0])
    size = str(legal.minimum)
    if legal.maximum > legal.minimum:
        size = f"{legal.minimum} to {legal.maximum}"
    required = f"all of {cards_text(cards_of(legal.required))} and " if legal.required else ""
    return f"discard with {size} cards, {required}any of {cards_text(cards_of(legal.optional))}"
