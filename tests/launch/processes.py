"""Real processes for the tests of launching: bots that behave badly, and who is left of them."""

import os
import sys
import time
from pathlib import Path

import psutil

# Each writes the pids of its whole family to the file that it is given, then lives on.
FAMILIES = {
    "alone": """
note()
sleep()
""",
    "child": """
if os.fork() == 0:
    note()
note()
sleep()
""",
    "ignores_sigterm": """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    note()
    sleep()
note()
sleep()
""",
    "own_session": """
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    note()
    sleep()
note()
sleep()
""",
    "daemon": """
if os.fork() == 0:
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for descriptor in range(3):
        os.close(descriptor)
    note()
    sleep()
note()
sleep()
""",
    "daemon_of_a_thread": """
import subprocess, threading
def spawn():
    child = subprocess.Popen(["sleep", "600"], start_new_session=True)
    note(child.pid)
    sleep()
threading.Thread(target=spawn).start()
note()
sleep()
""",
    "stopped": """
note()
if os.fork() == 0:
    note()
    os.kill(os.getpid(), signal.SIGSTOP)
sleep()
""",
    "forks_on": """
note()
while True:
    if os.fork() != 0:
        os._exit(0) if os.getppid() != FIRST_PARENT else sleep()
    time.sleep(0.002)
""",
}
PROLOGUE = """
import os, signal, sys, time
FIRST_PARENT = os.getppid()
def note(pid=None):
    with open(sys.argv[1], "a") as file:
        file.write(f"{pid or os.getpid()}\\n")
def sleep():
    while True:
        time.sleep(600)
"""


def script(directory: Path, body: str) -> tuple[str, ...]:
    """Write a bot's script into the directory; return the command that runs it."""
    number = len(list(directory.glob("bot*.py")))
    path = directory / f"bot{number}.py"
    path.write_text(PROLOGUE + body)
    return (sys.executable, "-S", str(path))


def noted(path: Path, count: int, seconds: float = 20) -> list[int]:
    """Wait until so many pids stand in the file."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        pids = [int(line) for line in path.read_text().split()] if path.exists() else []
        if len(pids) >= count:
            return pids
        time.sleep(0.01)
    raise AssertionError(f"{count} processes expected in {path}")


def alive(pid: int) -> bool:
    """Whether the process runs: a zombie that its parent has not yet noticed does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def survivors(pids: list[int], seconds: float = 10) -> list[int]:
    """Return who is still there after so long, at once if nobody is."""
    deadline = time.monotonic() + seconds
    while (left := [pid for pid in pids if alive(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def mentioning(text: str) -> list[int]:
    """Return the processes with the text in their command line."""
    found = []
    for process in psutil.process_iter():
        try:
            if text in " ".join(process.cmdline()) and process.pid != os.getpid():
                found.append(process.pid)
        except psutil.Error:
            continue
    return found
