"""Operators at a real port: what they are told, who is refused, what each failure is called."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import grpc.aio
import pytest

from pitch_server.live import (
    EntrantChanged,
    Event,
    FaultCharged,
    GameFinished,
    Presence,
    TournamentEnded,
)
from pitch_server.service import operator_wire as wire
from pitch_server.service import operators
from pitch_server.service.app import RefereeServer
from pitch_server.service.lobby import Lobby
from pitch_server.service.operator_client import (
    NoSuchEntrant,
    OperatorClient,
    OperatorError,
    Server,
    ServerGone,
    TokenRefused,
)
from pitch_server.service.operators import admin_token, operator_service
from pitch_server.store.errors import TournamentOver
from service.live import STANDINGS, STATUS, QuietLive

TOKEN = "the admin token, of which nobody knows"
GAME = GameFinished(7, 3, ("ann", "bob", "ann", "bob"), (-5, 11), 1, (), void=False)
EVENTS: tuple[Event, ...] = (
    GAME,
    GameFinished(10**12, 0, ("ann", "bob"), (0, 0), None, ((0, "absent"), (1, "error")), void=True),
    FaultCharged(7, 2, "ann", "timeout", "no answer within 1 s\ud800"),
    EntrantChanged("bob", Presence.WITHDRAWN),
    TournamentEnded(""),
)


@asynccontextmanager
async def serving(live: QuietLive) -> AsyncIterator[str]:
    """The address of a referee that operators can call."""
    service = operator_service(live, TOKEN)
    async with RefereeServer(Lobby(), services=(service,)) as server:
        yield server.address


@asynccontextmanager
async def operating(live: QuietLive, token: str = TOKEN) -> AsyncIterator[OperatorClient]:
    """An operator of a server with that tournament."""
    async with (
        serving(live) as address,
        OperatorClient(Server(address=address, token=token)) as client,
    ):
        yield client


async def test_an_operator_is_told_the_status_to_the_last_number() -> None:
    async with operating(QuietLive()) as client:
        assert await client.status() == STATUS


async def test_standings_come_unrounded() -> None:
    async with operating(QuietLive()) as client:
        assert await client.standings() == STANDINGS


async def test_closing_answers_with_the_seed_and_may_be_done_again() -> None:
    live = QuietLive()
    async with operating(live) as client:
        assert await client.close() == STANDINGS | {"seed": "the seed"}
        assert await client.close() == STANDINGS | {"seed": "the seed"}
    assert live.closed == 2


async def test_an_operator_who_hangs_up_does_not_undo_what_was_begun() -> None:
    live = QuietLive()
    live.may_close.clear()
    async with serving(live) as address:
        async with OperatorClient(Server(address=address, token=TOKEN)) as client:
            closing = asyncio.create_task(client.close())
            await live.closing.wait()
            closing.cancel()
        async with OperatorClient(Server(address=address, token=TOKEN)) as other:
            events = await other.watch()  # by now the server knows that the first one is gone
            live.may_close.set()
            assert [event async for event in events] == [TournamentEnded("it was closed")]
    assert live.closed == 1


async def test_an_entrant_is_withdrawn_by_name() -> None:
    live = QuietLive()
    async with operating(live) as client:
        await client.withdraw("bob")
        with pytest.raises(NoSuchEntrant, match="no entrant is named 'bøb'; did you mean 'ann'"):
            await client.withdraw("bøb")
    assert live.withdrawn == ["bob"]


async def test_a_watcher_is_told_every_event_in_order() -> None:
    live = QuietLive()
    async with operating(live) as client:
        events = await client.watch()
        for event in EVENTS:
            live.channel.tell(event)
        told = [event async for event in events]
    assert told == [
        *EVENTS[:2],
        FaultCharged(7, 2, "ann", "timeout", "no answer within 1 s?"),
        *EVENTS[3:],
    ]


async def test_many_events_come_in_few_batches() -> None:
    live = QuietLive()
    async with operating(live) as client:
        events = await client.watch()
        for _ in range(3 * operators._BATCH + 1):
            live.channel.tell(GAME)
        live.channel.tell(EVENTS[-1])
        assert [event async for event in events].count(GAME) == 3 * operators._BATCH + 1


async def test_who_watches_too_late_is_told_of_the_end() -> None:
    live = QuietLive()
    live.channel.tell(TournamentEnded("over"))
    async with operating(live) as client:
        assert [event async for event in await client.watch()] == [TournamentEnded("over")]


async def test_watchers_are_bounded_and_a_place_is_free_when_one_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(operators, "_WATCHERS", 1)
    live = QuietLive()
    async with operating(live) as client:
        first = await client.watch()
        live.channel.tell(GAME)
        assert await anext(first) == GAME
        with pytest.raises(OperatorError, match="there are 1 watchers already"):
            await client.watch()
        await first.aclose()  # type: ignore[attr-defined]
        again = await _watch_when_there_is_room(client)
        live.channel.tell(EVENTS[-1])
        assert [event async for event in again] == [EVENTS[-1]]


async def _watch_when_there_is_room(client: OperatorClient) -> AsyncIterator[Event]:
    while True:
        with suppress(OperatorError):
            return await client.watch()


async def test_a_watcher_that_does_not_read_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "_UNREAD", 50)
    monkeypatch.setattr(operators, "_BATCH", 10)
    live = QuietLive()
    long = FaultCharged(1, 0, "ann", "malformed", "x" * 100_000)
    async with serving(live) as address, grpc.aio.insecure_channel(address) as channel:
        method: Any = channel.unary_stream(wire.method_path(wire.WATCH))
        call = method(b"", metadata=(("authorization", f"Bearer {TOKEN}"),))
        assert await call.read() == b""
        while live.channel.watched:  # nothing is read: what is written piles up, here and there
            live.channel.tell(long)
            await asyncio.sleep(0)
        with pytest.raises(grpc.aio.AioRpcError) as let_go:
            await _read_all(call)
    assert let_go.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert let_go.value.details() == "the events were read too slowly"


async def _read_all(call: Any) -> None:
    while await call.read() is not grpc.aio.EOF:
        pass


async def test_who_is_let_go_by_the_tournament_is_told_so() -> None:
    class Deaf(QuietLive):
        def watch(self) -> AsyncIterator[Event]:
            async def nothing() -> AsyncIterator[Event]:
                for event in EVENTS[:0]:
                    yield event

            return nothing()

    async with operating(Deaf()) as client:
        events = await client.watch()
        with pytest.raises(OperatorError, match="the events were read too slowly"):
            await anext(events)


# --- who is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "metadata",
    [
        pytest.param((), id="nothing"),
        pytest.param((("authorization", ""),), id="empty"),
        pytest.param((("authorization", "Bearer "),), id="no token"),
        pytest.param((("authorization", "Bearer wrong"),), id="wrong"),
        pytest.param((("authorization", TOKEN),), id="no scheme"),
        pytest.param((("authorization", f"Basic {TOKEN}"),), id="another scheme"),
        pytest.param((("authorization", f"Bearer {TOKEN} "),), id="too long"),
        pytest.param((("authorization", f"Bearer {TOKEN[:-1]}"),), id="too short"),
        pytest.param((("authorization-bin", f"Bearer {TOKEN}".encode()),), id="as bytes"),
        pytest.param(
            (("authorization", "Bearer wrong"), ("authorization", f"Bearer {TOKEN}")), id="second"
        ),
    ],
)
@pytest.mark.parametrize("method", wire.METHODS)
async def test_a_stranger_learns_nothing_and_changes_nothing(
    metadata: tuple[tuple[str, Any], ...], method: str
) -> None:
    live = QuietLive()
    async with serving(live) as address, grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.unary_unary(wire.method_path(method))
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call(b"\xff not a message", metadata=metadata)
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert refused.value.details() == "refused"
    assert (live.closed, live.withdrawn) == (0, [])
    assert not live.channel.watched


async def test_refused_calls_are_logged_seldom_and_no_token_ever(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG):
        async with operating(QuietLive(), "a secret that is wrong") as client:
            for _ in range(20):
                with pytest.raises(TokenRefused, match="refused the admin token"):
                    await client.status()
    told = [record for record in caplog.records if record.name.startswith("pitch_server")]
    assert [record.levelname for record in told] == ["WARNING"]
    assert "1 calls without the admin token were refused, the last from ipv4:" in caplog.text
    assert "a secret" not in caplog.text
    assert TOKEN not in caplog.text


def test_the_token_is_the_operators_own_or_a_new_one_of_256_bits() -> None:
    own = "x" * 32
    assert admin_token({"PITCH_ADMIN_TOKEN": own}) == own
    first, second = admin_token({}), admin_token({})
    assert first != second
    assert len(first) == 43
    with pytest.raises(OSError, match="PITCH_ADMIN_TOKEN has 6 characters, expected 32") as told:
        admin_token({"PITCH_ADMIN_TOKEN": "qwerty"})
    assert "qwerty" not in str(told.value)


def test_a_token_is_not_shown_with_its_server() -> None:
    assert TOKEN not in repr(Server(address="a:1", token=TOKEN))


# --- failures ---------------------------------------------------------------------------------


async def test_a_failure_of_ours_is_logged_and_not_told(caplog: pytest.LogCaptureFixture) -> None:
    live = QuietLive()
    async with operating(live) as client:
        live.failure = RuntimeError("a secret of ours")
        with pytest.raises(OperatorError, match="the server failed; its log tells why"):
            await client.status()
        live.failure = KeyError("a secret of ours")
        with pytest.raises(OperatorError, match="the server failed; its log tells why"):
            await client.withdraw("ann")
    assert caplog.text.count("a secret of ours") == 2


async def test_a_tournament_that_is_over_is_told_in_its_words() -> None:
    live = QuietLive()
    live.failure = TournamentOver("a.db: the tournament is closed already")
    async with operating(live) as client:
        with pytest.raises(OperatorError, match=r"a\.db: the tournament is closed already"):
            await client.withdraw("ann")


async def test_a_long_sentence_is_cut_to_what_a_status_carries() -> None:
    async with operating(QuietLive()) as client:
        with pytest.raises(NoSuchEntrant, match=r"^no entrant is named '漢{479}…$"):
            await client.withdraw("漢" * 100_000)


async def test_garbage_is_an_invalid_argument(caplog: pytest.LogCaptureFixture) -> None:
    async with serving(QuietLive()) as address, grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.unary_unary(wire.method_path(wire.WITHDRAW))
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call(b"\xff", metadata=(("authorization", f"bearer {TOKEN}"),))
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "expected a WithdrawEntrantRequest" in (refused.value.details() or "")
    assert not caplog.records


async def test_a_server_that_is_gone_is_told_with_its_address() -> None:
    async with serving(QuietLive()) as address:
        pass
    async with OperatorClient(Server(address=address, token=TOKEN)) as client:
        with pytest.raises(ServerGone, match=f"no server answers at {address}"):
            await client.status()
        with pytest.raises(ServerGone, match=f"no server answers at {address}"):
            await client.watch()


async def test_a_server_that_goes_while_it_is_watched_is_told() -> None:
    live = QuietLive()
    async with serving(live) as address:
        client = OperatorClient(Server(address=address, token=TOKEN))
        await client.__aenter__()
        events = await client.watch()
        live.channel.tell(GAME)
        assert await anext(events) == GAME
    with pytest.raises(ServerGone):
        await anext(events)
    await client.__aexit__()


async def test_a_referee_without_the_service_is_told() -> None:
    async with (
        RefereeServer(Lobby()) as server,
        OperatorClient(Server(address=server.address, token=TOKEN)) as client,
    ):
        with pytest.raises(OperatorError, match="has no service for operators"):
            await client.status()
