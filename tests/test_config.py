import stat
import sys
from pathlib import Path

import pytest

from pitch_server.bot_command import bot_files, resolve_command
from pitch_server.config import ConfigError, read_config
from pitch_server.guest import GuestSettings
from pitch_server.observing import Observing
from pitch_server.places import log_directory, near, parse_database
from pitch_server.plan.question import question_json
from pitch_server.plan.settings import Deals, Isolation, Opponents, Unit
from pitch_server.server_table import ServerSettings
from pitch_server.toml_table import LONGEST_SPAN

GOOD = """
name = "demo"
seed = "any text"
database = "demo.db"
tables = 3

[variant]
name = "pitch-ac"
steal = true

[format]
kind = "round-robin"
deals = "independent"
unit = "game"
boards = 7
max_hands = 50
isolation = "boards"
opponents = "shown"

[clock]
move_timeout = "500ms"
time_bank = "2m"
start_timeout = "1.5s"
reconnect_grace = "0s"

[rating]
tau = 0
draw_probability = 0.25

[faults]
on_fault = "forfeit"
max_faults = 9

[[entrants]]
name = "rule"
command = ["{python}", "bot.py"]

[[entrants]]
name = "\u6a4b\u672c \U0001f0cf"
command = ["./run", "--fast"]
"""

SHORT = """
name = "demo"
[variant]
name = "pitch-ac"
[[entrants]]
name = "a"
command = ["{python}", "bot.py"]
[[entrants]]
name = "b"
command = ["{python}", "bot.py"]
"""


@pytest.fixture(autouse=True)
def bots(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("")
    (tmp_path / "run").write_text("#!/bin/sh\n")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "directory").mkdir()


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "demo.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def problems(tmp_path: Path, text: str | bytes, *, serve: bool = False) -> list[str]:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        read_config(path, use="serve" if serve else "run")
    lines = str(caught.value).split("\n")
    assert all(line.startswith(f"{path}: ") for line in lines)
    assert all(line.isprintable() for line in lines)
    return [line.removeprefix(f"{path}: ") for line in lines]


def test_everything_in_the_file_arrives(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, GOOD))
    settings = config.settings
    assert (settings.name, config.seed, config.tables) == ("demo", "any text", 3)
    assert config.database.render_as_string() == f"sqlite:///{tmp_path}/demo.db"
    assert config.log_directory == tmp_path / "demo.db.logs"
    assert config.directory == tmp_path
    assert (settings.variant.name, settings.variant.steal) == ("pitch-ac", True)
    assert settings.format.deals is Deals.INDEPENDENT
    assert settings.format.unit is Unit.GAME
    assert (settings.format.boards, settings.format.max_hands) == (7, 50)
    assert settings.format.isolation is Isolation.BOARDS
    assert settings.format.opponents is Opponents.SHOWN
    clock = settings.clock
    assert (clock.move_timeout, clock.time_bank) == (0.5, 120)
    assert (clock.start_timeout, clock.reconnect_grace) == (1.5, 0)
    assert (settings.rating.tau, settings.rating.draw_probability) == (0, 0.25)
    assert (settings.faults.on_fault, settings.faults.max_faults) == ("forfeit", 9)
    assert settings.names == ("rule", "\u6a4b\u672c \U0001f0cf")
    # Frozen are the words as written, so that a resume finds the python of its own day.
    assert settings.entrants[0].command == ("{python}", "bot.py")
    assert config.commands == {
        "rule": (sys.executable, "bot.py"),
        "\u6a4b\u672c \U0001f0cf": (str(tmp_path / "run"), "--fast"),
    }


def test_what_is_absent_has_the_default(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, SHORT))
    assert config.seed is None
    assert config.tables == 8
    assert config.database.database == str(tmp_path / "demo.db")
    assert config.settings.clock.move_timeout == 1.0
    assert config.settings.format.boards == 100
    assert config.settings.rating.draw_probability is None


@pytest.mark.parametrize(
    ("table", "asked", "boards"),
    [
        pytest.param("", {"asked": "better", "equal_within": 0.1}, 10_000, id="which is better"),
        pytest.param(
            "equal_within = 0\nalpha = 0.01\nmax_boards = 77",
            {"asked": "better", "equal_within": 0.0, "alpha": 0.01},
            77,
            id="all its keys",
        ),
        pytest.param(
            'asks = "effect"\nh1 = 0.2\nbeta = 0.1',
            {"asked": "effect", "h0": 0.0, "h1": 0.2, "beta": 0.1},
            100_000,
            id="effect",
        ),
        pytest.param(
            'asks = "margin"\nh0 = -0.1\nh1 = 0.1',
            {"asked": "margin", "h0": -0.1, "h1": 0.1},
            100_000,
            id="margin",
        ),
        pytest.param(
            'asks = "precision"\nprecision = 0.05',
            {"asked": "precision", "precision": 0.05, "narrowest": 8100.0},
            100_000,
            id="precision",
        ),
    ],
)
def test_two_entrants_may_have_a_question(
    tmp_path: Path, table: str, asked: dict[str, object], boards: int
) -> None:
    text = SHORT.replace("[[entrants]]", f"[question]\n{table}\n[[entrants]]", 1)
    form = read_config(written(tmp_path, text)).settings.format
    assert form.question is not None
    found = {key: value for key, value in question_json(form.question).items() if key in asked}
    assert (found, form.boards) == (asked, boards)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        pytest.param('asks = "which"', 'question.asks: got "which"; expected', id="word"),
        pytest.param('ask = "effect"', "question.ask: unknown; possible are asks", id="key"),
        pytest.param('asks = "effect"', "question.h1: missing; expected a number", id="no h1"),
        pytest.param(
            'asks = "precision"',
            "question.precision: missing; expected a number",
            id="no precision",
        ),
        pytest.param(
            "h1 = 0.2",
            'question.h1: is of no use to asks = "better"; it is a key of asks = "effect" or',
            id="of another question",
        ),
        pytest.param('asks = "margin"\nh1 = 0', "question.h1: 0.0 is not possible", id="equal"),
        pytest.param("alpha = 0.5", "question.alpha: 0.5 is not possible", id="alpha"),
        pytest.param("alpha = nan", "question.alpha: nan is not possible", id="alpha NaN"),
        pytest.param("equal_within = inf", "question.equal_within: inf is not", id="infinite"),
        pytest.param("max_boards = 0", "question.max_boards: got 0; expected a whole", id="most"),
        pytest.param(
            "[format]\nboards = 7", "format.boards: is of no use to a [question]", id="boards"
        ),
        pytest.param(
            '[format]\nkind = "ladder"', "question.asks: 'better' is not possible", id="a ladder"
        ),
        pytest.param(
            '[[entrants]]\nname = "c"\ncommand = ["{python}", "bot.py"]',
            "expected two entrants in a variant of two sides",
            id="three",
        ),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(
    tmp_path: Path, table: str, expected: str
) -> None:
    text = SHORT.replace("[[entrants]]", f"[question]\n{table}\n[[entrants]]", 1)
    [problem] = problems(tmp_path, text)
    assert expected in problem


def test_a_question_is_a_table(tmp_path: Path) -> None:
    found = problems(tmp_path, 'question = "better"\n' + SHORT)
    assert found == ['question: got "better"; expected a table: [question] and its keys below it']


def test_a_byte_order_mark_is_no_problem(tmp_path: Path) -> None:
    assert read_config(written(tmp_path, b"\xef\xbb\xbf" + SHORT.encode())).settings.name == "demo"


def test_serve_takes_entrants_without_a_command(tmp_path: Path) -> None:
    text = SHORT.replace('command = ["{python}", "bot.py"]', "", 1)
    config = read_config(written(tmp_path, text), use="serve")
    assert config.settings.entrants[0].command is None
    assert list(config.commands) == ["b"]
    (line,) = problems(tmp_path, text)
    assert line.startswith("entrants[0].command: missing; expected a list of texts such as")
    assert line.endswith('(entrant "a")')


def test_serve_refuses_a_seed_that_can_be_guessed_and_never_shows_it(tmp_path: Path) -> None:
    text = 'seed = "guess me"' + SHORT
    assert read_config(written(tmp_path, text)).seed == "guess me"
    (line,) = problems(tmp_path, text, serve=True)
    assert line.startswith("seed: got 8 characters; expected 22 or more")
    assert "guess" not in line.replace("guessed", "")
    long = text.replace("guess me", "x" * 22)
    assert read_config(written(tmp_path, long), use="serve").seed == "x" * 22


def replaced(old: str, new: str) -> str:
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new)


HUGE = f"0x{'f' * 8000}"  # Python does not even write such a number in decimal digits
LONG = "a" * 300  # no file can have such a name

BAD = [
    # a key that nobody knows
    ("tables = 3", "tabels = 3", "tabels: unknown; possible are name, seed,", "mean tables?"),
    ("steal = true", "steel = true", "variant.steel: unknown field", "mean steal?"),
    ("boards = 7", "bords = 7", "format.bords: unknown", "mean boards?"),
    ("tables = 3", 'move_timeout = "1s"', "move_timeout: unknown", "it belongs to [clock]"),
    ("[rating]", "[ratings]", "ratings: unknown", "mean rating?"),
    ("tau = 0", '"a\\nb" = 0', "rating.a\\nb: unknown", "possible are tau, draw_probability"),
    ("steal = true", '"a\\nb" = 1', "variant.a\\nb: unknown field of a variant", "known are"),
    ('command = ["./run"', 'cmd = ["./run"', "entrants[1].cmd: unknown", "mean command?"),
    # a value of another type
    ('name = "demo"', "name = 3", "name: got 3; expected a text", 'write name = "3"'),
    ('seed = "any text"', "seed = 42", "seed: got 42; expected a text", 'write seed = "42"'),
    ('"demo.db"', "1979-05-27", "database: got 1979-05-27; expected a text", ""),
    ("tables = 3", "tables = true", "tables: got true; expected a whole number, 1 to 4,096", ""),
    ("tables = 3", "tables = 3.0", "tables: got 3.0; expected a whole number", ""),
    ("tables = 3", 'tables = "3"', 'tables: got "3"; expected a whole number', ""),
    ("tables = 3", "tables = 0", "tables: got 0; expected a whole number, 1 to", ""),
    ("tables = 3", f"tables = {'9' * 40}", "tables: got a number of more than 30 digits;", ""),
    ("steal = true", "steal = 1", "variant.steal: steal must be true or false, got 1", ""),
    ("steal = true", "target = 11.0", "variant.target: target must be a whole number", ""),
    ("boards = 7", "boards = -1", "format.boards: got -1; expected a whole number, 1 to", ""),
    ("max_hands = 50", "max_hands = false", "format.max_hands: got false; expected", ""),
    ("tau = 0", "tau = true", "rating.tau: got true; expected a number", ""),
    ("tau = 0", "tau = nan", "rating.tau: nan is not possible; expected a number, 0 or more", ""),
    ("tau = 0", "tau = 1e200", "rating.tau: 1e+200 is not possible; expected a number", "to 1,000"),
    ("tau = 0", f"tau = {'9' * 400}", "rating.tau: got a number of more", ""),
    ("0.25", "0", "rating.draw_probability: 0.0 is not possible; expected", "above 0 and below 1"),
    ("0.25", "1", "rating.draw_probability: 1.0 is not possible; expected", "below 1"),
    ("0.25", "1e-9", "rating.draw_probability: 1e-09 is not possible", "by at least 0.000001"),
    ("max_faults = 9", "max_faults = 0", "faults.max_faults: got 0; expected", ""),
    # words
    ('"round-robin"', '"swis"', 'format.kind: got "swis"; expected "round-robin"', "mean swiss?"),
    ('"round-robin"', '"knockout"', "format.kind: got", 'or "ladder" or "mixed"'),
    (
        "boards = 7",
        'boards = "until-seperated"',
        "format.boards: got",
        'or "until-separated"; did you mean',
    ),
    # what does not fit together in a format
    ("boards = 7", 'boards = "until-separated"', "format.max_boards: missing; expected", "most"),
    ("boards = 7", "max_boards = 7", "format.max_boards: is for boards = ", "until-separated"),
    ("boards = 7", "rounds = 2", "format.rounds: 2 is of no use to kind", "a swiss"),
    ("boards = 7", "batch = 0", "format.batch: got 0; expected a whole number, 1 to", ""),
    ("boards = 7", "error_rate = 0.1", "format.error_rate: 0.1 is of no use", "until-separated"),
    ("boards = 7", "error_rate = 2", "format.error_rate: 2.0 is not possible", "below 1"),
    (
        "boards = 7",
        'challengers = ["rule"]',
        "format.challengers: ['rule'] is of no use",
        "a gauntlet",
    ),
    ("boards = 7", 'seatings = "every"', "format.seatings: got", '"rotations" or "all"'),
    ('"round-robin"', '"swiss"', "format.rounds: missing; expected 1 to", "rounds of a swiss"),
    ('"round-robin"', '"swiss"\nrounds = 9', "format.rounds: 9 is not possible", "a pairing twice"),
    ('"round-robin"', '"gauntlet"', "format.challengers: missing; expected the names", ""),
    (
        '"round-robin"',
        '"gauntlet"\nchallengers = ["rul"]',
        "format.challengers: no entrant is named 'rul'",
        "did you mean rule?",
    ),
    ('"round-robin"', '"mixed"', "entrants: ", "each of another entrant"),
    ('"independent"', '"duplicat"', "format.deals: got", "did you mean duplicate?"),
    ('"game"', '"Hand"', 'format.unit: got "Hand"; expected "hand" or "game"', "mean hand?"),
    ('"boards"', '"table"', 'expected "seats" or "boards" or "none"', ""),
    ('"shown"', "true", 'format.opponents: got true; expected "hidden" or "shown"', ""),
    ('"forfeit"', '"forfiet"', 'faults.on_fault: got "forfiet"; expected', "mean forfeit?"),
    # times
    ('"500ms"', "1", "clock.move_timeout: got 1; expected a time such as", 'move_timeout = "1s"'),
    ('"500ms"', "0.5", "clock.move_timeout: got 0.5; expected", 'move_timeout = "0.5s"'),
    ('"500ms"', '"2"', 'clock.move_timeout: got "2"; expected', 'move_timeout = "2s"'),
    ('"500ms"', '"0s"', 'clock.move_timeout: got "0s"; expected', "above 0"),
    ('"500ms"', '"-1s"', 'clock.move_timeout: got "-1s"; expected a time such as', ""),
    ('"500ms"', '"1 s"', 'clock.move_timeout: got "1 s"; expected a time', ""),
    ('"500ms"', '"1sec"', 'clock.move_timeout: got "1sec"; expected a time', ""),
    ('"500ms"', '"1e3s"', 'clock.move_timeout: got "1e3s"; expected a time', ""),
    ('"500ms"', '"\u0661s"', "clock.move_timeout: got", "expected a time"),
    ('"2m"', '"169h"', 'clock.time_bank: got "169h"; expected', "at most 168h"),
    ('"2m"', f'"{"9" * 400}s"', "clock.time_bank: got", "at most 168h"),
    ('"500ms"', HUGE, "clock.move_timeout: got a number of more than 30 digits; expected", '2m"'),
    ('"0s"', "true", "clock.reconnect_grace: got true; expected a time", ""),
    # variants
    ('"pitch-ac"', '"pitch-ca"', "variant.name: unknown variant 'pitch-ca'", "mean pitch-ac?"),
    ('"pitch-ac"', HUGE, "variant.name: got a number of more than 30 digits; expected", ""),
    ("steal = true", f"target = {HUGE}", "variant.target: got a number of more than 30", ""),
    ("steal = true", f"target = [{HUGE}]", "variant.target: got [a number of more than 30", ""),
    ('"pitch-ac"', "1", "variant.name: unknown variant 1", ""),
    ("steal = true", "players = 3", "variant.players: sides must divide players", ""),
    ("steal = true", 'trump = "named"', "variant.trump: trump = lead and opening_lead", ""),
    ("steal = true", "deck = 53", "variant.deck: deck must be 52 or 54, got 53", ""),
    # names
    ('name = "demo"', 'name = ""', 'name: got ""; expected 1 to 64 characters, not 0', ""),
    ('name = "demo"', 'name = " demo"', "name: got", "no space at its beginning or end"),
    ('"rule"', '""', 'entrants[0].name: got ""; expected 1 to 64 characters, not 0', ""),
    ('"rule"', f'"{"x" * 65}"', "entrants[0].name: got", "1 to 64 characters, not 65"),
    ('"rule"', '"rule "', 'entrants[0].name: got "rule "; expected no space', ""),
    ('"rule"', '"\u2003rule"', "entrants[0].name: got", "no space at its beginning"),
    ('"rule"', '"ru\\tle"', "entrants[0].name: got", "no control characters, such as U+0009"),
    ('"rule"', '"ru\\u0085le"', "entrants[0].name: got", "such as U+0085"),
    ('"rule"', '"ru\\u2028le"', "entrants[0].name: got", "such as U+2028"),
    ('"rule"', '"ru\\u202Ele"', 'entrants[0].name: got "ru\\u202ele"; expected', "U+202E"),
    ('"rule"', "7", "entrants[0].name: got 7; expected a text", 'write name = "7"'),
    ('name = "rule"', "", "entrants[0].name: missing; expected a text", ""),
    # commands
    ('["./run", "--fast"]', '"python bot.py"', "entrants[1].command: got", '["python", "bot.py"]'),
    ('["./run", "--fast"]', "[]", "entrants[1].command: got []; expected a list of texts", ""),
    ('["./run", "--fast"]', '["./run", ""]', 'got ["./run", ""]; expected a list of texts', ""),
    ('["./run", "--fast"]', '["./run", 3]', 'got ["./run", 3]; expected a list of texts', ""),
    ('["./run", "--fast"]', '["./runs"]', "the program './runs' is not a file", ""),
    ('["./run", "--fast"]', '["no-such-one"]', "'no-such-one' is neither on PATH nor", ""),
    ('["./run", "--fast"]', '["python bot.py"]', "neither on PATH", "['python', 'bot.py']"),
    ('["./run", "--fast"]', '["./directory"]', "'./directory' is a directory", ""),
    ('["./run", "--fast"]', '["bot.py"]', "not executable", 'write ["{python}", "bot.py"]'),
    ('["./run", "--fast"]', '["{python}", "bto.py"]', "the script 'bto.py' is not a file", ""),
    ('["./run", "--fast"]', '["{python}", "-u", "b.py"]', "the script 'b.py' is not a file", ""),
    ('["./run", "--fast"]', '["./run", "a\\u0000b"]', "a word holds a NUL character", ""),
    ('["./run", "--fast"]', f'["./{LONG}"]', "can't be looked at: File name too long", ""),
    ('["./run", "--fast"]', f'["{{python}}", "{LONG}.py"]', "at: File name too long", ""),
    # databases
    ('"demo.db"', f'"{LONG}"', "expected a file: File name too long", ""),
    ('"demo.db"', '""', 'database: got ""; expected a path or a SQLAlchemy URL', ""),
    ('"demo.db"', '"directory"', 'database: got "directory", which is a directory', ""),
    ('"demo.db"', '"gone/demo.db"', "expected a file in a directory that exists", ""),
    ('"demo.db"', '"mysql://u:pw@h/d"', 'database: got a URL of "mysql"; expected sqlite', ""),
    ('"demo.db"', '"sqlite://"', "database: got a database in memory; expected one that", ""),
    ('"demo.db"', '"sqlite:///gone/x.db"', "expected a file in a directory that exists", ""),
    ('"demo.db"', '"postgresql://u:pw@h:port/d"', "database: got a URL that can't be read", ""),
    ('seed = "any text"', 'seed = ""', "seed: got 0 characters; expected 1 to 1000", ""),
]


@pytest.mark.parametrize(("old", "new", "begin", "end"), BAD, ids=[f"{b[1]}"[:40] for b in BAD])
def test_a_bad_file_is_refused_with_its_mend(
    tmp_path: Path, old: str, new: str, begin: str, end: str
) -> None:
    lines = problems(tmp_path, replaced(old, new))
    assert any(begin in line and end in line for line in lines), lines
    # A mended key would have told nothing else but what its absence does.
    assert len(lines) <= 2
    assert not any("pw" in line for line in lines)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", ["name: missing", "variant: missing", "entrants: missing"], id="empty"),
        pytest.param(
            'name = "x"\nvariant = "pitch-ac"\nformat = 3\nentrants = "a"\n',
            ['variant: got "pitch-ac"; expected a table: [variant]', "format: got 3", "entrants:"],
            id="no-tables",
        ),
        pytest.param(
            'name = "x"\nentrants = [{name = "a"}, 3]\n[variant]\n',
            ["variant.name: a variant needs a name", "entrants: got [a table, 3]; expected"],
            id="half-tables",
        ),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, text: str, expected: list[str]) -> None:
    lines = problems(tmp_path, text)
    assert len(lines) == len(expected)
    for line, begin in zip(lines, expected, strict=True):
        assert line.startswith(begin)


def test_all_problems_come_at_once(tmp_path: Path) -> None:
    text = """
nam = "demo"
tables = true
[variant]
name = "pitch-ac"
steel = true
target = "high"
[format]
boards = "many"
unit = "board"
[clock]
move_timeout = 1
[[entrants]]
name = "a"
command = ["./gone"]
[[entrants]]
name = "a"
comand = ["./run"]
"""
    keys = [line.partition(":")[0] for line in problems(tmp_path, text)]
    assert keys == [
        "name",
        "tables",
        "variant.steel",
        "variant.target",
        "format.unit",
        "format.boards",
        "clock.move_timeout",
        "entrants[0].command",
        "entrants[1].command",
        "entrants[1].name",
        "nam",
        "entrants[1].comand",
    ]


def test_a_combination_is_not_blamed_on_a_field_that_was_misspelt(tmp_path: Path) -> None:
    text = replaced("steal = true", 'trump = "named"\nopening_leed = "trump"')
    (line,) = problems(tmp_path, text)
    assert line.startswith("variant.opening_leed: unknown field")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Zo\\u00eb", "Zo\\u00eb", id="same"),
        pytest.param("Zo\\u00eb", "Zoe\\u0308", id="composed-differently"),
        pytest.param("\\u212b", "\\u00c5", id="angstrom"),
    ],
)
def test_a_name_can_be_had_once(tmp_path: Path, one: str, other: str) -> None:
    text = SHORT.replace('"a"', f'"{one}"').replace('"b"', f'"{other}"')
    (line,) = problems(tmp_path, text)
    assert line.startswith("entrants[1].name: got ")
    assert line.endswith("every name once, and entrants[0] has it already")


def test_names_of_any_script_are_welcome(tmp_path: Path) -> None:
    names = ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001f468\u200d\U0001f469" * 20]
    text = SHORT.replace('"a"', f'"{names[0]}"').replace('"b"', f'"{names[1]}"')
    assert read_config(written(tmp_path, text)).settings.names == tuple(names)


@pytest.mark.parametrize(
    ("variant", "count", "message"),
    [
        pytest.param('"pitch-ac"', 1, "got 1; expected 2 to 1,000 entrants", id="one"),
        pytest.param('"cutthroat"', 3, "got 3; expected 4 to 1,000 entrants, as cutthroat", id="4"),
        pytest.param('"none"', 1, "got 1; expected 2 to 1,000 entrants", id="no-variant"),
    ],
)
def test_there_must_be_enough_to_play(
    tmp_path: Path, variant: str, count: int, message: str
) -> None:
    entrants = [f'[[entrants]]\nname = "{n}"\ncommand = ["./run"]\n' for n in range(count)]
    text = f'name = "x"\n[variant]\nname = {variant}\n{"".join(entrants)}'
    assert any(line.startswith(f"entrants: {message}") for line in problems(tmp_path, text))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b'name = "x"\nname = ', "line 2, column 8", id="syntax"),
        pytest.param(b'name = "x"\nname = "y"\n', "line 2, column 11", id="key-twice"),
        pytest.param(b'a = "x"\n\n b = "\xff"', "not UTF-8: byte 0xff in line 3", id="not-utf-8"),
        pytest.param(b"a = " + b"[" * 50_000, "not TOML: nested too deeply", id="deep"),
        pytest.param(b"a = " + b"9" * 5000, "not TOML: Exceeds the limit", id="huge-number"),
        pytest.param(b"#" * 1_100_000, "longer than 1,048,576 bytes", id="long"),
        pytest.param(b"a\0b", "not TOML", id="nul"),
    ],
)
def test_what_is_not_toml_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (line,) = problems(tmp_path, content)
    assert message in line


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.toml: can't be read: No such file"):
        read_config(tmp_path / "gone.toml")
    with pytest.raises(ConfigError, match="can't be read: Is a directory"):
        read_config(tmp_path)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1s", 1), ("250ms", 0.25), ("2m", 120), ("1.5s", 1.5), ("168h", LONGEST_SPAN)],
)
def test_times_have_units(tmp_path: Path, text: str, seconds: float) -> None:
    config = read_config(written(tmp_path, replaced('"500ms"', f'"{text}"')))
    assert config.settings.clock.move_timeout == seconds


def test_a_database_may_be_a_url(tmp_path: Path) -> None:
    text = replaced('"demo.db"', '"postgresql+psycopg://u:pw@host/arena"')
    config = read_config(written(tmp_path, text))
    assert config.database.host == "host"
    assert config.log_directory == tmp_path / "arena.logs"
    assert "pw" not in repr(config)
    assert parse_database("sqlite:///x.db", tmp_path).database == str(tmp_path / "x.db")
    assert log_directory(parse_database("x.db", tmp_path), tmp_path) == tmp_path / "x.db.logs"


def test_a_program_is_found_on_the_path_before_the_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "directory"
    for place in (path / "tool", tmp_path / "tool", tmp_path / "only-here"):
        place.write_text("#!/bin/sh\n")
        place.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", str(path))
    assert resolve_command(["tool"], tmp_path) == (str(path / "tool"),)
    assert resolve_command(["./tool", "x"], tmp_path) == (str(tmp_path / "tool"), "x")
    assert resolve_command(["only-here"], tmp_path) == (str(tmp_path / "only-here"),)
    assert resolve_command(["gone"], tmp_path) == ("gone",)


def test_the_files_of_a_bot_are_those_that_its_command_names(tmp_path: Path) -> None:
    (tmp_path / "tool").touch()
    command = ["{python}", "-u", "bot.py", "../" + tmp_path.name + "/tool", "gone.py", "directory"]
    command.append("code " * 1000)
    found = [path.resolve() for path in bot_files(command, tmp_path)]
    assert found == [tmp_path / "bot.py", tmp_path / "tool"]
    assert bot_files([str(tmp_path / "tool")], tmp_path / "directory") == (tmp_path / "tool",)


def test_a_path_is_told_as_one_would_type_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    assert near(here / "a.db") == "a.db"
    assert near(tmp_path / "a.db") == str(tmp_path / "a.db")
    here.rmdir()
    assert near(here / "a.db") == str(here / "a.db")


LIMITED = """
processes = 3
restarts = 0
environment = { OMP_NUM_THREADS = "1" }
limits = { memory = "512MiB", cpu_time = "90s", open_files = 64, processes = 8, nice = 5 }
"""


def test_an_entrant_may_have_processes_and_limits(tmp_path: Path) -> None:
    entrant = read_config(written(tmp_path, SHORT + LIMITED)).settings.entrants[-1]
    assert entrant.processes == 3
    assert entrant.guest == GuestSettings(
        memory=512 << 20,
        cpu_time=90,
        open_files=64,
        processes=8,
        nice=5,
        restarts=0,
        environment=(("OMP_NUM_THREADS", "1"),),
    )


SERVED = (
    SHORT.replace('command = ["{python}", "bot.py"]', "", 1)
    + """
[server]
listen = "0.0.0.0:7777"
certificate = "tls/server.pem"
key = "/etc/pitch.key"
drain = "0s"
metrics = "127.0.0.1:9464"
log_format = "json"
"""
)


def test_a_server_has_its_own_table_with_paths_beside_the_file(tmp_path: Path) -> None:
    server = read_config(written(tmp_path, SERVED), use="serve").server
    assert server == ServerSettings(
        listen="0.0.0.0:7777",
        certificate=tmp_path / "tls/server.pem",
        key=Path("/etc/pitch.key"),
        drain=0.0,
        observing=Observing(metrics=("127.0.0.1", 9464), log_format="json"),
    )
    assert read_config(written(tmp_path, SHORT)).server == ServerSettings()


def test_slow_answers_are_counted_by_rows(tmp_path: Path) -> None:
    rows = '[{ over = "200ms", times = 10 }, { over = "2s", times = 1 }]'
    text = SHORT + f'[clock]\nmove_timeout = "5s"\nslow = {rows}\n'
    assert read_config(written(tmp_path, text)).settings.clock.slow == ((0.2, 10), (2.0, 1))


@pytest.mark.parametrize(
    ("addition", "line"),
    [
        pytest.param(
            "processes = 0", "entrants[1].processes: got 0; expected a whole number", id="0"
        ),
        pytest.param(
            'limits = { memory = "512" }',
            'entrants[1].limits.memory: got "512"; expected a size',
            id="size",
        ),
        pytest.param(
            'limits = { memry = "1MiB" }', "entrants[1].limits.memry: unknown", id="misspelt"
        ),
        pytest.param(
            "environment = { A = 1 }",
            "entrants[1].environment.A: got 1; expected a text",
            id="text",
        ),
        pytest.param(
            '[clock]\nslow = [{ over = "2s", times = 1 }]',
            "clock.slow: 2.0 is not possible",
            id="over",
        ),
        pytest.param(
            '[clock]\nslow = [{ over = "1ms", times = 1 }, { over = "2ms", times = 1 }]',
            "clock.slow: 1 is not possible; expected counts that fall",
            id="times",
        ),
        pytest.param(
            '[clock]\ntime_bank = "1s"\nslow = [{ over = "1ms", times = 1 }]',
            "clock.slow: [[0.001, 1]] is not possible; expected no table of slow answers",
            id="bank",
        ),
        pytest.param(
            '[clock]\nslow = [{ over = "1ms" }]', "clock.slow[0].times: missing", id="missing"
        ),
        pytest.param('[server]\nlog_format = "xml"', "server.log_format: got", id="log format"),
        pytest.param('[server]\nmetrics = "here"', "server.metrics: ", id="metrics"),
        pytest.param('user = "no such user"', "entrants[1].user: ", id="user"),
        pytest.param(
            "limits = { restarts = 1 }",
            "entrants[1].limits.restarts: unknown; possible are memory, cpu_time, open_files, "
            "processes, nice; it belongs to [entrants]",
            id="in a wrong table",
        ),
    ],
)
def test_what_cannot_be_is_refused_by_its_key(tmp_path: Path, addition: str, line: str) -> None:
    found = problems(tmp_path, SHORT + addition)
    assert any(each.startswith(line) for each in found), found


def test_limits_are_for_launched_bots(tmp_path: Path) -> None:
    text = SHORT + '[[entrants]]\nname = "c"\nuser = "nobody"\n'
    (line,) = problems(tmp_path, text, serve=True)
    assert "entrants[2].user: is for an entrant with a command" in line
