"""Bots that would end their process, or interrupt it, while they play in ours."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from pitch import Action, Bot, Unit, View
from pitch.rules import HandResult
from pitch.table.faults import Fault
from pitch.testing import play_game
from pitch.testing.containment import Containment, OutOfTime, ProcessExit
from pitch.testing.local_table import NoticeError
from pitch.wire.frames import Failure, GameOver

FILE = "test_containment.py"


class First(Bot):
    def choose(self, view: View) -> Action:
        return view.legal[0]


def ends(how: Callable[[], object]) -> type[Bot]:
    class Ends(Bot):
        def choose(self, view: View) -> Action:
            how()
            return view.legal[0]

    return Ends


class Odd(BaseException):
    """Neither an Exception nor one of Python's own."""


def _raise(error: BaseException) -> NoReturn:
    raise error


def _children_leave() -> None:
    child = os.fork()
    if not child:
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


ENDS: list[tuple[Callable[[], object], str]] = [
    (lambda: os._exit(4), "os._exit(4)"),
    (lambda: _raise(SystemExit(3)), "sys.exit(3)"),
    (lambda: _raise(KeyboardInterrupt()), "KeyboardInterrupt"),
    (lambda: _raise(Odd("odd")), "odd"),
]
NAMES = ["os-exit", "sys-exit", "interrupt", "another"]


@pytest.mark.parametrize(("how", "said"), ENDS, ids=NAMES)
@pytest.mark.parametrize("limit", [None, 5.0], ids=["no limit", "limit"])
def test_a_bot_that_ends_its_process_loses_its_game_and_is_told_the_line(
    how: Callable[[], object], said: str, limit: float | None
) -> None:
    game = play_game([ends(how), First], move_timeout=limit)
    (fault,) = game.faults
    assert (fault.fault, game.forfeits) == (Fault.DISCONNECT, {0: Fault.DISCONNECT})
    assert fault.message.startswith(f"{said} ({FILE}:")
    assert "ends the bot's process, and its games are lost; return an action" in fault.message
    assert "Traceback" in fault.came


@pytest.mark.parametrize(("how", "said"), ENDS, ids=NAMES)
@pytest.mark.parametrize("where", ["__init__", "hand_over"])
def test_so_it_is_where_it_is_made_or_told_something(
    how: Callable[[], object], said: str, where: str
) -> None:
    class Making(First):
        def __init__(self) -> None:
            if where == "__init__":
                how()

        def hand_over(self, view: View, result: HandResult) -> None:
            if where == "hand_over":
                how()

    with pytest.raises(NoticeError) as told:
        play_game([First, Making])
    assert told.value.seat % 2 == 1
    assert told.value.failure.message.startswith(f"{said} ({FILE}:")


def test_a_process_that_a_bot_has_forked_ends_where_it_wants_to() -> None:
    assert play_game([ends(_children_leave), First]).faults == ()


def test_os_exit_is_what_it_was_afterwards_also_after_threads() -> None:
    before = os._exit
    inside, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        with Containment(None).held():
            inside.set()
            go_on.wait(10)

    thread = threading.Thread(target=hold)
    with Containment(None).held():
        thread.start()
        inside.wait(10)
        assert os._exit is not before
    assert os._exit is not before  # the thread still plays
    with pytest.raises(ProcessExit, match=r"os\._exit\(2\)"):
        os._exit(2)
    go_on.set()
    thread.join()
    assert os._exit is before


@contextmanager
def _handler(number: signal.Signals, handler: Callable[..., object]) -> Iterator[None]:
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("limit", [None, 5.0], ids=["no limit", "limit"])
def test_a_person_who_interrupts_is_no_fault_of_the_bot(
    number: signal.Signals, limit: float | None
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def is_interrupted() -> None:
        os.kill(os.getpid(), number)
        time.sleep(5)

    with _handler(number, interrupt):
        with pytest.raises(KeyboardInterrupt):
            play_game([ends(is_interrupted), First], move_timeout=limit)
        assert signal.getsignal(number) is interrupt


def test_an_alarm_while_an_exception_is_handled_names_the_line_of_that_exception() -> None:
    class Slow(Bot):
        def choose(self, view: View) -> Action:
            raise _LongToTell

    game = play_game([Slow, First], move_timeout=0.2)
    fault = game.faults[0]
    assert fault.fault is Fault.TIMEOUT
    assert f" at {FILE}:" in fault.message


class _LongToTell(Exception):
    def __str__(self) -> str:
        time.sleep(3)  # the traceback module swallows whatever is raised here
        return "long"


def test_a_call_may_have_a_limit_of_its_own() -> None:
    contained = Containment(0.01)
    with contained.held():
        ran = contained.call(lambda: time.sleep(0.05), seconds=5)
        late = contained.call(lambda: time.sleep(3))
    assert ran.interrupted is None
    assert isinstance(late.interrupted, OutOfTime)


@pytest.mark.parametrize("where", ["__init__", "hand_over", "game_over"])
def test_a_hook_without_an_end_is_interrupted_and_told_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setattr("pitch.testing.local_table.HOOK_LIMIT", 0.1)

    class Looping(First):
        def __init__(self) -> None:
            self.loop("__init__")

        def loop(self, here: str) -> None:
            while here == where:
                pass

        def hand_over(self, view: View, result: HandResult) -> None:
            self.loop("hand_over")

        def game_over(self, outcome: GameOver) -> None:
            self.loop("game_over")

    told: list[tuple[int, Failure]] = []
    game = play_game([Looping, First], move_timeout=5, hook_failed=lambda *each: told.append(each))
    assert game.hands
    assert {seat % 2 for seat, _ in told} == {0}
    assert all(f" at {FILE}:" in failure.message for _, failure in told)


HOLDS_ON = """\
import os, signal, sys, time
from pitch import Bot
from pitch.testing import containment, play_game

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
containment._MOST_ALARMS = {alarms}
containment.LAST_DEEDS.append(lambda: print("done before", flush=True))


class HoldsOn(Bot):
    def choose(self, view):
        while True:
            try:
                os.kill(os.getpid(), signal.{signal})
                time.sleep(100)
            except BaseException:
                pass


play_game([HoldsOn, HoldsOn], move_timeout={limit})
"""


@pytest.mark.parametrize(
    ("alarms", "number", "limit", "status"),
    [
        pytest.param(2, "SIGURG", 0.05, 1, id="alarms"),  # which is ignored
        pytest.param(2, "SIGINT", 60, 130, id="a person with a limit"),
        pytest.param(2, "SIGINT", None, 130, id="a person without one"),
    ],
)
def test_code_that_catches_every_interrupt_ends_the_process_with_its_line(
    alarms: int, number: str, limit: float | None, status: int, tmp_path: Path
) -> None:
    file = tmp_path / "holds_on.py"
    text = HOLDS_ON.format(alarms=alarms, signal=number, limit=limit)
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, file], capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stdout) == (status, "done before\n")
    assert re.match(r"holds_on\.py:\d+: this code has caught each interrupt", done.stderr)
    assert "catch Exception instead" in done.stderr


def test_a_bot_that_ends_its_process_in_a_hook_is_not_there_for_the_next_hand() -> None:
    class Leaving(First):
        def hand_over(self, view: View, result: HandResult) -> None:
            raise SystemExit(3)

    told: list[tuple[int, Failure]] = []
    game = play_game([Leaving, First], unit=Unit.GAME, hook_failed=lambda *each: told.append(each))
    assert game.forfeits == {0: Fault.DISCONNECT}
    assert len(game.hands) == 2
    assert {seat for seat, _ in told} == {0, 2}
