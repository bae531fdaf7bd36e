"""The group `pitch`: which command is where, and how every command ends.

Here belong the table of commands, suggestions for misspelt ones and the exit statuses.
Nothing heavy may be imported here: `pitch replay` is to start at once and to work without
the server extra. What a command does belongs to its own module.
"""

import importlib
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, NoReturn

import click

__all__ = ["COMMANDS", "BadInput", "LazyGroup", "cli", "how_to_get", "main"]

DONE = 0
LOOK_AT_IT = 1
WRONG_USE = 2
INTERRUPTED = 130
TERMINATED = 143
BROKEN_PIPE = 141  # what the shell reports of any program whose reader went away


class Entry(NamedTuple):
    """Where a command is, as module:function, and its line in `pitch --help`."""

    where: str
    summary: str


# In the order of `pitch --help`. A command whose module is not there is not offered.
COMMANDS: dict[str, Entry] = {
    "run": Entry("pitch_server.cli.run:run", "Play a tournament by a config file."),
    "resume": Entry("pitch_server.cli.resume:resume", "Play what a tournament still lacks."),
    "compare": Entry(
        "pitch_server.cli.compare:compare", "Play two bots until a question is answered."
    ),
    "serve": Entry("pitch_server.cli.serve:serve", "Play a tournament with bots that connect."),
    "status": Entry("pitch_server.cli.status:status", "Show how a running tournament stands."),
    "close": Entry("pitch_server.cli.close:close", "End a tournament early, reveal its seed."),
    "withdraw": Entry("pitch_server.cli.close:withdraw", "Take an entrant out of a tournament."),
    "standings": Entry("pitch_server.cli.standings:standings", "Show ranks and comparisons."),
    "rate": Entry("pitch_server.cli.rate:rate", "Rate several tournaments together."),
    "boards": Entry("pitch_server.cli.boards:boards", "Show boards table by table."),
    "why": Entry("pitch_server.cli.why:why", "Show what a seat saw, ask a bot again."),
    "rerun": Entry("pitch_server.cli.rerun:rerun", "Play a game again, with other bots."),
    "faults": Entry("pitch_server.cli.faults:faults", "List and explain what bots did wrong."),
    "report": Entry("pitch_server.cli.report:report", "Write a report to publish."),
    "export": Entry("pitch_server.cli.export:export", "Write every game record."),
    "verify": Entry("pitch_server.cli.verify:verify", "Recompute a tournament and compare."),
    "replay": Entry("pitch_server.cli.replay:replay", "Replay game records by the rules."),
    "view": Entry("pitch_server.cli.view:view", "Show what a seat sees at a record's end."),
    "variants": Entry("pitch_server.cli.variants:variants", "Show the variants of the game."),
    "new": Entry("pitch_server.cli.new:new", "Write the project of a new bot."),
    "try": Entry("pitch_server.cli.try_bots:try_bots", "Play quick games with a bot."),
    "play": Entry("pitch_server.cli.play:play", "Play against bots, in the terminal."),
    "check": Entry("pitch_server.cli.check:check", "Check a bot up, point by point."),
    "token": Entry("pitch_server.cli.token:token", "Make an entrant's token."),
}

# Top packages of the extras; without one only the commands that need it fail.
_SERVER = ("sqlalchemy", "trueskill", "scipy", "numpy", "psutil", "uvloop", "prometheus_client")
_EXTRAS = {
    **dict.fromkeys(_SERVER, "server"),
    "textual": "play",
    **dict.fromkeys(("jinja2", "markupsafe", "vl_convert"), "report"),
}


class BadInput(click.ClickException):
    """Something given to a command cannot be used: exit status 2, nothing was started."""

    exit_code = WRONG_USE


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Names of the commands that are there, in the order of the table."""
        return [name for name, entry in COMMANDS.items() if _is_there(entry)]

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        cmd_name: str,
    ) -> click.Command | None:
        """The command of a name, imported now; None if there is none."""
        entry = COMMANDS.get(cmd_name)
        if entry is None or not _is_there(entry):
            return None
        module, _, function = entry.where.partition(":")
        command: click.Command = getattr(importlib.import_module(module), function)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name; a misspelt one gets a suggestion."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            raise click.UsageError(_no_such_command(name, self.list_commands(ctx)), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table alone."""
        rows = [(name, COMMANDS[name].summary) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that went away (`| head`) ends it quietly."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            # What is still buffered has nobody to read it; keep Python from trying at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(BROKEN_PIPE)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run with the arguments; in standalone mode exit with a status of cli.md."""
        try:
            result = super().main(args, prog_name, complete_var, False, **extra)
        except ModuleNotFoundError as error:
            trouble: click.ClickException = _missing_extra(error)
        except click.ClickException as error:
            trouble = error
        except OSError as error:
            trouble = BadInput(_of_system(error))
        except click.Abort:
            return _end(INTERRUPTED, standalone_mode)
        else:
            return _end(result if isinstance(result, int) else DONE, standalone_mode)
        if not standalone_mode:
            raise trouble
        trouble.show()
        return _end(WRONG_USE, standalone_mode)


def _of_system(error: OSError) -> str:
    """What the system would not do, and with which file; of what is written it names none."""
    if error.strerror is None:
        return str(error)
    if error.filename is None:
        return f"{error.strerror}; what was being written is not whole"
    return f"{error.filename}: {error.strerror}"


def _end(status: int, standalone_mode: bool) -> int:
    if standalone_mode:
        sys.exit(status)
    return status


def _missing_extra(error: ModuleNotFoundError) -> click.ClickException:
    """The one sentence for a missing extra; any other missing module is our own fault."""
    name = (error.name or "").partition(".")[0]
    extra = _EXTRAS.get(name)
    if extra is None:
        raise error
    return BadInput(
        f"this command needs {name}, a part of the {extra} extra; get it with: {how_to_get(extra)}"
    )


def how_to_get(extra: str) -> str:
    """The command that installs an extra: of a checkout by its constraints, else by its name."""
    root = Path(__file__).resolve().parents[3]
    if (root / "constraints.txt").is_file() and (root / "pyproject.toml").is_file():
        there = shlex.quote(str(root))
        return f"(cd {there} && {_python()} -m pip install -c constraints.txt -e '.[{extra}]')"
    return f"{_python()} -m pip install 'pitch-arena[{extra}]'"


def _python() -> str:
    """The interpreter as one may type it."""
    return shlex.quote(sys.executable) if sys.prefix != sys.base_prefix else "python3"


def _is_there(entry: Entry) -> bool:
    return find_spec(entry.where.partition(":")[0]) is not None


def _no_such_command(name: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
    return f"no such command {name!r}; {hint}"


_EPILOG = """\b
Examples:
  pitch run sample_bots/demo.toml
  pitch standings sample_bots/demo.db
"""


@click.group(cls=LazyGroup, epilog=_EPILOG)
@click.version_option(package_name="pitch-arena", prog_name="pitch")
def cli() -> None:
    """Pitch Arena: tournaments between bots that play the card game Pitch.

    Results go to standard output, progress and messages to standard error. Exit status: 0
    done, 1 done but with something to look at, 2 wrong use or bad input, 130, 143 or 129
    stopped by a signal, 141 the reader of the results went away.
    """


def main() -> NoReturn:
    """The entry point of the command `pitch`."""
    signal.signal(signal.SIGTERM, _terminate)
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a name that the terminal has no letters for
            stream.reconfigure(errors="backslashreplace")
    cli(prog_name="pitch")
    raise AssertionError("unreachable: the group exits")


def _open_what_is_closed() -> None:
    """A standard stream that we were started without leads nowhere.

    Else the next file opened, such as a database, would be what others take for our output.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115 - for good


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(TERMINATED)
