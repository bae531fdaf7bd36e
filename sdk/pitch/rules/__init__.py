"""The rules of Pitch: functions of values, for every variant of rules.md.

    hand = start_hand(variant, dealer, deck)
    while legal := legal_actions(hand):
        hand = apply_action(hand, choose(legal))
    game, result = finish_hand(game, hand)

What a seat may know of a hand is made by `view_of` alone.
"""

from pitch.rules.actions import (
    BIDS,
    GIVE,
    MOON,
    PASS,
    PITCHES,
    PLAYS,
    SMUDGE,
    TAKE,
    TRUMPS,
    Action,
    Discards,
    Kind,
    Legal,
    action_text,
    bid_text,
    discard,
    parse_action,
)
from pitch.rules.cards import (
    CARD_COUNT,
    HIGH_JOKER,
    JOKERS,
    LOW_JOKER,
    RANKS,
    SUIT_MASKS,
    SUITS,
    card_text,
    cards_of,
    mask_of,
    parse_card,
    parse_suit,
    suit_text,
)
from pitch.rules.catalog import VARIANTS, all_fields, parse_variant, variant_fields
from pitch.rules.deal import start_hand
from pitch.rules.game import Ended, Game, HandResult, finish_hand, start_game
from pitch.rules.hand import apply_action, default_action, legal_actions, legal_text
from pitch.rules.state import BadDeck, Hand, IllegalAction, Phase
from pitch.rules.trumps import TRUMP_TABLES, TrumpTable, off_jack_of
from pitch.rules.variant import (
    Exchange,
    Follow,
    GamePoint,
    Low,
    OpeningLead,
    Rounds,
    Stuck,
    Trump,
    Variant,
    VariantError,
    Win,
)
from pitch.rules.view import View, view_of

__all__ = [
    "BIDS",
    "CARD_COUNT",
    "GIVE",
    "HIGH_JOKER",
    "JOKERS",
    "LOW_JOKER",
    "MOON",
    "PASS",
    "PITCHES",
    "PLAYS",
    "RANKS",
    "SMUDGE",
    "SUITS",
    "SUIT_MASKS",
    "TAKE",
    "TRUMPS",
    "TRUMP_TABLES",
    "VARIANTS",
    "Action",
    "BadDeck",
    "Discards",
    "Ended",
    "Exchange",
    "Follow",
    "Game",
    "GamePoint",
    "Hand",
    "HandResult",
    "IllegalAction",
    "Kind",
    "Legal",
    "Low",
    "OpeningLead",
    "Phase",
    "Rounds",
    "Stuck",
    "Trump",
    "TrumpTable",
    "Variant",
    "VariantError",
    "View",
    "Win",
    "action_text",
    "all_fields",
    "apply_action",
    "bid_text",
    "card_text",
    "cards_of",
    "default_action",
    "discard",
    "finish_hand",
    "legal_actions",
    "legal_text",
    "mask_of",
    "off_jack_of",
    "parse_action",
    "parse_card",
    "parse_suit",
    "parse_variant",
    "start_game",
    "start_hand",
    "suit_text",
    "variant_fields",
    "view_of",
]
