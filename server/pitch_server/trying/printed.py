"""What bots print while they play in this process: kept, and told when they have played.

Here belongs keeping it bounded. Bots that are processes print to log files.
"""

import io
from collections.abc import Iterator

__all__ = ["Printed"]

KEPT_LINES = 10
_LONGEST = 400


class Printed(io.StringIO):
    """A stream that keeps the first lines and counts the others."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[str] = []
        self._begun = ""
        self._count = 0

    def write(self, text: str) -> int:
        """Takes text in, as it comes."""
        *whole, begun = (self._begun + text).split("\n")
        for line in whole:
            self._count += 1
            if self._count <= KEPT_LINES:
                self._kept.append(line[:_LONGEST])
        self._begun = begun[:_LONGEST]
        return len(text)

    def lines(self) -> Iterator[str]:
        """What was printed, for people; nothing where nothing was."""
        kept = [*self._kept, *([self._begun] if self._begun else [])]
        if not kept:
            return
        yield ""
        yield "The bots printed:"
        yield from (f"  {line}" for line in kept)
        if self._count > KEPT_LINES:
            yield f"  … and {self._count - KEPT_LINES:,} more lines"
