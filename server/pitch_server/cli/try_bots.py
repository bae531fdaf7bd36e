"""`pitch try`: quick games with a bot against sample bots or any others.

Here belong its options and how results look. Playing is `pitch_server.trying`'s.
"""

import json
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from pitch_server.cli.bar import bar
from pitch_server.cli.group import BadInput, how_to_get
from pitch_server.cli.numbers import FiniteFloat
from pitch_server.trying.printed import Printed

if TYPE_CHECKING:
    from pitch.rules.variant import Variant
    from pitch.testing import FoundBot
    from pitch_server.trying.meeting import Asked, Meeting

__all__ = ["try_bots"]

MAX_BOARDS = 1_000
SECONDS = 5.0
_STEPS = 1_000  # of the bar
_LOOK_AT_IT = 1
_NO_INTERVAL = "Intervals need SciPy, a part of the server extra: "
_EPILOG = """\b
Examples:
  pitch try my_bot.py
  pitch try my_bot.py --against rule --boards 400
  pitch try old=v1.py new=v2.py --against rule,random --unit game
  pitch try "node my_bot.js" --variant ten-point
"""


@click.command("try", epilog=_EPILOG)
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option(
    "--against",
    multiple=True,
    default=("rule,random",),
    metavar="BOT,BOT",
    help="Opponents; rule,random by default.",
)
@click.option(
    "--boards",
    type=click.IntRange(1, 10**6),
    metavar="N",
    help=f"So many for each opponent; by default as many as {SECONDS:g} seconds allow, "
    f"{MAX_BOARDS:,} at most.",
)
@click.option("--variant", default="pitch-ac", metavar="NAME", help="pitch-ac by default.")
@click.option(
    "--unit",
    type=click.Choice(("hand", "game")),
    default="hand",
    help="What a board counts: points of a hand, by default, or winning a game.",
)
@click.option(
    "--seed", default="pitch try", metavar="TEXT", help="Of all deals; the same each time."
)
@click.option("--processes", is_flag=True, help="Start bots as a tournament does, files too.")
@click.option(
    "--move-timeout",
    type=FiniteFloat(min=0, min_open=True),
    default=1.0,
    metavar="SECONDS",
    help="For each decision; 1 by default.",
)
@click.option(
    "--slowest",
    type=click.IntRange(0, 100),
    default=0,
    metavar="N",
    help="Show what the bot saw at its N slowest decisions.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def try_bots(
    bots: tuple[str, ...],
    against: tuple[str, ...],
    processes: bool,
    slowest: int,
    as_json: bool,
    **given: Any,
) -> int:
    """Play quick games with each BOT against sample bots, for its author.

    A BOT is a file (my_bot.py, or my_bot.py:Class), module:Class, a sample's name or a command
    in quotes, with NAME= before it if wanted; an opponent as well. Both play every deal in every
    seat. Bots play in this process; those given as commands, with their opponents, as processes.
    Exit status 1 says that a bot was at fault.
    """
    from pitch_server.leftovers import end_despite_threads
    from pitch_server.trying.meeting import Meeting
    from pitch_server.trying.telling import document

    asked = _asked(**given)
    printed = Printed()
    with redirect_stdout(printed):  # a bot's file may print when it is loaded
        tried = _found(bots)
        pairs = _pairs(tried, _found(_listed(against)))
    for bot in tried:
        if bot.warning:
            click.echo(f"Warning: {bot.warning}", err=True)
    meetings: list[Meeting] = []
    stopped: signal.Signals | None = None
    with _kept_in_mind() as came:
        for bot, opponent in pairs:
            meeting = Meeting(bot.name, opponent.name, slowest)
            meetings.append(meeting)
            stopped = _play(meeting, bot, opponent, asked, printed, came, processes=processes)
            if stopped is not None:
                break
    if as_json:
        found = document(meetings, asked, stopped=stopped is not None)
        click.echo(json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        _show(meetings, asked, printed)
    status = _LOOK_AT_IT if any(meeting.fault_count for meeting in meetings) else 0
    if stopped is not None:
        click.echo("stopped: this is what is known so far", err=True)
        status = 128 + stopped
    end_despite_threads(status)
    return status


# --- what is asked for ------------------------------------------------------------------------


def _asked(boards: int | None, variant: str, unit: str, seed: str, move_timeout: float) -> "Asked":
    from pitch.table.unit import Unit
    from pitch_server.trying.meeting import Asked

    return Asked(
        variant=_variant(variant),
        unit=Unit(unit),
        boards=boards or MAX_BOARDS,
        seconds=None if boards else SECONDS,
        seed=seed,
        move_timeout=move_timeout,
    )


def _variant(name: str) -> "Variant":
    from pitch.rules.catalog import parse_variant
    from pitch.rules.variant import VariantError

    try:
        return parse_variant({"name": name})
    except VariantError as error:
        raise BadInput(f"--variant: {error}") from error


def _listed(against: Sequence[str]) -> list[str]:
    """The opponents: names and files may stand in one text with commas, a command can't."""
    return [name for text in against for name in (text.split(",") if " " not in text else [text])]


def _found(texts: Sequence[str]) -> "list[FoundBot]":
    from pitch.testing import BotSourceError, find_bot

    found: list[FoundBot] = []
    for text in texts:
        try:
            bot = find_bot(text)
        except BotSourceError as error:
            raise BadInput(str(error)) from error
        if any(bot.name == other.name for other in found):
            raise BadInput(
                f"two bots are named {bot.name!r}; give them names, as in 'old={text}' and "
                f"'new={text}'"
            )
        found.append(bot)
    return found


def _pairs(
    bots: "Sequence[FoundBot]", opponents: "Sequence[FoundBot]"
) -> "list[tuple[FoundBot, FoundBot]]":
    """Each bot with each opponent, which gets another name where it is the bot itself."""
    from dataclasses import replace

    return [
        (bot, replace(other, name=f"{other.name} 2") if other.name == bot.name else other)
        for bot in bots
        for other in opponents
    ]


# --- playing ----------------------------------------------------------------------------------


def _play(
    meeting: "Meeting",
    bot: "FoundBot",
    opponent: "FoundBot",
    asked: "Asked",
    printed: Printed,
    came: list[signal.Signals],
    *,
    processes: bool,
) -> signal.Signals | None:
    """Plays a meeting as far as it goes; the signal that ended it, if one did."""
    from rich.markup import escape

    from pitch_server.plan.errors import SettingsError

    count = asked.variant.sides - 1
    others = [opponent.name, *(f"{opponent.name} {at}" for at in range(3, count + 2))]
    names = (bot.name, *others)
    title = escape(f"{bot.name} against {opponent.name}")
    try:
        with bar(title, lambda: _STEPS, beside_results=False) as drawn:
            move = _share(drawn, came)
            if processes or bot.bot_class is None or opponent.bot_class is None:
                from pitch_server.trying.as_processes import play_as_processes

                commands = [bot.command, *[opponent.command] * count]
                return play_as_processes(meeting, commands, names, asked, move, printed)
            from pitch_server.leftovers import no_process_left
            from pitch_server.trying.in_process import play_in_process

            classes = [bot.bot_class, *[opponent.bot_class] * count]
            with no_process_left():
                play_in_process(meeting, classes, names, asked, move, printed)
    except SettingsError as error:
        raise BadInput(str(error)) from error
    except KeyboardInterrupt:
        return came[0] if came else signal.SIGINT
    return came[0] if came else None


def _share(move: Callable[[int], None], came: Sequence[signal.Signals]) -> Callable[[float], None]:
    """What moves the bar; it ends the playing if a bot has caught the interrupt."""

    def moved(share: float) -> None:
        if came:
            raise KeyboardInterrupt
        move(round(share * _STEPS))

    return moved


@contextmanager
def _kept_in_mind() -> Iterator[list[signal.Signals]]:
    """Within it a signal interrupts, and is in this list, should a bot catch the interrupt."""
    came: list[signal.Signals] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(signal.Signals(number))
        raise KeyboardInterrupt

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- showing ----------------------------------------------------------------------------------


def _show(meetings: "Sequence[Meeting]", asked: "Asked", printed: Printed) -> None:
    from pitch_server.report_tables import one_line
    from pitch_server.result_console import ResultConsole
    from pitch_server.trying.telling import summary_of

    console = ResultConsole(markup=False)  # names may look like markup
    unit = "points of a hand" if asked.unit == "hand" else "games won"
    for name in dict.fromkeys(meeting.bot for meeting in meetings):
        mine = [meeting for meeting in meetings if meeting.bot == name]
        title = f"{one_line(name)}, {asked.variant.name}, margins in {unit}"
        console.print(title, style="bold")
        console.print(_table(console, mine))
        console.print()
        for meeting in mine:
            for line in _lines(meeting, asked):
                console.print(line, soft_wrap=True)
    if any(summary_of(each).sd is None for each in meetings if each.boards > 1):
        console.print(f"{_NO_INTERVAL}{how_to_get('server')}", soft_wrap=True)
    for line in printed.lines():
        console.print(line, soft_wrap=True)


def _lines(meeting: "Meeting", asked: "Asked") -> Iterator[str]:
    """What the table does not tell."""
    from pitch_server.bot_log import harmless
    from pitch_server.report_tables import one_line
    from pitch_server.trying.telling import (
        fault_lines,
        pace_line,
        slowest_lines,
        summary_of,
        verdict,
    )

    found = verdict(summary_of(meeting))
    yield f"against {one_line(meeting.opponent)}: {found}; {pace_line(meeting, asked)}"
    yield from (f"  {line}" for line in slowest_lines(meeting))
    yield from (f"  {harmless(line)}" for line in fault_lines(meeting))
    if meeting.opponents_faults:
        yield f"  faults of {one_line(meeting.opponent)}: {meeting.opponents_faults:,}"
    if meeting.void:
        yield f"  void boards: {meeting.void:,}"


def _table(console: Any, meetings: "Sequence[Meeting]") -> Any:
    from pitch_server.report_tables import (
        add_names,
        add_numbers,
        empty_table,
        interval,
        one_line,
        signed,
    )
    from pitch_server.trying.telling import summary_of

    table = empty_table(console)
    add_names(table, "against")
    add_numbers(table, "boards", "margin", "95 % interval", "won", "drawn", "lost", "faults")
    for meeting in meetings:
        found = summary_of(meeting)
        table.add_row(
            one_line(meeting.opponent),
            f"{meeting.boards:,}",
            signed(found.mean),
            interval(found.interval),
            *(f"{count:,}" for count in (meeting.wins, meeting.draws, meeting.losses)),
            f"{meeting.fault_count:,}",
        )
    return table
