"""Journal entries for tests that need no true games."""

import json
from typing import Any

from pitch_server.scores.digest import text_digest
from pitch_server.store.rows import FaultEvidence, JournalEntry
from scores.making import result


def entry(number: int, scores: tuple[int, ...] = (3, 1), **others: Any) -> JournalEntry:
    """An entry whose record is a stand-in."""
    record = json.dumps({"x_game": number})
    evidence = tuple(
        FaultEvidence(seat=seat, kind=kind, question=5, measured=1.25, came="bid ü")
        for seat, kind, count in others.get("faults", ())
        for _ in range(count)
    )
    game = result(number, scores, digest=text_digest(record), **others)
    return JournalEntry(game, record, evidence)
