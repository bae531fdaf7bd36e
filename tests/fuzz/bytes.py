"""Bytes that no honest bot sends: changed frames, and HTTP/2 by hand."""

import struct
from collections.abc import Callable
from random import Random

from pitch.bot.connection import PLAY_METHOD
from pitch.rules import Action
from pitch.wire.convert import write_bot_frame
from pitch.wire.frames import Answer, Failure, Hello, Question
from pitch.wire.v1 import game_pb2, referee_pb2

__all__ = ["PREFACE", "changed", "http2_call", "http2_frame", "random_frame", "wrong_answers"]

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_LARGEST = (1 << 20) - 100  # bytes of a frame that is read at all


def changed(data: bytes, chance: Random) -> bytes:
    """A frame with some bytes changed, left out, doubled or cut off."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(found) + 1)
        kind = chance.randrange(5)
        if kind == 0 and place < len(found):
            found[place] = chance.randrange(256)
        elif kind == 1:
            del found[place : place + chance.randint(1, 8)]
        elif kind == 2:
            found[place:place] = found[place : place + chance.randint(1, 8)]
        elif kind == 3:
            found[place:place] = b"\xff\xff\xff\xff\x0f"  # a length, or a number, beyond all
        else:
            found = found[: max(place, 1)]
    return bytes(found)


def random_frame(token: str, chance: Random) -> bytes:
    """A frame from nowhere: noise, a changed hello, answers to nothing, fields of tomorrow."""
    hello = write_bot_frame(
        Hello(name=chance.choice(["evil", "one", ""]), token=token, capacity=chance.getrandbits(32))
    )
    made: list[Callable[[], bytes]] = [
        lambda: chance.randbytes(chance.choice([0, 1, 10, 1000])),
        lambda: b"\0" * _LARGEST,
        lambda: chance.randbytes(_LARGEST + 200),
        lambda: changed(hello, chance),
        lambda: hello + b"\xfa\x01\x03abc",
        lambda: write_bot_frame((Answer(chance.getrandbits(64), None),)),
        lambda: b"\x12\x00",
        lambda: hello + hello,
    ]
    return chance.choice(made)()


def wrong_answers(question: Question, action: Action, chance: Random) -> list[bytes]:
    """Frames that answer a question, and some that should not."""
    number = question.question_id
    right = write_bot_frame((Answer(number, action, chance.getrandbits(20)),))
    made: list[Callable[[], list[bytes]]] = [
        lambda: [right],
        lambda: [right, right],
        lambda: [changed(right, chance)],
        lambda: [changed(right, chance), right],
        lambda: [right + b"\xfa\x01\x03abc"],
        lambda: [_message(number, game_pb2.Action(play=chance.getrandbits(32)))],
        lambda: [_message(number, game_pb2.Action(bid=chance.getrandbits(32)))],
        lambda: [_message(number, _discard(chance))],
        lambda: [write_bot_frame((Answer(number ^ 1, action),)), right],
        lambda: [write_bot_frame(tuple(Answer(number ^ each, None) for each in range(4096)))],
        lambda: [write_bot_frame((Answer(number, Failure("\x00é" * 600, "x" * 20_000)),))],
        lambda: [_failure(number, "x" * (_LARGEST - 100))],
        list,
    ]
    return chance.choice(made)()


def _discard(chance: Random) -> game_pb2.Action:
    cards = [chance.choice([0, 53, 54, 2**32 - 1, chance.randrange(54)]) for _ in range(8)]
    return game_pb2.Action(discard=game_pb2.Discard(cards=cards))


def _message(question_id: int, action: game_pb2.Action) -> bytes:
    answer = referee_pb2.Answer(question_id=question_id, action=action)
    return referee_pb2.PlayRequest(
        answers=referee_pb2.Answers(answers=[answer])
    ).SerializeToString()


def _failure(question_id: int, text: str) -> bytes:
    failure = referee_pb2.Failure(message="x", traceback=text)
    answer = referee_pb2.Answer(question_id=question_id, failure=failure)
    return referee_pb2.PlayRequest(
        answers=referee_pb2.Answers(answers=[answer])
    ).SerializeToString()


# --- HTTP/2 ---------------------------------------------------------------------------------


def http2_frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """One frame."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def http2_call(data: bytes, length: int | None = None) -> bytes:
    """A call of Play with one message, whose length may be a lie."""
    headers = {
        ":method": "POST", ":scheme": "http", ":path": PLAY_METHOD, ":authority": "x",
        "te": "trailers", "content-type": "application/grpc",
    }  # fmt: skip
    block = b"".join(
        b"\x00" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
        for name, value in headers.items()
    )
    prefix = b"\0" + struct.pack(">I", len(data) if length is None else length)
    return (
        PREFACE
        + http2_frame(4, 0, 0, b"")
        + http2_frame(1, 4, 1, block)
        + http2_frame(0, 0, 1, prefix + data)
    )
