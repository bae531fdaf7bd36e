"""The files that commands write where their user says.

Here belongs what goes wrong with them, as bad input. How a file appears whole, and which files
that are there already may be replaced, is for `pitch_server.written_files`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pitch_server.cli.group import BadInput
from pitch_server.written_files import FileKind, NotOurs, check_replaceable, whole_file

__all__ = ["check_output", "output", "write_output"]


@contextmanager
def output(name: str, kind: FileKind) -> Iterator[BinaryIO]:
    """A stream to the file of that name, which appears when it is whole; BadInput if it can't."""
    with _refusing(name), whole_file(Path(name), kind) as stream:
        yield stream


def write_output(name: str, kind: FileKind, text: str) -> None:
    """Writes a text to the file of that name; BadInput if it can't be written."""
    with output(name, kind) as stream:
        stream.write(text.encode())


def check_output(name: str, kind: FileKind) -> None:
    """BadInput if it can be seen beforehand that the file can't be written: before long work."""
    with _refusing(name):
        check_replaceable(Path(name), kind)
        folder = Path(name).parent
        if not folder.is_dir():
            raise BadInput(f"{name}: cannot be written: there is no folder {folder}")


@contextmanager
def _refusing(name: str) -> Iterator[None]:
    if not name:
        raise BadInput("expected the name of a file to write; got an empty one")
    try:
        yield
    except NotOurs as error:
        raise BadInput(str(error)) from None
    except BrokenPipeError:  # a reader that went away: the group's to tell
        raise
    except OSError as error:
        raise BadInput(f"{name}: cannot be written: {error.strerror}") from error
    except ValueError as error:
        if "null byte" in str(error):
            raise BadInput(f"{name!r}: cannot be written: a name holds no zero byte") from None
        raise
