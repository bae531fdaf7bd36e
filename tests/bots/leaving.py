"""Loses its connection at its Nth question.

`back` cuts it and comes back at once, `over` comes back while the old one is still open, `away`
cuts it and stays away, `huge` sends a frame that is larger than any that is read, and stays away.
"""

import sys
import time

from bots.stream import Stream, play_first
from pitch.wire.frames import FRAME_LIMIT_BYTES

QUESTION, WHAT = int(sys.argv[1]), sys.argv[2]

if __name__ == "__main__":
    first = Stream()
    key = first.say_hello()
    for number, question in enumerate(first.questions(), 1):
        if number == QUESTION:
            break
        first.answer(question.question_id, question.view.legal[0])
    if WHAT == "huge":
        first.send(b"x" * (2 * FRAME_LIMIT_BYTES))
    elif WHAT != "over":
        first.close()
    if WHAT in ("away", "huge"):
        time.sleep(600)
    second = Stream()
    second.say_hello(session_key=key)
    play_first(second)
