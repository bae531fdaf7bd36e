"""The loop of a warden: output, control and ended children, until nobody is left.

Here belong the conversation with the server and the order of the end. How a process becomes
the bot is for `guest_process`, who belongs to it for `family`.
"""

import ctypes
import os
import select
import signal
import time
from collections.abc import Sequence

from pitch_server.warden.family import Family
from pitch_server.warden.guest_process import Guest, close_others, start
from pitch_server.warden.log import Log
from pitch_server.warden.system import LINUX, PR_SET_CHILD_SUBREAPER, Prctl

CONTROL, REPORT = 0, 1
CHUNK = 64 * 1024
PIPE_FULL = 32  # chunks: twice what the largest pipe holds

# A bot that writes faster waits for its own output: keeping up with a gigabyte a second would
# take a processor from the others. In each span so many chunks are drained, 16 MiB a second.
DRAIN_SPAN = 0.05
DRAIN_CHUNKS = 13

# How often SIGKILL is repeated for what is forked while we kill, and when we give up: a process
# of another user, or one that hangs in the kernel, can't be ended by us at all.
KILL_AGAIN = 0.01
GIVE_UP = 5.0


class Watch:
    """The loop of the warden: output, control and ended children, until nobody is left."""

    def __init__(self, family: Family, output: int, log: Log, grace: float) -> None:
        self._family = family
        self._output = output
        self._open = True
        self._log = log
        self._grace = grace
        self._span_ends = 0.0  # of draining
        self._chunks = 0  # drained in it
        self._full = False  # the span's chunks are used up: the output waits
        self._kill_at: float | None = None  # set once the end has begun
        self._reported = False
        os.set_blocking(output, False)
        self._poll = select.poll()
        self._poll.register(CONTROL, select.POLLIN)
        self._poll.register(output, select.POLLIN)
        self._wake, waker = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(waker, False)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        self._poll.register(self._wake, select.POLLIN)

    def run(self) -> None:
        """Return when the bot and its descendants are gone, or can't be ended."""
        self._family.reap()
        self._report()
        while not self._family.gone and not self._given_up():
            for descriptor, _ in self._poll.poll(self._timeout()):
                if descriptor == self._output:
                    self._drain(1)
                    self._hold_back()
                elif descriptor == CONTROL:
                    self._control()
                else:
                    self._signals()
            self._family.reap()
            self._report()
            self._kill_if_due()
            self._go_on_if_due()
        if not LINUX:
            self._family.signal(signal.SIGKILL)
        self._drain(PIPE_FULL)

    def _timeout(self) -> float | None:
        """Milliseconds until something is to be done without being told."""
        now = time.monotonic()
        waits = []
        if self._kill_at is not None:
            waits.append(max(self._kill_at - now, KILL_AGAIN))
        if self._full:
            waits.append(max(self._span_ends - now, 0))
        return min(waits) * 1000 + 1 if waits else None

    def _hold_back(self) -> None:
        """Look away from output that comes too fast, until the span's end."""
        now = time.monotonic()
        if now >= self._span_ends:
            self._span_ends, self._chunks = now + DRAIN_SPAN, 0
        self._chunks += 1
        if self._chunks >= DRAIN_CHUNKS and self._open:
            self._full = True
            self._poll.unregister(self._output)

    def _go_on_if_due(self) -> None:
        if self._full and time.monotonic() >= self._span_ends:
            self._full = False
            if self._open:
                self._poll.register(self._output, select.POLLIN)

    def _given_up(self) -> bool:
        return self._kill_at is not None and time.monotonic() > self._kill_at + GIVE_UP

    def _drain(self, chunks: int) -> None:
        """Log what came; at most so many chunks, as a child may write without end."""
        for _ in range(chunks if self._open else 0):
            try:
                data = os.read(self._output, CHUNK)
            except BlockingIOError:
                return
            if not data:  # nobody holds the other end
                self._open = False
                if not self._full:
                    self._poll.unregister(self._output)
                return
            self._log.write(data)

    def _control(self) -> None:
        words = os.read(CONTROL, CHUNK).split()
        if not words:  # the server is gone
            self._poll.unregister(CONTROL)
        self._end(float(words[1]) if len(words) > 1 else self._grace)

    def _signals(self) -> None:
        if set(os.read(self._wake, CHUNK)) - {signal.SIGCHLD}:
            self._end(self._grace)

    def _end(self, grace: float) -> None:
        """Ask everyone to end, and set when they are made to. A second call may hasten it."""
        kill_at = time.monotonic() + grace
        if self._kill_at is None:
            self._family.signal(signal.SIGTERM)
            self._kill_at = kill_at
        self._kill_at = min(self._kill_at, kill_at)

    def _kill_if_due(self) -> None:
        if self._kill_at is not None and time.monotonic() >= self._kill_at:
            self._family.kill()
            self._family.reap()

    def _report(self) -> None:
        """Say once how the bot ended, its last words in the log; what it left behind must end."""
        status = self._family.status
        if status is None or self._reported:
            return
        self._reported = True
        self._drain(PIPE_FULL)
        code = os.waitstatus_to_exitcode(status)
        how = f"exited {code}" if code >= 0 else f"killed {-code}"
        say(f"{how} {self._family.cpu_time:.3f}")
        self._end(self._grace)


def say(line: str) -> None:
    """Report to the server, if there still is one."""
    try:
        os.write(REPORT, line.encode() + b"\n")
    except OSError:
        return


def take_environment() -> dict[bytes, bytes] | None:
    """The bot's environment, from the control pipe; None if the server goes before it is complete.

    Eight hex digits of length, then NAME=VALUE, parted by NUL.
    """
    length = _exactly(8)
    if length is None or (content := _exactly(int(length, 16))) is None:
        return None
    pairs = (each.partition(b"=") for each in content.split(b"\0") if each)
    return {name: value for name, _, value in pairs}


def _exactly(count: int) -> bytes | None:
    content = b""
    while len(content) < count:
        more = os.read(CONTROL, count - len(content))
        if not more:
            return None
        content += more
    return content


def main(arguments: Sequence[str]) -> None:
    """Guard one bot from its start to its last descendant's end."""
    close_others()
    path, limit, heading, grace, guest, *command = arguments
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)  # they arrive by the wake-up pipe
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    prctl: Prctl | None = ctypes.CDLL(None, use_errno=True).prctl if LINUX else None
    if prctl is not None:
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    environment = take_environment()
    if environment is None:
        return
    log = Log(path, int(limit), heading)
    pid, output, failed = start(command, environment, Guest(guest), prctl)
    if failed:
        os.waitpid(pid, 0)
        say(f"failed {failed}")
        return
    family = Family(pid)
    watch = Watch(family, output, log, float(grace))
    say(f"started {pid}")
    watch.run()
