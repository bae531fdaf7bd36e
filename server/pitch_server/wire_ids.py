"""Ids of tables and questions on the wire: opaque to bots, and looked up for their authors.

Here belongs how they follow from the seed and from the hold that a process has of the database
(so that no other process uses them again), and the way back from an id in a bot's log to its
game. Whoever has no seed can't tell an id from chance.
"""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from pitch_server.plan.decks import netstrings

__all__ = ["FoundQuestion", "find_question", "id_key", "question_id", "table_id"]

_LABEL = "pitch-arena/ids/1"
_IDS = 1 << 64
_MOST_ACTIONS = 1_000_000  # of a game


class FoundQuestion(NamedTuple):
    """Where a question was: its game, its seat, and the number of actions before it."""

    game: int
    seat: int
    number: int


def id_key(seed: str, hold: int) -> bytes:
    """The secret that makes ids; `hold` numbers the playing process's hold."""
    return hashlib.sha256(netstrings((_LABEL, seed, str(hold)))).digest()


def table_id(key: bytes, game: int, attempt: int, seat: int) -> int:
    """The id of a table at one of its seats, never 0; `attempt` counts how often it was begun."""
    data = b"".join(part.to_bytes(8, "big") for part in (game, attempt, seat))
    return int.from_bytes(hashlib.blake2b(data, key=key, digest_size=8).digest(), "big") or 1


def question_id(table: int, number: int) -> int:
    """Counted on from the table's id: as opaque as that is, and the same when asked again."""
    return (table + number + 1) % _IDS


def find_question(
    wanted: int, keys: Iterable[bytes], games: Iterable[int], seats: int, attempts: int
) -> Iterator[FoundQuestion]:
    """The questions that have this id, the likeliest first: there is one or none."""
    keys, games = tuple(keys), tuple(games)
    for attempt, key in product(range(attempts), reversed(keys)):
        for game, seat in product(games, range(seats)):
            number = (wanted - table_id(key, game, attempt, seat) - 1) % _IDS
            if number < _MOST_ACTIONS:
                yield FoundQuestion(game, seat, number)
