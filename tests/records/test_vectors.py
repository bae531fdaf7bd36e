"""Every game of the vectors, replayed in this process."""

import json
from pathlib import Path

import pytest

from pitch.records import parse_record, record_json, replay
from records.making import VECTOR_FILES, agrees, vectors


@pytest.mark.parametrize("path", VECTOR_FILES, ids=lambda path: path.stem)
def test_replay_agrees_with_the_independent_answers(path: Path) -> None:
    cases = vectors(path)
    wrong = []
    for case in cases:
        answer = json.loads(json.dumps(replay(case.input)))
        if not agrees(answer, case.expected):
            wrong.append(f"{case.id}: {json.dumps(answer)[:300]}")
    print(f"{path.name}: agree {len(cases) - len(wrong)} of {len(cases)}")
    assert not wrong


@pytest.mark.parametrize("path", VECTOR_FILES, ids=lambda path: path.stem)
def test_a_record_survives_reading_and_writing(path: Path) -> None:
    for case in vectors(path):
        if not case.expected["ok"]:
            continue
        record = parse_record(case.input)
        written = record_json(record)
        assert parse_record(json.loads(json.dumps(written))) == record, case.id
        assert replay(written) == replay(case.input), case.id


def test_the_vectors_are_all_there() -> None:
    assert sum(len(vectors(path)) for path in VECTOR_FILES) == 1579
