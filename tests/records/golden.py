"""Whole games of every named variant with their results, and the files that keep them.

    python -m records.golden        (in tests/) writes data/golden/*.jsonl anew

Half of the games are played by legal actions of chance, half by the sample rule bot through
the local table. That kept games come to their kept results follows from the rules alone; a
game of chance that is played otherwise than before means that they changed, and wants a reason.
"""

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from random import Random

from pitch import Bot
from pitch.records import (
    GameRecord,
    HandRecord,
    JsonObject,
    SeatAction,
    game_result_json,
    hand_result_json,
    record_json,
)
from pitch.records.replay import end_of
from pitch.rules import (
    VARIANTS,
    Variant,
    apply_action,
    finish_hand,
    legal_actions,
    start_game,
    start_hand,
)
from pitch.table.unit import Unit
from pitch.testing import play_game

GOLDEN = Path(__file__).parent / "data" / "golden"
GAMES = 2  # of each kind
MAX_HANDS = 12  # keeps the files small; some games end at their target before

_RULE_BOT: type[Bot] = runpy.run_path(
    str(Path(__file__).parents[2] / "sample_bots" / "rule_bot.py")
)["RuleBot"]


def random_game(variant: Variant, seed: int) -> GameRecord:
    """A game of legal actions of chance, with results."""
    chance = Random(f"{variant.name}:{seed}")
    first_dealer = seed % variant.players
    game = start_game(variant, first_dealer=first_dealer, max_hands=MAX_HANDS)
    hands: list[HandRecord] = []
    while not game.over:
        deck = tuple(chance.sample(range(variant.deck), variant.deck))
        hand = start_hand(variant, game.dealer, deck)
        actions: list[SeatAction] = []
        while legal := legal_actions(hand):
            action = chance.choice(legal)
            actions.append(SeatAction(hand.to_act, action))
            hand = apply_action(hand, action)
        game, result = finish_hand(game, hand)
        kept = hand_result_json(result)
        hands.append(HandRecord(deck=deck, actions=tuple(actions), result=kept))
    return _record(variant, first_dealer, hands, game_result_json(game))


def rule_bot_game(variant: Variant, seed: int) -> GameRecord:
    """A game of the sample rule bot on every seat, with results."""
    first_dealer = seed % variant.players
    played = play_game(
        [_RULE_BOT] * variant.sides,
        variant=variant,
        seed=seed,
        unit=Unit.GAME,
        first_dealer=first_dealer,
        max_hands=MAX_HANDS,
    )
    assert not played.faults
    hands = []
    for hand in played.hands:
        assert hand.result is not None
        actions = tuple(SeatAction(*each) for each in hand.actions)
        kept = hand_result_json(hand.result)
        hands.append(HandRecord(deck=tuple(hand.deck), actions=actions, result=kept))
    record = _record(variant, first_dealer, hands, None)
    game, _ = end_of(record)
    assert (game.scores, game.winner) == (played.scores, played.winner)
    return _record(variant, first_dealer, hands, game_result_json(game))


def _record(
    variant: Variant, first_dealer: int, hands: list[HandRecord], result: JsonObject | None
) -> GameRecord:
    return GameRecord(
        variant=variant,
        seats=tuple(f"side {variant.side_of(seat)}" for seat in range(variant.players)),
        first_dealer=first_dealer,
        max_hands=MAX_HANDS,
        hands=tuple(hands),
        result=result,
    )


def games(variant: Variant) -> Iterator[GameRecord]:
    """All games that the file of a variant keeps."""
    for seed in range(GAMES):
        yield random_game(variant, seed)
        yield rule_bot_game(variant, seed)


def main() -> None:
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name, variant in VARIANTS.items():
        lines = [json.dumps(record_json(record)) + "\n" for record in games(variant)]
        (GOLDEN / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
