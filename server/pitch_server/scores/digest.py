"""The tournament's digest: one number over every game in the journal (docs/journal.md).

Here belongs how digests are made of texts and of one another. Records are not made here.
"""

import hashlib
from collections.abc import Iterable

from pitch_server.scores.results import GameResult

__all__ = ["TournamentDigest", "text_digest", "tournament_digest"]


def text_digest(text: str) -> str:
    """The SHA-256 of a text's UTF-8, in hex: the digest of a record or of final standings."""
    return hashlib.sha256(text.encode()).hexdigest()


class TournamentDigest:
    """SHA-256 over a line `NUMBER DIGEST` for every game that is in, in plan order."""

    __slots__ = ("_hash",)

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, number: int, digest: str) -> None:
        """Take the next game in."""
        self._hash.update(f"{number} {digest}\n".encode())

    def copy(self) -> "TournamentDigest":
        """Another one, that goes on from the same games."""
        other = TournamentDigest()
        other._hash = self._hash.copy()
        return other

    def hex(self) -> str:
        """The digest of the games so far, in hex."""
        return self._hash.hexdigest()


def tournament_digest(results: Iterable[GameResult]) -> str:
    """The digest over results in plan order."""
    digest = TournamentDigest()
    for result in results:
        digest.add(result.number, result.digest)
    return digest.hex()
