"""The runner: a bot's process, its event loop and its life across lost connections.

Here belong starting, coming back and ending. What happens on one connection is
`connection.py`'s, what a frame means the session's.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

import grpc.aio

from pitch.bot import mistakes
from pitch.bot.base import Bot
from pitch.bot.command_line import INSTANCE_VARIABLE, Options, parse_options
from pitch.bot.connection import Connection, ConnectionLost, SessionEnded
from pitch.bot.headed_output import headed_output, say
from pitch.bot.session import BotSession
from pitch.bot.tls import find_trouble
from pitch.bot.trouble import Trouble
from pitch.wire.frames import DEFAULT_CAPACITY, Welcome

__all__ = ["run"]

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
_LOOK_FOR_PARENT = 1.0  # seconds from one look to the next
# What grpc says where it trusts a certificate less than Python does.
_DISTRUST = ("CERTIFICATE_VERIFY_FAILED", "Hostname Verification Check failed")
_CHANNEL_OPTIONS = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", 64 << 20),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.ping_timeout_ms", 20_000),
    # A bot may wait for its turn for long.
    ("grpc.http2.max_pings_without_data", 0),
    # Waiting between two attempts is the runner's.
    ("grpc.enable_retries", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    # A connection of its own: bots in one process do not share their fate.
    ("grpc.use_local_subchannel_pool", 1),
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
    and PITCH_TOKEN; `--help` tells of TLS. Ends the process: 0 after a farewell, 1 if it was
    refused or gave up, 2 for wrong options, 130 after Ctrl-C. Where the server wants a fresh
    process in its place, the program starts itself anew.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    options, directory = parse_options(given, os.environ, capacity), Path.cwd()
    try:
        if options.instances > 1:
            sys.exit(_run_instances(options))
        with headed_output():
            status = _until_ended(_play(make_bot, options))
        sys.exit(_start_anew(options, directory) if status is None else status)
    except KeyboardInterrupt:
        sys.exit(130)


def _until_ended(playing: Coroutine[None, None, int | None]) -> int | None:
    """Runs it; an author's code that ends the process is told by its line, as nothing else is."""
    try:
        return asyncio.run(playing)
    except (SystemExit, KeyboardInterrupt) as end:
        if mistakes.line_of(end):
            say(mistakes.ended(end))
        raise


def _run_instances(options: Options) -> int:
    """Starts this very program N times; the worst exit status of theirs."""
    command, environment = _this_program(options)
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


def _start_anew(options: Options, directory: Path) -> int:
    """Becomes this very program again, as it was started; returns only where that fails."""
    command, environment = _this_program(options)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # the bot may have closed it
            stream.flush()
    try:
        os.chdir(directory)
        os.execve(command[0], command, environment)  # noqa: S606 - our own
    except OSError as error:
        say(f"cannot start {command[0]} again: {error.strerror}")
    return 1


def _this_program(options: Options) -> tuple[list[str], dict[str, str]]:
    """Command and environment of this program; the token stands in the environment alone."""
    environment = dict(
        os.environ,
        PITCH_SERVER=options.server,
        PITCH_NAME=options.name,
        PITCH_TOKEN=options.token,
    )
    return [sys.executable, *_without_token(sys.orig_argv[1:])], environment


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


async def _play(make_bot: Callable[[], Bot], options: Options) -> int | None:
    """Plays, and comes back after a lost connection; the exit status, None to start anew."""
    session, trouble = BotSession(make_bot), Trouble()
    session_key = ""
    attempts = _Attempts(options)
    background = set()  # asyncio itself would forget a task that nobody holds
    if INSTANCE_VARIABLE in os.environ:
        background.add(asyncio.create_task(_end_with_parent()))
    while True:
        async with _channel(options) as channel:
            connection = Connection(
                channel, session, make_bot, options, session_key, attempts.succeeded, trouble
            )
            try:
                await connection.play()
            except SessionEnded as end:
                say(end.message)
                return None if end.fresh else end.status
            except ConnectionLost as lost:
                reason = lost.reason
        if connection.session_key:
            session_key = connection.session_key
            attempts.begin()
        elif await attempts.hopeless(reason):
            return 1
        await attempts.pause()
        session.reconnected()


class _Attempts:
    """Attempts to reach the server, since the start or since it was reached last."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._told = False
        self._commitment: str | None = None
        self.begin()

    def begin(self) -> None:
        """The server was reached, or has just been lost: patience begins anew."""
        self._began, self._pause = monotonic(), _FIRST_PAUSE

    def succeeded(self, welcome: Welcome) -> None:
        """Tells the author that the bot is in, the first time and after a loss that was told."""
        if welcome.commitment == self._commitment and not self._told:
            return
        again = "" if self._commitment is None else " again"
        held = f"; commitment to its seed {welcome.commitment}" if welcome.commitment else ""
        say(
            f"connected{again} to {self._options.server} as {self._options.name!r}, instance "
            f"{welcome.instance + 1}, for {welcome.tournament!r}{held}"
        )
        self._commitment, self._told = welcome.commitment, False

    async def hopeless(self, reason: str) -> bool:
        """Whether a failed attempt was the last; tells the author what is wrong, once."""
        server, patience = self._options.server, self._options.patience
        trouble = await asyncio.to_thread(find_trouble, server, self._options.tls)
        said = mistakes.no_pitch_server(server, reason) or reason
        sentence, final = trouble or (said, any(word in reason for word in _DISTRUST))
        if final:
            say(f"cannot connect: {sentence}")
            return True
        if monotonic() - self._began > patience:
            say(f"gave up on {server}: {sentence}")
            return True
        if not self._told:
            self._told = True
            say(f"not connected yet: {sentence}; trying for {patience:g} s")
        return False

    async def pause(self) -> None:
        """Waits before the next attempt, each time longer."""
        await asyncio.sleep(self._pause)
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)


def _channel(options: Options) -> grpc.aio.Channel:
    if options.tls is None:
        return grpc.aio.insecure_channel(options.server, options=_CHANNEL_OPTIONS)
    settings: list[tuple[str, str | int]] = list(_CHANNEL_OPTIONS)
    if options.tls.server_name:
        settings.append(("grpc.ssl_target_name_override", options.tls.server_name))
    return grpc.aio.secure_channel(options.server, options.tls.credentials(), options=settings)


async def _end_with_parent() -> None:
    """Ends this process when the one that started several of it is gone, however that ended."""
    parent = os.getppid()
    while os.getppid() == parent:  # noqa: ASYNC110 - nobody tells us
        await asyncio.sleep(_LOOK_FOR_PARENT)
    say("whoever started this process is gone")
    os.kill(os.getpid(), signal.SIGTERM)
