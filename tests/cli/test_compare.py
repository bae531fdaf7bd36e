"""`pitch compare`: what is refused before anything starts, and what a verdict looks like."""

import json
import re
from pathlib import Path

import pytest

from cli.running import pitch, pitch_process
from cli.tournaments import BOT
from pitch.testing.samples import sample_bots
from pitch_server.cli.compared_bots import compared_bots
from pitch_server.cli.group import BadInput

A, B = "a={python} bot.py", "b={python} bot.py"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "other.py").write_text(BOT)
    (tmp_path / "three.toml").write_text(
        'name = "t"\n[variant]\nname = "pitch-ac"\n'
        + "".join(
            f'[[entrants]]\nname = "{name}"\ncommand = ["{{python}}", "bot.py"]\n' for name in "abc"
        )
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param((A, B, "--equal-within", "-1"), "--equal-within: -1.0", id="width below 0"),
        pytest.param(
            (A, B, "--equal-within", "nan"), "expected a finite number, got nan", id="width NaN"
        ),
        pytest.param(
            (A, B, "--equal-within", "1", "--until-decided"), "exclude each", id="two questions"
        ),
        pytest.param((A, "--boards", "2"), "expected two commands", id="one entrant"),
        pytest.param((A, B, A, "--boards", "2"), "got 3 entrants", id="three entrants"),
        pytest.param((A, A, "--boards", "2"), "both are named 'a'", id="one name"),
        pytest.param(("bot.py", "bot.py", "--boards", "2"), "both are named 'bot'", id="one bot"),
        pytest.param((A, "b=", "--boards", "2"), "is no command", id="no command"),
        pytest.param((A, "b='", "--boards", "2"), "is no command", id="a quote"),
        pytest.param((A, "b={python} no.py", "--boards", "2"), "is not a file", id="no script"),
        pytest.param((A, "b=nosuchbot x", "--boards", "2"), "neither on PATH", id="no program"),
        pytest.param((A, "b\nc={python} bot.py", "--boards", "2"), "U+000A", id="a newline"),
        pytest.param((A, f"{'x' * 65}={{python}} bot.py", "--boards", "2"), "1 to 64", id="long"),
        pytest.param((A, B, "--boards", "0"), "0", id="no board"),
        pytest.param((A, B, "--boards", "2", "--precision", "1"), "exclude each", id="two ends"),
        pytest.param((A, B, "--until-decided"), "needs an H1", id="no H1"),
        pytest.param(
            (A, B, "--until-decided", "--effect0", "0.1"), "needs an H1", id="no H1 but an H0"
        ),
        pytest.param(
            (A, B, "--until-decided", "--effect1", "1", "--margin1", "1"),
            "exclude each other",
            id="two units",
        ),
        pytest.param(
            (A, B, "--until-decided", "--effect1", "0"),
            "--effect1: 0.0 is not possible; expected another number than H0",
            id="H1 is H0",
        ),
        pytest.param((A, B, "--until-decided", "--margin1", "nan"), "--margin1", id="NaN"),
        pytest.param((A, B, "--until-decided", "--effect1", "inf"), "--effect1", id="infinite"),
        pytest.param(
            (A, B, "--until-decided", "--effect1", "1", "--alpha", "0.5"), "--alpha", id="alpha"
        ),
        pytest.param(
            (A, B, "--until-decided", "--effect1", "1", "--beta", "nan"), "--beta", id="beta"
        ),
        pytest.param((A, B, "--precision", "0"), "--precision", id="precision 0"),
        pytest.param((A, B, "--precision", "1e-300"), "a number from 1e-09 on", id="too precise"),
        pytest.param((A, B, "--equal-within", "1e-300"), "0, or a number from", id="no width"),
        pytest.param(
            (A, B, "--until-decided", "--effect1", "1e-170"), "1e-09 or more from it", id="H1 at H0"
        ),
        pytest.param((A, B, "--precision", "nan"), "--precision", id="precision NaN"),
        pytest.param((A, B, "--precision", "-1"), "--precision", id="precision below 0"),
        pytest.param(
            (A, B, "--boards", "2", "--effect1", "1"), "it is for --until-decided", id="no test"
        ),
        pytest.param((A, B, "--boards", "2", "--max-boards", "9"), "of no use", id="fixed"),
        pytest.param((A, B, "--boards", "2", "--variant", "pich"), "--variant", id="variant"),
        pytest.param((A, B, "--boards", "2", "--db", "no/a.db"), "directory", id="database"),
        pytest.param((A, B, "--boards", "2", "--seed", ""), "--seed", id="no seed"),
        pytest.param(("three.toml", "--boards", "2"), "has 3 entrants", id="three in a file"),
        pytest.param(("no.toml",), "no.toml", id="no file"),
        pytest.param(("three.toml", "--unit", "game"), "--unit is for commands", id="unit"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(
    arguments: tuple[str, ...], said: str, here: Path
) -> None:
    before = sorted(path.name for path in here.iterdir())
    result = pitch("compare", *arguments)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert sorted(path.name for path in here.iterdir()) == before


@pytest.mark.parametrize(
    ("text", "name", "command"),
    [
        pytest.param("bot.py", "bot", ("{python}", "bot.py"), id="a file"),
        pytest.param("bot.py --x 1", "bot", ("{python}", "bot.py", "--x", "1"), id="options"),
        pytest.param("old=bot.py", "old", ("{python}", "bot.py"), id="a name before it"),
        pytest.param(
            "bot.py:AnyBot",
            "AnyBot",
            ("{python}", "-m", "pitch", "bot.py:AnyBot"),
            id="a class",
        ),
        pytest.param("{python} bot.py", "bot", ("{python}", "bot.py"), id="a command"),
        pytest.param(
            "rule --caution 1",
            "rule",
            ("{python}", str(sample_bots()["rule"]), "--caution", "1"),
            id="a sample",
        ),
    ],
)
def test_a_bot_may_be_named_in_many_ways(
    text: str, name: str, command: tuple[str, ...], here: Path
) -> None:
    bot, other = compared_bots((text, "other.py"), here)
    assert (bot.name, bot.command) == (name, command)
    assert other.name == "other"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("rul", "neither on PATH nor a file in", id="misspelt"),
        pytest.param("rul", "sample bots are ", id="samples"),
        pytest.param("bot.py:NoBot", "NoBot", id="no such class"),
        pytest.param("Zoe\u0308=bot.py", "both are named", id="two spellings of a name"),
    ],
)
def test_a_bot_that_is_not_there_is_told(text: str, said: str, here: Path) -> None:
    with pytest.raises(BadInput, match=re.escape(said)):
        compared_bots((text, "Zo\u00eb=other.py"), here)


def test_a_sample_and_a_class_play(here: Path) -> None:
    ended = pitch_process("compare", "random", "bot.py:AnyBot", "--boards", "2", "--db", "a.db")
    assert ended.returncode == 0, ended.stderr
    document = json.loads(pitch("standings", "a.db", "--json").stdout)
    assert {row["name"] for row in document["entrants"]} == {"random", "AnyBot"}
    assert document["games"]["forfeited"] == 0


def test_a_variant_of_three_sides_is_refused(here: Path) -> None:
    from pitch.rules.catalog import VARIANTS

    name = next(name for name, variant in VARIANTS.items() if variant.sides == 3)
    for end in (("--boards", "2"), ("--precision", "1")):
        result = pitch("compare", A, B, *end, "--variant", name)
        assert result.exit_code == 2, result.output
        assert "entrants" in result.stderr


def test_a_fixed_number_of_boards_gives_a_verdict_and_then_its_table(here: Path) -> None:
    names = ('=1+2, "x"', "العربية 🂡")
    bots = ["odd={python} bot.py", f"{names[1]}={{python}} bot.py"]
    result = pitch_process("compare", *bots, "--boards", "3", "--seed", "s", "--db", "a.db")
    assert result.returncode == 0, result.stderr
    last = result.stdout.decode().splitlines()[-1]
    assert last.startswith(("Undecided, as", "odd is better", f"{names[1]} is better"))
    again = pitch("compare", *bots, "--boards", "3", "--seed", "s", "--db", "a.db", "--json")
    assert again.exit_code == 0
    document = json.loads(again.stdout)
    assert document["verdict"]["boards"] == 3
    assert document["verdict"]["sentence"] == last
    assert document["pairings"][0]["entrants"] == ["odd", names[1]]
    other = pitch("compare", *bots, "--boards", "4", "--seed", "s", "--db", "a.db")
    assert other.exit_code == 2
    assert "differs in: format.boards" in other.stderr


def two(question: str = "") -> str:
    return (
        'name = "t"\nseed = "s"\ntables = 4\n[variant]\nname = "pitch-ac"\n'
        + question
        + (
            "".join(
                f'[[entrants]]\nname = "{name}"\ncommand = ["{{python}}", "bot.py"]\n'
                for name in "ab"
            )
        )
    )


def test_with_nothing_else_it_is_asked_which_is_better(here: Path) -> None:
    (here / "two.toml").write_text(two("[question]\nmax_boards = 20\n"))
    dry = pitch("run", "two.toml", "--dry-run")
    assert "question    which is better, a or b? Until the 95 % interval" in dry.stdout, dry.output
    assert "boards      at most 20, 20 at a time" in dry.stdout
    ended = pitch_process("compare", "two.toml")
    assert ended.returncode == 0, ended.stderr
    assert "which is better, a or b? Until" in ended.stderr.decode()
    assert "20 boards at most" in ended.stderr.decode()
    sentence = ended.stdout.decode().splitlines()[-1]
    better = ("a is better than b, by", "b is better than a, by")
    assert sentence.startswith(
        (*better, "Inconclusive after the most boards that it may take: neither is known to be")
    )
    # whoever shows it, the answer is the same; `run` and `resume` know that it is a question
    for again in (("run", "two.toml"), ("resume", "two.db")):
        shown = pitch(*again)
        assert (shown.exit_code, shown.stdout.splitlines()[-1]) == (0, sentence)
    # asked otherwise by options, it is another tournament
    for options in (("--precision", "1"), ("--boards", "20"), ("--alpha", "0.01")):
        other = pitch("compare", "two.toml", *options)
        assert other.exit_code == 2, other.output
        assert "holds another tournament; it differs in: format." in other.stderr
    shown = pitch("standings", "two.db")
    assert "so no 95 % interval for a fixed number of boards holds" in shown.stdout
    assert sentence in shown.stdout
    assert pitch("report", "two.db", "--markdown", "two.md").exit_code == 0
    report = (here / "two.md").read_text("utf-8")
    assert sentence in report.replace("\\", "")
    assert "which is better; alike within ±" in report


def test_until_separated_is_for_more_than_two(here: Path) -> None:
    text = two('[format]\nboards = "until-separated"\nmax_boards = 9\n')
    (here / "two.toml").write_text(text)
    result = pitch("compare", "two.toml")
    assert result.exit_code == 2
    assert "expected a number of boards or a table [question]" in result.stderr


def test_a_configuration_of_two_is_compared_to_a_precision(here: Path) -> None:
    (here / "two.toml").write_text(two())
    arguments = ("compare", "two.toml", "--precision", "3", "--max-boards", "40", "--json")
    ended = pitch_process(*arguments)
    assert ended.returncode == 0, ended.stderr
    document = json.loads(ended.stdout)
    assert document["format"]["question"]["precision"] == 3
    assert document["pairings"][0]["boards"] in (20, 40)
    assert document["verdict"]["verdict"] == "precise"
    assert document["analysis"]["comparison"]["sentence"] == document["verdict"]["sentence"]
    shown = pitch("standings", "two.db")
    assert document["verdict"]["sentence"] in shown.stdout
    assert pitch("verify", "two.db").exit_code == 0


def test_two_of_one_name_are_told_how_to_name_them(here: Path) -> None:
    result = pitch("compare", "rule --caution 1", "rule")
    assert result.exit_code == 2
    assert "expected two names, as in 'old=rule --caution 1' new=rule" in result.stderr
    named = pitch("compare", "a=rule", "a=random")
    assert "as in old=rule new=random" in named.stderr


def test_numbers_of_any_size_are_told_no_range() -> None:
    assert "None" not in pitch("compare", "--help").stdout
