"""The bot's end of a stream, without the SDK: for bots that say what no SDK would say.

Frames go out when they are sent and come in when they are asked for, never before.
"""

import os
import queue
from collections.abc import Iterator
from typing import Any

import grpc

from pitch.bot.connection import PLAY_METHOD
from pitch.rules import Action
from pitch.wire.convert import read_server_frame, write_bot_frame
from pitch.wire.frames import (
    Answer,
    BotFrame,
    Delivery,
    Farewell,
    Hello,
    Question,
    Refusal,
    ServerFrame,
    Welcome,
)


class Stream:
    """One stream to the server that the environment names."""

    def __init__(self, *options: tuple[str, int]) -> None:
        """`options` are those of the channel."""
        self._channel = grpc.insecure_channel(os.environ["PITCH_SERVER"], options)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        play: Any = self._channel.stream_stream(PLAY_METHOD)
        self._call: Any = play(iter(self._outgoing.get, None))

    def send(self, frame: BotFrame | bytes) -> None:
        """Sends a frame, or bytes that may be none."""
        self._outgoing.put(frame if isinstance(frame, bytes) else write_bot_frame(frame))

    def say_hello(self, *, session_key: str = "", capacity: int = 64, notices: bool = False) -> str:
        """Says hello and waits to be let in; the session key."""
        self.send(
            Hello(
                name=os.environ["PITCH_NAME"],
                token=os.environ["PITCH_TOKEN"],
                session_key=session_key,
                capacity=capacity,
                notices=notices,
            )
        )
        frame = next(self.frames(), None)
        if not isinstance(frame, Welcome):
            raise SystemExit(f"not let in: {frame}")
        return frame.session_key

    def answer(self, question_id: int, action: Action | None) -> None:
        """Sends one answer."""
        self.send((Answer(question_id, action),))

    def frames(self) -> Iterator[ServerFrame]:
        """What comes, until the stream ends; a refusal is printed."""
        try:
            for data in self._call:
                frame = read_server_frame(data)
                if isinstance(frame, Refusal):
                    print(f"refused ({frame.reason}): {frame.message}", flush=True)
                if frame is not None:
                    yield frame
        except grpc.RpcError:
            return

    def questions(self) -> Iterator[Question]:
        """Every question that comes, until the server says farewell."""
        for frame in self.frames():
            if isinstance(frame, Farewell):
                return
            if isinstance(frame, Delivery):
                yield from frame.questions

    def close(self) -> None:
        """Cuts the connection."""
        self._call.cancel()
        self._outgoing.put(None)
        self._channel.close()


def play_first(stream: Stream) -> None:
    """Plays as `bots.first` does, to the end."""
    for question in stream.questions():
        stream.answer(question.question_id, question.view.legal[0])
