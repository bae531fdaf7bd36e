"""The widow and the naming of trump (rules.md 4.2).

Here belongs what happens between the auction and the exchange. Trump set by the first lead
belongs to play.py. The functions take actions that are legal; hand.py checks.
"""

from pitch.rules.actions import TRUMPS, Action
from pitch.rules.cards import mask_of
from pitch.rules.exchange import begin_exchange
from pitch.rules.state import Hand, Phase
from pitch.rules.trumps import TRUMP_TABLES
from pitch.rules.variant import Exchange, OpeningLead

__all__ = ["apply_trump", "begin_naming", "legal_trumps"]


def begin_naming(hand: Hand) -> Hand:
    """The hand with the auction over and the pitcher about to name trump."""
    if hand.variant.exchange is Exchange.WIDOW:
        hand = _take_widow(hand)
    return hand._replace(phase=Phase.TRUMP, to_act=hand.pitcher)


def legal_trumps(hand: Hand) -> tuple[Action, ...]:
    """The suits that the pitcher may name."""
    if hand.variant.opening_lead is not OpeningLead.TRUMP:
        return TRUMPS
    # rules.md 4.2: only a suit that would give the pitcher a trump
    held = hand.hands[hand.pitcher]
    tables = TRUMP_TABLES[hand.variant.off_jack]
    return tuple(action for action in TRUMPS if held & tables[action.value].trumps)


def apply_trump(hand: Hand, action: Action) -> Hand:
    """The hand after the pitcher has named a suit."""
    return begin_exchange(hand._replace(trump=action.value))


def _take_widow(hand: Hand) -> Hand:
    widow = mask_of(hand.exchanged.stock)
    hands = list(hand.hands)
    hands[hand.pitcher] |= widow
    exchanged = hand.exchanged._replace(stock=(), receiver=hand.pitcher, received=widow)
    return hand._replace(hands=tuple(hands), exchanged=exchanged)
