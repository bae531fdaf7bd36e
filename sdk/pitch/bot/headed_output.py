"""What a bot prints while it decides, headed by the question that it decides.

Here belongs a standard stream that says so. Where several decisions go on, each is told apart
by the context that asyncio keeps for it.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Protocol, TextIO

__all__ = ["DECIDING", "headed_output", "say"]


class Asked(Protocol):
    """What is being decided."""

    @property
    def where(self) -> str:
        """How a log tells it."""


DECIDING: ContextVar[Asked | None] = ContextVar("deciding", default=None)
"""What the author's code decides just now; tasks that are begun meanwhile keep it."""


def say(text: str) -> None:
    """A message of the SDK's own, in one piece; where standard error is closed, to nobody."""
    unheaded = DECIDING.set(None)  # the text says itself what it is about
    try:
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()
    finally:
        DECIDING.reset(unheaded)


@contextmanager
def headed_output() -> Iterator[None]:
    """Within it both standard streams head what is printed, unless a person looks at them."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_headed, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _headed(stream: Any) -> Any:
    return stream if stream is None or stream.isatty() else _Headed(stream)


class _Headed:
    """A stream that writes a heading where the first words about another question come."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._last: Asked | None = None

    def write(self, text: str) -> int:
        asked = DECIDING.get()
        if asked is not None and asked is not self._last:
            self._last = asked
            self._stream.write(f"[{asked.where}]\n")
        return self._stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
