"""What quick games have shown, in words, tables and JSON.

Here belongs how it looks. Numbers are `meeting`'s.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pitch
from pitch.bot.mistakes import alike
from pitch_server.scores.statistics import Summary
from pitch_server.trying.meeting import START, Asked, Meeting, MeetingFault, Place

__all__ = ["document", "fault_lines", "pace_line", "slowest_lines", "summary_of", "verdict"]

_SHOWN = 5  # kinds of fault
_OUTPUT_LINES = 6
_FRAME = re.compile(r'^ *File "(?P<file>.+)", line (?P<line>\d+), in (?P<name>.+)$')
_OURS = str(Path(pitch.__file__).parent)


def summary_of(meeting: Meeting) -> Summary:
    """Mean and interval of the bot's margins; without SciPy (the server extra) no interval."""
    try:
        return meeting.margins.summary()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "scipy":
            raise
        margins = meeting.margins
        return Summary(
            count=margins.count, mean=margins.mean, sd=None, standard_error=None, interval=None
        )


def verdict(found: Summary) -> str:
    """Whether the bot is better than its opponent, as far as the interval tells."""
    if found.interval is None or found.interval[0] <= 0 <= found.interval[1]:
        return "not told apart"
    return "better" if found.interval[0] > 0 else "worse"


# --- time -------------------------------------------------------------------------------------


def pace_line(meeting: Meeting, asked: Asked) -> str:
    """How long the bot thought, how often too long, and how quickly games went."""
    within, count = meeting.share_within(0.99), len(meeting.thoughts)
    if within is None:
        return "it decided nothing"
    mean, longest = sum(meeting.thoughts) / count, max(meeting.thoughts)
    decisions = "1 decision" if count == 1 else f"{count:,} decisions"
    parts = [
        f"{decisions}: {_span(mean)} on average, 99 % within {_span(within)}",
        f"the longest {_span(longest)}",
    ]
    late = sum(each > asked.move_timeout for each in meeting.thoughts)
    if late:
        parts.append(f"{late:,} beyond the limit of {_span(asked.move_timeout)}")
    if meeting.games and meeting.seconds:
        rate = meeting.games / meeting.seconds
        parts.append(f"{rate:,.0f} games/s" if rate >= 10 else f"{rate:,.2g} games/s")
    return ", ".join(parts)


def slowest_lines(meeting: Meeting) -> Iterator[str]:
    """The slowest decisions with what the bot saw."""
    for decision in meeting.slowest:
        yield f"{_span(decision.seconds)} at {_where(decision.place)}:"
        yield from (f"  {line}" for line in str(decision.view).splitlines())


def _span(seconds: float) -> str:
    if seconds < 0.000_995:
        return f"{seconds * 1_000_000:.3g} µs"
    if seconds < 0.0995:
        return f"{seconds * 1000:.3g} ms"
    return f"{seconds:.3g} s"


def _where(place: Place) -> str:
    return f"board {place.board}, game {place.game}, action {place.action}"


# --- faults -----------------------------------------------------------------------------------


class _Line(NamedTuple):
    """A line of the author's code in a traceback."""

    file: str
    line: int
    name: str
    code: str

    def __str__(self) -> str:
        code = f": {self.code}" if self.code else ""
        return f"{Path(self.file).name}, line {self.line}, in {self.name}{code}"


def fault_lines(meeting: Meeting) -> Iterator[str]:
    """The bot's faults, those that are alike once: how often, where first, the line of its code."""
    groups: dict[tuple[str, str], list[MeetingFault]] = {}
    for fault in meeting.faults:
        groups.setdefault((fault.kind, _likeness(fault)), []).append(fault)
    by_size = sorted(groups.values(), key=lambda each: -len(each))
    for group in by_size[:_SHOWN]:
        yield from _group_lines(group)
    if len(by_size) > _SHOWN:
        yield f"{len(by_size) - _SHOWN} more kinds of fault; --json tells all of them"


def _group_lines(group: Sequence[MeetingFault]) -> Iterator[str]:
    first = next((each for each in group if each.output), group[0])
    times = "once" if len(group) == 1 else f"{len(group):,} times, first"
    cost = f"the referee played {first.played}" if first.played else "the game was lost"
    if first.kind == "hook":
        cost = "it costs no game"
    yield f"{first.kind}, {times} at {_where(first.place)}; {cost}"
    line = _line_of(first)
    if line:
        yield f"  {line}"
    if said := first.came.splitlines()[:1] or (first.output.splitlines()[-1:] if line else []):
        yield f"  {said[0]}"
    if first.output and not line:
        yield from (f"  | {each}" for each in first.output.splitlines()[-_OUTPUT_LINES:])
    if first.kind == "absent" and not first.came:
        yield f"  no hello came from it within {START:g} s; is its command that of a Pitch bot?"
    told = "; legal: " in first.came  # by the SDK
    if first.kind in ("illegal", "malformed") and first.legal and not told:
        yield f"  legal was: {first.legal}"


def _likeness(fault: MeetingFault) -> str:
    """What equal faults have in common: the line of code, or else what came but for numbers."""
    if fault.kind in ("absent", "disconnect"):
        return ""
    if line := _line_of(fault):
        return str(line)
    came = fault.came.partition("\n")[0]
    return came.partition(" ")[0] if fault.kind == "illegal" else alike(came)


def _line_of(fault: MeetingFault) -> _Line | None:
    """The last line of a fault's traceback that is the author's and not of the SDK."""
    lines = fault.output.splitlines()
    found = None
    for at, text in enumerate(lines):
        match = _FRAME.match(text)
        if match is None or match["file"].startswith((_OURS, "<")):
            continue
        code = lines[at + 1].strip() if at + 1 < len(lines) else ""
        found = _Line(match["file"], int(match["line"]), match["name"], code)
    return found


# --- for programs -----------------------------------------------------------------------------


def document(meetings: Sequence[Meeting], asked: Asked, *, stopped: bool) -> dict[str, Any]:
    """Everything as one JSON document."""
    return {
        "variant": asked.variant.name,
        "unit": str(asked.unit),
        "seed": asked.seed,
        "move_timeout": asked.move_timeout,
        "stopped": stopped,
        "meetings": [_meeting_json(meeting) for meeting in meetings],
    }


def _meeting_json(meeting: Meeting) -> dict[str, Any]:
    found = summary_of(meeting)
    count = len(meeting.thoughts)
    return {
        "bot": meeting.bot,
        "opponent": meeting.opponent,
        "boards": meeting.boards,
        "games": meeting.games,
        "void": meeting.void,
        "margin": {
            "mean": found.mean,
            "sd": found.sd,
            "standard_error": found.standard_error,
            "ci95": None if found.interval is None else list(found.interval),
            "verdict": verdict(found),
        },
        "wins": meeting.wins,
        "draws": meeting.draws,
        "losses": meeting.losses,
        "faults": meeting.fault_count,
        "opponent_faults": meeting.opponents_faults,
        "fault_list": [_fault_json(fault) for fault in meeting.faults],
        "decisions": {
            "count": count,
            "mean_seconds": sum(meeting.thoughts) / count if count else None,
            "p99_seconds": meeting.share_within(0.99),
            "longest_seconds": max(meeting.thoughts) if count else None,
            "slowest": [
                {"seconds": each.seconds, **each.place._asdict()} for each in meeting.slowest
            ],
        },
        "seconds": meeting.seconds,
        "games_per_second": meeting.games / meeting.seconds if meeting.seconds else None,
    }


def _fault_json(fault: MeetingFault) -> dict[str, Any]:
    line = _line_of(fault)
    return {
        **fault.place._asdict(),
        "kind": fault.kind,
        "came": fault.came,
        "line": None if line is None else str(line),
        "output": fault.output,
        "legal": fault.legal,
        "played": fault.played or None,
    }
