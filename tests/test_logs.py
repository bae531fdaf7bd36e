import io
import json
import logging
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from pitch_server import logs
from pitch_server.logs import LEVELS, Event, EventLog, Format, Level, Logs, configure_logs
from pitch_server.progress import Progress
from pitch_server.redaction import SECRET, keep_secret

TOKEN = "Q4mXw0-tokenOfATest_tokenOfATest-tokenOf7Ab"
KEY = "session_key-of-a-test-0123456789"
SEED = "the seed of a test: ünguessable"


class Terminal:
    """What a console of a person, or a file in its place, shows."""

    def __init__(self, *, terminal: bool = False) -> None:
        self.file = io.StringIO()
        self.console = Console(
            file=self.file,
            force_terminal=terminal,
            width=60,
            color_system=None,
            _environ={"TERM": "xterm"},
        )

    @property
    def lines(self) -> list[str]:
        return self.file.getvalue().splitlines()


def without_pytests_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    """They keep all as it was told, for reports that take no broken Unicode; called in a test."""
    monkeypatch.setattr(logging.getLogger(), "handlers", [])


@pytest.fixture
def terminal() -> Terminal:
    return Terminal()


Configure = Callable[..., Logs]


@pytest.fixture
def configured(terminal: Terminal) -> Configure:
    def configure(
        form: Format = "text", level: Level = "info", path: Path | None = None, **ids: object
    ) -> Logs:
        return configure_logs(format=form, level=level, path=path, console=terminal.console, **ids)

    return configure


def objects(lines: list[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


# --- form ---------------------------------------------------------------------------------------


def test_a_line_of_text_tells_when_what_and_whom_it_concerns(
    terminal: Terminal, configured: Configure
) -> None:
    with configured(tournament="Cup"):
        EventLog(entrant="Ada Lovelace", instance=1).tell(Event.INSTANCE_CAME, capacity=64)
    (line,) = terminal.lines
    time, _, rest = line.partition(" ")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", time)
    assert rest == (
        'INFO    instance came tournament=Cup entrant="Ada Lovelace" instance=1 capacity=64'
    )


def test_a_json_line_has_the_event_the_ids_and_values_of_their_types(
    terminal: Terminal, configured: Configure
) -> None:
    with configured("json", tournament="Cup"):
        EventLog(game=17).tell(
            Event.FAULT_CHARGED, entrant='"♠\n', question=3, elapsed=1.00000049, gone=None, on=True
        )
    (line,) = objects(terminal.lines)
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "info",
        "event": "fault_charged",
        "tournament": "Cup",
        "game": 17,
        "entrant": '"♠\n',
        "question": 3,
        "elapsed": 1.0,
        "on": True,
    }


def test_lines_of_other_loggers_are_taken_in_with_the_ids_of_the_process(
    terminal: Terminal, configured: Configure
) -> None:
    with configured("json", tournament="Cup"):
        logging.getLogger("asyncio").warning("slow: %d s", 3)
        logging.getLogger("asyncio").info("not told: of others only warnings are")
    (line,) = objects(terminal.lines)
    assert (line["event"], line["message"], line["logger"]) == ("message", "slow: 3 s", "asyncio")
    assert line["tournament"] == "Cup"


def test_a_field_cannot_pass_for_what_stands_in_every_line(
    terminal: Terminal, configured: Configure
) -> None:
    with configured("json"):
        EventLog(level="none", event="tournament_ended").tell(Event.TOURNAMENT_CLOSED, time=0)
    (line,) = objects(terminal.lines)
    assert (line["level"], line["event"]) == ("info", "tournament_closed")
    assert line["time"] != 0


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_exception_of_ours_is_told_with_its_traceback(
    terminal: Terminal, configured: Configure, form: Format
) -> None:
    with configured(form):
        try:
            int("of ours")
        except ValueError as error:
            EventLog(game=17, attempt=0).tell(Event.GAME_CRASHED, error)
    if form == "json":
        (line,) = objects(terminal.lines)
        told = line["exception"].splitlines()
    else:
        first, *told = terminal.lines
        assert first.endswith("ERROR   game crashed game=17 attempt=0")
        told = [each.removeprefix("    ") for each in told]
    assert told[0] == "Traceback (most recent call last):"
    assert told[-1] == "ValueError: invalid literal for int() with base 10: 'of ours'"


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("line\nERROR   game crashed", id="a-second-line"),
        pytest.param("\x1b[2J\x1b]0;title\x07", id="terminal-commands"),
        pytest.param("\u202egnirts", id="writing-backwards"),
        pytest.param("\udc80", id="no-unicode"),
    ],
)
def test_a_name_cannot_forge_lines_nor_command_the_terminal(
    terminal: Terminal,
    configured: Configure,
    monkeypatch: pytest.MonkeyPatch,
    form: Format,
    name: str,
) -> None:
    without_pytests_handlers(monkeypatch)
    with configured(form):
        EventLog(entrant=name).tell(Event.ENTRANT_PRESENT)
        logging.getLogger("pitch_server.x").error("%s is there", name, exc_info=ValueError(name))
    first, second = terminal.lines[:2]
    assert first.isprintable()
    assert second.isprintable()
    assert "ENTRANT" in first.upper()
    if form == "json":
        assert json.loads(first)["entrant"] == name


def test_long_values_are_cut(terminal: Terminal, configured: Configure) -> None:
    with configured("json"):
        EventLog().tell(Event.FAULT_CHARGED, came="é" * 1_000_000)
    (line,) = objects(terminal.lines)
    assert line["came"] == "é" * 10_000 + "…"


def test_a_long_traceback_keeps_its_end(terminal: Terminal, configured: Configure) -> None:
    error = ValueError("the reason")
    error.__cause__ = KeyError("x" * 100_000)
    with configured("json"):
        EventLog().tell(Event.GAME_CRASHED, error)
    (line,) = objects(terminal.lines)
    assert len(line["exception"]) == 10_001
    assert line["exception"].endswith("ValueError: the reason")


# --- levels ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_what_is_below_the_level_is_not_told(
    terminal: Terminal, configured: Configure, level: Level
) -> None:
    with configured("json", level):
        for event in Event:
            EventLog().tell(event)
            assert EventLog().tells(event) is (event.level >= getattr(logging, level.upper()))
    told = [line["event"] for line in objects(terminal.lines)]
    assert told == [event for event in Event if event.level >= getattr(logging, level.upper())]


def test_afterwards_logging_is_as_it_was(configured: Configure) -> None:
    root = logging.getLogger()
    before = (list(root.handlers), root.level, logging.getLogger("pitch_server").level)
    with configured("json", "debug"):
        assert logging.getLogger("pitch_server").level == logging.DEBUG
    assert (root.handlers, root.level, logging.getLogger("pitch_server").level) == before


# --- where it goes --------------------------------------------------------------------------------


def test_with_a_file_only_warnings_come_to_the_terminal(
    terminal: Terminal, configured: Configure, tmp_path: Path
) -> None:
    with configured("json", "debug", tmp_path / "server.log"):
        EventLog(game=1).tell(Event.GAME_STARTED)
        EventLog(game=1).tell(Event.GAME_CRASHED)
    written = objects((tmp_path / "server.log").read_text().splitlines())
    assert [line["event"] for line in written] == ["game_started", "game_crashed"]
    (line,) = terminal.lines
    assert line.endswith("game crashed game=1")


def test_a_file_is_added_to_by_the_next_run(configured: Configure, tmp_path: Path) -> None:
    for _ in range(2):
        with configured("json", path=tmp_path / "server.log"):
            EventLog().tell(Event.TOURNAMENT_STARTED)
    assert len((tmp_path / "server.log").read_text().splitlines()) == 2


def test_a_file_is_replaced_before_it_grows_too_long(
    configured: Configure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "FILE_BYTES", 2_000)
    monkeypatch.setattr(logs, "FILES_KEPT", 2)
    with configured("json", path=tmp_path / "server.log"):
        for number in range(200):
            EventLog().tell(Event.PROCESS_STARTED, number=number)
    files = [tmp_path / name for name in ("server.log.2", "server.log.1", "server.log")]
    assert sorted(tmp_path.iterdir()) == sorted(files)
    assert all(file.stat().st_size <= 2_000 for file in files)
    lines = [line for file in files for line in objects(file.read_text().splitlines())]
    numbers = [line["number"] for line in lines]
    assert numbers == list(range(200 - len(numbers), 200))


def test_a_file_that_cannot_be_opened_is_told_in_a_sentence(
    configured: Configure, tmp_path: Path
) -> None:
    path = tmp_path / "nowhere" / "server.log"
    with pytest.raises(OSError, match=rf"the log {path} can't be opened: No such file"):
        configured("text", "info", path)


def test_a_full_disk_costs_lines_and_is_told_once(
    terminal: Terminal, configured: Configure
) -> None:
    with configured("json", path=Path("/dev/full")):
        for number in range(3):
            EventLog().tell(Event.PROCESS_STARTED, number=number)
    told = " ".join(terminal.lines)
    assert told.startswith("the log /dev/full can't be written (OSError: [Errno 28] No space left")
    assert told.count("can't be written") == 1


class Stalled(io.StringIO):
    """A terminal that is held: nothing that is written to it returns before it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()
        self.wrote = threading.Semaphore(0)

    def write(self, text: str) -> int:
        self.let_go.wait()
        length = super().write(text)
        self.wrote.release()
        return length


def test_a_held_terminal_holds_nobody_up_and_what_is_lost_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(logs, "_UNWRITTEN", 10)
    file = Stalled()
    with configure_logs(format="json", level="info", path=None, console=Console(file=file)):
        for number in range(100):
            EventLog().tell(Event.PROCESS_STARTED, number=number)
        file.let_go.set()
        for _ in range(10):
            file.wrote.acquire()
        EventLog().tell(Event.TOURNAMENT_ENDED)
    lines = objects(file.getvalue().splitlines())
    started = [line["number"] for line in lines if line["event"] == "process_started"]
    lost = [line["lines"] for line in lines if line["event"] == "lines_lost"]
    assert started == sorted(set(started))
    assert started[:10] == list(range(10))
    assert sum(lost) == 100 - len(started) > 0
    assert lines[-1]["event"] == "tournament_ended"


def test_lines_stand_above_the_bar_and_whole_however_narrow_the_terminal() -> None:
    terminal = Terminal(terminal=True)
    long = "a name of :smile: and [bold]many[/bold] words " * 5
    with Progress(terminal.console, 10) as bar:
        with configure_logs(format="text", level="info", path=None, console=terminal.console):
            EventLog(entrant=long).tell(Event.ENTRANT_PRESENT)
        bar.update(10, 0)
    (line,) = [line for line in terminal.lines if "entrant present" in line]
    assert line.endswith(f'entrant="{long}"')
    assert "10/10 games" in terminal.lines[-2]


# --- secrets ------------------------------------------------------------------------------------


class Careless:
    def __init__(self, secret: str) -> None:
        self.secret = secret

    def __repr__(self) -> str:
        return f"Careless({self.secret!r})"


def leak(level: int, secret: str) -> None:
    """Every way in which a line can be told, each with the secret."""
    careless = Careless(secret)
    error = RuntimeError(f"no place for {secret}")
    error.__cause__ = KeyError(secret)
    for name in ("pitch_server.service.stream", "asyncio", "grpc._cython.cygrpc"):
        logger = logging.getLogger(name)
        logger.log(level, "token %s", secret)
        logger.log(level, "token %r and %s", {"token": secret}, careless)
        logger.log(level, f"token {secret}", exc_info=error)  # noqa: G004 - others do so
        logger.log(level, "arguments that do not fit %d", secret)
        logger.log(level, secret.encode())
    for event in Event:
        EventLog(entrant=secret).tell(
            event, error, of=[secret, [secret]], by=careless, raw=secret.encode()
        )


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("secret", [TOKEN, KEY, SEED], ids=["token", "session-key", "seed"])
def test_no_secret_comes_through_at_any_level_in_any_way(
    terminal: Terminal,
    configured: Configure,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    level: Level,
    form: Format,
    secret: str,
) -> None:
    without_pytests_handlers(monkeypatch)
    keep_secret(secret)
    for path in (None, tmp_path / "server.log"):
        with configured(form, level, path):
            for number in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR):
                leak(number, secret)
    out, err = capfd.readouterr()
    shown = terminal.file.getvalue() + (tmp_path / "server.log").read_text() + out + err
    assert SECRET in shown
    for told in (secret, json.dumps(secret)[1:-1], repr(secret.encode())[2:-1]):
        assert told not in shown


def test_a_secret_at_the_end_of_a_long_text_is_not_cut_into_what_is_not_known(
    terminal: Terminal, configured: Configure
) -> None:
    keep_secret(KEY)
    with configured("json"):
        EventLog().tell(Event.FAULT_CHARGED, came="x " * 4_990 + KEY + " y" * 100_000)
    assert KEY[:16] not in terminal.file.getvalue()
