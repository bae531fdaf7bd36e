from collections.abc import Callable

import pytest

from pitch.wire.frames import Hello, Refusal, RefusalReason
from pitch_server.service.lobby import Lobby, Place, new_token, token_hash
from pitch_server.table.clock import Moment
from pitch_server.table.instance import Instance


def nothing() -> None:
    """Wakes nobody."""


class Holder:
    """A connection that holds a place, and what it was told at the end."""

    def __init__(self) -> None:
        self.evicted: list[Refusal] = []

    def sit(self, place: Place) -> None:
        """Takes the place, as a stream does."""
        place.take(self, self.evicted.append)
        place.instance.connect(nothing, 64, notices=False)
        place.announce()


def unnoticed(_place: Place) -> None:
    """Nobody cares."""


def places_of(name: str, count: int, changed: Callable[[Place], None] = unnoticed) -> list[Place]:
    """Places of an entrant, with instances that nobody plays at."""
    return [
        Place(
            name,
            number,
            Instance(
                now=lambda: Moment(0.0, 0.0), move_timeout=1.0, time_bank=0.0, reconnect_grace=9.0
            ),
            changed,
        )
        for number in range(count)
    ]


def lobby_of(count: int = 2) -> tuple[Lobby, list[Place]]:
    lobby, places = Lobby(), places_of("ann", count)
    lobby.admit(token_hash("the token"), places)
    lobby.admit(token_hash("another token"), places_of("bob", 1))
    return lobby, places


def hello(name: str = "ann", token: str = "the token", key: str = "", protocol: int = 1) -> Hello:
    return Hello(name=name, token=token, session_key=key, protocol=protocol)


def refused(lobby: Lobby, said: Hello) -> Refusal:
    refusal = lobby.find(said)
    assert isinstance(refusal, Refusal)
    return refusal


async def test_bots_take_places_in_order_until_there_are_no_more() -> None:
    lobby, places = lobby_of(2)
    for place in places:
        assert lobby.find(hello()) is place
        Holder().sit(place)
    refusal = refused(lobby, hello())
    assert refusal.reason is RefusalReason.NO_PLACE
    assert refusal.message == (
        "all 2 instances of 'ann' that this tournament has a place for are connected already; one "
        "that was started earlier may still run"
    )


@pytest.mark.parametrize(
    ("name", "token"),
    [("ann", "wrong"), ("ann", ""), ("nobody", "the token"), ("bob", "the token"), ("", "")],
)
async def test_a_stranger_learns_nothing(name: str, token: str) -> None:
    refusal = refused(lobby_of()[0], hello(name, token))
    assert (refusal.reason, refusal.message) == (RefusalReason.CREDENTIALS, "refused")


@pytest.mark.parametrize(("protocol", "who"), [(0, "update the bot"), (2, "update the server")])
async def test_another_protocol_is_refused_saying_who_is_behind(protocol: int, who: str) -> None:
    refusal = refused(lobby_of()[0], hello(protocol=protocol))
    assert refusal.reason is RefusalReason.PROTOCOL
    assert refusal.message.endswith(who)


async def test_nobody_comes_in_when_the_tournament_is_over() -> None:
    lobby, _ = lobby_of()
    lobby.closing = True
    assert refused(lobby, hello()).reason is RefusalReason.CLOSED


async def test_a_session_key_leads_back_to_its_own_place_even_from_a_half_dead_connection() -> None:
    lobby, places = lobby_of(2)
    old, new = Holder(), Holder()
    old.sit(places[1])
    assert lobby.find(hello(key=places[1].session_key)) is places[1]
    new.sit(places[1])
    assert [refusal.reason for refusal in old.evicted] == [RefusalReason.REPLACED]
    assert new.evicted == []
    assert places[1].instance.present
    places[1].leave(old)  # the old connection ends at last: that is no news
    assert places[1].holder is new
    assert places[1].instance.present


async def test_a_session_key_opens_nothing_without_its_token_or_of_another_entrant() -> None:
    lobby, places = lobby_of(2)
    key = places[1].session_key
    assert refused(lobby, hello(token="wrong", key=key)).reason is RefusalReason.CREDENTIALS
    found = lobby.find(hello("bob", "another token", key))
    assert isinstance(found, Place)
    assert found.name == "bob"
    assert lobby.find(hello(key="unknown")) is places[0]


async def test_the_place_of_a_launched_process_is_its_own_as_often_as_it_comes() -> None:
    lobby = Lobby()
    (place,) = places_of("ann", 1)
    lobby.admit_launched(token_hash("the token"), place)
    Holder().sit(place)
    assert lobby.find(hello()) is place


async def test_a_process_too_many_does_not_take_the_only_place() -> None:
    lobby, (place,) = lobby_of(1)
    Holder().sit(place)
    refusal = refused(lobby, hello())
    assert refusal.reason is RefusalReason.NO_PLACE
    assert refusal.message.startswith("the only instance of 'ann'")
    assert lobby.find(hello(key=place.session_key)) is place


async def test_an_entrant_without_a_token_is_played_by_whoever_names_it() -> None:
    lobby, _ = lobby_of(1)
    places = places_of("eve", 1)
    lobby.admit_anyone(places)
    assert lobby.find(hello("eve", token="")) is places[0]
    assert lobby.find(hello("eve", token="anything")) is places[0]
    assert refused(lobby, hello("ann", token="")).reason is RefusalReason.CREDENTIALS


async def test_a_place_is_free_when_its_holder_has_left() -> None:
    changes: list[Place] = []
    lobby = Lobby()
    (place,) = places = places_of("ann", 1, changes.append)
    lobby.admit(token_hash("the token"), places)
    holder = Holder()
    holder.sit(place)
    place.leave(holder)
    place.leave(holder)
    assert changes == [place, place]
    assert not place.instance.connected
    assert lobby.find(hello()) is place


async def test_whoever_is_dismissed_is_unknown() -> None:
    lobby, places = lobby_of(2)
    lobby.dismiss(places)
    assert refused(lobby, hello()).reason is RefusalReason.CREDENTIALS
    assert isinstance(lobby.find(hello("bob", "another token")), Place)


async def test_a_stranger_does_not_learn_that_the_tournament_is_over() -> None:
    lobby, _ = lobby_of()
    lobby.closing = True
    assert refused(lobby, hello(token="wrong")).reason is RefusalReason.CREDENTIALS


def test_tokens_differ_and_are_kept_as_hashes() -> None:
    first, second = new_token(), new_token()
    assert first != second
    assert len(first) >= 43  # 256 bits
    assert first.encode() not in token_hash(first)
    assert token_hash(first) == token_hash(first) != token_hash(second)
