"""Playing a comparison of two entrants: what is shown while it goes on, and the verdict.

Here belongs what differs from playing any other tournament. Statistics and sentences are
`comparing`'s, the plan that plays until an answer is `plan`'s.
"""

import json
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Self

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from pitch_server.comparing.asking import question_text
from pitch_server.comparing.fixed_size import fixed_size
from pitch_server.comparing.inquiry import inquiry_of
from pitch_server.comparing.measures import margin_measure
from pitch_server.comparing.verdicts import (
    Ending,
    fixed_json,
    inquiry_json,
    stopped_sentence,
)
from pitch_server.comparing.watching import duration, question_lines, watched_line
from pitch_server.plan.games import Plan
from pitch_server.planned import within_plan
from pitch_server.play import Display, Play
from pitch_server.published import exit_status, published_analysis
from pitch_server.scores.boards import board_results
from pitch_server.scores.statistics import Moments
from pitch_server.store.journal import Journal

__all__ = ["ComparePlay", "ComparisonDisplay", "Finished", "JsonComparePlay"]

_REDRAW = 0.5  # seconds between two looks on a terminal
_QUIET = 10.0  # seconds between two lines elsewhere


class Finished:
    """The finished prefix of a comparison, read from its journal as it grows."""

    def __init__(self, journal: Journal) -> None:
        settings = journal.settings
        self._journal = journal
        self._plan = Plan(settings)
        self.name, self.opponent = settings.names
        self.measure = margin_measure(settings.format.unit)
        self.moments = Moments(self._plan.scale)
        question = settings.format.question
        self.inquiry = (
            None if question is None else inquiry_of(settings, question, self._plan.scale)
        )

    def look(self) -> None:
        """Reads the boards that have joined the prefix since the last look."""
        settings, plan = self._journal.settings, self._plan
        results = self._journal.results(plan.due)
        with within_plan(self._journal):
            for board in board_results(plan, settings.variant, settings.format.unit, results):
                if board.first != plan.due or not board.complete:
                    return
                if board.margins is not None:
                    self.moments.add(board.margins[0])
                    if self.inquiry is not None:
                        self.inquiry.add(board.margins[0])
                plan.note(board.first, board.margins)

    def verdict(self, ending: Ending) -> dict[str, Any]:
        """What is known, as JSON with its sentence."""
        if self.inquiry is not None:
            return inquiry_json(self.inquiry.state(), ending)
        planned = self._journal.settings.format.boards
        fixed = fixed_size(self.moments, self.name, self.measure)
        told = fixed_json(fixed, self.opponent, planned)
        if ending not in (Ending.BY_HAND, Ending.CLOSED):
            return told
        return {
            **told,
            "verdict": "undecided",
            "better": None,
            "ending": str(ending),
            "sentence": stopped_sentence(watched_line(*self._watched), planned, ending),
        }

    @property
    def _watched(self) -> tuple[Any, ...]:
        return self.moments, self.name, self.opponent, self.measure

    def lines(self, speed: float | None) -> list[str]:
        """How it stands for who watches; `speed` in boards a second."""
        if self.inquiry is not None:
            state = self.inquiry.state()
            seconds = state.forecast / speed if state.forecast and speed else None
            return question_lines(state, seconds)
        left = self._journal.settings.format.boards - self._plan.due // self._plan.seatings
        time_left = f", {duration(left / speed)}" if left and speed else ""
        return [watched_line(*self._watched), f"{left:,} boards left{time_left}"]


class ComparisonDisplay:
    """Mean, interval, test and forecast while a comparison is played; use it in a `with`."""

    def __init__(
        self,
        console: Console,
        finished: Finished,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._console = console
        self._finished = finished
        self._clock = clock
        drawn = console.is_terminal and not console.is_dumb_terminal
        self._live = Live(
            console=console, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        self._drawn = drawn
        self._told = -1
        finished.look()
        self._began, self._at_first = clock(), finished.moments.count
        self._next = self._began + (0.0 if drawn else _QUIET)

    def update(
        self, played: int, faults: int, missing: Sequence[str] = (), *, planned: int | None = None
    ) -> None:
        """Shows how it stands, if it is time to."""
        del played, planned
        now = self._clock()
        if now < self._next:
            return
        self._next = now + (_REDRAW if self._drawn else _QUIET)
        self._show(faults, missing)

    def _show(self, faults: int, missing: Sequence[str]) -> None:
        self._finished.look()
        boards = self._finished.moments.count
        lines = self._finished.lines(self._speed(boards))
        if faults:
            lines.append(f"{faults:,} fault{'' if faults == 1 else 's'}")
        if missing:
            lines.append(f"waiting for {', '.join(missing)}")
        if self._drawn:
            self._live.update(Text("\n".join(lines)), refresh=True)
        elif boards != self._told:
            self._told = boards
            self._console.print("; ".join(lines), markup=False, highlight=False, soft_wrap=True)

    def _speed(self, boards: int) -> float | None:
        seconds, more = self._clock() - self._began, boards - self._at_first
        return more / seconds if more and seconds > 0 else None

    def __enter__(self) -> Self:
        """Return itself, already shown."""
        if self._drawn:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Show the last state."""
        if error is None:
            self._show(0, ())
        if self._drawn:
            self._live.stop()


class ComparePlay(Play):
    """One run of a comparison in this process: the verdict is printed below the table."""

    def _announce(self, played: int) -> None:
        """Tells the question, too, and after how many boards it is given up."""
        settings = self._journal.settings
        form, (name, opponent) = settings.format, settings.names
        if form.question is None:
            what = f"{name} against {opponent}: {form.boards:,} boards, fixed beforehand"
        else:
            asked = question_text(form.question, name, opponent, form.unit)
            what = f"{asked}; {form.boards:,} boards at most"
        self._tell(what)
        stopped = self._journal.stopped()
        if stopped is not None:
            self._tell(
                f"it was stopped by hand after {stopped:,} games, without a verdict; it goes on "
                "with the same boards in the same order, so that the answer and its error rates "
                "are those of a run that was never stopped"
            )
        super()._announce(played)

    def _display(
        self,
        console: Console,
        planned: int,  # noqa: ARG002 - of a comparison nobody knows
        played: int,  # noqa: ARG002 - it looks for itself
    ) -> AbstractContextManager[Display]:
        return ComparisonDisplay(console, Finished(self._journal))

    def _show(self, table: Mapping[str, object]) -> int:
        said = table["analysis"]
        assert isinstance(said, dict)  # noqa: S101 - our own document
        # the verdict comes last, not twice
        others = {key: value for key, value in said.items() if key != "comparison"}
        status = super()._show({**table, "analysis": others})
        click.echo()
        click.echo(self._verdict(_ending(table)))
        return status

    def _stopped(self, number: signal.Signals) -> int:
        status = super()._stopped(number)
        click.echo(self._verdict(Ending.BY_HAND))
        return status

    def _verdict(self, ending: Ending) -> str:
        return str(self._known(ending)["sentence"])

    def _known(self, ending: Ending) -> dict[str, Any]:
        finished = Finished(self._journal)
        finished.look()
        return finished.verdict(ending)


class JsonComparePlay(ComparePlay):
    """The same, with one JSON document instead of table and sentence."""

    def _show(self, table: Mapping[str, object]) -> int:
        self._write(_ending(table))
        return exit_status(table)

    def _stopped(self, number: signal.Signals) -> int:
        status = Play._stopped(self, number)
        self._write(Ending.BY_HAND)
        return status

    def _write(self, ending: Ending) -> None:
        document = {**published_analysis(self._journal), "verdict": self._known(ending)}
        click.echo(json.dumps(document, indent=2, allow_nan=False))


def _ending(table: Mapping[str, object]) -> Ending:
    """Why a tournament that is over has no more boards."""
    return Ending.MOST_BOARDS if table["complete"] else Ending.CLOSED
