"""One process of a bot that sits at a server of ours.

Here belong starting it as a tournament does, knowing whether it is there, and the mischief that a
check wants: cutting its connection, saying everything twice, speaking like a newer server. What it
is asked is `tables`'.
"""

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Self

from pitch.table.faults import Fault
from pitch.wire.convert import write_server_frame
from pitch.wire.convert.newer import newer_frame, unknown_frame
from pitch.wire.frames import Delivery, FaultNotice, Hello, Refusal, ServerFrame
from pitch_server.launch import BotLaunch, BotProcess, Launcher
from pitch_server.service import sockets
from pitch_server.service.app import RefereeServer
from pitch_server.service.lobby import Lobby, Place, new_token, token_hash
from pitch_server.table.instance import Instance
from pitch_server.table.lag import ServerClock

__all__ = ["RECONNECT_GRACE", "Sitting"]

RECONNECT_GRACE = 10.0  # seconds, as in a tournament that says nothing else
_TOURNAMENT = "check-up"
# Stands for an unknown frame in the queue of what goes out, and never does so itself.
_SOMETHING_NEW = FaultNotice(None, Fault.ERROR, "")


class _Guestbook(Lobby):
    """A lobby that keeps every hello, and why it was not good enough."""

    def __init__(self) -> None:
        super().__init__()
        self.hellos: list[Hello] = []
        self.refused: list[Refusal] = []
        self.tournament = _TOURNAMENT

    def find(self, hello: Hello) -> Place | Refusal:
        """The place, as ever."""
        found = super().find(hello)
        if isinstance(found, Refusal):
            self.refused.append(found)
        else:
            self.hellos.append(hello)
        return found


class Sitting:
    """A bot's process, its place and its connection: `async with` it, then `start`.

    `came` is set while it is connected; `left` once it lost its connection or its process ended,
    until `forgive` says that this was wanted.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        directory: Path,
        log_directory: Path,
        *,
        move_timeout: float,
    ) -> None:
        self.name = name
        self.move_timeout = move_timeout
        self.came, self.left, self._news = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.twice = self.newer = False
        self.losses = 0
        self._command, self._directory, self._logs = tuple(command), directory, log_directory
        self._lobby = _Guestbook()
        self._stack = AsyncExitStack()
        self._ids = iter(lambda: secrets.randbits(64) or 1, 0)

    # --- life -------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        """Opens a port; the bot is not started yet."""
        clock = await self._stack.enter_async_context(ServerClock())
        self._server = await self._stack.enter_async_context(
            RefereeServer(self._lobby, spell=self._spell)
        )
        self.instance = Instance(
            now=clock.now,
            move_timeout=self.move_timeout,
            time_bank=0.0,
            reconnect_grace=RECONNECT_GRACE,
            proof=clock,
        )
        self.place = Place(self.name, 0, self.instance, self._changed)
        self._launcher = await self._stack.enter_async_context(
            Launcher(
                server=self._server.local_address,
                directory=self._directory,
                log_directory=self._logs,
            )
        )
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Ends the bot, whatever it does, and closes the port."""
        await self._stack.aclose()

    async def start(self, patience: float) -> bool:
        """Starts the bot; whether it was let in within so many seconds."""
        token = new_token()
        self._lobby.admit(token_hash(token), (self.place,))
        self.process: BotProcess = await self._launcher.launch(
            BotLaunch(name=self.name, command=self._command, token=token, entrant=0)
        )
        self.process.exited.add_done_callback(lambda _exited: self._ended())
        await self.wait_until_there(patience)
        return self.there

    async def wait_until_there(self, patience: float) -> bool:
        """Whether the bot is connected within so many seconds, and its process alive."""
        arriving = asyncio.create_task(self._arrive())
        await asyncio.wait({arriving}, timeout=patience)
        arriving.cancel()
        return self.there

    async def _arrive(self) -> None:
        while not (self.came.is_set() or self.process.exited.done()):
            self._news.clear()
            await self._news.wait()

    async def say_farewell(self) -> None:
        """Ends the session in peace."""
        await self._server.say_farewell("the check-up is over")

    # --- what is known of it ----------------------------------------------------------------

    @property
    def there(self) -> bool:
        """Whether it is connected and its process runs."""
        return self.came.is_set() and not self.process.exited.done()

    @property
    def hellos(self) -> Sequence[Hello]:
        """Every hello that was good."""
        return self._lobby.hellos

    @property
    def refused(self) -> Sequence[Refusal]:
        """Why hellos were not."""
        return self._lobby.refused

    @property
    def capacity(self) -> int:
        """How many questions may be out at once."""
        return self.hellos[-1].capacity or 64

    def new_id(self) -> int:
        """An id for a table or a question; opaque."""
        return next(self._ids)

    @property
    def whereabouts(self) -> str:
        """What became of the bot, for a finding."""
        if self.process.exited.done():
            return f"its process {self.process.exited.result().sentence}"
        if self.refused:
            return f"it was refused ({self.refused[-1].reason.value}): {self.refused[-1].message}"
        return "its process runs, but is not connected"

    async def printed(self) -> tuple[str, ...]:
        """What it printed last, a line each."""
        lines = await self.process.last_words(5)
        return tuple(f"it printed: {line}" for line in lines) or ("it printed nothing",)

    # --- mischief ---------------------------------------------------------------------------

    async def written(self) -> None:
        """Returns when no question waits to be written."""
        while self.instance.waiting and not self.left.is_set():  # noqa: ASYNC110 - a turn or two
            await asyncio.sleep(0)

    async def cut(self) -> None:
        """Cuts the connection; returns when the server has noticed."""
        port = {int(self._server.local_address.rpartition(":")[2])}
        sockets.cut(sockets.connections_to(port), port)
        await self.left.wait()

    def forgive(self) -> None:
        """A loss was wanted."""
        self.losses = 0
        if not self.process.exited.done():
            self.left.clear()

    def tell_of_something_new(self, table_id: int) -> None:
        """Sends a frame of a kind that nobody knows, while `newer`."""
        self.instance.tell(table_id, _SOMETHING_NEW)

    def _spell(self, frame: ServerFrame) -> bytes:
        if not isinstance(frame, Delivery):
            return write_server_frame(frame)
        if self.twice:
            frame = replace(frame, questions=frame.questions * 2)
        if not self.newer:
            return write_server_frame(frame)
        notices = tuple(each for each in frame.notices if each.event is not _SOMETHING_NEW)
        frame = replace(frame, notices=notices)
        return unknown_frame() if frame == Delivery() else newer_frame(write_server_frame(frame))

    # --- inside -----------------------------------------------------------------------------

    def _changed(self, place: Place) -> None:
        self._news.set()
        if place.holder is not None:
            self.came.set()
        else:
            self.came.clear()
            self.losses += 1
            self.left.set()

    def _ended(self) -> None:
        self._news.set()
        self.came.clear()
        self.left.set()
        self.instance.end()
