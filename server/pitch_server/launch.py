"""Launched bots: each a process of its own under a warden, stopped all together.

Here belong a bot's environment, its log and the conversation with its warden. What a bot's end
means for its games, and whether it is started again, is the tournament's business; the words
with the operating system are the warden's.

    Launcher ── BotProcess ══ pipes ══ warden ── the bot and whatever it starts

Nothing here forks the server: it runs grpc's threads.
"""

import asyncio
import errno
import os
import re
import secrets
import signal
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from pitch_server.bot_command import resolve_command

__all__ = ["BotLaunch", "BotProcess", "ExitReport", "Launcher", "log_name"]

LOG_LIMIT = 512 * 1024  # bytes of a log file; with its predecessor twice as much
LAST_BYTES = 64 * 1024  # of a log, where its last lines are looked for
LINE_LENGTH = 2000  # characters of a line that are shown
GRACE = 1.0  # seconds between SIGTERM and SIGKILL
WARDEN_ENDS = 8.0  # seconds after the grace in which a warden ends or gives up, then it is killed

# Marks a bot and its children: should a warden be killed, they are found by it.
MARK = "PITCH_LAUNCH"

_KEPT = {"PATH", "HOME", "LANG", "LANGUAGE", "TMPDIR", "TZ", "VIRTUAL_ENV", "LD_LIBRARY_PATH"}
_KEPT_PREFIXES = ("LC_", "PYTHON")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitReport:
    """How a bot's process ended: with a code, by a signal, or why it did not even start."""

    code: int | None = None
    signal: int | None = None
    failure: str | None = None

    @property
    def started(self) -> bool:
        """Whether the bot's program ran at all."""
        return self.failure is None

    @property
    def sentence(self) -> str:
        """The same for people, without a subject: "ended with exit status 1"."""
        if self.failure is not None:
            return self.failure
        if self.signal is not None:
            return f"was ended by signal {self.signal} ({_signal_name(self.signal)})"
        return f"ended with exit status {self.code}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # real-time signals have no name
        return "unnamed"


@dataclass(frozen=True, slots=True, kw_only=True)
class BotLaunch:
    """One process to start: `instance` counts the processes of an entrant, both from 0.

    The command may stand as in the configuration, `{python}` and all.
    """

    name: str
    command: tuple[str, ...]
    token: str
    entrant: int
    instance: int = 0


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
    ) -> None:
        self.log_path = log_path
        self.pid: int | None = None
        self.exited: asyncio.Future[ExitReport] = asyncio.get_running_loop().create_future()
        self._command = tuple(command)
        self._directory = directory
        self._mark = secrets.token_hex(16)
        self._environment = {**environment, MARK: self._mark}
        self._log_limit = log_limit
        self._warden: asyncio.subprocess.Process | None = None
        self._listener: asyncio.Task[None] | None = None
        self._answered = asyncio.Event()
        self._stopping = False

    async def start(self) -> None:
        """Return when the program runs, or when `exited` says why it does not."""
        if self._stopping:
            return
        warden = [sys.executable, "-I", "-S", str(Path(__file__).with_name("warden.py"))]
        try:
            self._fresh_log()
            self._warden = await asyncio.create_subprocess_exec(
                *[*warden, str(self.log_path.resolve()), str(self._log_limit), str(GRACE)],
                *self._command,
                cwd=self._directory,
                env=self._environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the server, which then stops us
            )
        except (OSError, ValueError) as error:  # ValueError: a NUL in the command
            self._settle(ExitReport(failure=f"could not be started: {error}"))
            return
        self._listener = asyncio.create_task(self._listen(self._warden))
        if self._stopping:  # meanwhile
            await self.stop()
        await self._answered.wait()

    def _fresh_log(self) -> None:
        """Begin a new log, and keep the end of the last run's as NAME.old.log."""
        self.log_path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            self.log_path.replace(self.log_path.with_suffix(".old.log"))
        self._rotated_log.unlink(missing_ok=True)

    @property
    def _rotated_log(self) -> Path:
        return self.log_path.with_name(self.log_path.name + ".1")

    async def _listen(self, warden: asyncio.subprocess.Process) -> None:
        """Follow the warden's reports to its end."""
        assert warden.stdout is not None  # noqa: S101 (it was made with pipes)
        async for line in warden.stdout:
            event, _, value = line.decode().strip().partition(" ")
            if event == "started":
                self.pid = int(value)
                self._answered.set()
            else:
                program = self._directory / self._command[0]
                self._settle(_exit_report(event, int(value), program))
        await warden.wait()
        if not self.exited.done():
            await asyncio.to_thread(_end_marked, self._mark)
            self._settle(
                ExitReport(failure="could not be started: its warden ended")
                if self.pid is None
                else ExitReport(signal=signal.SIGKILL)
            )

    def _settle(self, report: ExitReport) -> None:
        if not self.exited.done():
            self.exited.set_result(report)
        self._answered.set()

    def last_lines(self, count: int = 20) -> list[str]:
        """Return the end of what the bot wrote, made harmless: no control character, no token."""
        content = _tail(self.log_path)
        if len(content) < LAST_BYTES:
            content = (_tail(self._rotated_log) + content)[-LAST_BYTES:]
        if len(content) == LAST_BYTES:  # a line cut in two, perhaps in the middle of the token
            content = content.partition(b"\n")[2] or content
        text = content.decode(errors="replace")
        if token := self._environment.get("PITCH_TOKEN"):
            text = text.replace(token, "[token]")
        return [_harmless(line) for line in text.removesuffix("\n").split("\n")[-count:] if text]

    async def stop(self, grace: float = GRACE) -> ExitReport:
        """End the bot and all that it started; return when no process of it is left.

        SIGTERM first, SIGKILL after `grace` seconds. Safe to call twice, or before `start`.
        """
        self._stopping = True
        if self._warden is None or self._listener is None:
            self._settle(ExitReport(failure="was stopped before it started"))
            return await self.exited
        self._tell(self._warden, f"stop {grace}\n")
        _, late = await asyncio.wait({self._listener}, timeout=grace + WARDEN_ENDS)
        if late:
            with suppress(ProcessLookupError):
                self._warden.kill()
            await asyncio.to_thread(_end_marked, self._mark)
            await self._listener
        return await self.exited

    def _tell(self, warden: asyncio.subprocess.Process, line: str) -> None:
        assert warden.stdin is not None  # noqa: S101 (it was made with pipes)
        if not warden.stdin.is_closing():
            warden.stdin.write(line.encode())


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
        process = BotProcess(
            resolve_command(bot.command, self._directory),
            directory=self._directory,
            environment=_environment(self._server, bot, self._environment),
            log_path=self._log_directory / log_name(bot.name, bot.entrant, bot.instance),
        )
        self._processes[bot.entrant, bot.instance] = process
        if self._stopping:
            await process.stop()
        await process.start()
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


def log_name(name: str, entrant: int, instance: int) -> str:
    """Return a file name that is safe and single, whatever the entrant is called."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", letters)[:40].strip("-") or "bot"
    return f"{entrant + 1:02d}-{slug}-{instance + 1}.log"


def _environment(server: str, bot: BotLaunch, extra: Mapping[str, str]) -> dict[str, str]:
    """Return what a bot may know of ours, and what it must know to connect."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT or name.startswith(_KEPT_PREFIXES)
    }
    # So that the last words of a crashed bot reach its log.
    kept.setdefault("PYTHONUNBUFFERED", "1")
    return {
        **kept,
        **extra,
        "PITCH_SERVER": server,
        "PITCH_TOKEN": bot.token,
        "PITCH_NAME": bot.name,
    }


def _exit_report(event: str, value: int, program: Path) -> ExitReport:
    if event == "exited":
        return ExitReport(code=value)
    if event == "killed":
        return ExitReport(signal=value)
    reason = os.strerror(value)
    if value == errno.ENOENT and program.is_file():
        reason = "the file is there, but not the program that its first line (#!) names"
    return ExitReport(failure=f"could not be started: {program.name}: {reason}")


def _end_marked(mark: str) -> None:
    """Kill what a killed warden left: every process that has its mark in the environment."""
    for _ in range(100):  # again, for what is forked meanwhile
        found = [process for process in psutil.process_iter() if _has_mark(process, mark)]
        if not found:
            return
        for process in found:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(found, timeout=0.1)


def _has_mark(process: psutil.Process, mark: str) -> bool:
    try:
        return process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE
    except (psutil.Error, OSError):
        return False


def _tail(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(max(path.stat().st_size - LAST_BYTES, 0))
            return file.read(LAST_BYTES)
    except OSError:
        return b""


def _harmless(line: str) -> str:
    """Return a line that can be shown on a terminal without commanding it."""
    shown = "".join(
        char if char.isprintable() else _visible(char)
        for char in line.removesuffix("\r").expandtabs()[:LINE_LENGTH]
    )
    return shown + "…" if len(line) > LINE_LENGTH else shown


def _visible(char: str) -> str:
    if char < " ":
        return chr(0x2400 + ord(char))  # the control pictures
    if unicodedata.category(char) == "Zs":
        return " "
    return f"\\u{{{ord(char):x}}}"
