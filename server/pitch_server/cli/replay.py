"""`pitch replay`: every record of the given files, replayed by the rules alone (records.md)."""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import click

from pitch.records import (
    JsonObject,
    RecordError,
    RecordSyntaxError,
    answer_json,
    error_json,
    read_records,
    replay_game,
)
from pitch_server.cli.group import DONE, LOOK_AT_IT, WRONG_USE, BadInput
from pitch_server.cli.inputs import Counted, name_of, open_input, progress

__all__ = ["replay"]

_EPILOG = """\b
Examples:
  pitch replay games.jsonl
  pitch replay one-game.json --show
  pitch export demo.db | pitch replay - --summary
"""
_SHOW = "Print every hand for people: deal, bids, tricks (> leads, * wins)."
_EVERY = 256  # records between two looks at the progress

# What is done with a record: where it stands, the record, its answer line or its fault.
Output = Callable[[str, int, JsonObject, "JsonObject | RecordError"], None]


@click.command(epilog=_EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--summary", is_flag=True, help="Print counts for people, not a line a record.")
@click.option("--show", is_flag=True, help=_SHOW)
@click.pass_context
def replay(ctx: click.Context, files: tuple[str, ...], summary: bool, show: bool) -> None:
    """Replay every game record in FILE... by the rules and print one JSON object a record.

    A FILE holds JSON Lines, or one object over several lines; "-" is standard input. Exit
    status: 0 all is well, 1 a record does not replay, 2 a file cannot be read.
    """
    if summary and show:
        raise click.UsageError("--summary and --show exclude each other", ctx)
    tally = Tally()
    output = _output(files, summary=summary, show=show)
    unreadable = 0
    with progress(files, beside_results=not summary) as report:
        read = 0
        for path in files:
            try:
                read = _replay_file(path, read, tally, output, report)
            except BadInput as error:
                sys.stdout.flush()
                click.echo(f"Error: {error.format_message()}", err=True)
                unreadable += 1
    if summary:
        click.echo(tally.text(unreadable))
    ctx.exit(WRONG_USE if unreadable else LOOK_AT_IT if tally.flaws else DONE)


@dataclass(slots=True)
class Tally:
    """Counts over all records, for the summary."""

    records: int = 0
    hands: int = 0
    unfinished: int = 0
    flaws: Counter[str] = field(default_factory=Counter)
    started: float = field(default_factory=time.perf_counter)

    def text(self, unreadable: int) -> str:
        """The counts as lines for people."""
        seconds = max(time.perf_counter() - self.started, 1e-9)
        well = self.records - self.flaws.total()
        lines = [f"{well:,} of {self.records:,} records ok, {self.unfinished:,} games not over"]
        lines += [f"  {count:>9,}  {flaw}" for flaw, count in self.flaws.most_common()]
        if unreadable:
            lines.append(f"  {unreadable:>9,}  unreadable files")
        lines.append(
            f"{self.hands:,} hands in {seconds:.1f} s, {self.hands / seconds:,.0f} a second"
        )
        return "\n".join(lines)


def _replay_file(
    path: str, read: int, tally: Tally, output: Output, report: Callable[[int], None]
) -> int:
    """Replay the records of one file; the number of bytes read so far, with those before."""
    with open_input(path) as stream:
        counted = Counted(stream, path, read)
        try:
            for line, value in read_records(counted):
                output(path, line, value, _replay_one(value, tally))
                if tally.records % _EVERY == 0:
                    report(counted.read)
        except RecordSyntaxError as error:
            raise BadInput(f"{name_of(path)}: {error}") from None
    return counted.read


def _replay_one(value: JsonObject, tally: Tally) -> JsonObject | RecordError:
    tally.records += 1
    try:
        replayed = replay_game(value)
    except RecordError as error:
        tally.flaws[error.flaw] += 1
        return error
    tally.hands += len(replayed.results)
    tally.unfinished += not replayed.game.over
    return answer_json(replayed)


def _output(files: tuple[str, ...], *, summary: bool, show: bool) -> Output:
    if summary:
        return lambda _path, _line, _value, _answer: None
    if show:
        from pitch_server.cli.show import show_record

        return show_record
    # A program at the other end of a pipe may wait for the answer before it asks again.
    return _print_at_once if "-" in files else _print


def _print(_path: str, _line: int, _value: JsonObject, answer: JsonObject | RecordError) -> None:
    line = error_json(answer) if isinstance(answer, RecordError) else answer
    sys.stdout.write(json.dumps(line) + "\n")


def _print_at_once(
    path: str, line: int, value: JsonObject, answer: JsonObject | RecordError
) -> None:
    _print(path, line, value, answer)
    sys.stdout.flush()
