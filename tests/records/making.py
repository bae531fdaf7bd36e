"""Records to test with: one whole hand in record notation, and the vectors."""

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

VECTORS = Path(__file__).parents[1] / "vectors"
VECTOR_FILES = sorted(VECTORS.glob("*.jsonl"))

Json = dict[str, Any]

DECK = (
    "6D TS 2S JS 3H 3D KC 6H TH 9C QD 7D AD KH 9D 4C JD JC QC 3S 5D 5C 9S QS AS 7C 9H JH 8D "
    "6C KD 7S AH 5S 4H AC 3C 6S 8S 8H 2D 5H TD 4S 2H 7H TC QH 2C KS 4D 8C"
)
ACTIONS = [
    *("1 bid 2", "2 pass", "3 pass", "0 pass"),
    *("1 play AD", "2 play 3D", "3 play 5D", "0 play 7D"),
    *("1 play 9D", "2 play JD", "3 play 3S", "0 play QD"),
    *("0 play 9C", "1 play 6D", "2 play 4C", "3 play KC"),
    *("1 play KH", "2 play 3H", "3 play TH", "0 play 5C"),
    *("1 play TS", "2 play JS", "3 play 6H", "0 play 9S"),
    *("2 play JC", "3 play QC", "0 play QS", "1 play 2S"),
]
HAND_RESULT = {
    "pitcher": 1,
    "bid": 2,
    "trump": "D",
    "made": True,
    "won": {"high": 1, "low": 1, "jack": 0, "game": 1},
    "points": [1, 3],
    "delta": [1, 3],
    "scores": [1, 3],
}
RESULT = {"winner": 1, "ended": "hand_limit", "scores": [1, 3]}


def a_hand(**changes: Any) -> Json:
    """The hand above, without its result, with keys changed."""
    return {"deck": DECK, "actions": list(ACTIONS), **changes}


def a_record(**changes: Any) -> Json:
    """A record of one whole hand that goes on (no limit of one hand), with keys changed."""
    return {
        "format": "pitch-record/1",
        "variant": {"name": "partnership"},
        "seats": ["ann", "bob", "ann", "bob"],
        "hands": [a_hand()],
        **changes,
    }


class Vector(NamedTuple):
    """A line of a vector file."""

    id: str
    input: Json
    expected: Json


@cache
def _vectors(path: Path) -> tuple[Vector, ...]:
    with path.open(encoding="utf-8") as lines:
        read = [json.loads(line) for line in lines]
    return tuple(Vector(each["id"], each["input"], each["expected"]) for each in read)


def vectors(path: Path) -> list[Vector]:
    """The vectors of a file, for the caller to change."""
    return copy.deepcopy(list(_vectors(path)))


def good_records() -> list[Json]:
    """Every record of the vectors that replays."""
    return [each.input for path in VECTOR_FILES for each in vectors(path) if each.expected["ok"]]


def same(a: object, b: object) -> bool:
    """Equal as JSON values (1, 1.0 and true are three different things)."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def agrees(answer: Json, expected: Json) -> bool:
    """Whether an answer line is the expected one; of an error only ok, hand and action count."""
    if answer.get("ok") is False and set(answer["error"]) == {"hand", "action", "reason"}:
        error = answer["error"]
        answer = {"ok": False, "error": {"hand": error["hand"], "action": error["action"]}}
    return same(answer, expected)
