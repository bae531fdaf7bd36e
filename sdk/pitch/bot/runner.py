"""The runner: a bot's process, its event loop and its life across lost connections.

Here belong starting, coming back and ending. What happens on one connection is
`connection.py`'s, what a frame means the session's.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from time import monotonic

import grpc.aio

from pitch.bot.base import Bot
from pitch.bot.command_line import INSTANCE_VARIABLE, Options, parse_options
from pitch.bot.connection import Connection, ConnectionLost, SessionEnded
from pitch.bot.session import BotSession
from pitch.wire.frames import DEFAULT_CAPACITY

__all__ = ["run"]

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
_CHANNEL_OPTIONS = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", 64 << 20),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    # Waiting between two attempts is the runner's.
    ("grpc.enable_retries", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)


def run(
    make_bot: Callable[[], Bot],
    *,
    capacity: int = DEFAULT_CAPACITY,
    arguments: Sequence[str] | None = None,
) -> None:
    """Connects a bot class to a tournament server and plays until the server says farewell.

    `make_bot` makes one object a seat of a game: a subclass of Bot, or a function without
    arguments. Where to connect comes from the command line or from PITCH_SERVER, PITCH_NAME
    and PITCH_TOKEN. Ends the process: 0 after a farewell, 1 if it was refused or gave up,
    2 for wrong options, 130 after Ctrl-C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parse_options(given, os.environ, capacity)
    try:
        if options.instances > 1:
            sys.exit(_run_instances(options))
        sys.exit(asyncio.run(_play(make_bot, options)))
    except KeyboardInterrupt:
        sys.exit(130)


def _run_instances(options: Options) -> int:
    """Starts this very program N times; the worst exit status of theirs."""
    environment = dict(
        os.environ,
        PITCH_SERVER=options.server,
        PITCH_NAME=options.name,
        PITCH_TOKEN=options.token,
    )
    command = [sys.executable, *_without_token(sys.orig_argv[1:])]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    children: list[subprocess.Popen[bytes]] = []
    try:
        for number in range(options.instances):
            environment[INSTANCE_VARIABLE] = str(number)
            children.append(subprocess.Popen(command, env=environment))  # noqa: S603 - our own
        statuses = [child.wait() for child in children]
    finally:
        for child in children:
            child.terminate()
    # A process that a signal ended has the signal's number, below 0.
    return max(status if status >= 0 else 128 - status for status in statuses)


def _without_token(arguments: Sequence[str]) -> list[str]:
    """The same arguments without the token, which others could see there."""
    kept: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--token":
            next(rest, None)
        elif not argument.startswith("--token="):
            kept.append(argument)
    return kept


async def _play(make_bot: Callable[[], Bot], options: Options) -> int:
    """Plays, and comes back after a lost connection; the exit status of the process."""
    session = BotSession(make_bot)
    session_key = ""
    pause, last_contact = _FIRST_PAUSE, monotonic()
    while True:
        async with grpc.aio.insecure_channel(options.server, options=_CHANNEL_OPTIONS) as channel:
            connection = Connection(channel, session, make_bot, options, session_key)
            try:
                await connection.play()
            except SessionEnded as end:
                _say(end.message)
                return end.status
            except ConnectionLost as lost:
                reason = lost.reason
        if connection.session_key:  # it was let in: patience begins anew
            session_key = connection.session_key
            pause, last_contact = _FIRST_PAUSE, monotonic()
        if monotonic() - last_contact > options.patience:
            _say(f"gave up on {options.server}: {reason}")
            return 1
        await asyncio.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)
        session.reconnected()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
