"""Peers that have a place and then die, go deaf, are replaced or sent home."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from bot.serving import opening, question
from pitch.wire.frames import Farewell, Hello, Refusal, RefusalReason, Welcome
from pitch_server.service.listening import Listening
from pitch_server.table.asked import Asker
from service.strangers import Caller, calling, eventually, serving

QUICK = Listening(hello_timeout=5, keepalive=0.5)
REFEREE = "pitch.wire.v1.RefereeService"


class Relay:
    """A way to a server that can stop carrying anything, as a network does: no end is told."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._open = asyncio.Event()
        self._open.set()
        self.address = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Relay"]:
        """Carries while it is entered."""
        server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()

    def cut(self) -> None:
        """Carries nothing any more."""
        self._open.clear()

    def carry(self) -> None:
        """Carries again, and what has been held back first."""
        self._open.set()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = self._target.rpartition(":")
        there, to_there = await asyncio.open_connection(host, int(port))
        try:
            await asyncio.gather(self._one_way(reader, to_there), self._one_way(there, writer))
        finally:
            writer.close()
            to_there.close()

    async def _one_way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


async def test_a_peer_that_is_cut_off_is_noticed_without_a_word_from_it() -> None:
    async with (
        serving(QUICK) as (server, (place,)),
        Relay(server.address).running() as relay,
        calling(relay.address) as caller,
    ):
        assert isinstance(await caller.hello(), Welcome)
        relay.cut()
        await eventually(lambda: place.holder is None)  # twice the keepalive
        assert not place.instance.connected
        relay.carry()


async def test_a_peer_that_is_stopped_is_noticed() -> None:
    hello = (
        "import sys; from bots.stream import Stream; s = Stream(); s.say_hello(); sys.stdin.read()"
    )
    async with serving(QUICK) as (server, (place,)):
        environment = {
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[1]),
            "PITCH_SERVER": server.address,
            "PITCH_NAME": "ann",
            "PITCH_TOKEN": "the token",
        }
        process = subprocess.Popen(  # noqa: ASYNC220
            [sys.executable, "-c", hello], env=environment, stdin=subprocess.PIPE
        )
        try:
            await eventually(lambda: place.instance.connected)
            process.send_signal(signal.SIGSTOP)
            await eventually(lambda: place.holder is None)
        finally:
            process.kill()
            process.communicate()


async def test_a_reconnect_takes_its_own_place_while_the_old_connection_seems_alive() -> None:
    async with (
        serving(places=2) as (server, (place, _)),
        Relay(server.address).running() as relay,
        calling(relay.address) as old,
        calling(server.address) as new,
    ):
        welcome = await old.hello()
        assert isinstance(welcome, Welcome)
        relay.cut()
        again = await new.hello(session_key=welcome.session_key)
        assert isinstance(again, Welcome)
        assert again.instance == welcome.instance
        relay.carry()
        refusal = await old.read()
        assert isinstance(refusal, Refusal)
        assert refusal.reason is RefusalReason.REPLACED
        assert await old.read() is None
        await eventually(lambda: len(server._streams) == 1)
        assert place.instance.connected  # the end of the old one is no news


class Nobody(Asker):
    """Asks and hears nothing."""

    def answered(self, *_: Any) -> None: ...

    def failed(self, *_: Any) -> None: ...

    def lost(self, *_: Any) -> None: ...

    def came_late(self, *_: Any) -> None: ...


async def test_a_bot_that_stops_reading_loses_its_connection_and_leaves_nothing_behind() -> None:
    tasks = len(asyncio.all_tasks())
    small = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 16_384))
    async with serving(QUICK) as (server, (place,)), calling(server.address, *small) as deaf:
        assert isinstance(await deaf.hello(capacity=4096), Welcome)
        place.instance.open(Nobody(), opening())
        for number in range(1, 3000):
            place.instance.ask(question(number))
        await eventually(lambda: place.holder is None)
        await eventually(lambda: not server._streams)
        # Its call ends in grpc as well, which would hold it for ever.
        await eventually(
            lambda: not [t for t in asyncio.all_tasks() if "rpc" in repr(t.get_coro())]
        )
    await eventually(lambda: len(asyncio.all_tasks()) <= tasks)


async def test_some_are_sent_away_to_come_back_fresh_and_the_others_stay() -> None:
    async with (
        serving(places=3) as (server, places),
        calling(server.address) as first,
        calling(server.address) as second,
        calling(server.address) as third,
    ):
        callers = [first, second, third]
        for caller in callers:
            assert isinstance(await caller.hello(), Welcome)
        await server.say_farewell("go", places[:2], come_back_fresh=True)
        for caller in callers[:2]:
            assert await caller.read() == Farewell(message="go", come_back_fresh=True)
            assert await caller.read() is None
        assert [place.holder is None for place in places] == [True, True, False]
        async with calling(server.address) as again:  # the door is open
            assert isinstance(await again.hello(), Welcome)
        await server.say_farewell("over")
        assert await third.read() == Farewell(message="over")
        async with calling(server.address) as late:
            refusal = await late.hello()
            assert isinstance(refusal, Refusal)
            assert refusal.reason is RefusalReason.CLOSED


async def test_two_that_take_one_place_at_once_leave_the_later_there() -> None:
    async with serving() as (server, (place,)):

        async def say_hello(caller: Caller) -> None:
            await caller.send(Hello(name="ann", token="the token", session_key=place.session_key))

        async with calling(server.address) as one, calling(server.address) as two:
            await asyncio.gather(say_hello(one), say_hello(two))
            assert isinstance(await one.read(), Welcome)
            assert isinstance(await two.read(), Welcome)
            ended = [asyncio.create_task(each.read()) for each in (one, two)]
            done, (waiting,) = await asyncio.wait(ended, return_when=asyncio.FIRST_COMPLETED)
            (refusal,) = [task.result() for task in done]
            assert isinstance(refusal, Refusal)
            assert refusal.reason is RefusalReason.REPLACED
            place.instance.open(Nobody(), opening())
            await asyncio.wait_for(waiting, 20)  # the one that stays is served


def _health(channel: grpc.aio.Channel) -> Any:
    return health_pb2_grpc.HealthStub(channel)


def _reflection(channel: Any) -> Any:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
    return stub.ServerReflectionInfo()


async def test_health_tells_whether_the_server_serves_and_when_that_changes() -> None:
    async with serving() as (server, _), grpc.aio.insecure_channel(server.address) as channel:
        stub = _health(channel)
        for service in ("", REFEREE, "grpc.health.v1.Health"):
            answer = await stub.Check(health_pb2.HealthCheckRequest(service=service))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        with pytest.raises(grpc.aio.AioRpcError, match="no such service"):
            await stub.Check(health_pb2.HealthCheckRequest(service="x"))
        watch = stub.Watch(health_pb2.HealthCheckRequest(service=REFEREE))
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        server.set_serving(False)
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        watch.cancel()


async def test_watchers_of_the_health_are_bounded_and_a_place_is_free_again() -> None:
    async with serving() as (server, _), grpc.aio.insecure_channel(server.address) as channel:
        stub = _health(channel)
        watches = [stub.Watch(health_pb2.HealthCheckRequest()) for _ in range(64)]
        for watch in watches:
            await watch.read()
        with pytest.raises(grpc.aio.AioRpcError, match="too many watch already"):
            await stub.Watch(health_pb2.HealthCheckRequest()).read()
        watches[0].cancel()
        await eventually(lambda: server._health._watchers < 64)
        await stub.Watch(health_pb2.HealthCheckRequest()).read()


async def test_reflection_names_the_services_and_ends_when_asked_too_much() -> None:
    async with serving() as (server, _), grpc.aio.insecure_channel(server.address) as channel:
        call = _reflection(channel)
        await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        services = {each.name for each in (await call.read()).list_services_response.service}
        assert services == {
            "grpc.health.v1.Health",
            "grpc.reflection.v1alpha.ServerReflection",
            REFEREE,
        }
        asked = 1
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            request = reflection_pb2.ServerReflectionRequest(file_containing_symbol=REFEREE)
            while asked < 1000:
                await call.write(request)
                if await call.read() is grpc.aio.EOF:
                    break
                asked += 1
        assert asked == 200


async def test_bytes_that_are_no_message_are_no_exception_of_ours(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with serving() as (server, _), grpc.aio.insecure_channel(server.address) as channel:
        for method in ("grpc.health.v1.Health/Check", "grpc.health.v1.Health/Watch"):
            call: Any = channel.unary_unary(f"/{method}")
            with pytest.raises(grpc.aio.AioRpcError):
                await call(b"\xff\xff")
    assert not caplog.records
