"""The lobby: the places of a tournament's entrants and who may take them.

Here belong names, tokens and session keys. Tokens are compared by their hashes in constant
time; neither a token nor a key is ever logged. What a bot does once it sits is not seen here.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable

from pitch.wire.frames import PROTOCOL, Hello, Refusal, RefusalReason
from pitch_server.table.instance import Instance

__all__ = ["Lobby", "Place", "new_token", "token_hash"]


def new_token() -> str:
    """A token of 256 random bits."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).digest()


class Place:
    """One place of an entrant: its instance and whatever connection it has now.

    `evict` ends the connection with a refusal; it is set by the stream that holds the place.
    """

    def __init__(
        self, name: str, number: int, instance: Instance, changed: Callable[["Place"], None]
    ) -> None:
        """`changed` is called when the place is taken or left."""
        self.name = name
        self.number = number
        self.instance = instance
        self.session_key = secrets.token_urlsafe(24)
        self.holder: object | None = None
        self.evict: Callable[[Refusal], None] | None = None
        self._changed = changed

    def take(self, holder: object, evict: Callable[[Refusal], None]) -> None:
        """Seats a connection; one that sat there before, perhaps half dead, is told so."""
        if self.evict is not None:
            self.instance.disconnect()
            self.evict(
                Refusal(
                    reason=RefusalReason.REPLACED,
                    message="another connection of this bot has taken this place",
                )
            )
        self.holder, self.evict = holder, evict

    def announce(self) -> None:
        """Tells that the place was taken or left."""
        self._changed(self)

    def leave(self, holder: object) -> None:
        """The connection is over; nothing happens if another one sits there already."""
        if self.holder is holder:
            self.holder, self.evict = None, None
            self.instance.disconnect()
            self._changed(self)


class Lobby:
    """All places, by token; empty until the tournament fills it."""

    def __init__(self) -> None:
        self.tournament = ""
        self.closing = False
        self._places: dict[bytes, list[Place]] = {}

    def admit(self, token: str, places: list[Place]) -> None:
        """Lets whoever has the token take one of these places."""
        self._places[token_hash(token)] = places

    def dismiss(self) -> list[Place]:
        """Forgets every place; returns them."""
        places = [place for places in self._places.values() for place in places]
        self._places = {}
        return places

    def find(self, hello: Hello) -> Place | Refusal:
        """The place for a bot, or why there is none."""
        if hello.protocol != PROTOCOL:
            return Refusal(
                reason=RefusalReason.PROTOCOL,
                message=f"this server speaks protocol {PROTOCOL}, the bot {hello.protocol}: "
                f"{'update the bot' if hello.protocol < PROTOCOL else 'update the server'}",
            )
        if self.closing:
            return Refusal(reason=RefusalReason.CLOSED, message="the tournament is over")
        places = self._with_token(token_hash(hello.token))
        if not places or places[0].name != hello.name:
            # A stranger learns nothing more: not which names or tokens exist.
            return Refusal(reason=RefusalReason.CREDENTIALS, message="refused")
        for place in places:
            if hello.session_key and hmac.compare_digest(
                place.session_key.encode(), hello.session_key.encode()
            ):
                return place
        for place in places:
            if place.holder is None:
                return place
        if len(places) == 1:  # its own process again, from another connection
            return places[0]
        return Refusal(
            reason=RefusalReason.NO_PLACE,
            message=f"all {len(places)} instances of {hello.name!r} are connected already",
        )

    def _with_token(self, digest: bytes) -> list[Place]:
        found: list[Place] = []
        for known, places in self._places.items():
            if hmac.compare_digest(known, digest):
                found = places
        return found
