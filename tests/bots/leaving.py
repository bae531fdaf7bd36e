"""Cuts its connection at its Nth question: `back` comes back at once, `away` stays away."""

import sys
import time

from bots.stream import Stream, play_first

QUESTION, WHAT = int(sys.argv[1]), sys.argv[2]

if __name__ == "__main__":
    stream = Stream()
    key = stream.say_hello()
    for number, question in enumerate(stream.questions(), 1):
        if number == QUESTION:
            break
        stream.answer(question.question_id, question.view.legal[0])
    stream.close()
    if WHAT == "away":
        time.sleep(600)
    stream = Stream()
    stream.say_hello(session_key=key)
    play_first(stream)
