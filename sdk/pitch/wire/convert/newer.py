"""Frames as a newer server might send them: with what nobody knows today.

Here belongs what a bot must pass over: unknown fields at every place, an unknown notice, an
unknown kind of fault, an unknown frame. Only whoever checks bots up sends them.
"""

from typing import Any

from pitch.wire.v1 import referee_pb2

__all__ = ["newer_frame", "unknown_frame"]

# A field 1999 that holds 1, and a field 1998 that holds three bytes: wire types 0 and 2.
_UNKNOWN = b"\xf8\x7c\x01" + b"\xf2\x7c\x03new"
_NEW_KIND = 99


def newer_frame(data: bytes) -> bytes:
    """The frame with unknown fields wherever there may be some.

    A delivery with questions also brings notices that mean nothing.
    """
    response = referee_pb2.PlayResponse.FromString(data)
    kind = response.WhichOneof("event")
    if kind is not None:
        _grow(getattr(response, kind))
    if kind == "delivery":
        _add_unknown(response.delivery)
    response.MergeFromString(_UNKNOWN)
    return response.SerializeToString()


def unknown_frame() -> bytes:
    """A frame of a kind that there is not."""
    return _UNKNOWN


def _grow(message: Any) -> None:
    """Unknown fields in a message and in every message of ours that it holds."""
    for field, value in message.ListFields():
        if field.message_type is None or not field.message_type.full_name.startswith("pitch."):
            continue
        for each in value if field.is_repeated else (value,):
            _grow(each)
    message.MergeFromString(_UNKNOWN)


def _add_unknown(delivery: referee_pb2.Delivery) -> None:
    for table_id in sorted({question.table_id for question in delivery.questions}):
        notice = delivery.notices.add(table_id=table_id)
        notice.MergeFromString(_UNKNOWN)
        fault = delivery.notices.add(table_id=table_id).fault
        # as bytes, since an enum's number is checked where it is set by hand
        fault.MergeFromString(bytes((0x10, _NEW_KIND)))
        fault.message = "a kind of fault that only a newer server knows"
