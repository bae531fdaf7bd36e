"""What a launched bot wrote: its log as it can be shown.

Here belong the files of a log, where a run begins in it, and making its end harmless. Writing
is the warden's (`warden.log`).
"""

import re
import secrets
import time
import unicodedata
from pathlib import Path

__all__ = ["LAST_BYTES", "LOG_LIMIT", "BotLog", "harmless", "log_name", "shown_lines"]

LOG_LIMIT = 256 * 1024  # bytes of a log file, of which there are four for each instance
LAST_BYTES = 64 * 1024  # of a log, where its last lines are looked for
TOKEN_BYTES = 256  # no token is longer
LINE_LENGTH = 2000  # characters of a line that are shown


class BotLog:
    """The log of an instance, seen by one run: earlier runs stand before its heading."""

    def __init__(self, path: Path, limit: int = LOG_LIMIT) -> None:
        self.path = path
        self.limit = limit
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        # so that nothing which a bot writes is taken for the beginning of its run
        self.heading = f"--- started {now}, run {secrets.token_hex(6)} ---"

    def tail(self) -> bytes:
        """What this run wrote last, 64 KiB at most. Reads files; an absent one is empty."""
        wanted = LAST_BYTES + len(self.heading) + 1
        content = _end(self.path, wanted)
        if len(content) < wanted:
            content = _end(self.path.with_name(self.path.name + ".1"), wanted) + content
        _, heading, own = content.rpartition(f"{self.heading}\n".encode())
        if heading or len(content) < wanted:
            return own[-LAST_BYTES:] if heading else b""
        # its beginning is a line cut in two, perhaps in the middle of the token
        content = content[-LAST_BYTES:]
        return content.partition(b"\n")[2] or content[TOKEN_BYTES:]


def log_name(name: str, entrant: int, instance: int) -> str:
    """Return a file name that is safe and single, whatever the entrant is called."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", letters)[:40].strip("-") or "bot"
    return f"{entrant + 1:02d}-{slug}-{instance + 1}.log"


def _end(path: Path, count: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(max(path.stat().st_size - count, 0))
            return file.read(count)
    except OSError:
        return b""


def shown_lines(content: bytes, count: int, secret: str) -> list[str]:
    """Return the last lines, made harmless: no control character, and no secret."""
    if not content:
        return []
    last = content.removesuffix(b"\n").rsplit(b"\n", count)[-count:]
    lines = [line.decode(errors="replace") for line in last]
    return [harmless(line.replace(secret, "[token]") if secret else line) for line in lines]


def harmless(line: str) -> str:
    """Return a line that can be shown on a terminal without commanding it."""
    shown = line.removesuffix("\r").expandtabs()[:LINE_LENGTH]
    if not shown.isprintable():
        shown = "".join(char if char.isprintable() else _visible(char) for char in shown)
    return shown + "…" if len(line) > LINE_LENGTH else shown


def _visible(char: str) -> str:
    if char < " ":
        return chr(0x2400 + ord(char))  # the control pictures
    if unicodedata.category(char) == "Zs":
        return " "
    return f"\\u{{{ord(char):x}}}"
