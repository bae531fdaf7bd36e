"""The lobby: the places of a tournament's entrants and who may take them.

Here belong names, tokens and session keys. Tokens are compared by their hashes in constant
time; neither a token nor a key is ever logged. What a bot does once it sits is not seen here.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable, Sequence

from pitch.wire.frames import PROTOCOL, Hello, Refusal, RefusalReason
from pitch_server.redaction import keep_secret
from pitch_server.table.instance import Instance

__all__ = ["Lobby", "Place", "new_token", "token_hash"]


def new_token() -> str:
    """A token of 256 random bits."""
    token = secrets.token_urlsafe(32)
    keep_secret(token)
    return token


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
        keep_secret(self.session_key)
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

    def send_away(self, reason: str) -> None:
        """Ends the connection that sits here, if there is one, as its credentials are no more."""
        if self.evict is not None:
            self.evict(Refusal(reason=RefusalReason.CREDENTIALS, message=reason))

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
        self.commitment = ""
        self.closing = False
        self._places: dict[bytes, Sequence[Place]] = {}
        self._unguarded: dict[str, Sequence[Place]] = {}
        self._launched: set[int] = set()

    def admit(self, token: bytes, places: Sequence[Place]) -> None:
        """Lets whoever has the token of this hash take one of an entrant's places."""
        self._places[token] = places

    def admit_launched(self, token: bytes, place: Place) -> None:
        """Lets one process take its own place, as often as it comes.

        Nobody else has its token: it need not wait until its last connection is known to be dead.
        """
        self._places[token] = (place,)
        self._launched.add(id(place))

    def admit_anyone(self, places: Sequence[Place]) -> None:
        """Lets anybody take a place who names the entrant: for loopback only."""
        self._unguarded[places[0].name] = places

    def dismiss(self, places: Iterable[Place]) -> None:
        """Forgets these places: nobody may take them any more."""
        gone = set(map(id, places))
        self._places = {
            token: known
            for token, known in self._places.items()
            if not gone.issuperset(map(id, known))
        }
        self._unguarded = {
            name: known
            for name, known in self._unguarded.items()
            if not gone.issuperset(map(id, known))
        }
        self._launched -= gone

    def find(self, hello: Hello) -> Place | Refusal:
        """The place for a bot, or why there is none."""
        if hello.protocol != PROTOCOL:
            return Refusal(
                reason=RefusalReason.PROTOCOL,
                message=f"this server speaks protocol {PROTOCOL}, the bot {hello.protocol}: "
                f"{'update the bot' if hello.protocol < PROTOCOL else 'update the server'}",
            )
        places = self._with_token(token_hash(hello.token))
        if not places or places[0].name != hello.name:
            places = self._unguarded.get(hello.name, ())
        if not places:
            # A stranger learns nothing more: not which names or tokens exist.
            return Refusal(reason=RefusalReason.CREDENTIALS, message="refused")
        if self.closing:
            return Refusal(reason=RefusalReason.CLOSED, message="the tournament is over")
        if id(places[0]) in self._launched:
            return places[0]
        return _own(places, hello.session_key) or _free(places) or _no_place(places)

    def _with_token(self, digest: bytes) -> Sequence[Place]:
        found: Sequence[Place] = ()
        for known, places in self._places.items():
            if hmac.compare_digest(known, digest):
                found = places
        return found


def _own(places: Sequence[Place], session_key: str) -> Place | None:
    """The place that an earlier session had, even if that still seems to sit there."""
    for place in places:
        if session_key and hmac.compare_digest(place.session_key.encode(), session_key.encode()):
            return place
    return None


def _free(places: Sequence[Place]) -> Place | None:
    return next((place for place in places if place.holder is None), None)


def _no_place(places: Sequence[Place]) -> Refusal:
    name, count = places[0].name, len(places)
    all_of_them = "the only instance" if count == 1 else f"all {count} instances"
    return Refusal(
        reason=RefusalReason.NO_PLACE,
        message=f"{all_of_them} of {name!r} that this tournament has a place for "
        f"{'is' if count == 1 else 'are'} connected already; one that was started earlier may "
        "still run",
    )
