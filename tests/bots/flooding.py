"""Floods the server with answers that nobody asked for: `first`, `once` or for `ever`.

`first` does so instead of a hello, `once` before it plays on well, for `ever` all the time,
without an answer that was asked for.
"""

import sys
import threading

from bots.stream import Stream, play_first
from pitch import PASS
from pitch.wire.frames import Answer

STRAYS = tuple(Answer(number, PASS) for number in range(1, 1001))


def read(stream: Stream) -> None:
    for _ in stream.questions():
        pass


if __name__ == "__main__":
    stream = Stream()
    if sys.argv[1] == "first":
        for _ in range(20):
            stream.send(STRAYS)
        read(stream)
        sys.exit(1)
    stream.say_hello()
    for _ in range(4):
        stream.send(STRAYS)
    if sys.argv[1] == "once":
        play_first(stream)
    else:
        reader = threading.Thread(target=read, args=(stream,))
        reader.start()
        while reader.is_alive():
            stream.send(STRAYS)
            reader.join(0.002)
