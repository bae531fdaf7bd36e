"""A forked process becomes a bot: its session, descriptors, limits, user and program.

Here belongs everything between the fork and the exec. What the limits may be is for
`pitch_server.guest`; what happens after the exec is for `watch`.
"""

import os
import resource
import signal
from collections.abc import Sequence

from pitch_server.warden.system import LINUX, PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, Prctl


class Guest:
    """What the bot may use: limits by their name in `limits`, and whose process it becomes."""

    def __init__(self, words: str) -> None:
        values = dict(word.split("=") for word in words.split(",") if word)
        user = values.pop("user", "")
        self.user = [int(number) for number in user.split(":") if number]  # uid, gid, groups
        self.limits = {name: int(value) for name, value in values.items()}

    def restrict(self) -> None:
        """Set every limit but that of memory, which this process itself would not survive."""
        # A bot that crashes all night must not fill the disk with core files.
        _limit(resource.RLIMIT_CORE, 0, 0)
        if cpu_time := self.limits.get("cpu_time"):  # SIGXCPU, and SIGKILL for who ignores it
            _limit(resource.RLIMIT_CPU, cpu_time, cpu_time + 1)
        for name, kind in (
            ("open_files", resource.RLIMIT_NOFILE),
            ("processes", resource.RLIMIT_NPROC),  # of the whole user; root is not held to it
        ):
            if number := self.limits.get(name):
                _limit(kind, number, number)
        if nice := self.limits.get("nice"):
            os.nice(nice)
        if LINUX:  # where memory runs out, the kernel ends a bot rather than the server
            _note("/proc/self/oom_score_adj", b"500")

    def restrict_memory(self) -> None:
        """Set the limit of memory; hardly anything can be done after it but an exec."""
        if memory := self.limits.get("memory"):
            _limit(resource.RLIMIT_AS, memory, memory)

    def become_user(self, prctl: Prctl | None) -> None:
        """Give up root for good: groups first, as they can't be changed as another user."""
        if not self.user:
            return
        uid, gid, *groups = self.user
        os.setgroups(groups)
        os.setgid(gid)
        os.setuid(uid)
        if prctl is not None:  # no sudo, no other setuid program
            prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _limit(kind: int, soft: int, hard: int) -> None:
    """Lower a limit; one that is lower already stays."""
    ceiling = resource.getrlimit(kind)[1]
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(kind, (soft, hard))


def _note(path: str, content: bytes) -> None:
    try:
        with open(path, "wb", buffering=0) as file:  # noqa: PTH123
            file.write(content)
    except OSError:
        return


def start(
    command: Sequence[str], environment: dict[bytes, bytes], guest: Guest, prctl: Prctl | None
) -> tuple[int, int, str]:
    """Start the bot: its pid, the end of its output that we read, and why it did not start."""
    read_output, write_output = os.pipe()
    read_error, write_error = os.pipe()
    warden = os.getpid()
    files = _files(command)
    pid = os.fork()
    if pid == 0:
        step = "user"
        try:
            _become_guest(write_output, write_error, guest, warden, prctl)
            for index in files if guest.user else ():
                step = f"read:{index}"
                os.close(os.open(command[index], os.O_RDONLY | os.O_CLOEXEC))
            step = "run"
            guest.restrict_memory()
            os.execvpe(command[0], list(command), environment)  # noqa: S606
        except OSError as error:
            os.write(write_error, f"{error.errno} {step}".encode())
        finally:
            os._exit(127)
    os.close(write_output)
    os.close(write_error)
    failed = os.read(read_error, 64)  # ends empty when the exec closed the other end
    os.close(read_error)
    return pid, read_output, failed.decode()


def _files(command: Sequence[str]) -> list[int]:
    """Which arguments are files: looked up as who we are, since the guest might not see them."""
    return [index for index, word in enumerate(command) if index and os.path.isfile(word)]  # noqa: PTH113


def _become_guest(output: int, error: int, guest: Guest, warden: int, prctl: Prctl | None) -> None:
    """Turn this forked process into one that is fit to run the bot."""
    os.setsid()
    os.umask(0o077)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    close_others(keep=error)  # before the number of open files is limited
    # Python ignores some, others whoever started the server (nohup, a shell's &); a bot expects
    # the system's defaults.
    for number in signal.valid_signals():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    guest.restrict()
    guest.become_user(prctl)
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # a change of user would take it back
        if os.getppid() != warden:  # it died before we asked
            os._exit(127)


def close_others(keep: int = -1) -> None:
    """Close all but the standard streams: whoever started us may have left some inheritable."""
    listing = next((path for path in ("/proc/self/fd", "/dev/fd") if os.path.isdir(path)), None)  # noqa: PTH112
    opened = map(int, os.listdir(listing)) if listing else range(os.sysconf("SC_OPEN_MAX"))  # noqa: PTH208
    for descriptor in opened:
        if descriptor > 2 and descriptor != keep:
            _close(descriptor)


def _close(descriptor: int) -> None:
    try:
        os.close(descriptor)
    except OSError:  # the listing's own
        return
