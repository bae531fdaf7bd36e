"""The files that a command is given: opening them, standard input, progress through them.

Here belongs what reading commands share about files. What the bytes mean is for
pitch.records.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from pitch.records import JsonObject, RecordSyntaxError, read_records
from pitch_server.cli.bar import bar
from pitch_server.cli.group import BadInput

__all__ = ["Counted", "name_of", "open_input", "progress", "read_one_record"]

_STDIN = "-"
_LARGE = 8 * 2**20  # below, a file is done before a bar would help


def name_of(path: str) -> str:
    """The name of an input in messages."""
    return "standard input" if path == _STDIN else path


@contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """A binary stream of a file, or of standard input for "-"; BadInput if it can't be opened."""
    if path == _STDIN:
        yield sys.stdin.buffer
        return
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 - closed below
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    with stream:
        if _is_database(stream):
            raise BadInput(f"{path}: is a database; its records are told by pitch export {path}")
        yield stream


def _is_database(stream: BufferedReader) -> bool:
    try:
        return stream.peek(16).startswith(b"SQLite format 3\0")
    except OSError:  # whoever reads it next tells
        return False


def _unreadable(path: str, error: OSError | ValueError) -> BadInput:
    reason = getattr(error, "strerror", None) or str(error)
    return BadInput(f"{name_of(path)}: cannot be read: {reason}")


def read_one_record(path: str) -> JsonObject:
    """The one record that an input holds; BadInput for none, several, or no JSON."""
    with open_input(path) as stream:
        try:
            found = [
                value
                for (_, value), _ in zip(
                    read_records(Counted(stream, path)), range(2), strict=False
                )
            ]
        except RecordSyntaxError as error:
            raise BadInput(f"{name_of(path)}: {error}") from None
    if len(found) != 1:
        count = "no record" if not found else "more than one record"
        raise BadInput(f"{name_of(path)}: expected one record, the file holds {count}")
    return found[0]


class Counted:
    """The stream of an input that knows how many bytes have been read, from it and before it."""

    def __init__(self, stream: BinaryIO, path: str, read: int = 0) -> None:
        self._stream = stream
        self._path = path
        self.read = read

    def readline(self, size: int, /) -> bytes:
        """A line with its end, at most `size` bytes of it; BadInput if reading fails."""
        try:
            line = self._stream.readline(size)
        except OSError as error:
            raise _unreadable(self._path, error) from None
        self.read += len(line)
        return line


@contextmanager
def progress(paths: Sequence[str], *, beside_results: bool) -> Iterator[Callable[[int], None]]:
    """A function to tell how many bytes are read; it moves a bar on standard error.

    There is a bar on a terminal only, for large files, and not where it would stand among
    the results on the same terminal.
    """
    with bar(
        "reading",
        lambda: sum(map(_size_of, paths)),
        beside_results=beside_results,
        least=_LARGE,
    ) as tell:
        yield tell


def _size_of(path: str) -> int:
    try:
        return 0 if path == _STDIN else Path(path).stat().st_size
    except (OSError, ValueError):
        return 0
