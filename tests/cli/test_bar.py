"""The bar of long commands: on a terminal alone, and never among results."""

import io
import os
import sys
from pathlib import Path

import pytest

from cli.running import pitch
from pitch_server.cli.bar import bar


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(monkeypatch: pytest.MonkeyPatch, *, out: bool, err: bool, beside_results: bool) -> str:
    screen = Screen() if err else io.StringIO()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(sys, "stdout", Screen() if out else io.StringIO())
    with bar("games", lambda: 10, beside_results=beside_results, least=5) as tell:
        for done in range(1, 11):
            tell(done)
    return screen.getvalue()


@pytest.mark.parametrize(
    ("out", "err", "beside_results", "shown"),
    [
        pytest.param(True, True, False, True, id="terminal"),
        pytest.param(True, True, True, False, id="results on the same terminal"),
        pytest.param(False, True, True, True, id="results in a file"),
        pytest.param(True, False, False, False, id="no terminal"),
    ],
)
def test_a_bar_is_drawn_where_a_person_sees_it(
    monkeypatch: pytest.MonkeyPatch, out: bool, err: bool, beside_results: bool, shown: bool
) -> None:
    text = drawn(monkeypatch, out=out, err=err, beside_results=beside_results)
    assert ("games" in text and "100%" in text) == shown


def test_a_pipe_may_end_on_the_same_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with open(reading), open(writing, "w") as pipe:  # noqa: PTH123 - by number
        monkeypatch.setattr(sys, "stdout", pipe)
        with bar("games", lambda: 10, beside_results=True) as tell:
            tell(10)
        monkeypatch.undo()
    assert screen.getvalue() == ""


def test_a_total_that_is_not_needed_is_not_asked() -> None:
    def total() -> int:
        raise AssertionError("asked")

    with bar("games", total, beside_results=False) as tell:
        tell(1)


def test_what_is_done_at_once_has_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with bar("games", lambda: 10, beside_results=False, least=11) as tell:
        tell(10)
    assert screen.getvalue() == ""


def test_no_bar_is_among_the_messages_of_a_file(played: Path) -> None:
    assert pitch("verify", str(played)).stderr == ""
