import io
from collections.abc import Sequence

import pytest
from rich.console import Console

from pitch_server.progress import Progress


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def played(
    planned: int, steps: Sequence[tuple[float, int]], *, before: int = 0, terminal: bool = False
) -> list[str]:
    """The lines of a tournament with so many games after so many seconds, without faults."""
    file = io.StringIO()
    clock = Clock()
    console = Console(
        file=file, force_terminal=terminal, width=100, color_system=None, _environ={"TERM": "xterm"}
    )
    with Progress(console, planned, played=before, clock=clock) as progress:
        for seconds, games in steps:
            clock.now = 1000.0 + seconds
            progress.update(games, faults=0)
    return file.getvalue().splitlines()


def counts(lines: list[str]) -> list[str]:
    return [line.partition("/")[0] for line in lines]


def test_a_line_tells_games_speed_time_left_and_faults() -> None:
    assert played(1200, [(1, 60), (4, 120)]) == [
        "120/1,200 games (10 %), 30.0/s, 36 s left, 0 faults"
    ]


@pytest.mark.parametrize(
    ("planned", "steps", "expected"),
    [
        pytest.param(
            100,
            [(n, 7 * n) for n in range(15)] + [(15, 100)],
            ["10", "20", "30", "40", "50", "60", "70", "80", "90", "100"],
            id="counts-that-hit-no-multiple",
        ),
        pytest.param(100, [(1, 35)], ["10", "20", "30", "35"], id="many-at-once-and-the-last"),
        pytest.param(3, [(1, 1), (2, 2), (3, 3)], ["1", "2", "3"], id="few"),
        pytest.param(25, [(1, 25)], ["3", "6", "9", "12", "15", "18", "21", "24", "25"], id="25"),
        pytest.param(100, [(1, 10), (2, 10), (3, 10)], ["10"], id="no-news"),
        pytest.param(0, [(1, 0)], [], id="nothing-planned"),
        pytest.param(
            1_000_000,
            [(n, 127 * n) for n in range(31)],
            ["1,000", "2,000", "3,000", "3,810"],
            id="every-ten-seconds-in-a-long-one",
        ),
    ],
)
def test_lines_stand_at_exact_multiples(
    planned: int, steps: list[tuple[float, int]], expected: list[str]
) -> None:
    assert counts(played(planned, steps)) == expected


def test_a_resume_goes_on_where_it_was() -> None:
    lines = played(100, [(1, 44), (2, 52)], before=42)
    assert lines == [
        "50/100 games (50 %), 5.0/s, 10 s left, 0 faults",
        "52/100 games (52 %), 5.0/s, 10 s left, 0 faults",
    ]


def test_the_speed_is_that_of_late() -> None:
    slow_then_quick = [(n, n) for n in range(100)] + [(100 + n, 100 + 10 * n) for n in range(41)]
    assert "10.0/s" in played(500, slow_then_quick)[-1]


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(10, "1 min 30 s left"), (1000, "2 h 30 min left"), (2, "18 s left")],
)
def test_time_left_is_readable(seconds: float, expected: str) -> None:
    assert expected in played(100, [(seconds, 10)])[0]


def test_a_terminal_gets_a_bar() -> None:
    text = "\n".join(played(100, [(1, 10), (1.01, 11), (2, 40), (3, 100)], terminal=True))
    assert "40/100 games (40 %), 20.0/s, 3 s left, 0 faults" in text
    assert "11/100" not in text  # drawn at most ten times a second
    assert "100/100 games (100 %)" in text
    assert "\x1b[?25l" in text  # the cursor is hidden ...
    assert "\x1b[?25h" in text  # ... and shown again


@pytest.mark.parametrize("terminal", [False, True])
def test_a_plan_that_turns_out_shorter_is_over_all_the_same(terminal: bool) -> None:
    file = io.StringIO()
    console = Console(
        file=file, force_terminal=terminal, width=100, color_system=None, _environ={"TERM": "xterm"}
    )
    with Progress(console, 1000, clock=Clock()) as progress:
        progress.update(40, faults=0, planned=1000)
        progress.update(40, faults=0, planned=40)
    assert "40/40 games (100 %)" in file.getvalue()
