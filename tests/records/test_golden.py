"""The kept games of every named variant replay to the kept results, to the last field."""

import json
from pathlib import Path

import pytest

from pitch.records import (
    GameRecord,
    game_result_json,
    hand_result_json,
    parse_record,
    record_json,
    replay,
)
from pitch.records.replay import play_hand
from pitch.rules import VARIANTS, finish_hand, start_game
from records.golden import GAMES, GOLDEN, random_game
from records.making import Json, same


def kept(name: str) -> list[Json]:
    lines = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def results_of(record: GameRecord) -> tuple[list[Json], Json]:
    """The results that the rules give to decks and actions, whatever results are kept."""
    game = start_game(record.variant, first_dealer=record.first_dealer, max_hands=record.max_hands)
    results = []
    for at, stored in enumerate(record.hands):
        game, result = finish_hand(game, play_hand(game, stored.deck, stored.actions, at))
        results.append(hand_result_json(result))
    return results, game_result_json(game)


@pytest.mark.parametrize("name", VARIANTS)
def test_kept_games_come_to_the_kept_results(name: str) -> None:
    stored = kept(name)
    assert len(stored) == 2 * GAMES
    for value in stored:
        record = parse_record(value)
        assert record.variant == VARIANTS[name]
        hands, result = results_of(record)
        assert same(hands, [hand["result"] for hand in value["hands"]])
        assert same(result, value["result"])
        assert result["ended"] is not None
        assert replay(value) == {"ok": True, "hands": hands, "result": result}


@pytest.mark.parametrize("name", VARIANTS)
def test_kept_games_are_written_as_they_were_read(name: str) -> None:
    for value in kept(name):
        assert json.dumps(record_json(parse_record(value))) == json.dumps(value)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_same_games_of_chance_are_played_anew(name: str) -> None:
    """Not those of the rule bot: what it plays may change, what its kept games come to may not."""
    variant = VARIANTS[name]
    anew = [random_game(variant, seed) for seed in range(GAMES)]
    assert [json.loads(json.dumps(record_json(each))) for each in anew] == kept(name)[::2]


def test_every_file_is_of_a_named_variant() -> None:
    assert {path.stem for path in Path(GOLDEN).glob("*.jsonl")} == set(VARIANTS)


def test_some_kept_games_reach_their_target_and_some_the_limit() -> None:
    ends = {value["result"]["ended"] for name in VARIANTS for value in kept(name)}
    assert {"target", "moon", "hand_limit"} <= ends
