"""The widow and the naming of trump (rules.md 4.2).

Here belongs what happens between the auction and the exchange. Trump set by the first lead
belongs to play.py. The functions take actions that are legal; hand.py checks.
"""

from pitch.rules.actions import TRUMPS, Action
from pitch.rules.cards import mask_of
from pitch.rules.exchange import begin_exchange
from pitch.rules.state import Exchanged, Hand, Phase, with_cards
from pitch.rules.trumps import TRUMP_TABLES
from pitch.rules.variant import Exchange, OpeningLead

__all__ = ["apply_trump", "begin_naming", "legal_trumps"]

# Names for what is compared at every hand: a look into an enum costs more than the rest.
_NAMING = Phase.TRUMP
_WIDOW = Exchange.WIDOW
_LEAD_TRUMP = OpeningLead.TRUMP


def begin_naming(hand: Hand) -> Hand:
    """The hand with the auction over and the pitcher about to name trump."""
    hands, exchanged, pitcher = hand.hands, hand.exchanged, hand.pitcher
    if hand.variant.exchange is _WIDOW:
        hands, exchanged = _take_widow(hands, exchanged, pitcher)
    return with_cards(hand, _NAMING, pitcher, hands, -1, exchanged)


def legal_trumps(hand: Hand) -> tuple[Action, ...]:
    """The suits that the pitcher may name."""
    if hand.variant.opening_lead is not _LEAD_TRUMP:
        return TRUMPS
    # rules.md 4.2: only a suit that would give the pitcher a trump
    held = hand.hands[hand.pitcher]
    tables = TRUMP_TABLES[hand.variant.off_jack]
    return tuple(action for action in TRUMPS if held & tables[action.value].trumps)


def apply_trump(hand: Hand, action: Action) -> Hand:
    """The hand after the pitcher has named a suit."""
    named = with_cards(hand, _NAMING, hand.to_act, hand.hands, action.value, hand.exchanged)
    return begin_exchange(named)


def _take_widow(
    hands: tuple[int, ...], exchanged: Exchanged, pitcher: int
) -> tuple[tuple[int, ...], Exchanged]:
    """The hands with the whole stock in the pitcher's, and the stock empty."""
    widow = mask_of(exchanged.stock)
    held = list(hands)
    held[pitcher] |= widow
    return tuple(held), exchanged._replace(stock=(), receiver=pitcher, received=widow)
