"""Ids on the wire: found again by whoever has the seed, and no one twice."""

from random import Random

import pytest

from pitch_server.wire_ids import FoundQuestion, find_question, id_key, question_id, table_id

KEYS = [id_key("a seed", hold) for hold in (1, 2, 3)]


@pytest.mark.parametrize("hold", [1, 3])
@pytest.mark.parametrize("attempt", [0, 1])
@pytest.mark.parametrize("number", [0, 37, 5_000])
def test_a_question_is_found_by_its_id(hold: int, attempt: int, number: int) -> None:
    random = Random(f"{hold}{attempt}{number}")
    game, seat = random.randrange(200), random.randrange(4)
    wanted = question_id(table_id(KEYS[hold - 1], game, attempt, seat), number)
    found = list(find_question(wanted, KEYS, range(200), 4, 2))
    assert found == [FoundQuestion(game, seat, number)]


def test_an_id_of_another_seed_is_nobodys() -> None:
    wanted = question_id(table_id(id_key("another seed", 1), 3, 0, 2), 5)
    assert not list(find_question(wanted, KEYS, range(200), 4, 2))


def test_ids_differ_from_seat_to_seat_and_from_hold_to_hold() -> None:
    ids = {
        table_id(key, game, attempt, seat)
        for key in KEYS
        for game in range(20)
        for attempt in range(2)
        for seat in range(4)
    }
    assert len(ids) == 3 * 20 * 2 * 4
