"""Pitch: the rules of the card game, and what a bot needs to play it in an arena.

What stands in `__all__` is promised; nothing else is.
"""

from typing import TYPE_CHECKING, Any

from pitch.bot.base import Bot
from pitch.bot.view import Seating, View
from pitch.rules import (
    GIVE,
    MOON,
    PASS,
    SMUDGE,
    TAKE,
    TRUMP_TABLES,
    Action,
    Discards,
    Hand,
    HandResult,
    Kind,
    Phase,
    TrumpTable,
    Variant,
    action_text,
    apply_action,
    card_text,
    cards_of,
    cards_text,
    discard,
    legal_actions,
    off_jack_of,
    parse_action,
    parse_card,
)
from pitch.rules.cards import rank_of, suit_of
from pitch.simulation import (
    Deals,
    Policy,
    play_out,
    random_policy,
    sample_hands,
    score_hand,
)
from pitch.table.unit import Unit

if TYPE_CHECKING:
    from pitch.bot.runner import run

__all__ = [
    "GIVE",
    "MOON",
    "PASS",
    "SMUDGE",
    "TAKE",
    "TRUMP_TABLES",
    "Action",
    "Bot",
    "Deals",
    "Discards",
    "Hand",
    "HandResult",
    "Kind",
    "Phase",
    "Policy",
    "Seating",
    "TrumpTable",
    "Unit",
    "Variant",
    "View",
    "action_text",
    "apply_action",
    "card_text",
    "cards_of",
    "cards_text",
    "discard",
    "legal_actions",
    "off_jack_of",
    "parse_action",
    "parse_card",
    "play_out",
    "random_policy",
    "rank_of",
    "run",
    "sample_hands",
    "score_hand",
    "suit_of",
]


def __getattr__(name: str) -> Any:
    """`run` brings grpc, which takes a moment: it is imported when it is asked for."""
    if name == "run":
        from pitch.bot.runner import run

        return run
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
