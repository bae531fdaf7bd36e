"""A good player that won't go: ignores signals, has children that do so too, and stays."""

import os
import signal
import time

from bots.first import First
from pitch import run


def stay() -> None:
    while True:
        time.sleep(600)


def ignore() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


if __name__ == "__main__":
    ignore()
    if os.fork() == 0:  # a child in the bot's group, and one that left it
        if os.fork() == 0:
            os.setsid()
        stay()
    try:
        run(First, arguments=[])
    finally:
        stay()
