"""The decisions of games on record, as rows of a dataset.

Here belongs which choices are rows: those that a bot made itself, where it had a choice, of
games that were played to their end. Forced actions, actions that the referee substituted and
games that were forfeited teach nothing about the bot.
"""

import json
from collections.abc import Iterable, Iterator, Mapping

from pitch.envs.actions import action_index, discard_steps
from pitch.envs.dataset import Row
from pitch.envs.encoding import Encoding, margin_of, reward_of
from pitch.records import GameRecord, HandRecord, parse_record
from pitch.rules import (
    Action,
    Discards,
    Game,
    Legal,
    apply_action,
    finish_hand,
    legal_actions,
    start_game,
    start_hand,
    view_of,
)

__all__ = ["rows_of"]


def rows_of(lines: Iterable[str], encoding: Encoding, names: Mapping[str, int]) -> Iterator[Row]:
    """The rows of records as JSON, in order; `names` says which number a player's name gets."""
    for line in lines:
        record = parse_record(json.loads(line))
        if not {"x_forfeit", "x_void"} & record.extra.keys():
            yield from _rows_of_game(record, encoding, names)


def _rows_of_game(
    record: GameRecord, encoding: Encoding, names: Mapping[str, int]
) -> Iterator[Row]:
    game = start_game(record.variant, first_dealer=record.first_dealer, max_hands=record.max_hands)
    rows: list[Row] = []
    for hand in record.hands:
        game, of_hand = _rows_of_hand(record, hand, game, encoding, names)
        rows += of_hand
    outcomes = [
        reward_of(encoding.unit, game.scores, game.winner, side)
        for side in range(record.variant.sides)
    ]
    for row in rows:
        yield row._replace(outcomes=outcomes[record.variant.side_of(row.seats)])


def _rows_of_hand(
    record: GameRecord, stored: HandRecord, game: Game, encoding: Encoding, names: Mapping[str, int]
) -> tuple[Game, list[Row]]:
    """The game after a hand, and the hand's rows; what the game will be worth is not known yet."""
    state = start_hand(game.variant, game.dealer, stored.deck)
    substituted = stored.extra.get("x_substituted", ())
    left_out = frozenset(substituted) if isinstance(substituted, list) else frozenset()
    notes = record.extra.get("x_game", 0), record.extra.get("x_board", 0)
    number, board = (note if isinstance(note, int) else 0 for note in notes)
    rows: list[Row] = []
    for at, (seat, action) in enumerate(stored.actions):
        legal = legal_actions(state)
        if len(legal) > 1 and at not in left_out:
            known = view_of(game, state, seat)
            entrant = names.get(record.seats[seat], -1)
            rows += [
                Row(
                    encoding.observation(known, putting), encoding.mask(known, putting), index,
                    0.0, 0.0, seat, entrant, number, board, game.hands_played,
                )
                for putting, index in _choices(legal, action)
            ]  # fmt: skip
        state = apply_action(state, action)
    after, result = finish_hand(game, state)
    margins = [margin_of(result.delta, side) for side in range(game.variant.sides)]
    return after, [row._replace(margins=margins[row.seats % game.variant.sides]) for row in rows]


def _choices(legal: Legal, action: Action) -> list[tuple[int, int]]:
    if isinstance(legal, Discards):
        return discard_steps(legal, action)
    return [(0, action_index(action))]
