"""`pitch check`: a bot's check-up, point by point, and its certificate.

Here belong the options and how findings are shown. What is checked is `pitch_server.checkup`'s.
"""

import asyncio
import json
import logging
import shutil
import signal
import tempfile
import textwrap
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pitch_server.cli.group import BadInput
from pitch_server.cli.numbers import FiniteFloat
from pitch_server.cli.outputs import check_output, write_output
from pitch_server.messages import message_console
from pitch_server.written_files import CERTIFICATE

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

    from pitch.testing.bot_source import FoundBot
    from pitch_server.checkup.checkup import Check, Result
    from pitch_server.checkup.exam import Wishes

__all__ = ["check"]

_EPILOG = """\b
Examples:
  pitch check my_bot.py
  pitch check rule random --quick
  pitch check "node bot.js" --variant pitch-ac --certificate bot.json
"""
_FULL, _QUICK = (10_000, 30.0, 8.0), (1_000, 4.0, 1.5)  # decisions, seconds, seconds of load
_WIDEST = 100


@click.command(epilog=_EPILOG)
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option(
    "--variant", "names", multiple=True, metavar="NAME", help="Only these variants; without it all."
)
@click.option("--quick", is_flag=True, help="Shorter, for while you work; earns no certificate.")
@click.option(
    "--move-timeout",
    type=FiniteFloat(0.05, 600),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="For an answer.",
)
@click.option(
    "--start-timeout",
    type=FiniteFloat(0.5, 600),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="To start and say hello.",
)
@click.option(
    "--decisions",
    type=click.IntRange(500, 10_000_000),
    metavar="N",
    help="Memory is watched over so many; 10,000.",
)
@click.option(
    "--seconds",
    type=FiniteFloat(1, 3600),
    metavar="S",
    help="And for so long at most; 30.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option(
    "--certificate",
    metavar="FILE",
    help="Write the findings to this file, for a tournament that asks for them.",
)
def check(
    bots: tuple[str, ...],
    names: tuple[str, ...],
    quick: bool,
    move_timeout: float,
    start_timeout: float,
    as_json: bool,
    certificate: str | None,
    **given: Any,
) -> int:
    """Check a bot up: a process of its own, over the real wire, point by point.

    BOT is a file, module:Class, the name of a sample bot or a command. Each check passes, fails,
    warns or is skipped, tells what was done and, where it failed, what to do. Exit status 1 if a
    check failed.
    """
    from pitch_server.checkup.exam import Wishes

    logging.getLogger().addHandler(logging.NullHandler())  # findings say all that there is to say
    if certificate is not None:
        _check_certificate(certificate, bots)
    decisions, span, load = _QUICK if quick else _FULL
    wishes = Wishes(
        variants=_variants(names),
        move_timeout=move_timeout,
        start_timeout=start_timeout,
        decisions=given["decisions"] or decisions,
        span=given["seconds"] or span,
        load_span=load,
    )
    documents = [_checked(found, wishes, quick=quick, quiet=as_json) for found in _found(bots)]
    if certificate is not None:
        text = json.dumps(documents[0], indent=2, ensure_ascii=False)
        write_output(certificate, CERTIFICATE, f"{text}\n")
        click.echo(f"wrote {certificate}", err=True)
        if quick:
            click.echo("it is of a quick check-up, which no tournament takes", err=True)
    if as_json:
        click.echo(json.dumps({"bots": documents}, indent=2, ensure_ascii=False))
    return 0 if all(document["passed"] for document in documents) else 1


def _check_certificate(file: str, bots: tuple[str, ...]) -> None:
    """Before a minute is spent on what can't be written."""
    if len(bots) > 1:
        raise BadInput(f"--certificate is for one bot; got {len(bots)}: {', '.join(bots)}")
    check_output(file, CERTIFICATE)


def _variants(names: tuple[str, ...]) -> Any:
    from pitch.rules import VARIANTS, VariantError, parse_variant

    try:
        return tuple(parse_variant({"name": name}) for name in names) or tuple(VARIANTS.values())
    except VariantError as error:
        raise BadInput(f"--variant: {error}") from None


def _found(bots: tuple[str, ...]) -> "list[FoundBot]":
    """The bots, all of them found before the first one is checked."""
    from pitch.testing.bot_source import BotSourceError, find_bot

    try:
        return [find_bot(text) for text in bots]
    except BotSourceError as error:
        raise BadInput(str(error)) from None


class _Checked(NamedTuple):
    results: "list[Result]"
    sdk: str


def _checked(found: "FoundBot", wishes: "Wishes", *, quick: bool, quiet: bool) -> dict[str, Any]:
    """Checks one bot and shows what is found; its certificate."""
    from pitch_server.checkup.certificate import certificate

    if not quiet:
        click.secho(found.name, bold=True)
    with tempfile.TemporaryDirectory(prefix="pitch-check-") as folder:
        checked = asyncio.run(_until_stopped(_check(found, wishes, Path(folder), quiet=quiet)))
    document = certificate(
        found.name,
        found.command,
        Path.cwd(),
        checked.results,
        sdk=checked.sdk,
        variants=[variant.name for variant in wishes.variants],
        move_timeout=wishes.move_timeout,
        quick=quick,
    )
    if not quiet:
        _show_end(document)
    return document


async def _until_stopped(checking: Coroutine[Any, Any, _Checked]) -> _Checked:
    """What is found; a signal ends the bot first, then the command with its status."""
    task = asyncio.ensure_future(checking)
    stopped: list[signal.Signals] = []

    def stop(number: signal.Signals) -> None:
        stopped.append(number)
        task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop, number)
    try:
        return await task
    except asyncio.CancelledError:
        click.echo("stopped; the bot was ended", err=True)
        raise SystemExit(128 + stopped[0]) from None
    finally:  # gRPC's own tasks end by themselves; where they are cancelled they print tracebacks
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=1.0)


async def _check(found: "FoundBot", wishes: "Wishes", folder: Path, *, quiet: bool) -> _Checked:
    from pitch_server.checkup.checkup import CHECKS, check_up
    from pitch_server.checkup.exam import Exam

    console = message_console()
    shown = _status_line(console) if console.is_terminal else nullcontext()
    results, now = [], [""]
    with shown as status:

        def tell(text: str) -> None:
            _tell(status, f"{now[0]}: {text}" if text else now[0])

        def begin(number: int, check: "Check") -> None:
            now[0] = f"{found.name}: {number} of {len(CHECKS)}, {check.name}"
            tell("")

        exam = Exam(
            found.name,
            found.command,
            directory=Path.cwd(),
            log_directory=folder,
            wishes=wishes,
            tell=tell,
        )
        async with exam:
            async for result in check_up(exam, begin):
                results.append(result)
                if not quiet:
                    with _aside(status):
                        _show(result)
    return _Checked(results, exam.sdk)


def _status_line(console: "Console") -> "Live":
    """A line on a terminal; results go where they go, beside it."""
    from rich.live import Live

    return Live(
        console=console,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,  # the console writes to standard error as it is at each moment
    )


@contextmanager
def _aside(status: "Live | None") -> Iterator[None]:
    """Within it the status line is gone: it would take what is printed for its own."""
    if status is not None:
        status.stop()
    yield
    if status is not None:
        status.start()


def _tell(status: "Live | None", text: str) -> None:
    if status is not None:
        from rich.spinner import Spinner
        from rich.text import Text

        status.update(Spinner("dots", Text(text)))


# --- what is shown ----------------------------------------------------------------------------

_COLOURS = {"passed": "green", "warning": "yellow", "failed": "red", "skipped": "bright_black"}
_INDENT = " " * 13


def _show(result: "Result") -> None:
    finding = result.finding
    word = click.style(f"{finding.outcome.value:<8}", fg=_COLOURS[finding.outcome.value])
    click.echo(f"{result.number:>3}  {word}{_wrapped(f'{result.check.name}: {finding.did}')}")
    for line in finding.details:
        click.echo(f"{_INDENT}- {_wrapped(line, 2)}")
    if finding.remedy:
        click.echo(f"{_INDENT}{_wrapped(f'To do: {finding.remedy}.')}")


def _wrapped(text: str, more: int = 0) -> str:
    indent = _INDENT + " " * more
    width = min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).removeprefix(indent)


def _show_end(document: dict[str, Any]) -> None:
    outcomes = [each["outcome"] for each in document["checks"]]
    counts = ", ".join(
        f"{outcomes.count(word)} {plural}"
        for word, plural in (
            ("passed", "passed"),
            ("warning", "with a warning"),
            ("failed", "failed"),
            ("skipped", "skipped"),
        )
        if word in outcomes
    )
    verdict = "passed" if document["passed"] else "not passed"
    click.echo(f"{document['bot']}: {verdict} ({counts})")
    click.echo(
        f"{document['date']}, {document['checked_by']}, SDK {document['sdk'] or 'not named'}, "
        f"{_variants_text(document['variants'])}, {document['move_timeout']:g} s an answer"
    )
    click.echo(f"fingerprint {document['fingerprint']}")


def _variants_text(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} variants"
