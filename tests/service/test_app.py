import asyncio
import logging
import os
import subprocess
import sys

import grpc.aio
import pytest

from pitch.wire.convert import write_bot_frame
from pitch.wire.frames import Hello
from pitch_server.service.app import RefereeServer
from pitch_server.service.lobby import Lobby, Place, token_hash
from pitch_server.table.clock import Moment
from pitch_server.table.instance import Instance


class Gone:
    """A call whose bot said hello and went away; grpc says so at the write of that number."""

    def __init__(self, last_write: int) -> None:
        self._left = last_write
        self._said_hello = False

    def peer(self) -> str:
        return "ipv4:127.0.0.1:1"

    async def read(self) -> bytes:
        if not self._said_hello:
            self._said_hello = True
            return write_bot_frame(Hello(name="ann", token="the token"))
        await asyncio.sleep(60)
        raise AssertionError("nobody reads for so long")

    async def write(self, _data: bytes) -> None:
        if not self._left:
            raise grpc.aio.InternalError('Failed "execute_batch"')
        self._left -= 1


@pytest.mark.parametrize("writes", [0, 1])
async def test_a_bot_that_is_gone_while_it_is_written_to_is_no_exception_of_ours(
    caplog: pytest.LogCaptureFixture, writes: int
) -> None:
    lobby = Lobby()
    instance = Instance(
        now=lambda: Moment(0.0, 0.0), move_timeout=1.0, time_bank=0.0, reconnect_grace=9.0
    )
    server = RefereeServer(lobby)

    def say_farewell(_place: Place) -> None:
        for stream in server._streams:
            stream.farewell("over")

    place = Place("ann", 0, instance, say_farewell)
    lobby.admit(token_hash("the token"), [place])
    with caplog.at_level(logging.WARNING):
        await server._play(None, Gone(writes))
    assert not caplog.records
    assert place.holder is None
    assert not instance.connected


def test_grpc_does_not_talk_among_our_messages() -> None:
    """It asks when it is imported, so whatever imports us first must have said so before."""
    told = "import pitch_server.{}, os; print(os.environ['GRPC_VERBOSITY'])"
    quiet = "import sys; sys.modules['grpc'] = None; import pitch_server.service; " + told
    environment = {key: value for key, value in os.environ.items() if key != "GRPC_VERBOSITY"}
    for code in (told.format("tournament"), quiet.format("service")):
        command = [sys.executable, "-c", code]
        said = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        assert said.stdout == "NONE\n"
