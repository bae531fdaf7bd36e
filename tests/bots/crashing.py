"""Ends at its Nth question, by an exit status or by a signal; at its 0th before it connects."""

import os
import signal
import sys

from bots.first import First
from pitch import Action, View, run

QUESTION, HOW = int(sys.argv[1]), sys.argv[2]


def crash() -> None:
    print("this is the end", flush=True)
    if HOW == "signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    os._exit(7)


class Crashing(First):
    questions = 0

    def choose(self, view: View) -> Action:
        Crashing.questions += 1
        if Crashing.questions == QUESTION:
            crash()
        return super().choose(view)


if __name__ == "__main__":
    if QUESTION == 0:
        crash()
    run(Crashing, arguments=[])
