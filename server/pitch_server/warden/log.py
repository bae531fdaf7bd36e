"""The bot's log: bounded files that take each other's place.

Here belongs writing; what of it is shown, and how, is for `pitch_server.bot_log`.
"""

import os

LOG_FILES = 4  # of an instance: the current one and its predecessors


class Log:
    """A file of at most `limit` bytes; full, it becomes `PATH.1`, that one `PATH.2`, and so on.

    It goes on where the last run ended: a heading tells the runs apart. What can't be written
    (a full disk) is dropped: the bot must never wait for its log.
    """

    def __init__(self, path: str, limit: int, heading: str) -> None:
        self._path = path
        self._limit = limit
        self._open()
        # an empty line before: the last run may have ended in the middle of one
        self.write((f"\n{heading}\n" if self._size else f"{heading}\n").encode())

    def _open(self) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        self._file = os.open(self._path, flags, 0o600)
        self._size = os.fstat(self._file).st_size

    def _rotate(self) -> None:
        full = self._file
        if os.path.exists(self._path):  # noqa: PTH110 (else the last attempt came so far)
            self._make_room()
        self._open()
        os.close(full)

    def _make_room(self) -> None:
        for number in range(LOG_FILES - 1, 0, -1):
            older = f"{self._path}.{number - 1}" if number > 1 else self._path
            if os.path.exists(older):  # noqa: PTH110
                os.replace(older, f"{self._path}.{number}")  # noqa: PTH105

    def write(self, data: bytes) -> None:
        """Keep `data`, however long, split where a file is full."""
        try:
            while data:
                if self._size >= self._limit:
                    self._rotate()
                written = os.write(self._file, data[: self._limit - self._size])
                self._size += written
                data = data[written:]
        except OSError:
            return
