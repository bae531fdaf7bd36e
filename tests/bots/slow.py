"""Thinks for too long: SECONDS for each of its first COUNT decisions, or for all."""

import sys
import time

from bots.first import First
from pitch import Action, View, run

SECONDS = float(sys.argv[1])
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else sys.maxsize


class Slow(First):
    decisions = 0

    def choose(self, view: View) -> Action:
        Slow.decisions += 1
        if Slow.decisions <= COUNT:
            time.sleep(SECONDS)
        return super().choose(view)


if __name__ == "__main__":
    run(Slow, arguments=[])
