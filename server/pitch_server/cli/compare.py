"""`pitch compare`: plays two bots against each other until a question about them is answered.

Here belong its options and the tournament that they ask for. Bots are `compared_bots`'; playing is
`pitch_server.play`'s, what differs for a comparison `pitch_server.comparison`'s.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pitch_server.cli.compared_bots import compared_bots
from pitch_server.cli.database import parse_place, refusing
from pitch_server.cli.group import BadInput
from pitch_server.cli.numbers import FiniteFloat
from pitch_server.cli.observing import observing, observing_options
from pitch_server.cli.playing import play_wanted
from pitch_server.cli.wanted import Wanted, read_wanted

if TYPE_CHECKING:
    from pitch_server.plan.question import Question
    from pitch_server.plan.settings import FormatSettings, Unit

__all__ = ["compare"]

_EPILOG = """\b
Examples:
  pitch compare my_bot.py rule
  pitch compare "old={python} rule_bot.py" "new={python} rule_bot.py --caution 1" --boards 200
  pitch compare a.py b.py --until-decided --effect1 0.2
  pitch compare a.py b.py --until-decided --margin0 0 --margin1 0.2 --alpha 0.01
  pitch compare two.toml --precision 0.05
"""


@click.command(epilog=_EPILOG)
@click.argument("entrants", nargs=-1, required=True, metavar="A B")
@click.option("--boards", type=click.IntRange(1, 10**9), metavar="N", help="So many, fixed now.")
@click.option(
    "--equal-within",
    type=FiniteFloat(),
    metavar="W",
    help="Also over when they are known to differ by less; 0.1 points a board, 0.05 by the game.",
)
@click.option("--until-decided", is_flag=True, help="Until H0 or H1 is decided for.")
@click.option(
    "--effect0", type=FiniteFloat(), metavar="D", help="H0, in standard deviations of a board."
)
@click.option(
    "--effect1", type=FiniteFloat(), metavar="D", help="H1, in standard deviations of a board."
)
@click.option("--margin0", type=FiniteFloat(), metavar="D", help="H0, in the unit of margins.")
@click.option("--margin1", type=FiniteFloat(), metavar="D", help="H1, in the unit of margins.")
@click.option(
    "--alpha", type=FiniteFloat(), help="How often one may be found better wrongly; 0.05."
)
@click.option("--beta", type=FiniteFloat(), help="How often H0 may be decided for wrongly; 0.05.")
@click.option("--precision", type=FiniteFloat(), metavar="W", help="Until the mean is known to ±W.")
@click.option(
    "--max-boards",
    type=click.IntRange(1, 10**9),
    metavar="N",
    help="Of an open number at most so many; 10,000, of H0 and H1 and a precision 100,000.",
)
@click.option("--batch", type=click.IntRange(1, 100_000), help="Boards planned at once; 20.")
@click.option("--variant", metavar="NAME", help="Of the game; pitch-ac by default.")
@click.option("--unit", type=click.Choice(("hand", "game")), help="Of a board; hand by default.")
@click.option(
    "--deals", type=click.Choice(("duplicate", "independent")), help="Duplicate by default."
)
@click.option("--seed", help="Of all deals; drawn and told at the end by default.")
@click.option("--tables", type=click.IntRange(1, 4096), help="Games at once; 8 by default.")
@click.option("--db", metavar="URL", help="Database: a path or a SQLAlchemy URL.")
@click.option("--fresh", is_flag=True, help="Play it anew; what the database holds stays there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@observing_options
def compare(entrants: tuple[str, ...], fresh: bool, as_json: bool, **given: Any) -> int:
    """Play A against B until it is known which is better, by how much.

    A and B are bots: a file, module:Class, a sample's name or a command, each with a name before
    it if wanted (NAME=BOT); or together one CONFIG.toml of two entrants, which may have a
    [question]. Everything is seen from A. With nothing else it is asked which is better: until the
    interval that may be watched leaves 0 out, or they are known to be about equal. --boards,
    --until-decided and --precision ask otherwise.

    The answer follows from finished boards in the order of the plan alone. After Ctrl-C there is
    none; the same command goes on, to the same answer with the same error rates.
    """
    asked = _Asked(**{key: given.pop(key) for key in _Asked.__dataclass_fields__})
    wanted = _wanted(entrants, asked, given)
    observed = observing(given, wanted.config.server.observing)
    from pitch_server.comparison import ComparePlay, JsonComparePlay

    with refusing():
        return play_wanted(
            wanted,
            given["tables"] or wanted.config.tables,
            fresh=fresh,
            observing=observed,
            player=JsonComparePlay if as_json else ComparePlay,
        )


# --- the question -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What was asked for, as it was typed."""

    boards: int | None
    equal_within: float | None
    until_decided: bool
    effect0: float | None
    effect1: float | None
    margin0: float | None
    margin1: float | None
    alpha: float | None
    beta: float | None
    precision: float | None
    max_boards: int | None
    batch: int | None

    def check(self) -> None:
        """BadInput where options do not go together."""
        ways = [
            name
            for name, there in (
                ("--boards", self.boards is not None),
                ("--until-decided", self.until_decided),
                ("--precision", self.precision is not None),
                ("--equal-within", self.equal_within is not None),
            )
            if there
        ]
        if len(ways) > 1:
            raise BadInput(f"{' and '.join(ways)} exclude each other; expected one of them")
        tests = ("effect0", "effect1", "margin0", "margin1", "beta")
        self._refuse(tests, self.until_decided, "--until-decided")
        open_end = self.boards is None
        self._refuse(("alpha", "max_boards", "batch"), open_end, "an open number of boards")

    @property
    def says_what(self) -> bool:
        """Whether the options ask a question, so that a configuration's is none."""
        return self.until_decided or self.precision is not None or self.equal_within is not None

    @property
    def says_how(self) -> bool:
        """Whether the options say how a question is asked."""
        return any(each is not None for each in (self.alpha, self.max_boards, self.batch))

    def _refuse(self, names: tuple[str, ...], used: bool, of: str) -> None:
        for name in names:
            if not used and getattr(self, name) is not None:
                raise BadInput(f"{_option(name)} is of no use here; it is for {of}")

    def question(self, unit: "Unit") -> "Question | None":
        """The question; None for a fixed number of boards. BadInput if it can't be asked."""
        from pitch_server.plan.errors import SettingsError
        from pitch_server.plan.question import Asked, make_question

        if self.boards is not None:
            return None
        said: dict[str, float | None] = {"alpha": self.alpha}
        asked = Asked.BETTER
        if self.until_decided:
            kind, h0, h1 = self._hypotheses()
            asked, said = Asked(kind), {**said, "beta": self.beta, "h0": h0, "h1": h1}
        elif self.precision is not None:
            asked, said = Asked.PRECISION, {**said, "precision": self.precision}
        else:
            said["equal_within"] = self.equal_within
        try:
            return make_question(asked, unit, **said)
        except SettingsError as error:
            name = error.key.rpartition(".")[2]
            if name in ("h0", "h1"):
                name = f"{'margin' if self.margin1 is not None else 'effect'}{name[1]}"
            raise BadInput(f"{_option(name)}: {error.reason}") from error

    def _hypotheses(self) -> tuple[str, float, float]:
        effects, margins = (self.effect0, self.effect1), (self.margin0, self.margin1)
        if any(each is not None for each in effects) and any(each is not None for each in margins):
            raise BadInput("--effect… and --margin… exclude each other; expected one of them")
        kind, (h0, h1) = ("effect", effects) if self.margin1 is None else ("margin", margins)
        if h1 is None:
            raise BadInput(
                "--until-decided needs an H1: --effect1 D in standard deviations of a board, or "
                "--margin1 D in points (0 is H0, unless --effect0 or --margin0 says otherwise); "
                "without --until-decided it is asked which is better"
            )
        return kind, 0.0 if h0 is None else h0, h1


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


# --- the tournament ---------------------------------------------------------------------------


def _wanted(entrants: tuple[str, ...], asked: _Asked, given: dict[str, Any]) -> Wanted:
    """The tournament in its database; BadInput if it can't be played."""
    from pitch_server.plan.errors import SettingsError

    configured = len(entrants) == 1
    asked.check()
    try:
        if configured:
            return _of_config(Path(entrants[0]), asked, given)
        return _of_commands(entrants, asked, given)
    except SettingsError as error:
        raise BadInput(str(error)) from error


def _of_config(path: Path, asked: _Asked, given: dict[str, Any]) -> Wanted:
    if path.suffix != ".toml":
        raise BadInput(f"got one entrant, {str(path)!r}; expected two commands or a CONFIG.toml")
    for name in ("variant", "unit", "deals", "seed"):
        if given[name] is not None:
            raise BadInput(f"--{name} is for commands; a configuration says it by itself")
    wanted = read_wanted(path, given["db"], use="run")
    config = wanted.config
    names = config.settings.names
    if len(names) != 2 or config.settings.variant.sides != 2:
        raise BadInput(
            f"{path}: has {len(names)} entrants in a variant of {config.settings.variant.sides} "
            "sides; expected two entrants in one of two sides"
        )
    form = _configured(config.settings.format, asked, path)
    return Wanted(replace(config, settings=replace(config.settings, format=form)), wanted.database)


def _configured(form: "FormatSettings", asked: _Asked, path: Path) -> "FormatSettings":
    """The configuration's format with what the options say in its place."""
    if asked.boards is not None:
        return replace(form, question=None, until_separated=False, boards=asked.boards, batch=None)
    if asked.says_what or (form.question is None and asked.says_how):
        return _asking(replace(form, until_separated=False, error_rate=None), asked)
    if form.until_separated:
        raise BadInput(
            f'{path}: boards = "until-separated" is for more than two entrants; expected a number '
            "of boards or a table [question], which asks the same of two"
        )
    if form.question is None:
        return form
    alpha = form.question.alpha if asked.alpha is None else asked.alpha
    return replace(
        form,
        question=replace(form.question, alpha=alpha),
        boards=asked.max_boards or form.boards,
        batch=asked.batch or form.batch,
    )


def _of_commands(entrants: tuple[str, ...], asked: _Asked, given: dict[str, Any]) -> Wanted:
    from pitch_server.bot_command import resolve_command
    from pitch_server.config import DEFAULT_TABLES, Config
    from pitch_server.plan.settings import Deals, FormatSettings, Settings, Unit
    from pitch_server.server_table import ServerSettings

    if len(entrants) != 2:
        raise BadInput(f"got {len(entrants)} entrants; expected two commands or a CONFIG.toml")
    directory = Path.cwd()
    bots = compared_bots(entrants, directory)
    first, second = (bot.name for bot in bots)
    form = FormatSettings(
        unit=Unit(given["unit"] or "hand"), deals=Deals(given["deals"] or "duplicate")
    )
    settings = Settings(
        name=f"{first} against {second}"[:64].strip(),
        variant=_variant(given["variant"] or "pitch-ac"),
        format=_format(form, asked),
        entrants=bots,
    )
    database = parse_place(given["db"] or _file(first, second))
    config = Config(
        path=directory / "compare",
        settings=settings,
        seed=_seed(given["seed"]),
        database=database,
        tables=DEFAULT_TABLES,
        commands={
            bot.name: resolve_command(bot.command, directory)
            for bot in settings.entrants
            if bot.command is not None
        },
        server=ServerSettings(),
    )
    return Wanted(config, database)


def _format(form: "FormatSettings", asked: _Asked) -> "FormatSettings":
    return _asking(form, asked) if asked.boards is None else replace(form, boards=asked.boards)


def _asking(form: "FormatSettings", asked: _Asked) -> "FormatSettings":
    from pitch_server.plan.question import most_boards

    question = asked.question(form.unit)
    assert question is not None  # noqa: S101 - no number of boards was fixed
    most = asked.max_boards or most_boards(question.asked)
    return replace(form, question=question, boards=most, batch=asked.batch)


def _file(first: str, second: str) -> str:
    """The database beside which we are, named after the two."""
    return f"{_plain(first)}-against-{_plain(second)}.db"


def _plain(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip(".-")[:40] or "bot"


def _variant(name: str) -> Any:
    from pitch.rules.catalog import parse_variant
    from pitch.rules.variant import VariantError

    try:
        return parse_variant({"name": name})
    except VariantError as error:
        raise BadInput(f"--variant: {error}") from error


def _seed(seed: str | None) -> str | None:
    if seed is not None and not 1 <= len(seed) <= 1000:
        raise BadInput(f"--seed: got {len(seed)} characters; expected 1 to 1000")
    return seed
