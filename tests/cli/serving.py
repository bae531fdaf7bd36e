"""A server for operators beside a database, in a thread of this process."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

from pitch_server.endpoint import published
from pitch_server.live import Event
from pitch_server.service.app import RefereeServer
from pitch_server.service.listening import Listening
from pitch_server.service.lobby import Lobby
from pitch_server.service.operators import operator_service
from service.live import QuietLive

TOKEN = "the admin token, of which nobody knows"


class Serving:
    """A server in its thread; what it is told to do is done there."""

    def __init__(self, live: QuietLive, server: RefereeServer, stop: Callable[[], None]) -> None:
        self.live = live
        self.server = server
        self.stop = stop
        self._loop = asyncio.get_running_loop()

    def call(self, function: Callable[..., Any], *arguments: object) -> None:
        """Calls a function on its loop."""
        self._loop.call_soon_threadsafe(function, *arguments)

    def tell(self, *events: Event) -> None:
        """Tells watchers of events."""
        for event in events:
            self.call(self.live.channel.tell, event)


@contextmanager
def serving(
    live: QuietLive,
    database: Path | None = None,
    *,
    tournament: int = 1,
    token: str = TOKEN,
    listening: Listening | None = None,
) -> Iterator[Serving]:
    """A server with that tournament; operators find it by the database, if one is given."""
    ready: list[Serving] = []
    is_ready, may_end = threading.Event(), threading.Event()

    async def serve() -> None:
        async with AsyncExitStack() as stack:
            service = operator_service(live, token)
            server = RefereeServer(Lobby(), listening, services=(service,))
            await stack.enter_async_context(server)
            if database is not None:
                stack.enter_context(
                    published(
                        database,
                        address=server.local_address,
                        token=token,
                        tournament=tournament,
                    )
                )
            ready.append(Serving(live, server, may_end.set))
            is_ready.set()
            await asyncio.to_thread(may_end.wait)

    thread = threading.Thread(target=_run, args=(serve(),))
    thread.start()
    try:
        assert is_ready.wait(20)
        yield ready[0]
    finally:
        may_end.set()
        thread.join()


def _run(coroutine: Coroutine[Any, Any, None]) -> None:
    asyncio.run(coroutine)
