"""How a bot's process ended, in values and in a sentence.

Here belongs reading what the warden reported, and naming the limit that a bot ran into. What
an end means for games is the tournament's business.
"""

import errno
import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass

from pitch_server.guest import GuestSettings

__all__ = ["ExitReport", "failed_start", "read_exit"]

MIB = 1 << 20

# What programs write where they get no memory, file or process; in small letters.
_NO_MEMORY = (
    "memoryerror",
    "bad_alloc",
    "cannot allocate memory",
    "out of memory",
    "failed to map",
)
_NO_FILE = ("too many open files",)
_NO_PROCESS = ("can't start new thread", "resource temporarily unavailable", "cannot fork")

# By these a program ends that takes no memory for an error, and the kernel one without any.
_WITHOUT_MEMORY = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGKILL)

# What people, other programs and a kernel without memory send; a bot may send them to itself.
_SENT = (
    *(signal.SIGKILL, signal.SIGTERM, signal.SIGINT),
    *(signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitReport:
    """How a bot's process ended: with a code, by a signal, or why it did not even start.

    `limit` names the limit that it ran into, or probably did.
    """

    code: int | None = None
    signal: int | None = None
    failure: str | None = None
    limit: str | None = None

    @property
    def started(self) -> bool:
        """Whether the bot's program ran at all."""
        return self.failure is None

    @property
    def own(self) -> bool:
        """Whether it ended by itself; a signal that others send says nothing of who sent it."""
        return self.limit is not None or self.signal not in _SENT

    @property
    def sentence(self) -> str:
        """The same for people, without a subject: "ended with exit status 1"."""
        if self.failure is not None:
            return self.failure
        limit = f" ({self.limit})" if self.limit else ""
        if self.signal is not None:
            return f"was ended by signal {self.signal} ({_signal_name(self.signal)}){limit}"
        return f"ended with exit status {self.code}{limit}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # real-time signals have no name
        return "unnamed"


def read_exit(line: str, guest: GuestSettings, output: str, asked: bool) -> ExitReport:
    """Read a warden's `exited STATUS CPU` or `killed SIGNAL CPU`; `asked` if we ended it.

    `output` is what the bot wrote last.
    """
    event, value, cpu_time = line.split()
    number = int(value)
    if event == "exited":
        limit = _limit_of_status(guest, output.lower()) if number and not asked else None
        return ExitReport(code=number, limit=limit)
    limit = None if asked else _limit_of_signal(number, float(cpu_time), guest, output.lower())
    return ExitReport(signal=number, limit=limit)


def _limit_of_status(guest: GuestSettings, output: str) -> str | None:
    """Name the limit that the bot's last words speak of."""
    if guest.memory is not None and any(words in output for words in _NO_MEMORY):
        return f"it ran out of memory, its limit is {_memory(guest.memory)}"
    if guest.open_files is not None and any(words in output for words in _NO_FILE):
        return f"it ran out of open files, its limit is {guest.open_files}"
    if any(words in output for words in _NO_PROCESS):
        if guest.processes is not None:
            return (
                f"it could start no more processes or threads, its user's limit is "
                f"{guest.processes}"
            )
        if guest.memory is not None:  # a thread takes address space for its stack
            return f"it could start no thread, perhaps as its memory is {_memory(guest.memory)}"
    return None


def _limit_of_signal(number: int, cpu_time: float, guest: GuestSettings, output: str) -> str | None:
    if guest.cpu_time is not None and (
        number == signal.SIGXCPU or (number == signal.SIGKILL and cpu_time >= guest.cpu_time)
    ):
        return f"it used up its CPU time of {guest.cpu_time} s"
    if spoken := _limit_of_status(guest, output):
        return spoken
    if guest.memory is not None and number in _WITHOUT_MEMORY:
        return f"perhaps it ran out of memory, its limit is {_memory(guest.memory)}"
    return None


def _memory(count: int) -> str:
    return f"{count // MIB:,} MiB" if count % MIB == 0 else f"{count:,} bytes"


def failed_start(line: str, command: Sequence[str], guest: GuestSettings) -> ExitReport:
    """Read a warden's `failed ERRNO STEP`; the command's program stands with its whole path."""
    _, value, step = line.split()
    number = int(value)
    program = os.path.basename(command[0])  # noqa: PTH119 (a name, not a file)
    return ExitReport(
        failure=f"could not be started: {_why(number, step, program, command, guest)}"
    )


def _why(number: int, step: str, program: str, command: Sequence[str], guest: GuestSettings) -> str:
    reason = os.strerror(number)
    step, _, index = step.partition(":")
    if step == "user":
        return f"{program}: its limits or its user can't be set: {reason}"
    if step == "read":
        return f"user {guest.user!r} can't read {command[int(index)]}: {reason}{_CHECK_RIGHTS}"
    if number == errno.EACCES and guest.user is not None:
        return f"user {guest.user!r} can't run {command[0]}: {reason}{_CHECK_RIGHTS}"
    if number == errno.EAGAIN and guest.user is not None:
        return f"{program}: user {guest.user!r} runs as many processes as its limit allows"
    if number == errno.ENOMEM and guest.memory is not None:
        return f"{program}: {_memory(guest.memory)} of memory are too little for it"
    if number == errno.ENOENT and os.path.isfile(command[0]):  # noqa: PTH113
        return f"{program}: the file is there, but not the program that its first line (#!) names"
    return f"{program}: {reason}"


_CHECK_RIGHTS = " (look at the rights of the file and of every directory above it)"
