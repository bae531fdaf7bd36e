"""The warden: a small process between the server and one bot, so that no bot outlives the server.

Here belong starting the bot's command in a session of its own, draining its output into a
bounded log, telling the server how it ended, and ending it with everything that it started.
Nothing else: which bots run, with what token and how often is for `launch`. Run as a script, by
the standard library alone, so that thirty of them start quickly:

    python -I -S warden.py LOG LOG_LIMIT GRACE COMMAND...

Standard input is the control pipe: `stop SECONDS` ends the bot, and so does its closing, which
is what even a kill -9 of the server does. Standard output is the report pipe, a line an event:
`started PID`, `failed ERRNO`, `exited STATUS`, `killed SIGNAL`. The environment and the working
directory are handed on to the bot as they are.

On Linux the warden adopts orphans, so daemons that the bot left behind are found however they
detached, and the bot dies with its warden. Elsewhere only the bot's process group is ended.
"""

import ctypes
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence

CONTROL, REPORT = 0, 1
CHUNK = 64 * 1024
PIPE_FULL = 32  # chunks: twice what the largest pipe holds
LINUX = sys.platform == "linux"

# linux/prctl.h
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

# How often SIGKILL is repeated for what is forked while we kill, and when we give up: a process
# of another user, or one that hangs in the kernel, can't be ended by us at all.
KILL_AGAIN = 0.01
GIVE_UP = 5.0

Prctl = Callable[..., int]


class Log:
    """A file of at most `limit` bytes; full, it becomes `PATH.1` and a new one begins.

    What can't be written (a full disk) is dropped: the bot must never wait for its log.
    """

    def __init__(self, path: str, limit: int) -> None:
        self._path = path
        self._limit = limit
        self._open()

    def _open(self) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        self._file = os.open(self._path, flags, 0o600)
        self._size = 0

    def _rotate(self) -> None:
        os.close(self._file)
        os.replace(self._path, self._path + ".1")  # noqa: PTH105
        self._open()

    def write(self, data: bytes) -> None:
        """Keep `data`, however long, split where a file is full."""
        try:
            while data:
                if self._size >= self._limit:
                    self._rotate()
                written = os.write(self._file, data[: self._limit - self._size])
                self._size += written
                data = data[written:]
        except OSError:
            return


class Family:
    """The bot and all its descendants, as far as the system lets us find them."""

    def __init__(self, bot: int) -> None:
        self.bot = bot
        self.status: int | None = None  # as os.waitpid gives it, once the bot ended
        self.gone = False  # no child of ours is left, thus no descendant
        listed = os.path.exists("/proc/thread-self/children")  # noqa: PTH110 (no pathlib: slow)
        self._children = _children_listed if listed else _children_searched

    def reap(self) -> None:
        """Take the status of every child that ended, adopted ones too."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                if pid == self.bot:
                    self.status = status
        except ChildProcessError:
            self.gone = True

    def signal(self, number: int) -> None:
        """Send a signal to everyone."""
        found = list(descendants(os.getpid(), self._children)) if LINUX else []
        for pid in found:
            _send(os.kill, pid, number)
        # Without /proc there is the group; on Linux only while its number can't be a stranger's.
        if self.bot not in found and (self.status is None or not LINUX):
            _send(os.killpg, self.bot, number)


def _send(kill: Callable[[int, int], None], target: int, number: int) -> None:
    try:
        kill(target, number)
    except (ProcessLookupError, PermissionError):
        return


def descendants(pid: int, children: Callable[[int], list[int]]) -> Iterator[int]:
    """Everything below `pid`, parents first."""
    seen = {pid}
    waiting = [pid]
    while waiting:
        for child in children(waiting.pop()):
            if child not in seen:
                seen.add(child)
                waiting.append(child)
                yield child


def _children_listed(pid: int) -> list[int]:
    """Return the direct children of a process, of all its threads, as the kernel lists them."""
    found: list[int] = []
    for thread in _entries(f"/proc/{pid}/task"):
        found += map(int, _content(f"/proc/{pid}/task/{thread}/children").split())
    return found


def _children_searched(pid: int) -> list[int]:
    """Return the same by looking at every process, for kernels that keep no list."""
    found = []
    for entry in filter(str.isdigit, _entries("/proc")):
        # pid (name, which may hold brackets and spaces) state parent ...
        words = _content(f"/proc/{entry}/stat").rpartition(b")")[2].split()
        if len(words) > 1 and int(words[1]) == pid:
            found.append(int(entry))
    return found


def _entries(directory: str) -> list[str]:
    try:
        return os.listdir(directory)  # noqa: PTH208
    except OSError:  # the process is gone
        return []


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return b""


def start(command: Sequence[str], prctl: Prctl | None) -> tuple[int, int, int]:
    """Start the bot: its pid, the end of its output that we read, and errno if it did not start."""
    read_output, write_output = os.pipe()
    read_error, write_error = os.pipe()
    warden = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            _become(command, write_output, warden, prctl)
        except OSError as error:
            os.write(write_error, str(error.errno).encode())
        finally:
            os._exit(127)
    os.close(write_output)
    os.close(write_error)
    failed = os.read(read_error, 16)  # ends empty when the exec closed the other end
    os.close(read_error)
    return pid, read_output, int(failed or b"0")


def _become(command: Sequence[str], output: int, warden: int, prctl: Prctl | None) -> None:
    """Turn this forked process into the bot."""
    os.setsid()
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != warden:  # it died before we asked
            os._exit(127)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    # Python ignores these; a bot expects the system's defaults.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    # A bot that crashes all night must not fill the disk with core files.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    # All other descriptors were opened with close-on-exec, or closed when we were started.
    os.execvp(command[0], list(command))  # noqa: S606


class Watch:
    """The loop of the warden: output, control and ended children, until nobody is left."""

    def __init__(self, family: Family, output: int, log: Log, grace: float) -> None:
        self._family = family
        self._output = output
        self._open = True
        self._log = log
        self._grace = grace
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
                elif descriptor == CONTROL:
                    self._control()
                else:
                    self._signals()
            self._family.reap()
            self._report()
            self._kill_if_due()
        if not LINUX:
            self._family.signal(signal.SIGKILL)
        self._drain(PIPE_FULL)

    def _timeout(self) -> float | None:
        """Milliseconds until something is to be done without being told."""
        if self._kill_at is None:
            return None
        return max(self._kill_at - time.monotonic(), KILL_AGAIN) * 1000

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
            self._family.signal(signal.SIGKILL)
            self._family.reap()

    def _report(self) -> None:
        """Say once how the bot ended, its last words in the log; what it left behind must end."""
        status = self._family.status
        if status is None or self._reported:
            return
        self._reported = True
        self._drain(PIPE_FULL)
        code = os.waitstatus_to_exitcode(status)
        say(f"exited {code}" if code >= 0 else f"killed {-code}")
        self._end(self._grace)


def say(line: str) -> None:
    """Report to the server, if there still is one."""
    try:
        os.write(REPORT, line.encode() + b"\n")
    except OSError:
        return


def main(arguments: Sequence[str]) -> None:
    """Guard one bot from its start to its last descendant's end."""
    path, limit, grace, *command = arguments
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)  # they arrive by the wake-up pipe
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    prctl: Prctl | None = ctypes.CDLL(None, use_errno=True).prctl if LINUX else None
    if prctl is not None:
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    log = Log(path, int(limit))
    pid, output, failed = start(command, prctl)
    if failed:
        os.waitpid(pid, 0)
        say(f"failed {failed}")
        return
    family = Family(pid)
    watch = Watch(family, output, log, float(grace))
    say(f"started {pid}")
    watch.run()


if __name__ == "__main__":
    main(sys.argv[1:])
