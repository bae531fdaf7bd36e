"""Frames from the bot: hello and answers."""

from dataclasses import fields

from google.protobuf.message import DecodeError

from pitch.rules import Action
from pitch.wire.convert.views import fill_action, read_action
from pitch.wire.convert.words import WireError
from pitch.wire.frames import FRAME_LIMIT_BYTES, ITEMS_LIMIT, Answer, BotFrame, Failure, Hello
from pitch.wire.v1 import referee_pb2

__all__ = ["read_bot_frame", "write_bot_frame"]

_MESSAGE_LIMIT = 1_000
_TRACEBACK_LIMIT = 16_000
_SDK_LIMIT = 100
_UINT32_MAX = (1 << 32) - 1


def write_bot_frame(frame: BotFrame) -> bytes:
    """The bytes of a frame from a bot."""
    request = referee_pb2.PlayRequest()
    if isinstance(frame, Hello):
        for field in fields(frame):
            setattr(request.hello, field.name, getattr(frame, field.name))
        return request.SerializeToString()
    request.answers.SetInParent()
    add = request.answers.answers.add
    for answer in frame:
        _fill_answer(add(), answer)
    return request.SerializeToString()


def _fill_answer(message: referee_pb2.Answer, answer: Answer) -> None:
    message.question_id, outcome, thinking_us = answer
    message.thinking_time_us = min(thinking_us, _UINT32_MAX)
    if isinstance(outcome, Action):
        fill_action(message.action, outcome)
    elif outcome is not None:
        message.failure.message = outcome.message[:_MESSAGE_LIMIT]
        message.failure.traceback = outcome.traceback[-_TRACEBACK_LIMIT:]


def read_bot_frame(data: bytes) -> BotFrame:
    """The frame that a bot sent; raises WireError where the bytes are none."""
    if len(data) > FRAME_LIMIT_BYTES:
        raise WireError(f"a frame of {len(data)} bytes came, {FRAME_LIMIT_BYTES} are allowed")
    try:
        request = referee_pb2.PlayRequest.FromString(data)
    except DecodeError:
        raise WireError(
            f"expected a PlayRequest, got {len(data)} bytes that are no such message"
        ) from None
    kind = request.WhichOneof("event")
    if kind == "answers":
        return _read_answers(request.answers)
    if kind == "hello":
        return _read_hello(request.hello)
    raise WireError("expected a hello or answers, got a frame with neither")


def _read_answers(message: referee_pb2.Answers) -> tuple[Answer, ...]:
    count = len(message.answers)
    if not 1 <= count <= ITEMS_LIMIT:
        raise WireError(f"expected 1 to {ITEMS_LIMIT} answers in a frame, got {count}")
    return tuple([_read_answer(answer) for answer in message.answers])


def _read_answer(message: referee_pb2.Answer) -> Answer:
    kind = message.WhichOneof("outcome")
    outcome: Action | Failure | None = None
    if kind == "action":
        outcome = read_action(message.action)
    elif kind == "failure":
        failure = message.failure
        outcome = Failure(failure.message[:_MESSAGE_LIMIT], failure.traceback[-_TRACEBACK_LIMIT:])
    return Answer(message.question_id, outcome, message.thinking_time_us)


def _read_hello(message: referee_pb2.Hello) -> Hello:
    return Hello(
        name=message.name,
        token=message.token,
        protocol=message.protocol,
        sdk=message.sdk[:_SDK_LIMIT],
        capacity=message.capacity,
        session_key=message.session_key,
        notices=message.notices,
    )
