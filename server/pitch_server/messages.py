"""Messages on standard error that never stop what they tell of.

Here belongs what happens when nobody reads them any more (`pitch run ... 2>&1 | head`) or their
file can't grow: they are lost, the tournament goes on. Results on standard output are no messages.
"""

import io
import os
import sys
from contextlib import suppress
from typing import IO, cast

from rich.console import Console

__all__ = ["MessageStream", "message_console"]


class MessageStream(io.TextIOBase):
    """Standard error as it is at each moment; what can't be written is lost."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of standard error."""
        return getattr(sys.stderr, "encoding", None) or "utf-8"

    def isatty(self) -> bool:
        """Whether a person may see it."""
        return sys.stderr is not None and sys.stderr.isatty()

    def fileno(self) -> int:
        """The file descriptor of standard error."""
        if sys.stderr is None:
            raise io.UnsupportedOperation("fileno")
        return sys.stderr.fileno()

    def write(self, text: str) -> int:
        """Writes, or loses, the text."""
        try:
            if sys.stderr is not None:
                sys.stderr.write(text)
        except OSError:
            self._lose()
        return len(text)

    def flush(self) -> None:
        """Writes, or loses, what is buffered."""
        try:
            if sys.stderr is not None:
                sys.stderr.flush()
        except OSError:
            self._lose()

    def _lose(self) -> None:
        """From now on messages go nowhere, those in the buffer too, also at Python's exit."""
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)


def message_console() -> Console:
    """A console for messages to whoever runs the command."""
    return Console(file=cast("IO[str]", MessageStream()), highlight=False)
