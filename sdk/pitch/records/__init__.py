"""Game records: a game as JSON, read from any bytes, replayed by the rules, written again."""

from pitch.records.reading import (
    JsonObject,
    RecordSyntaxError,
    canonical_json,
    read_objects,
    read_records,
)
from pitch.records.record import (
    Flaw,
    GameRecord,
    HandRecord,
    RecordError,
    SeatAction,
    deck_text,
    parse_deck,
    parse_record,
    parse_seat_action,
    record_json,
    seat_action_text,
)
from pitch.records.replay import (
    Replayed,
    answer_json,
    end_of,
    error_json,
    game_result_json,
    hand_result_json,
    legal_json,
    replay,
    replay_game,
)
from pitch.records.view_json import view_json

__all__ = [
    "Flaw",
    "GameRecord",
    "HandRecord",
    "JsonObject",
    "RecordError",
    "RecordSyntaxError",
    "Replayed",
    "SeatAction",
    "answer_json",
    "canonical_json",
    "deck_text",
    "end_of",
    "error_json",
    "game_result_json",
    "hand_result_json",
    "legal_json",
    "parse_deck",
    "parse_record",
    "parse_seat_action",
    "read_objects",
    "read_records",
    "record_json",
    "replay",
    "replay_game",
    "seat_action_text",
    "view_json",
]
