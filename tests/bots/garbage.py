"""Answers every question with something that can't be read, each time something else."""

import random
from collections.abc import Callable

from bots.stream import Stream
from pitch.wire.convert import write_bot_frame
from pitch.wire.frames import Answer, Hello
from pitch.wire.v1 import game_pb2, referee_pb2

CHANCE = random.Random(1)


def discard(question: int, *cards: int) -> bytes:
    action = game_pb2.Action(discard=game_pb2.Discard(cards=cards))
    answer = referee_pb2.Answer(question_id=question, action=action)
    return referee_pb2.PlayRequest(
        answers=referee_pb2.Answers(answers=[answer])
    ).SerializeToString()


GARBAGE: tuple[Callable[[int], bytes], ...] = (
    lambda _question: b"\xff" + CHANCE.randbytes(200),
    lambda _question: CHANCE.randbytes(50_000),
    lambda _question: b"",
    lambda _question: b"\x12\x00",  # answers, but none in it
    lambda question: discard(question, 5, 5),
    lambda question: discard(question, 99),
    lambda question: discard(question, 0xFFFFFFFF),
    lambda question: write_bot_frame((Answer(question, None),)),
    lambda _question: write_bot_frame(Hello(name="again", token="again")),
)

if __name__ == "__main__":
    stream = Stream()
    stream.say_hello()
    for number, each in enumerate(stream.questions()):
        stream.send(GARBAGE[number % len(GARBAGE)](each.question_id))
