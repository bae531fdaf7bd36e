"""Decks, commitment and chance: everything that follows from the seed, to the byte.

docs/deals.md specifies what is computed here, with worked examples; the two change together or
never, as a published seed must give the same deals for ever. Making a seed does not belong here:
it takes chance from the machine.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence

from pitch_server.plan.games import Plan, PlannedGame

__all__ = [
    "board_series",
    "chance",
    "chances",
    "commitment",
    "deal_series",
    "deck",
    "game_key",
    "netstrings",
]

DECK_LABEL = "pitch-arena/deck/1"
CHANCE_LABEL = "pitch-arena/chance/1"


def netstrings(fields: Iterable[str]) -> bytes:
    """Texts as bytes that can be read in one way only: each as `LENGTH:UTF-8,`."""
    encoded = (text.encode() for text in fields)
    return b"".join(b"%d:%b," % (len(data), data) for data in encoded)


def commitment(seed: str) -> str:
    """The SHA-256 of a seed, in hex: published before the first deal."""
    return hashlib.sha256(seed.encode()).hexdigest()


def deck(seed: str, series: str, board: int, hand: int, size: int) -> tuple[int, ...]:
    """The deck of `size` cards, as card indexes in the order dealt.

    A Fisher-Yates shuffle of the indexes in ascending order. `series` is empty where all
    pairings share their boards, else it is `board_series`.
    """
    stream = _stream(netstrings((DECK_LABEL, seed, series, str(board), str(hand), str(size))))
    cards = list(range(size))
    for last in range(size - 1, 0, -1):
        other = _below(stream, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def board_series(names: Iterable[str]) -> str:
    """The name of a pairing's own series of deals: whoever else plays leaves it as it is."""
    return netstrings(sorted(names)).decode()


def deal_series(plan: Plan, pairing: int, names: Sequence[str]) -> str:
    """The series that a pairing's decks come from; `names` are those of all entrants.

    With duplicate deals all share one. Else it is that of the pairing's entrants, or, where
    entrants are partners, of the series of its sides.
    """
    if plan.duplicate:
        return ""
    teams = [[names[entrant] for entrant in team] for team in plan.teams(pairing)]
    return board_series(team[0] if len(team) == 1 else board_series(team) for team in teams)


def game_key(game: PlannedGame, names: tuple[str, ...]) -> str:
    """What tells a game apart whatever the plan's numbers: its board and the name at each seat."""
    return netstrings((str(game.board), *(names[entrant] for entrant in game.seats))).decode()


def chance(seed: str, key: str, seat: int, number: int) -> int:
    """The 64 bits of chance that go with a question: to that seat of that game, of that number."""
    return chances(seed, key)(seat, number)


def chances(seed: str, key: str) -> Callable[[int, int], int]:
    """The same for all questions of a game, with what they share hashed once."""
    begun = hashlib.shake_256(netstrings((CHANCE_LABEL, seed, key)))

    def of_question(seat: int, number: int) -> int:
        shake = begun.copy()
        shake.update(netstrings((str(seat), str(number))))
        return int.from_bytes(shake.digest(8), "big")

    return of_question


def _below(stream: Iterator[int], bound: int) -> int:
    """A number below `bound` (at most 256), each as likely: bytes past the last multiple go."""
    limit = 256 - 256 % bound
    return next(byte for byte in stream if byte < limit) % bound


def _stream(data: bytes) -> Iterator[int]:
    """The bytes of the SHAKE-256 stream over `data`, without end."""
    shake, length, start = hashlib.shake_256(data), 128, 0
    while True:
        yield from shake.digest(length)[start:]
        start, length = length, length * 2
