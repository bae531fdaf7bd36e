"""Logs: what happens in a tournament, as events with stable names and the ids they concern.

Here belong the events, their form as text and as JSON lines, and where they go. Sentences for
whoever sits before the terminal are `messages`'; metrics count what is too frequent to be told.

Nothing here ever holds up who tells: a thread writes, and what it can't keep up with is lost
and counted. `redaction` sees every line last.
"""

import contextlib
import copy
import json
import logging
import queue
import traceback
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from typing import Any, Literal, Self

from rich.console import Console
from rich.text import Text

from pitch_server.redaction import redacted
from pitch_server.written_files import LOG, NotOurs, check_replaceable

__all__ = [
    "FORMATS",
    "LEVELS",
    "Event",
    "EventLog",
    "Logs",
    "configure_logs",
]

Format = Literal["text", "json"]
Level = Literal["debug", "info", "warning", "error"]
FORMATS: tuple[Format, ...] = ("text", "json")
LEVELS: tuple[Level, ...] = ("debug", "info", "warning", "error")

# A log file grows to so many bytes and then becomes FILE.1, FILE.2 ... of which so many are kept.
FILE_BYTES = 10 * 1024 * 1024
FILES_KEPT = 4
# Lines that wait to be written; beyond, they are lost.
_UNWRITTEN = 10_000
# Characters of one value, a traceback included.
_LONGEST = 10_000

_OURS = "pitch_server"


class Event(StrEnum):
    """What can happen; the values are the names in JSON and stay as they are."""

    TOURNAMENT_STARTED = "tournament_started"
    TOURNAMENT_DRAINING = "tournament_draining"
    TOURNAMENT_CLOSED = "tournament_closed"
    TOURNAMENT_ENDED = "tournament_ended"
    TOURNAMENT_STOPPED = "tournament_stopped"
    ENTRANT_PRESENT = "entrant_present"
    ENTRANT_ABSENT = "entrant_absent"
    ENTRANT_WITHDRAWN = "entrant_withdrawn"
    INSTANCE_CAME = "instance_came"
    INSTANCE_LEFT = "instance_left"
    INSTANCE_REPLACED = "instance_replaced"
    CONNECTION_REFUSED = "connection_refused"
    CONNECTION_CUT = "connection_cut"
    PROCESS_STARTED = "process_started"
    PROCESS_ENDED = "process_ended"
    PROCESS_RESTARTED = "process_restarted"
    GAME_STARTED = "game_started"
    GAME_FINISHED = "game_finished"
    GAME_CRASHED = "game_crashed"
    FAULT_CHARGED = "fault_charged"
    GAMES_COMMITTED = "games_committed"
    JOURNAL_FAILED = "journal_failed"
    LINES_LOST = "lines_lost"

    @property
    def level(self) -> int:
        """How much it matters, as `logging` counts."""
        return _LEVELS.get(self, logging.INFO)


# All others are information. What happens in every game is for debugging: there may be millions.
_LEVELS = {
    Event.GAME_STARTED: logging.DEBUG,
    Event.GAME_FINISHED: logging.DEBUG,
    Event.GAMES_COMMITTED: logging.DEBUG,
    Event.CONNECTION_REFUSED: logging.WARNING,
    Event.CONNECTION_CUT: logging.WARNING,
    Event.LINES_LOST: logging.WARNING,
    Event.GAME_CRASHED: logging.ERROR,
    Event.JOURNAL_FAILED: logging.ERROR,
}


class EventLog:
    """Tells events, each with the ids that it was bound to: `EventLog(entrant="Ada")`."""

    def __init__(self, **ids: object) -> None:
        self._ids = ids
        self._logger = logging.getLogger(f"{_OURS}.events")

    def bind(self, **ids: object) -> "EventLog":
        """The same with more ids."""
        return EventLog(**{**self._ids, **ids})

    def tells(self, event: Event) -> bool:
        """Whether anybody hears it; for what is costly to put together."""
        return self._logger.isEnabledFor(event.level)

    def tell(self, event: Event, error: BaseException | None = None, /, **fields: object) -> None:
        """Tells what happened, with an exception of ours where there is one.

        Fields are texts, numbers and sequences of them; None says that a field does not apply.
        """
        if self._logger.isEnabledFor(event.level):
            extra = {"event": event, "fields": {**self._ids, **fields}}
            self._logger.log(event.level, _words(event), exc_info=error, extra=extra)


def _words(event: Event) -> str:
    return event.value.replace("_", " ")


# --- form ---------------------------------------------------------------------------------------


class _Formatter(logging.Formatter):
    """A line of a record; `ids` stand in every one."""

    def __init__(self, ids: Mapping[str, object]) -> None:
        super().__init__()
        self._ids = ids

    def _fields(self, record: logging.LogRecord) -> dict[str, Any]:
        fields = {**self._ids, **getattr(record, "fields", {})}
        return {key: _plain(value) for key, value in fields.items() if value is not None}


class JsonFormatter(_Formatter):
    """One JSON object a line, in ASCII; what stands first is in every line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        event = getattr(record, "event", None)
        line: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "event": "message" if event is None else str(event),
        }
        if event is None:
            line["logger"], line["message"] = record.name, _plain(record.getMessage())
        if record.exc_text:
            line["exception"] = _ending(record.exc_text)
        fields = {key: value for key, value in self._fields(record).items() if key not in line}
        return redacted(json.dumps(line | fields))


class TextFormatter(_Formatter):
    """A line for people: time, level, what happened, and what it concerns as `key=value`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, with those of a traceback below it."""
        words = [_time(record), f"{record.levelname:7}", _harmless(_plain(record.getMessage()))]
        words += [f"{key}={_value(value)}" for key, value in self._fields(record).items()]
        lines = [" ".join(words)]
        if record.exc_text:
            lines += [f"    {_harmless(line)}" for line in _ending(record.exc_text).splitlines()]
        return redacted("\n".join(lines))


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _plain(value: object) -> Any:
    """A value as JSON has it, of bounded length and without secrets."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, str):
        # Redacted while whole: a secret that is cut in two would not be known again.
        text = redacted(value[: 2 * _LONGEST])
        return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [_plain(each) for each in value]
    return _plain(str(value))


def _ending(text: str) -> str:
    """A traceback, of which the end says most."""
    text = redacted(text[-2 * _LONGEST :])
    return text if len(text) <= _LONGEST else "…" + text[-_LONGEST:]


def _value(value: object) -> str:
    """A value as it stands behind `key=`: in quotes where it could be taken for something else."""
    if isinstance(value, list):
        return ",".join(map(_value, value))
    text = _harmless(str(value))
    if text and not any(char in ' "=,' for char in text) and "\\" not in text:
        return text
    return '"' + text.replace('"', '\\"') + '"'


def _harmless(text: str) -> str:
    """A text in one line that does not command a terminal, whoever chose it."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


# --- where it goes --------------------------------------------------------------------------------


class _Intake(QueueHandler):
    """Takes records over from whoever tells; beyond a bound they are lost and counted."""

    def __init__(self) -> None:
        self.waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
        super().__init__(self.waiting)
        self._lost = 0
        self._events = EventLog()

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        """The record with all that could change, or be let go, put into words now."""
        own = copy.copy(record)
        try:
            own.msg = record.getMessage()
        except Exception as error:  # noqa: BLE001 - whoever told it is not to fail by it
            own.msg = f"{record.msg} (its arguments do not fit: {error})"
        own.args = None
        if record.exc_info and record.exc_info[0]:
            own.exc_text = "".join(traceback.format_exception(*record.exc_info)).rstrip()
        own.exc_info = None
        return own

    def enqueue(self, record: logging.LogRecord) -> None:
        """Puts it in the queue, if there is room; what was lost before is told first."""
        if self.waiting.qsize() >= _UNWRITTEN:
            self._lost += 1
            return
        if self._lost:
            lost, self._lost = self._lost, 0
            self._events.tell(Event.LINES_LOST, lines=lost)
        self.waiting.put_nowait(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - its name
        """Loses a record that can't be taken over; Python's own way would show its arguments."""


class _ToConsole(logging.Handler):
    """Writes above the progress bar."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        """Writes the line; a console that fails has nobody to be told of it."""
        with contextlib.suppress(Exception):
            self._console.print(Text(self.format(record)), soft_wrap=True)


class _ToFile(RotatingFileHandler):
    """Writes to a file that is replaced before it grows too long."""

    def __init__(self, path: Path, failed: Callable[[str], None]) -> None:
        super().__init__(
            path, maxBytes=FILE_BYTES, backupCount=FILES_KEPT, encoding="utf-8", errors="replace"
        )
        self._path = path
        self._failed = failed
        self._has_failed = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 - its signature
        """The line is lost, the tournament goes on; told once."""
        if not self._has_failed:
            self._has_failed = True
            reason = traceback.format_exc(0).strip().splitlines()[-1]
            self._failed(f"the log {self._path} can't be written ({reason}): lines are lost")

    def close(self) -> None:
        """Closes it; what can't be written any more is lost."""
        with contextlib.suppress(OSError):
            super().close()


class Logs:
    """Logs as they are configured; close them, so that the last lines are written."""

    def __init__(
        self,
        form: Format,
        level: Level,
        path: Path | None,
        console: Console,
        ids: Mapping[str, object],
    ) -> None:
        formatters = {"text": TextFormatter(ids), "json": JsonFormatter(ids)}
        self._console = console
        self._outlets = [self._outlet(_ToConsole(console), formatters[form], level)]
        if path is not None:
            self._outlets = [
                self._outlet(_open(path, self._tell_failure), formatters[form], level),
                self._outlet(_ToConsole(console), formatters["text"], "warning"),
            ]
        self._intake = _Intake()
        self._listener = QueueListener(
            self._intake.waiting,
            *self._outlets,
            respect_handler_level=True,
        )
        self._listener.start()
        self._root, self._ours = logging.getLogger(), logging.getLogger(_OURS)
        self._before = (self._root.level, self._ours.level)
        self._root.addHandler(self._intake)
        self._root.setLevel(logging.WARNING)  # of others' loggers
        self._ours.setLevel(level.upper())

    def close(self) -> None:
        """Writes what waits and leaves `logging` as it was."""
        self._root.removeHandler(self._intake)
        self._root.setLevel(self._before[0])
        self._ours.setLevel(self._before[1])
        self._listener.stop()
        for outlet in self._outlets:
            outlet.close()
        self._intake.close()

    def __enter__(self) -> Self:
        """Return itself: it writes already."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close it."""
        self.close()

    @staticmethod
    def _outlet(handler: logging.Handler, form: _Formatter, level: Level) -> logging.Handler:
        handler.setFormatter(form)
        handler.setLevel(level.upper())
        return handler

    def _tell_failure(self, sentence: str) -> None:
        self._console.print(Text(redacted(sentence)), soft_wrap=True)


def _open(path: Path, failed: Callable[[str], None]) -> _ToFile:
    try:
        check_replaceable(path, LOG)  # it is written on to, but to no other file
        return _ToFile(path, failed)
    except NotOurs as error:
        raise OSError(f"the log can't be opened: {error}") from None
    except OSError as error:
        raise OSError(f"the log {path} can't be opened: {error.strerror}") from error


def configure_logs(
    *,
    format: Format,  # noqa: A002 - the option's name
    level: Level,
    path: Path | None,
    console: Console,
    **ids: object,
) -> Logs:
    """Logs of this process, from now until they are closed; `ids` stand in every line.

    Without `path` they go to `console`; with it to that file, and to the console only what is a
    warning or worse, as text. OSError, with a sentence, if the file can't be opened.
    """
    return Logs(format, level, path, console, ids)
