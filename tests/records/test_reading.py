"""Bytes of every kind: records are read one by one, anything else is named with its line."""

import io
import json
from collections.abc import Iterator

import pytest

from pitch.records import RecordSyntaxError, canonical_json, read_objects, read_records
from pitch.records.reading import MAX_DEPTH

PRETTY = b'{\n  "a": [\n    1,\n    {"b": null}\n  ]\n}\n'


def _read(data: bytes) -> list[tuple[int, dict[str, object]]]:
    return list(read_records(io.BytesIO(data)))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"", [], id="empty"),
        pytest.param(b"\n \t\r\n\n", [], id="blank lines"),
        pytest.param(b'{"a": 1}\n{"a": 2}\n', [(1, {"a": 1}), (2, {"a": 2})], id="two lines"),
        pytest.param(b'{"a": 1}\n\n{"a": 2}', [(1, {"a": 1}), (3, {"a": 2})], id="no last end"),
        pytest.param(b'{"a": 1}\r\n{"a": 2}\r\n', [(1, {"a": 1}), (2, {"a": 2})], id="CRLF"),
        pytest.param(PRETTY, [(1, {"a": [1, {"b": None}]})], id="one over several lines"),
        pytest.param(b"\n" + PRETTY + b"\n \n", [(2, {"a": [1, {"b": None}]})], id="blanks around"),
        pytest.param('{"é\u2028": "\\u00e9"}'.encode(), [(1, {"é\u2028": "é"})], id="not ASCII"),
    ],
)
def test_objects_are_read_with_their_lines(
    data: bytes, expected: list[tuple[int, dict[str, object]]]
) -> None:
    assert _read(data) == expected


GOOD = b'{"a": 1}\n'
BAD = [
    pytest.param(b"\xff\xfe", 2, "not UTF-8", id="bad UTF-8"),
    pytest.param(b'{"a": "\xed\xa0\x80"}', 2, "not UTF-8", id="surrogate in UTF-8"),
    pytest.param(b'{"a": "\x00"}', 2, "NUL", id="NUL"),
    pytest.param('{"a": 1}'.encode("utf-16-le"), 2, "NUL", id="UTF-16"),
    pytest.param(b"[" * 100_000, 2, "deep", id="deep lists, unclosed"),
    pytest.param(b"[" * 100_000 + b"]" * 100_000, 2, "deep", id="deep lists"),
    pytest.param(b'{"a":' * 50_000 + b"1" + b"}" * 50_000, 2, "deep", id="deep objects"),
    pytest.param(b'{"x_a":' * 200 + b"1" + b"}" * 200, 2, "deep", id="200 deep"),
    pytest.param(b'{"a": ' + b"9" * 5000 + b"}", 2, "digits", id="huge integer"),
    pytest.param(b'{"a": 1e999}', 2, "out of range", id="infinite float"),
    pytest.param(b'{"a": NaN}', 2, "NaN", id="NaN"),
    pytest.param(b'{"a": -Infinity}', 2, "Infinity", id="Infinity"),
    pytest.param(b'{"a": 1, "a": 1}', 2, "twice", id="the same key twice"),
    pytest.param(b'{"a": {"b": 1, "b": 2}}', 2, "twice", id="the same key twice, inside"),
    pytest.param(b'{"a": [1, 2', 2, "cut off", id="cut off"),
    pytest.param(b'{"a": "b', 2, "column 7", id="cut off in a text"),
    pytest.param(b"{'a': 1}", 2, "column 2", id="single quotes"),
    pytest.param(b'{"a": 1,}', 2, "column", id="comma too many"),
    pytest.param(b'{"a": 1} {"a": 2}', 2, "extra data", id="two on a line"),
    pytest.param(b'\xef\xbb\xbf{"a": 1}', 2, "column 1", id="BOM inside"),
    pytest.param(b"[1]", 2, "expected a JSON object, got a list", id="list"),
    pytest.param(b"3", 2, "got a number", id="number"),
    pytest.param(b'"a"', 2, "got a text", id="text"),
    pytest.param(b"null", 2, "got null", id="null"),
    pytest.param(b"true", 2, "got true or false", id="true"),
    pytest.param(b"hello", 2, "column 1", id="no JSON"),
]


@pytest.mark.parametrize(("line", "number", "words"), BAD)
def test_records_before_the_unreadable_line_are_given(line: bytes, number: int, words: str) -> None:
    records = read_records(io.BytesIO(GOOD + line + b"\n" + GOOD))
    assert next(records) == (1, {"a": 1})
    with pytest.raises(RecordSyntaxError, match=words) as caught:
        next(records)
    assert caught.value.line == number
    assert str(caught.value).startswith(f"line {number}: ")


@pytest.mark.parametrize(("line", "number", "words"), BAD)
def test_an_unreadable_first_line_is_named_too(line: bytes, number: int, words: str) -> None:
    with pytest.raises(RecordSyntaxError, match="line 1: "):
        _read(line)


def test_only_a_file_of_one_object_may_spread_it_over_lines() -> None:
    records = read_records(io.BytesIO(GOOD + PRETTY))
    next(records)
    with pytest.raises(RecordSyntaxError, match="line 2: ends in the middle"):
        next(records)


def test_a_byte_order_mark_is_named() -> None:
    with pytest.raises(RecordSyntaxError, match="line 1: begins with a byte order mark"):
        _read(b"\xef\xbb\xbf" + GOOD)


def test_the_line_of_an_error_inside_one_object_over_lines() -> None:
    with pytest.raises(RecordSyntaxError, match="line 4: not JSON at column 5"):
        _read(PRETTY.replace(b"{", b"?").replace(b"?", b"{", 1))
    with pytest.raises(RecordSyntaxError, match="line 3: not UTF-8: byte 0xff"):
        _read(PRETTY.replace(b"1,", b'"\xff",'))
    with pytest.raises(RecordSyntaxError, match="line 7: not JSON at column 1: extra data"):
        _read(PRETTY + GOOD)
    with pytest.raises(RecordSyntaxError, match="cut off"):
        _read(PRETTY[:-3])


def test_a_line_that_is_too_long_is_refused_without_being_read_whole() -> None:
    class Endless:
        served = 0

        def readline(self, size: int, /) -> bytes:
            self.served += size
            return b" " * size

    stream = Endless()
    with pytest.raises(RecordSyntaxError, match="line 1: a record longer than 1,000 bytes"):
        list(read_records(stream, max_bytes=1000))
    assert stream.served == 1001


def test_one_object_over_lines_has_the_same_limit() -> None:
    with pytest.raises(RecordSyntaxError, match="line 1: a record longer than 1,000 bytes"):
        list(read_objects([b"{\n", *[b" \n"] * 1000], max_bytes=1000))


def test_records_come_one_at_a_time() -> None:
    def lines() -> Iterator[bytes]:
        yield GOOD
        raise AssertionError("read too far")

    assert next(read_objects(lines())) == (1, {"a": 1})


def test_depth_up_to_the_limit_is_fine() -> None:
    inner = MAX_DEPTH - 1
    data = b'{"a":' + b"[" * inner + b"]" * inner + b"}"
    ((_, value),) = _read(data)
    assert json.loads(canonical_json(value)) == json.loads(data)


def test_canonical_json_is_sorted_compact_and_readable() -> None:
    value = {"b": [1, 1.5, None, True], "a": {"é": "\u2028☃"}}
    assert canonical_json(value) == '{"a":{"é":"\u2028☃"},"b":[1,1.5,null,true]}'


def test_a_lone_surrogate_stays_escaped_so_that_it_has_a_digest() -> None:
    ((_, value),) = _read(b'{"a\\ud800": "\\udfff \\u00e9"}')
    text = canonical_json(value)
    assert text.encode("utf-8") == '{"a\\ud800":"\\udfff é"}'.encode()
    assert json.loads(text) == value


def test_canonical_json_refuses_what_json_has_not() -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"a": float("nan")})
