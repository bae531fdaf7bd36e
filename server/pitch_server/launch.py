"""Launched bots: each a process of its own under a warden, stopped all together.

Here belong a bot's environment and the conversation with its warden. What a bot's end
means for its games, and whether it is started again, is the tournament's business; the words
with the operating system are the warden's.

    Launcher ── BotProcess ══ pipes ══ warden ── the bot and whatever it starts

Nothing here forks the server: it runs grpc's threads.
"""

import asyncio
import os
import secrets
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from pitch_server.accounts import Account, find_account, guest_problem
from pitch_server.bot_command import resolve_command
from pitch_server.bot_log import LOG_LIMIT, BotLog, log_name, shown_lines
from pitch_server.exits import ExitReport, failed_start, read_exit
from pitch_server.guest import GuestSettings

__all__ = ["LOG_LIMIT", "BotLaunch", "BotProcess", "ExitReport", "Launcher", "log_name"]

GRACE = 1.0  # seconds between SIGTERM and SIGKILL
WARDEN_ENDS = 8.0  # seconds after the grace in which a warden ends or gives up, then it is killed
WARDEN = Path(__file__).parent / "warden" / "script.py"

# Marks a bot and its children: should a warden be killed, they are found by it.
MARK = "PITCH_LAUNCH"

# What a program needs to run at all as it does for the operator. Everything else of the server's
# environment may be a secret of the operator's.
_KEPT = {
    "PATH",
    "HOME",
    "LANG",
    "LANGUAGE",
    "TMPDIR",
    "TZ",
    "VIRTUAL_ENV",
    "LD_LIBRARY_PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONPLATLIBDIR",
    "PYTHONHASHSEED",
    "PYTHONUTF8",
    "PYTHONIOENCODING",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPYCACHEPREFIX",
    "PYTHONWARNINGS",
    "PYTHONNOUSERSITE",
    "PYTHONSAFEPATH",
    "PYTHONFAULTHANDLER",
    "PYTHONOPTIMIZE",
}
_KEPT_PREFIX = "LC_"
_NO_LIMITS = GuestSettings()
_OF_OUR_USER = ("HOME", "TMPDIR", "PYTHONPYCACHEPREFIX")  # another can't write there


@dataclass(frozen=True, slots=True, kw_only=True)
class BotLaunch:
    """One process to start: `instance` counts the processes of an entrant, both from 0.

    The command may stand as in the configuration, `{python}` and all. Whether this machine can
    hold it to the limits of `guest`, `accounts.guest_problem` tells beforehand.
    """

    name: str
    command: tuple[str, ...]
    token: str = field(repr=False)
    entrant: int
    instance: int = 0
    guest: GuestSettings = _NO_LIMITS


class BotProcess:
    """One launched bot with its warden and its log.

    `exited` is done as soon as the bot's own process ended, or could not start; what it left
    behind may take a moment longer, which `stop` waits for.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        directory: Path,
        environment: Mapping[str, str],
        log_path: Path,
        log_limit: int = LOG_LIMIT,
        guest: GuestSettings = _NO_LIMITS,
        account: Account | None = None,
    ) -> None:
        self.log_path = log_path
        self.pid: int | None = None
        self.exited: asyncio.Future[ExitReport] = asyncio.get_running_loop().create_future()
        self._command = tuple(command)
        self._directory = directory
        self._mark = secrets.token_hex(16)
        self._environment = {**environment, MARK: self._mark}
        self._log = BotLog(log_path, log_limit)
        self._last_words: bytes | None = None  # once it has ended
        self._guest = guest
        self._account = account
        self._warden: asyncio.subprocess.Process | None = None
        self._listener: asyncio.Task[None] | None = None
        self._answered = asyncio.Event()
        self._stopping = False

    async def start(self) -> None:
        """Return when the program runs, or when `exited` says why it does not."""
        if self._stopping:
            return
        try:
            self.log_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._warden = await asyncio.create_subprocess_exec(
                *self._warden_command(),
                cwd=self._directory,
                env=_kept_environment(),  # not the bot's: its secrets go by the pipe
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the server, which then stops us
            )
        except (OSError, ValueError) as error:  # ValueError: a NUL in the command
            self._settle(ExitReport(failure=f"could not be started: {error}"))
            return
        self._tell(self._warden, _environment_message(self._environment))
        self._listener = asyncio.create_task(self._listen(self._warden))
        if self._stopping:  # meanwhile
            await self.stop()
        await self._answered.wait()

    def _warden_command(self) -> list[str]:
        return [
            *(sys.executable, "-I", "-S", str(WARDEN)),
            *(str(self.log_path.resolve()), str(self._log.limit), self._log.heading, str(GRACE)),
            _guest_words(self._guest, self._account),
            *self._command,
        ]

    async def _listen(self, warden: asyncio.subprocess.Process) -> None:
        """Follow the warden's reports to its end."""
        assert warden.stdout is not None  # noqa: S101 (it was made with pipes)
        async for line in warden.stdout:
            await self._take(line.decode().strip())
        await warden.wait()
        if not self.exited.done():
            await asyncio.to_thread(_end_marked, self._mark, self.pid)
            self._settle(
                ExitReport(failure="could not be started: its warden ended")
                if self.pid is None
                else ExitReport(signal=signal.SIGKILL)
            )

    async def _take(self, line: str) -> None:
        """Take one report of the warden."""
        event, _, value = line.partition(" ")
        if event == "started":
            self.pid = int(value)
            self._answered.set()
        elif event == "failed":
            self._settle(failed_start(line, self._command, self._guest))
        else:
            asked = self._stopping
            self._last_words = await asyncio.to_thread(self._log.tail)
            output = self._last_words.decode(errors="replace")
            self._settle(read_exit(line, self._guest, output, asked))

    def fail(self, problem: str) -> None:
        """Have `exited` say that it could not be started, and why."""
        self._settle(ExitReport(failure=f"could not be started: {problem}"))

    def _settle(self, report: ExitReport) -> None:
        if not self.exited.done():
            self.exited.set_result(report)
        self._answered.set()

    def last_lines(self, count: int = 20) -> list[str]:
        """Return the end of what this run wrote, made harmless: no control character, no token.

        Of a bot that ended it is in memory, its last 64 KiB; of one that runs, files are read:
        on the event loop, call it by `last_words`.
        """
        if self.pid is None:  # what stands in the log is an earlier run's
            return []
        content = self._log.tail() if self._last_words is None else self._last_words
        return shown_lines(content, count, self._environment.get("PITCH_TOKEN", ""))

    async def last_words(self, count: int = 20) -> list[str]:
        """Return the same without keeping the event loop waiting: a thread reads the files."""
        return await asyncio.to_thread(self.last_lines, count)

    async def stop(self, grace: float = GRACE) -> ExitReport:
        """End the bot and all that it started; return when no process of it is left.

        SIGTERM first, SIGKILL after `grace` seconds. Safe to call twice, or before `start`.
        """
        self._stopping = True
        if self._warden is None or self._listener is None:
            self._settle(ExitReport(failure="was stopped before it started"))
            return await self.exited
        self._tell(self._warden, f"stop {grace}\n".encode())
        _, late = await asyncio.wait({self._listener}, timeout=grace + WARDEN_ENDS)
        if late:
            with suppress(ProcessLookupError):
                self._warden.kill()
            await asyncio.to_thread(_end_marked, self._mark, self.pid)
            await self._listener
        return await self.exited

    def _tell(self, warden: asyncio.subprocess.Process, message: bytes) -> None:
        assert warden.stdin is not None  # noqa: S101 (it was made with pipes)
        if not warden.stdin.is_closing():
            warden.stdin.write(message)


class Launcher:
    """The bots that this server launched: `async with Launcher(...)` leaves none behind."""

    def __init__(
        self,
        *,
        server: str,
        directory: Path,
        log_directory: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """`directory` is where commands run, `environment` what bots get beside the usual."""
        self._server = server
        self._directory = directory
        self._log_directory = log_directory
        self._environment = dict(environment or {})
        self._processes: dict[tuple[int, int], BotProcess] = {}
        self._stopping = False

    @property
    def processes(self) -> tuple[BotProcess, ...]:
        """The latest process of each instance, running or not."""
        return tuple(self._processes.values())

    async def launch(self, bot: BotLaunch) -> BotProcess:
        """Start one process, after ending an earlier one of the same instance.

        Once the launcher is stopped nothing starts any more, and `exited` says so.
        """
        if earlier := self._processes.get((bot.entrant, bot.instance)):
            await earlier.stop()
        account, problem = await _account_of(bot.guest)
        process = BotProcess(
            resolve_command(bot.command, self._directory),
            directory=self._directory,
            environment=_environment(self._server, bot, self._environment, account),
            log_path=self._log_directory / log_name(bot.name, bot.entrant, bot.instance),
            guest=bot.guest,
            account=account,
        )
        self._processes[bot.entrant, bot.instance] = process
        if self._stopping:
            await process.stop()
        if problem is None:
            await process.start()
        else:
            process.fail(problem)
        return process

    async def launch_all(self, bots: Iterable[BotLaunch]) -> list[BotProcess]:
        """Start many at once, in the order given."""
        return await asyncio.gather(*map(self.launch, bots))

    async def stop(self, grace: float = GRACE) -> None:
        """Stop all at once; it takes hardly longer than the slowest."""
        self._stopping = True
        await asyncio.gather(*(process.stop(grace) for process in self.processes))

    async def __aenter__(self) -> Self:
        """Return itself: nothing runs yet."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop all."""
        await self.stop()


def _kept_environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT or name.startswith(_KEPT_PREFIX)
    }


def _environment(
    server: str, bot: BotLaunch, extra: Mapping[str, str], account: Account | None
) -> dict[str, str]:
    """Return what a bot may know of ours, and what it must know to connect."""
    kept = _kept_environment()
    if account is not None:
        for name in _OF_OUR_USER:
            kept.pop(name, None)
        kept |= {"HOME": account.home, "USER": account.name, "LOGNAME": account.name}
    # So that the last words of a crashed bot reach its log.
    kept.setdefault("PYTHONUNBUFFERED", "1")
    return {
        **kept,
        **extra,
        **dict(bot.guest.environment),
        "PITCH_SERVER": server,
        "PITCH_TOKEN": bot.token,
        "PITCH_NAME": bot.name,
    }


def _environment_message(environment: Mapping[str, str]) -> bytes:
    """Return what `warden.watch.take_environment` reads."""
    content = b"\0".join(
        os.fsencode(name) + b"=" + os.fsencode(value) for name, value in environment.items()
    )
    return f"{len(content):08x}".encode() + content


async def _account_of(guest: GuestSettings) -> tuple[Account | None, str | None]:
    """The user that a bot runs as, if another than ours, or why it can't."""
    if guest.user is None:
        return None, None
    try:  # in a thread, as users may be kept on another machine
        if problem := await asyncio.to_thread(guest_problem, guest):
            return None, problem
        return await asyncio.to_thread(find_account, guest.user), None
    except LookupError as error:
        return None, str(error)


def _guest_words(guest: GuestSettings, account: Account | None) -> str:
    """Return what `warden.guest_process.Guest` reads."""
    values: dict[str, object] = {
        name: value
        for name in ("memory", "cpu_time", "open_files", "processes", "nice")
        if (value := getattr(guest, name))
    }
    if account is not None:
        values["user"] = ":".join(map(str, (account.uid, account.gid, *account.groups)))
    return ",".join(f"{name}={value}" for name, value in values.items())


def _end_marked(mark: str, bot: int | None) -> None:
    """Kill what a killed warden left: whatever has its mark or is of its bot's session."""
    for _ in range(100):  # again, for what is forked meanwhile
        found = [each for each in psutil.process_iter() if _is_left(each, mark, bot)]
        if not found:
            return
        for process in found:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(found, timeout=0.1)


def _is_left(process: psutil.Process, mark: str, bot: int | None) -> bool:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return os.getsid(process.pid) == bot or process.environ().get(MARK) == mark
    except (psutil.Error, OSError):
        return False
