"""Counts of the sequences of legal actions from fixed deals, and the file that keeps them.

    python -m rules.counting        (in tests/) writes data/counts.json anew

A change of a count means that the rules changed: then the change wants a reason.
"""

import json
from pathlib import Path
from random import Random

from pitch.rules import (
    VARIANTS,
    Hand,
    Phase,
    Variant,
    action_text,
    apply_action,
    card_text,
    legal_actions,
    parse_action,
    parse_card,
    parse_variant,
    start_hand,
    variant_fields,
)

COUNTS = Path(__file__).parent / "data" / "counts.json"

# Where a game is counted from, and how many sequences are looked at.
_PHASES = (Phase.AUCTION, Phase.TRUMP, Phase.EXCHANGE, Phase.PLAY)
_MOST = 3000
_OPTIONS: tuple[dict[str, object], ...] = (
    {"name": "pitch-ac", "steal": True, "follow": "strict", "off_jack": True},
    {"name": "partnership-pitching", "takeover_doubles": True, "players": 2},
    {"name": "ten-point", "keep_trumps": False, "follow": "strict_then_trump"},
    {"name": "no-trump-first", "follow": "must_follow_or_trump", "off_jack": True, "smudge": False},
    {"name": "gameweave", "players": 3, "sides": 3, "top_bid_ends": False, "deck": 54},
)


def count_sequences(hand: Hand, depth: int) -> int:
    """How many sequences of `depth` legal actions there are from `hand`."""
    legal = legal_actions(hand)
    if depth == 1:
        return len(legal)
    return sum(count_sequences(apply_action(hand, action), depth - 1) for action in legal)


def counts_from(hand: Hand, depths: int) -> list[int]:
    """The counts for depth 1, 2, up to `depths`."""
    return [count_sequences(hand, depth) for depth in range(1, depths + 1)]


def start_of(case: dict[str, object]) -> Hand:
    """The hand that a case of the file counts from."""
    variant, deck, actions = case["variant"], case["deck"], case["actions"]
    assert isinstance(variant, dict)
    assert isinstance(deck, str)
    assert isinstance(actions, list)
    hand = start_hand(parse_variant(variant), 0, [parse_card(card) for card in deck.split()])
    for action in actions:
        hand = apply_action(hand, parse_action(action))
    return hand


def _cases(variant: Variant, chance: Random) -> list[dict[str, object]]:
    """A case for the first state of each phase that a hand of chance goes through."""
    deck = chance.sample(range(variant.deck), variant.deck)
    hand = start_hand(variant, 0, deck)
    actions: list[str] = []
    cases: list[dict[str, object]] = []
    phases = iter(_PHASES)
    wanted = next(phases)
    while legal := legal_actions(hand):
        while hand.phase > wanted:
            wanted = next(phases)
        if hand.phase is wanted:
            cases.append(
                {
                    "variant": variant_fields(variant),
                    "deck": " ".join(map(card_text, deck)),
                    "actions": list(actions),
                    "counts": _counts_up_to_most(hand),
                }
            )
            wanted = next(phases, Phase.OVER)
        action = chance.choice(legal)
        actions.append(action_text(action))
        hand = apply_action(hand, action)
    return cases


def _counts_up_to_most(hand: Hand) -> list[int]:
    counts = [count_sequences(hand, 1)]
    while 0 < counts[-1] <= _MOST and len(counts) < 8:
        counts.append(count_sequences(hand, len(counts) + 1))
    return counts


def main() -> None:
    chance = Random(2024)
    variants = [*VARIANTS.values(), *map(parse_variant, _OPTIONS)]
    cases = [case for variant in variants for case in _cases(variant, chance)]
    lines = ",\n".join(json.dumps(case) for case in cases)
    COUNTS.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
