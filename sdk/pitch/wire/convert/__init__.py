"""The only bridge between frames and messages: bytes in, values out, and back.

Nothing outside this room touches generated code. Reading raises nothing but `WireError`,
whatever the bytes are; an answer whose outcome makes no sense (an unknown card, an unset
choice) is read as an answer without outcome, so that the fault is charged to its question.

    words     words of the rules and their enums; spans; variants
    views     views, options and actions: what is made for every decision
    from_bot, from_server     the frames of each end
    newer     frames as a newer server might send them
"""

from pitch.wire.convert.from_bot import read_bot_frame, write_bot_frame
from pitch.wire.convert.from_server import read_server_frame, write_server_frame
from pitch.wire.convert.words import WireError

__all__ = [
    "WireError",
    "read_bot_frame",
    "read_server_frame",
    "write_bot_frame",
    "write_server_frame",
]
