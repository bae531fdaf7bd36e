"""What is shown while a comparison goes on, by events and a clock of the test's own."""

import io
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from pitch_server.against.documents import document_difference
from pitch_server.comparing.verdicts import Ending
from pitch_server.comparison import ComparisonDisplay, Finished
from pitch_server.plan.games import Plan
from pitch_server.plan.question import Asked, Question, make_question
from pitch_server.plan.settings import Settings, Unit
from pitch_server.published import published_analysis
from pitch_server.store.journal import Journal
from pitch_server.verify import verify
from plan.making import make_settings
from verify.making import SEED, play

FIXED = make_settings(2, boards=30)
ASKED = replace(
    FIXED,
    format=replace(
        FIXED.format, boards=60, question=Question(asked=Asked.EFFECT, h0=0, h1=0.4), batch=30
    ),
)
WHICH = replace(
    FIXED,
    format=replace(
        FIXED.format, boards=60, question=make_question(Asked.BETTER, Unit.HAND), batch=30
    ),
)
PRECISE = replace(
    FIXED,
    format=replace(
        FIXED.format, boards=60, question=Question(asked=Asked.PRECISION, precision=0.01), batch=30
    ),
)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def played(file: Path, settings: Settings, *numbers: int) -> Journal:
    journal = Journal.create(file, settings, SEED)
    add(journal, *numbers)
    return journal


def add(journal: Journal, *numbers: int) -> None:
    plan = Plan(journal.settings)
    journal.append([play(journal.settings, plan[number], faulty=0) for number in numbers])


def test_only_the_finished_prefix_is_looked_at_and_each_board_once(tmp_path: Path) -> None:
    with played(tmp_path / "a.db", FIXED, 0, 1, 2, 4, 5, 6) as journal:
        finished = Finished(journal)
        counts = []
        for number in (None, 7, 3, 8):
            if number is not None:
                add(journal, number)
            finished.look()
            counts.append(finished.moments.count)
    assert counts == [1, 1, 4, 4]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        pytest.param(FIXED, ("points per board", "10 boards left, 20 s"), id="fixed"),
        pytest.param(
            ASKED,
            ("valid while watching", "test at", "(H0: no difference)", "(H1: a ahead by 0.4"),
            id="a test",
        ),
        pytest.param(WHICH, ("over when the interval leaves 0 out or lies within",), id="which"),
        pytest.param(PRECISE, ("precision ±", "±0.01 is asked for", "boards left"), id="precise"),
    ],
)
def test_lines_tell_mean_interval_state_and_time_left(
    tmp_path: Path, settings: Settings, words: tuple[str, ...]
) -> None:
    out, clock = io.StringIO(), Clock()
    with played(tmp_path / "a.db", settings) as journal:
        finished = Finished(journal)
        with ComparisonDisplay(Console(file=out, width=300), finished, clock) as display:
            add(journal, *range(40))
            clock.now = 5.0
            display.update(40, 0)
            assert out.getvalue() == ""
            clock.now = 40.0
            display.update(40, 1, ("b",), planned=60)
            assert out.getvalue().count("\n") == 1
            display.update(40, 1)
        # nothing new at the end, so nothing is said twice
        assert out.getvalue().count("\n") == 1
    line = out.getvalue()
    assert line.startswith("20 boards, a against b: ")
    for word in (*words, "1 fault", "waiting for b"):
        assert word in line


def test_a_terminal_is_drawn_in_place(tmp_path: Path) -> None:
    out, clock = io.StringIO(), Clock()
    console = Console(
        file=out, width=100, force_terminal=True, _environ={"TERM": "xterm", "COLUMNS": "100"}
    )
    with played(tmp_path / "a.db", ASKED, *range(8)) as journal:
        with ComparisonDisplay(console, Finished(journal), clock) as display:
            display.update(8, 0)
        assert "4 boards, a against b" in out.getvalue()


def test_without_boards_everything_is_undecided(tmp_path: Path) -> None:
    for at, settings in enumerate((FIXED, ASKED, PRECISE)):
        with played(tmp_path / f"{at}.db", settings) as journal:
            finished = Finished(journal)
            finished.look()
            for ending in Ending:
                found = finished.verdict(ending)
                assert found["verdict"] == "undecided"
                assert found["sentence"].startswith(("Undecided", "Inconclusive"))
            assert finished.lines(None)


def test_stopped_by_hand_a_fixed_number_is_undecided_whatever_came(tmp_path: Path) -> None:
    with played(tmp_path / "a.db", FIXED, *range(20)) as journal:
        finished = Finished(journal)
        finished.look()
        found = finished.verdict(Ending.BY_HAND)
    assert found["verdict"] == "undecided"
    assert found["sentence"].startswith("Inconclusive, stopped by hand: 10 boards, a against b")
    assert found["sentence"].endswith(
        "A verdict takes all 30 boards, as it holds for a number that was fixed beforehand."
    )


def test_that_it_was_stopped_by_hand_is_kept_until_it_goes_on(tmp_path: Path) -> None:
    with played(tmp_path / "a.db", ASKED, *range(8)) as journal:
        sentences = []
        for games in (None, 8, 8, None):
            journal.note_stop(games)
            assert journal.stopped() == games
            document = published_analysis(journal)
            assert verify(journal, against=partial(document_difference, document)).ok
            sentences.append(document["analysis"]["comparison"]["sentence"].partition(":")[0])
    by_hand = "Inconclusive, stopped by hand"
    assert sentences == ["Undecided so far", by_hand, by_hand, "Undecided so far"]


def test_closed_before_an_answer_it_says_so(tmp_path: Path) -> None:
    with played(tmp_path / "a.db", ASKED, *range(8)) as journal:
        journal.note_stop(8)
        final = published_analysis(journal, revealed=True, plays=False, resamples=0)
    said = final["analysis"]["comparison"]
    assert said["sentence"].startswith("Inconclusive, closed by hand before its end: the test ")
    assert said["ending"] == "closed by hand before its end"
