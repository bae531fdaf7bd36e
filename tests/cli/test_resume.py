"""`pitch resume`: what is missing is played; what may be given anew, and what is warned of."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cli.running import command, pitch, pitch_process
from cli.tournaments import COMMAND, commanded, config, finished, going_on
from pitch_server.cli.resume import parse_commands
from pitch_server.fingerprint import fingerprint
from pitch_server.plan.settings import EntrantSettings, Isolation
from pitch_server.resuming import renew_bots
from pitch_server.store.journal import Journal
from verify.making import play_tournament

SETTINGS = commanded()  # two entrants, four games


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A tournament of which one game is played, with what its bots were then."""
    file = going_on(tmp_path / "a.db", SETTINGS, 1)
    with Journal.open(file) as journal:
        assert renew_bots(journal, tmp_path, {}) == ()
    return file


def test_what_is_missing_is_played_and_nothing_else(begun: Path) -> None:
    first = pitch("export", str(begun), "--reveal").stdout
    ended = pitch_process("resume", str(begun), "--tables", "2")
    told = ended.stderr.decode()
    assert ended.returncode == 0
    assert told.startswith("test: 1 of 4 games are played, 2 at once\n")
    assert "warning" not in told
    assert "4 of 4 games played; complete" in ended.stdout.decode()
    assert ended.stdout.decode() == pitch("standings", str(begun)).stdout
    assert pitch("export", str(begun)).stdout.startswith(first)
    assert pitch("verify", str(begun)).exit_code == 0


def test_a_finished_tournament_prints_its_table(tmp_path: Path) -> None:
    file = str(finished(tmp_path / "a.db", SETTINGS))
    result = pitch("resume", file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == pitch("standings", file).stdout


def resumed(file: Path, *arguments: str) -> str:
    """What `pitch resume` tells on standard error; it plays to the end."""
    ended = pitch_process("resume", str(file), *arguments)
    assert ended.returncode == 0, ended.stderr
    return ended.stderr.decode()


def test_a_bot_file_that_changed_is_named_once(begun: Path) -> None:
    bot = begun.parent / "bot.py"
    bot.write_text(bot.read_text() + "# better\n")
    with Journal.open(begun) as journal:
        warnings = renew_bots(journal, begun.parent, {})
        assert renew_bots(journal, begun.parent, {}) == ()
        assert {row.fingerprint for row in journal.entrants()} == {
            fingerprint(COMMAND, begun.parent)
        }
    assert warnings == tuple(
        f"warning: {name} may be another bot than the one that began: bot.py changed since"
        for name in ("a", "b")
    )


@pytest.mark.parametrize("form", ["resume", "run"])
def test_both_that_go_on_warn_of_a_changed_bot(begun: Path, form: str) -> None:
    file = config(begun.parent, SETTINGS) if form == "run" else str(begun)
    bot = begun.parent / "bot.py"
    bot.write_text(bot.read_text() + "# better\n")
    ended = pitch_process(form, file)
    assert ended.returncode == 0
    assert ended.stderr.decode().count("bot.py changed since\n") == 2


def test_a_run_stores_what_its_bots_are(tmp_path: Path) -> None:
    assert pitch_process("run", config(tmp_path, SETTINGS)).returncode == 0
    with Journal.open(tmp_path / "a.db") as journal:
        assert journal.directory == tmp_path
        assert {row.fingerprint for row in journal.entrants()} == {fingerprint(COMMAND, tmp_path)}


def test_a_command_given_anew_is_used_and_kept(begun: Path) -> None:
    (begun.parent / "bot.py").rename(begun.parent / "other bot.py")
    command = "{python} -u 'other bot.py'"
    refused = pitch("resume", str(begun), "--command", f"a={command}")
    assert refused.exit_code == 2
    assert "b: the script 'bot.py' is not a file in" in refused.stderr
    told = resumed(begun, "--command", f"a={command}", "--command", f"b={command}")
    assert "warning: a is started by another command now: '{python}' -u 'other bot.py'\n" in told
    with Journal.open(begun) as journal:
        assert [row.command for row in journal.entrants()] == [
            ("{python}", "-u", "other bot.py")
        ] * 2


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("aa=x", "no entrant is named 'aa'; did you mean 'a'?"),
        ("xyzzy=x", "no entrant is named 'xyzzy'; there are a, b"),
        ("a", "expected \"a=PROGRAM ARGUMENT...\", got 'a'"),
        ("a=", 'expected "a=PROGRAM ARGUMENT..."'),
        ("a='", "is no command: No closing quotation"),
        ("a=no-such-program", "a: the program 'no-such-program' is neither on PATH"),
    ],
)
def test_a_command_that_cannot_be_is_refused(begun: Path, given: str, sentence: str) -> None:
    result = pitch("resume", str(begun), "--command", given)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr
    with Journal.open(begun) as journal:
        assert [row.command for row in journal.entrants()] == [COMMAND, COMMAND]


def test_an_entrant_without_a_command_is_waited_for_unless_it_gets_one(tmp_path: Path) -> None:
    settings = replace(
        SETTINGS,
        clock=replace(SETTINGS.clock, start_timeout=0.5),
        entrants=(SETTINGS.entrants[0], EntrantSettings(name="far")),
    )
    file = going_on(tmp_path / "a.db", settings, 1)
    refused = pitch("resume", str(file))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "far: connects without a command" in refused.stderr
    assert "or give --listen HOST:PORT" in refused.stderr
    waiting = subprocess.Popen(
        command("resume", str(file), "--listen", "127.0.0.1:0"), stderr=subprocess.PIPE, text=True
    )
    assert waiting.stderr is not None
    assert any("waiting for far" in line for line in waiting.stderr)
    waiting.terminate()
    waiting.communicate(timeout=60)
    assert waiting.returncode == 143
    file = going_on(tmp_path / "b.db", replace(settings, clock=SETTINGS.clock), 1)
    resumed(file, "--command", f"far={sys.executable} bot.py")


def test_a_directory_that_is_gone_is_told_with_what_helps(begun: Path, tmp_path: Path) -> None:
    with Journal.open(begun) as journal:
        journal.set_directory(tmp_path / "gone")
    result = pitch("resume", str(begun))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "gone, which is no directory any more" in result.stderr
    assert "pitch run CONFIG.toml goes on" in result.stderr
    assert pitch_process("run", config(tmp_path, SETTINGS)).returncode == 0
    with Journal.open(begun) as journal:
        assert journal.directory == tmp_path


def test_one_of_several_is_resumed_by_its_number(begun: Path) -> None:
    play_tournament(begun, SETTINGS)
    told = resumed(begun, "--tournament", "1")
    assert "1 of 4 games are played" in told


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param("a={python} b=1", "a", id="a command with an equals sign"),
        pytest.param("=1+2={python} b.py", "=1+2", id="a name that begins with one"),
        pytest.param("a=b={python} b.py", "a=b", id="a name with one"),
    ],
)
def test_a_command_is_given_to_the_name_that_there_is(text: str, name: str) -> None:
    found = parse_commands([text], ("a", "=1+2", "a=b"), "--command")
    assert list(found) == [name]
    assert found[name][0] == "{python}"


@pytest.mark.parametrize("isolation", Isolation)
@pytest.mark.parametrize("launched", [True, False], ids=["launched", "connecting"])
def test_games_of_who_was_withdrawn_meanwhile_are_forfeited(
    tmp_path: Path, isolation: Isolation, launched: bool
) -> None:
    plain = commanded(entrants=3)
    settings = replace(plain, format=replace(plain.format, isolation=isolation))
    if not launched:  # the one that is taken out connects by itself, and needs a port to do so
        settings = replace(settings, entrants=(*settings.entrants[:2], EntrantSettings(name="c")))
    file = going_on(tmp_path / "a.db", settings, 1)
    assert pitch("withdraw", str(file), "c").exit_code == 0
    ended = pitch_process("resume", str(file), *([] if launched else ["--listen", "127.0.0.1:0"]))
    assert ended.returncode == 1, ended.stderr  # something to look at: forfeits
    told = json.loads(pitch("standings", str(file), "--json").stdout)
    assert told["complete"]
    rows = {row["name"]: row for row in told["entrants"]}
    assert rows["c"]["faults"]["absent"] == told["games"]["forfeited"] > 0
    assert sum(rows["a"]["faults"].values()) == sum(rows["b"]["faults"].values()) == 0
    assert pitch("verify", str(file)).exit_code == 0
