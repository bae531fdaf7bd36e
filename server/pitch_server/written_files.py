"""The files that commands write: one appears when it is whole, and none is lost by it.

Here belong what each kind of them begins with and how it is written. A file that is there already
is replaced only by its own kind: a database, a bot or another's page stays, whoever misspells a
name. What stands in the files is for whoever writes them.
"""

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

__all__ = [
    "ARRAYS",
    "CERTIFICATE",
    "LOG",
    "MARKDOWN",
    "PAGE",
    "RECORDS",
    "VIEW",
    "FileKind",
    "NotOurs",
    "check_replaceable",
    "csv_kind",
    "whole_file",
]

_HEAD = 4096  # bytes of a file that are looked at
_DATABASE = b"SQLite format 3\0"


class FileKind(NamedTuple):
    """A kind of file: its name in messages and what one of it begins with."""

    words: str
    begins: re.Pattern[bytes]


RECORDS = FileKind("game records", re.compile(rb'\{[^\n]*"format": ?"pitch-record/'))
ARRAYS = FileKind(
    "arrays of decisions", re.compile(rb"PK\x03\x04.{26}observations\.npy", re.DOTALL)
)
PAGE = FileKind(
    "a report's page",
    re.compile(rb'<!doctype html>.*<meta name="generator" content="pitch report">', re.DOTALL),
)
MARKDOWN = FileKind("a report", re.compile(rb"# [^\n]*\n\n[^\n]* games of [^\n]* played[;.]"))
CERTIFICATE = FileKind("a certificate", re.compile(rb'\{\s*"certificate": \d'))
VIEW = FileKind("a saved view", re.compile(rb'\{\s*"format": ?"pitch-view/'))
LOG = FileKind("a log", re.compile(rb'(\{"time": ?")?\d{4}-\d\d-\d\dT'))


def csv_kind(text: str) -> FileKind:
    """Tables with the first heading of this one."""
    heading = re.split(r"[,\r\n]", text, maxsplit=1)[0]
    return FileKind("a report's table", re.compile(re.escape(heading.encode()) + rb"[,\r\n]"))


class NotOurs(ValueError):
    """A file is there that is not of the kind to be written; the text says what to do."""


def check_replaceable(path: Path, kind: FileKind) -> None:
    """NotOurs if a file is there that is neither empty nor of this kind.

    Pipes and devices can be written to; what can't be read is left to whoever writes.
    """
    if not path.is_file():
        return
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return
    if not head or kind.begins.match(head):
        return
    what = "a database" if head.startswith(_DATABASE) else f"there and not {kind.words}"
    raise NotOurs(f"{path} is {what}, and stays; name another file, or move it away first")


@contextmanager
def whole_file(path: Path, kind: FileKind) -> Iterator[BinaryIO]:
    """A stream to a file that appears, or is replaced, at the end of the block.

    If the block fails, what was there before stays. NotOurs as `check_replaceable`; OSError as
    the system has it.
    """
    check_replaceable(path, kind)
    if path.exists() and not path.is_file():  # a pipe or device can't be moved to
        with path.open("wb") as stream:
            yield stream
        return
    path = Path(os.path.realpath(path))  # a link goes on pointing to its file
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as stream:
            yield stream
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
