"""JSON Lines in, JSON objects out: one record at a time, whatever the bytes are.

Here belongs all that makes bytes into JSON objects and back into text: lines, encoding, what
JSON forbids or leaves open (NaN, the same key twice, a tower of brackets), and the canonical
text that digests are taken of. What a record must hold does not belong here: record.py knows.

RecordSyntaxError(ValueError)   the bytes are no JSON object; carries the line number
"""

import json
import math
from collections.abc import Iterable, Iterator
from typing import NoReturn, Protocol

__all__ = [
    "MAX_DEPTH",
    "MAX_RECORD_BYTES",
    "ByteStream",
    "JsonObject",
    "RecordSyntaxError",
    "canonical_json",
    "kind_of",
    "lines_of",
    "read_objects",
    "read_records",
]

JsonObject = dict[str, object]

# A hand takes about 700 bytes: room for tens of thousands of hands in one game.
MAX_RECORD_BYTES = 32 * 2**20
MAX_DEPTH = 100

_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
_BLANK = b" \t\r\n"
_BOM = b"\xef\xbb\xbf"


class RecordSyntaxError(ValueError):
    """Bytes that are not a JSON object: the sentence, and the number of the line (from 1)."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class ByteStream(Protocol):
    """The one thing that is asked of a binary stream."""

    def readline(self, size: int, /) -> bytes:
        """A line with its end, at most `size` bytes of it; empty at the end."""
        ...


def read_records(
    stream: ByteStream, *, max_bytes: int = MAX_RECORD_BYTES
) -> Iterator[tuple[int, JsonObject]]:
    """(line number, JSON object) for every record of a binary stream, one in memory at a time."""
    return read_objects(lines_of(stream, max_bytes), max_bytes=max_bytes)


def lines_of(stream: ByteStream, max_bytes: int = MAX_RECORD_BYTES) -> Iterator[bytes]:
    """The lines of a stream; one longer than `max_bytes` comes cut, one byte too long."""
    while line := stream.readline(max_bytes + 1):
        yield line


def read_objects(
    lines: Iterable[bytes], *, max_bytes: int = MAX_RECORD_BYTES
) -> Iterator[tuple[int, JsonObject]]:
    """(line number, JSON object) for every record: an object a line, or one over all lines.

    Raises RecordSyntaxError at the first line that is not a JSON object.
    """
    numbered = enumerate(lines, 1)
    first = True
    for number, line in numbered:
        _check_bytes(line, number, max_bytes)
        text = line.strip(_BLANK)
        if not text:
            continue
        if first and _goes_on(text):
            yield number, _object_over_lines(line, numbered, number, max_bytes)
            return
        first = False
        yield number, _parse_object(text, number)


def _goes_on(text: bytes) -> bool:
    """Whether a first line is the beginning of an object whose rest is on other lines."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return text[:1] == b"{" and error.pos >= len(error.doc)
    except (ValueError, RecursionError):
        return False
    return False


def _object_over_lines(
    head: bytes, rest: Iterable[tuple[int, bytes]], number: int, max_bytes: int
) -> JsonObject:
    parts = [head]
    size = len(head)
    for line_number, line in rest:
        size += len(line)
        _check_bytes(line, line_number, max_bytes)
        if size > max_bytes:
            raise RecordSyntaxError(number, _too_long(max_bytes))
        parts.append(line)
    return _parse_object(b"".join(parts).rstrip(_BLANK), number)


def _check_bytes(line: bytes, number: int, max_bytes: int) -> None:
    if len(line) > max_bytes:
        raise RecordSyntaxError(number, _too_long(max_bytes))
    if number == 1 and line.startswith(_BOM):
        raise RecordSyntaxError(number, "begins with a byte order mark; save it as plain UTF-8")
    if b"\0" in line:
        at = line.index(b"\0")
        raise RecordSyntaxError(
            number, f"holds a NUL byte (byte {at + 1}); expected JSON in UTF-8, is it UTF-16?"
        )


def _too_long(max_bytes: int) -> str:
    return f"a record longer than {max_bytes:,} bytes; expected one JSON object a line"


def _parse_object(data: bytes, number: int) -> JsonObject:
    try:
        value = _DECODER.decode(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = number + data.count(b"\n", 0, error.start)
        bad = data[error.start : error.start + 1].hex()
        raise RecordSyntaxError(line, f"not UTF-8: byte 0x{bad} cannot stand there") from None
    except json.JSONDecodeError as error:
        raise RecordSyntaxError(number + error.lineno - 1, _broken(error)) from None
    except RecursionError:
        raise RecordSyntaxError(number, _too_deep()) from None
    except ValueError as error:  # ours, or a number beyond Python's limit of digits
        raise RecordSyntaxError(number, _value_reason(error)) from None
    if not isinstance(value, dict):
        raise RecordSyntaxError(number, f"expected a JSON object, got {kind_of(value)}")
    _check_depth(value, number)
    return value


def kind_of(value: object) -> str:
    """What a JSON value is, in words: "a list", "a number", "null"."""
    return "null" if value is None else _KINDS.get(type(value), "a number")


def _broken(error: json.JSONDecodeError) -> str:
    if error.pos >= len(error.doc):
        return "ends in the middle of a JSON object; is the file cut off?"
    return f"not JSON at column {error.colno}: {error.msg[:1].lower()}{error.msg[1:]}"


def _value_reason(error: ValueError) -> str:
    text = str(error)
    return "holds a number with too many digits" if "integer string" in text else text


def _too_deep() -> str:
    return f"lists or objects nested more than {MAX_DEPTH} deep"


def _check_depth(value: JsonObject, number: int) -> None:
    """Refuse what would be too deep for writing, comparing or quoting later."""
    level: list[object] = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)  # type: ignore[attr-defined]
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return
    raise RecordSyntaxError(number, _too_deep())


def _object_of_pairs(pairs: list[tuple[str, object]]) -> JsonObject:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"the key {json.dumps(name[:60])} stands twice in one object")
            seen.add(name)
    return value


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"holds a number out of range: {text[:60]}")
    return value


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"holds {text}, which is not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object_of_pairs, parse_float=_finite, parse_constant=_no_constant
)


def canonical_json(value: object) -> str:
    """The one text of a JSON value: sorted keys, no spaces, characters as they are.

    Digests are taken of its UTF-8. A lone surrogate, which UTF-8 cannot hold, stays escaped.
    """
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")
